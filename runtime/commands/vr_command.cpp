// tenon vr: a scene in a headset, to be touched with both hands.
#include <memory>

#include "content/scene/limits.h"
#include "runtime/commands/command.h"
#include "runtime/vr/vr.h"

namespace tenon::runtime {

namespace {

void declare(CLI::App& command, VrOptions& options) {
  addSceneOptions(command, options.scene);
  command.get_option("SCENE")->required(false);
  addSolverSettings(command, options.solver);
  command.add_option("--rate", options.rate, "Steps per simulated second [Hz]; default: the scene's")
      ->type_name("HZ")
      ->check(finiteIn(1, content::kMaxRate));
  auto* record = command.add_option("--record", options.record, "Record the session to this file (SQLite)")
                     ->type_name("FILE");
  command.add_flag("--force", options.force, "Let the record overwrite a file")->needs(record);
  command
      .add_option("--table", options.table.height,
                  "Height over the floor at which the scene stands [m]; default: 0.8, 1.1 suits who stands")
      ->type_name("M")
      ->check(finiteIn(0, 3));
  command
      .add_option("--turn", options.turn,
                  "Angle by which a stick pushed aside turns you on the spot [deg]; 0: not at all")
      ->type_name("DEG")
      ->check(finiteIn(0, 180))
      ->capture_default_str();
  command
      .add_option("--trace", options.trace, "Write a line of JSON for each frame: times, head, hands, goals")
      ->type_name("FILE");
  command
      .add_option("--screenshot", options.screenshot,
                  "Save what both eyes see at the end, side by side (PNG)")
      ->type_name("FILE.png");
  command.footer(
      "Needs an OpenXR runtime that takes Vulkan (SteamVR, Monado, WiVRn ...) and a headset; tenon doctor "
      "tells\n"
      "what is missing. The scene stands on a table in front of where you look when it begins; the "
      "runtime's\n"
      "own recentring brings it there again. Squeeze a grip within 5 cm of a part to hold it, let go to drop "
      "it;\n"
      "with the trigger pulled, your hand's motion counts a tenth. A stick pushed aside turns you on the "
      "spot\n"
      "while your hands are open.\n"
      "A hand that is out of the cameras' sight keeps what it holds. Time stands still while the headset is "
      "off.\n\n"
      "Examples:\n"
      "  tenon vr content/scenes/bolt-in-plate.json\n"
      "  tenon vr content/scenes/four-bolts.json --table 1.1 --record s.tenon\n\n"
      "Exit codes: 0 ended from the headset, 2 bad input or usage, 3 no runtime, no headset, or it went "
      "away,\n"
      "or the record ends early, 130 stopped by Ctrl-C.");
}

}  // namespace

void addVrCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<VrOptions>();
  CLI::App* command =
      program.add_subcommand("vr", "Show a scene in a headset, to be touched with both hands");
  declare(*command, *options);
  command->callback([options, &exitCode] { exitCode = runVr(*options); });
}

}  // namespace tenon::runtime
