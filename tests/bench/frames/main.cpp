// bench_frames: how long a frame of a running scene takes on this machine's Vulkan device, offscreen: both
// eyes of a headset, and a window. The time of the processor (composing and recording) and that of the device
// (its timestamps).
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>

#include "content/reader/load_scene.h"
#include "runtime/simulation/simulation.h"
#include "tests/bench/bench_program.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/hands/scripted_hands.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/vulkan_device.h"

namespace tenon::bench {
namespace {

constexpr vk::Format kFormat = vk::Format::eR8G8B8A8Srgb;
constexpr double kEyeDistance = 0.064;  ///< [m]

struct Options {
  std::vector<std::string> scenes{"bolt-in-plate", "four-bolts", "flange", "gearbox-cover", "pile"};
  std::string folder = "content/scenes";
  int frames = 200;
  double rate = 90;  ///< of frames, in simulated time [Hz]
};

/// One kind of display: so many images of this size, each with a view of its own.
struct Display {
  std::string name;
  int eyes;
  vk::Extent2D extent;
};

/// The device, and what a frame needs of it.
class Graphics {
 public:
  Graphics()
      : instance_(xr::makeInstance(context_, {})),
        chosen_(xr::chooseDevice(instance_, std::nullopt)),
        device_(xr::makeDevice(chosen_, {})),
        queue_(device_.getQueue(chosen_.family, 0)),
        frame_(device_, chosen_.family),
        times_(device_.createQueryPool({.queryType = vk::QueryType::eTimestamp, .queryCount = 2})) {}

  std::string name() const { return chosen_.physical.getProperties().deviceName.data(); }

  xr::Renderer makeRenderer() const {
    return {chosen_.physical, device_,
            xr::interactiveOptions(chosen_.physical.getProperties().deviceType, kFormat)};
  }

  xr::DeviceImage makeImage(vk::Extent2D extent) const {
    return {chosen_.physical,
            device_,
            extent,
            kFormat,
            vk::SampleCountFlagBits::e1,
            vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc,
            vk::ImageAspectFlagBits::eColor};
  }

  /// Draws, waits, and returns the time of the device [ms].
  template <class Record>
  double draw(const Record& record) {
    const vk::raii::CommandBuffer& commands = frame_.begin();
    commands.resetQueryPool(*times_, 0, 2);
    commands.writeTimestamp2(vk::PipelineStageFlagBits2::eTopOfPipe, *times_, 0);
    record(commands);
    commands.writeTimestamp2(vk::PipelineStageFlagBits2::eBottomOfPipe, *times_, 1);
    frame_.submit(queue_);
    frame_.wait();
    const auto [result, ticks] = times_.getResults<std::uint64_t>(
        0, 2, 2 * sizeof(std::uint64_t), sizeof(std::uint64_t), vk::QueryResultFlagBits::e64);
    return 1e-6 * static_cast<double>(ticks[1] - ticks[0]) *
           chosen_.physical.getProperties().limits.timestampPeriod;
  }

 private:
  // Destroyed in reverse order.
  vk::raii::Context context_;
  vk::raii::Instance instance_;
  xr::ChosenDevice chosen_;
  vk::raii::Device device_;
  vk::raii::Queue queue_;
  xr::Frame frame_;
  vk::raii::QueryPool times_;
};

/// Percentile of times; sorts them.
double percentile(std::vector<double>& times, double fraction) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(fraction * static_cast<double>(times.size() - 1))];
}

/// A scene that its script moves, as it is drawn.
class Running {
 public:
  explicit Running(const content::Scene& scene)
      : scene_(scene),
        meshes_(scene),
        simulation_(scene, {.dt = 1 / scene.rate}, std::make_unique<xr::ScriptedHands>(scene.hands)) {}

  void advance(double seconds) {
    for (std::int64_t k = runtime::stepsFor(seconds, simulation_.world().options().dt); k > 0; --k)
      simulation_.step();
  }

  xr::RenderScene compose() const {
    const std::vector<physics::Pose> poses = this->poses();
    xr::RenderScene drawn = xr::compose(scene_, meshes_, poses);
    xr::addForces(drawn, scene_, simulation_.world().stepResult());
    return drawn;
  }

  xr::View view(double aspect) const {
    const std::vector<physics::Pose> poses = this->poses();
    std::vector<physics::Vector3d> points;
    for (std::size_t k = 0; k < poses.size(); ++k)
      if (meshes_.of(k))
        for (const physics::Vector3d& p : meshes_.of(k)->positions) points.push_back(poses[k] * p);
    return xr::fitView(points, *xr::viewDirection("iso"), aspect);
  }

 private:
  std::vector<physics::Pose> poses() const {
    const physics::World& world = simulation_.world();
    std::vector<physics::Pose> poses;
    for (std::size_t k = 0; k < world.bodyCount(); ++k)
      poses.push_back(world.partPose({static_cast<int>(k)}, world.stepResult().bodies[k]));
    return poses;
  }

  const content::Scene& scene_;
  xr::PartMeshes meshes_;
  runtime::Simulation simulation_;
};

/// The views of a display's eyes, on both sides of that of the scene.
std::vector<xr::View> viewsOf(const Display& display, const xr::View& middle) {
  std::vector<xr::View> views(static_cast<std::size_t>(display.eyes), middle);
  const physics::Vector3d right = middle.X_WC.q * physics::Vector3d::UnitX();
  if (display.eyes == 2) {
    views[0].X_WC.p -= 0.5 * kEyeDistance * right;
    views[1].X_WC.p += 0.5 * kEyeDistance * right;
  }
  return views;
}

void measure(Graphics& graphics, const Options& options, const content::Scene& scene,
             const Display& display) {
  using Clock = std::chrono::steady_clock;
  Running running(scene);
  xr::Renderer renderer = graphics.makeRenderer();
  std::vector<xr::DeviceImage> images;
  std::vector<xr::RenderTarget> targets;
  for (int eye = 0; eye < display.eyes; ++eye) images.push_back(graphics.makeImage(display.extent));
  for (const xr::DeviceImage& image : images)
    targets.push_back({*image.image, *image.view, display.extent, vk::ImageLayout::eColorAttachmentOptimal});
  const std::vector<xr::View> views =
      viewsOf(display, running.view(double(display.extent.width) / display.extent.height));

  std::vector<double> processor, device;
  for (int k = 0; k <= options.frames; ++k) {
    running.advance(1 / options.rate);
    const auto start = Clock::now();
    Clock::time_point recorded;
    const double drawn = graphics.draw([&](const vk::raii::CommandBuffer& commands) {
      renderer.drawEach(commands, targets, views, running.compose());
      recorded = Clock::now();
    });
    if (k == 0) continue;  // uploads the meshes
    processor.push_back(std::chrono::duration<double, std::milli>(recorded - start).count());
    device.push_back(drawn);
  }
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} |\n", scene.name, display.name,
             percentile(processor, 0.5), percentile(processor, 0.99), percentile(device, 0.5),
             percentile(device, 0.99));
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  CLI::App app{
      "Times of frames on this machine's Vulkan device, offscreen, at the quality of windows and headsets"};
  Options options;
  app.add_option("--scene", options.scenes, "Scenes of --folder, without .json")->capture_default_str();
  app.add_option("--folder", options.folder, "Folder of the scenes")->capture_default_str();
  app.add_option("--frames", options.frames, "Frames of each scene and display")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--rate", options.rate, "Frames per second of simulated time [Hz]")
      ->check(CLI::Range(1.0, 1000.0))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  xr::requireDriver();
  Graphics graphics;
  fmt::print("Device: {}\n\n", graphics.name());
  fmt::print(
      "| scene | images | processor, median [ms] | 99 % [ms] | device, median [ms] | 99 % [ms] "
      "|\n|---|---|---|---|---|---|\n");
  const std::array displays{Display{"2 x 1832 x 1920", 2, {1832, 1920}},
                            Display{"1920 x 1080", 1, {1920, 1080}}};
  for (const std::string& name : options.scenes) {
    const content::Scene scene = content::loadScene(std::filesystem::path(options.folder) / (name + ".json"));
    for (const Display& display : displays) measure(graphics, options, scene, display);
  }
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_frames", tenon::bench::run, argc, argv);
}
