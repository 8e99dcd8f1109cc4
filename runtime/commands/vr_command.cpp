// tenon vr: a scene in a headset, to be touched with both hands.
#include <CLI/App.hpp>
#include <memory>

#include "runtime/commands/command.h"
#include "runtime/session/output_files.h"
#include "runtime/session/rate_option.h"
#include "runtime/vr/vr.h"

namespace tenon::runtime {

namespace {

void declareScene(CLI::App& command, VrOptions& options) {
  addSceneOptions(command, options.scene);
  command.get_option("SCENE")->required(false);
  addSolverSettings(command, options.solver);
  addRate(command, options.rate);
  command.add_option("--record", options.record, "Record the session to this file (SQLite)")
      ->type_name("FILE");
  addForce(command, options.force);
}

void declareComfort(CLI::App& command, VrOptions& options) {
  command
      .add_option("--table", options.tableHeight,
                  "Height over the floor at which the scene stands [m]; default: 0.45 m below your eyes, or "
                  "higher\nwhere you would not see it when you look straight ahead")
      ->type_name("M")
      ->check(finiteIn(0, 3));
  command
      .add_option_function<std::string>(
          "--turn", [&options](const std::string& text) { options.comfort.turning = *parseTurnMode(text); },
          "What a stick pushed aside does: turn you on the spot by this angle [deg], smooth, or off; "
          "default: "
          "30")
      ->type_name("DEG|smooth|off")
      ->check([](const std::string& text) {
        return parseTurnMode(text) ? std::string() : "is no angle from 0 to 180, nor smooth, nor off";
      });
  command.add_flag("!--no-vignette", options.comfort.vignette,
                   "Keep the rim of the view bright while you are moved evenly");
  command.add_flag("--left-handed", options.comfort.leftHanded,
                   "The menu is on your right hand, the left one points");
  command.add_flag("!--mute", options.sound, "Without sounds of contact and of goals that are reached");
  command.add_flag("--seated", options.seated,
                   "Your eyes are 1.2 m high, not 1.6 m, where the runtime knows no floor");
  command.add_option("--scale", options.scale, "How many times as large as it is the scene looks, 1 to 10")
      ->type_name("N")
      ->check(finiteIn(Room::kSmallest, Room::kLargest))
      ->capture_default_str();
  command
      .add_option("--fine", options.fine,
                  "With the trigger pulled, a hand's motion counts one N-th, 1 to 10; see below")
      ->type_name("N")
      ->check(finiteIn(1, 10))
      ->capture_default_str();
  command.add_flag("--guidance", options.guidance,
                   "Help hands on their way into holes: what is beside a hole's axis counts less; told in "
                   "picture and record");
}

void declareHeadset(CLI::App& command, VrOptions& options) {
  command
      .add_option(
          "--wait-for-headset", options.patience,
          "How long to wait for runtime and headset, before the session and where they go away in the "
          "middle of it [s]; default: not before, 60 in the middle")
      ->type_name("S")
      ->check(finiteIn(0, 86400));
  command
      .add_option(
          "--refresh-rate", options.refreshRate,
          "Pictures a second that the headset is asked to show, or the nearest that it can, where its "
          "runtime lets them be chosen [Hz]")
      ->type_name("HZ")
      ->check(finiteIn(1, 1000));
  command.add_flag("!--no-mirror", options.mirror,
                   "No window that shows on the desktop what the left eye sees");
  command
      .add_option("--trace", options.trace, "Write a line of JSON for each frame: times, head, hands, goals")
      ->type_name("FILE");
  command
      .add_option("--screenshot", options.screenshot,
                  "Save what both eyes see at the end, side by side (PNG)")
      ->type_name("FILE.png");
}

void declare(CLI::App& command, VrOptions& options) {
  declareScene(command, options);
  declareComfort(command, options);
  declareHeadset(command, options);
  command.footer(
      "Needs an OpenXR runtime that takes Vulkan (SteamVR, Monado, WiVRn ...) and a headset; tenon doctor "
      "tells\n"
      "what is missing. The scene stands on a table in front of where you look when it begins; the "
      "runtime's\n"
      "own recentring brings it there again. Squeeze a grip within 5 cm of a part to hold it, let go to drop "
      "it;\n"
      "both hands may hold the same one. Squeeze while you point at a part up to 3 m away to carry it at the "
      "end\n"
      "of the ray; draw your arm in to have it in your hand. With the trigger pulled, your hand's motion "
      "counts\n"
      "one N-th, of --fine N.\n"
      "Turn the palm of your left hand to your face, or press its menu button, for a menu above the wrist; "
      "point\n"
      "at it with the other hand and pull the trigger, or touch it. A stick pushed aside turns you, the "
      "right "
      "one\n"
      "pushed ahead throws an arc and brings you there when you let it go, the left one moves the table up "
      "and\n"
      "down, all while your hands are open. Without controllers, pinch or make a fist, where the runtime "
      "sees bare\n"
      "hands.\n"
      "A hand that is out of the cameras' sight keeps what it holds. Time stands still while the headset is "
      "off,\n"
      "and where runtime or headset go away until they are back (--wait-for-headset). Where there is a\n"
      "desktop, a window on it shows what the left eye sees; closing it ends nothing.\n\n"
      "Examples:\n"
      "  tenon vr content/scenes/bolt-in-plate.json\n"
      "  tenon vr content/scenes/four-bolts.json --table 1.1 --record s.tenon\n\n"
      "Exit codes: 0 ended from the headset, 2 bad input or usage, 3 no runtime, no headset, or it went "
      "away\n"
      "and did not return,\n"
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
