// bench_frames: how long a frame of a running scene takes on this machine's Vulkan device, offscreen: both
// eyes of a headset, and a window. The time of the processor (composing and recording) and that of the device
// (its timestamps).
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
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
#include "xr/render/multiview_probe.h"
#include "xr/render/renderer.h"
#include "xr/vulkan/gpu_timer.h"
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
  bool inOnePass = false;  ///< both eyes into the layers of one image
};

/// The device, and what a frame needs of it.
class Graphics : xr::WindowlessDevice {
 public:
  Graphics() : timer_(chosen, device) {}

  std::string name() const { return chosen.physical.getProperties().deviceName.data(); }

  xr::RendererOptions options(bool inOnePass) const {
    xr::RendererOptions options = xr::interactiveOptions(chosen.physical.getProperties().deviceType, kFormat);
    options.multiview = inOnePass;
    return options;
  }
  xr::Renderer makeRenderer(bool inOnePass) const { return {chosen.physical, device, options(inOnePass)}; }
  bool drawsMultiview() const {
    return xr::drawsMultiview(chosen, device, queue, frame, options(true).samples);
  }

  xr::DeviceImage makeImage(vk::Extent2D extent, std::uint32_t layers) const {
    return {chosen.physical,
            device,
            extent,
            kFormat,
            vk::SampleCountFlagBits::e1,
            vk::ImageUsageFlagBits::eColorAttachment | vk::ImageUsageFlagBits::eTransferSrc,
            vk::ImageAspectFlagBits::eColor,
            layers};
  }

  /// Draws, waits, and returns the time of the device [ms].
  template <class Record>
  double draw(const Record& record) {
    const vk::raii::CommandBuffer& commands = frame.begin();
    timer_.begin(commands);
    record(commands);
    timer_.end(commands);
    frame.submit(queue);
    frame.wait();
    return timer_.consume().value_or(0);
  }

 private:
  xr::GpuTimer timer_;
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
  xr::Renderer renderer = graphics.makeRenderer(display.inOnePass);
  std::vector<xr::DeviceImage> images;
  std::vector<xr::RenderTarget> targets;
  const std::uint32_t layers = display.inOnePass ? 2 : 1;
  for (int k = 0; k < display.eyes / int(layers); ++k)
    images.push_back(graphics.makeImage(display.extent, layers));
  for (const xr::DeviceImage& image : images)
    targets.push_back({*image.image, *image.view, display.extent, vk::ImageLayout::eColorAttachmentOptimal});
  for (xr::RenderTarget& target : targets) target.layers.count = layers;
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
  std::vector<Display> displays{{"2 x 1832 x 1920", 2, {1832, 1920}}, {"1920 x 1080", 1, {1920, 1080}}};
  if (graphics.drawsMultiview())
    displays.insert(displays.begin() + 1, {"2 x 1832 x 1920, one pass", 2, {1832, 1920}, true});
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
