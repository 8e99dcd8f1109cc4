// tenon render: writes an image of a scene, without a display.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "runtime/commands/command.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/image_size.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/terminal.h"
#include "runtime/session/usage.h"
#include "runtime/simulation/simulation.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/display/offscreen.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

using content::InputError;

struct RenderOptions {
  SceneOptions scene;
  std::string out;
  std::string size = "1280x720";
  double time = 0;  ///< [s]
  std::string view = "iso";
  std::optional<std::string> section;
  std::vector<std::string> xray;
  bool forces = false;
  bool force = false;  ///< overwrite an existing file
};

constexpr double kMaxRenderTime = 86400;  ///< [s]

/// "iso, front, …, ", with the separator after the last name too.
std::string viewNameList() {
  std::string list;
  for (const std::string& name : xr::viewNames()) list += name + ", ";
  return list;
}

/// `text` as a number; std::nullopt unless all of it is one.
template <class Number>
std::optional<Number> parseNumber(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses "y=12.5" [mm]; the half space on the camera's side is cut away. `from`: direction to the camera.
xr::SectionPlane sectionOf(const std::string& text, const physics::Vector3d& from) {
  const int axis = text.size() > 2 && text[1] == '=' ? text[0] - 'x' : -1;
  const auto offset =
      axis >= 0 && axis < 3 ? parseNumber<double>(std::string_view(text).substr(2)) : std::nullopt;
  if (!offset || !std::isfinite(*offset))
    throw InputError("--section", text, "is not a plane perpendicular to an axis",
                     "write it as AXIS=OFFSET in millimeters, such as y=0 or z=-12.5");
  xr::SectionPlane plane;
  const double sign = from[axis] < 0 ? -1 : 1;
  plane.normal = sign * physics::Vector3d::Unit(axis);
  plane.offset = sign * 1e-3 * *offset;
  return plane;
}

std::optional<std::size_t> partNamed(const content::Scene& scene, const std::string& name) {
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    if (scene.parts[k].name == name) return k;
  return std::nullopt;
}

/// "did you mean …? " with the most similar view or part, or "".
std::string suggestionFor(const std::string& wrong, const content::Scene& scene) {
  std::vector<std::string> names = xr::viewNames();
  for (const content::Part& part : scene.parts) names.push_back(part.name);
  return didYouMean(wrong, names);
}

/// The content and direction of the view.
struct ViewTarget {
  physics::Vector3d from;           ///< direction to the camera
  std::optional<std::size_t> part;  ///< std::nullopt: the whole scene
};

ViewTarget viewTargetOf(const content::Scene& scene, const std::string& name) {
  if (const auto direction = xr::viewDirection(name)) return {*direction, std::nullopt};
  const auto part = partNamed(scene, name);
  if (part && std::holds_alternative<physics::HalfSpace>(scene.parts[*part].shape))
    throw InputError("--view", name, "is infinite, so it does not fit into an image", "name another part");
  if (part) return {*xr::viewDirection("iso"), part};
  throw InputError("--view", name, "is neither a view nor a part of the scene",
                   suggestionFor(name, scene) +
                       fmt::format("name one of {}or a part listed by tenon check", viewNameList()));
}

std::vector<physics::Vector3d> pointsOf(const ViewTarget& target, const xr::PartMeshes& meshes,
                                        std::span<const physics::Pose> poses) {
  std::vector<physics::Vector3d> points;
  for (std::size_t k = 0; k < poses.size(); ++k)
    if (meshes.of(k) && (!target.part || *target.part == k))
      for (const physics::Vector3d& p : meshes.of(k)->positions) points.push_back(poses[k] * p);
  return points;
}

/// Steps to `time` [s]. False if interrupted.
bool simulateUntil(Simulation& simulation, double time, const InterruptGuard& interrupt) {
  const std::int64_t steps = stepsFor(time, simulation.world().options().dt);
  ProgressLine progress(time);
  for (std::int64_t k = 0; k < steps && !interrupt.requested(); ++k)
    progress.update(simulation.step().time, 0);
  return !interrupt.requested();
}

/// Makes the named parts transparent. Instances are in the order of the parts that have a mesh.
void makeTransparent(xr::RenderScene& renderScene, const content::Scene& scene, const xr::PartMeshes& meshes,
                     const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto part = partNamed(scene, name);
    if (!part || !meshes.of(*part))
      throw InputError("--xray", name, "is not a visible part",
                       suggestionFor(name, scene) + "name a part listed by tenon check");
    std::size_t instance = 0;
    for (std::size_t k = 0; k < *part; ++k) instance += meshes.of(k) ? 1 : 0;
    renderScene.instances[instance].surface.opacity = 0.22;
  }
}

int render(const RenderOptions& options) {
  const InterruptGuard interrupt;
  const ImageSize size = parseImageSize(options.size);
  content::RecordingFileSource files(options.scene.file);
  const content::Scene scene = parseScene(options.scene, readSceneText(options.scene), files);
  InputFiles inputs;
  inputs.add(scene, files.drain());
  requireWritable(std::array{Output{"--out", options.out, OutputKind::image}}, inputs, options.force);
  const ViewTarget target = viewTargetOf(scene, options.view);
  AtomicFile file(options.out);
  xr::Offscreen display(size.width, size.height);

  physics::WorldOptions worldOptions;
  worldOptions.dt = 1 / scene.rate;
  Simulation simulation(scene, worldOptions, std::make_unique<xr::ScriptedHands>(scene.hands));
  const xr::PartMeshes meshes(scene);
  const physics::World& world = simulation.world();
  const auto poses = [&] {
    std::vector<physics::Pose> all;
    for (std::size_t k = 0; k < world.bodyCount(); ++k)
      all.push_back(world.partPose({static_cast<int>(k)}, world.stepResult().bodies[k]));
    return all;
  };
  xr::RenderScene renderScene = xr::compose(scene, meshes, poses());
  makeTransparent(renderScene, scene, meshes, options.xray);  // rejects bad names before simulating
  if (options.section) sectionOf(*options.section, target.from);
  if (!simulateUntil(simulation, options.time, interrupt)) return kInterrupted;

  renderScene = xr::compose(scene, meshes, poses());
  makeTransparent(renderScene, scene, meshes, options.xray);
  if (options.section) renderScene.section = sectionOf(*options.section, target.from);
  if (options.forces) xr::addForces(renderScene, scene, world.stepResult());
  std::vector<physics::Vector3d> points = pointsOf(target, meshes, poses());
  for (const xr::Arrow& arrow : renderScene.arrows)
    if (!target.part) points.push_back(arrow.tail + arrow.vector);
  const xr::View view = xr::fitView(points, target.from, static_cast<double>(size.width) / size.height);
  file.commit(xr::toPng(display.draw({&view, 1}, renderScene)));
  printMessage("image written to " + options.out);
  return kSuccess;
}

void declareRender(CLI::App& command, RenderOptions& options) {
  addSceneOptions(command, options.scene);
  command.add_option("--out", options.out, "Image file to write (PNG)")->type_name("FILE.png")->required();
  addForce(command, options.force);
  command.add_option("--size", options.size, "Image size in pixels")->type_name("WxH")->capture_default_str();
  command
      .add_option("--time", options.time, "Simulate the scene with its scripted hands until this time [s]")
      ->type_name("S")
      ->check(finiteIn(0, kMaxRenderTime))
      ->capture_default_str();
  command
      .add_option("--view", options.view,
                  fmt::format("View direction: {}or the name of a part to look at", viewNameList()))
      ->type_name("NAME")
      ->capture_default_str();
  command.add_flag("--forces", options.forces, "Draw contact and hand forces as arrows, with a scale");
  command
      .add_option("--section", options.section,
                  "Section the parts perpendicular to an axis at an offset [mm]; removes the camera's side")
      ->type_name("AXIS=OFFSET");
  command.add_option("--xray", options.xray, "Make a part transparent; repeatable")
      ->type_name("PART")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.footer(
      "Needs a Vulkan device, in hardware or software (mesa-vulkan-drivers), but no display.\n\n"
      "Examples:\n"
      "  tenon render content/scenes/flange.json --out flange.png\n"
      "  tenon render content/scenes/flange.json --time 3 --forces --out forces.png\n"
      "  tenon render content/scenes/bolt-in-plate.json --time 2 --section y=0 --view screw --out "
      "section.png\n\n"
      "Exit codes: 0 done, 2 bad input or usage, 3 no Vulkan device, 130 stopped by Ctrl-C.");
}

}  // namespace

void addRenderCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<RenderOptions>();
  CLI::App* command = program.add_subcommand("render", "Render an image of a scene, at its start or later");
  declareRender(*command, *options);
  command->callback([options, &exitCode] { exitCode = render(*options); });
}

}  // namespace tenon::runtime
