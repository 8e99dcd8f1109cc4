// tenon render: writes an image of a scene, without a display.
#include <fmt/format.h>
#include <CLI/App.hpp>
#include <CLI/Validators.hpp>

#include <array>
#include <memory>
#include <string>

#include "runtime/commands/command.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/image_size.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/run_scene.h"
#include "runtime/session/scene_picture.h"
#include "runtime/session/terminal.h"
#include "runtime/simulation/simulation.h"
#include "xr/display/offscreen.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

struct RenderOptions {
  SceneOptions scene;
  std::string out;
  std::string size = "1280x720";
  double time = 0;  ///< [s]
  PictureOptions picture;
  bool force = false;  ///< overwrite an existing file
};

constexpr double kMaxRenderTime = 86400;  ///< [s]

/// Steps to `time` [s]. False if interrupted.
bool simulateUntil(Simulation& simulation, double time, const InterruptGuard& interrupt) {
  const std::int64_t steps = stepsFor(time, simulation.world().options().dt);
  ProgressLine progress(time);
  for (std::int64_t k = 0; k < steps && !interrupt.requested(); ++k)
    progress.update(simulation.step().time, 0);
  return !interrupt.requested();
}

int render(const RenderOptions& options) {
  const InterruptGuard interrupt;
  const ImageSize size = parseImageSize(options.size);
  const LoadedScene loaded = loadScene(options.scene);
  const content::Scene& scene = *loaded.scene;
  InputFiles inputs;
  inputs.add(scene, loaded.meshFiles);
  requireWritable(std::array{Output{"--out", options.out, OutputKind::image}}, inputs, options.force);
  ScenePicture picture(loaded.scene, options.picture);
  AtomicFile file(options.out);
  xr::Offscreen display(size.width, size.height);

  physics::WorldOptions worldOptions;
  worldOptions.dt = 1 / scene.rate;
  Simulation simulation(scene, worldOptions, std::make_unique<xr::ScriptedHands>(scene.hands));
  if (!simulateUntil(simulation, options.time, interrupt)) return kInterrupted;
  file.commit(xr::toPng(picture.draw(display, size, simulation.world())));
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
      .add_option("--view", options.picture.view,
                  fmt::format("View direction: {}or the name of a part to look at", viewNameList()))
      ->type_name("NAME")
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--projection",
          [&options](const std::string& name) { options.picture.orthographic = name == "orthographic"; },
          "Projection: perspective or orthographic")
      ->type_name("NAME")
      ->check(CLI::IsMember({"perspective", "orthographic"}))
      ->default_str("perspective");
  command.add_flag("--forces", options.picture.forces,
                   "Draw contact and hand forces as arrows, with a scale");
  command
      .add_option("--section", options.picture.section,
                  "Section the parts perpendicular to an axis at an offset [mm]; removes the camera's side")
      ->type_name("AXIS=OFFSET");
  command.add_option("--xray", options.picture.xray, "Make a part transparent; repeatable")
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
