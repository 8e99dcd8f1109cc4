// tenon vr: an interactive scene in a headset.
#include <CLI/App.hpp>
#include <memory>

#include "runtime/commands/command.h"
#include "runtime/commands/service_support.h"
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
      .add_option(
          "--table", options.tableHeight,
          "Table height above the floor [m]; default: 0.45 m below your eyes, or higher if the scene\n"
          "would be below your field of view")
      ->type_name("M")
      ->check(finiteIn(0, 3));
  command
      .add_option_function<std::string>(
          "--turn", [&options](const std::string& text) { options.comfort.turning = *parseTurnMode(text); },
          "Turning with the thumbstick: snap turn by this angle [deg], smooth, or off; default: 30")
      ->type_name("DEG|smooth|off")
      ->check([](const std::string& text) {
        return parseTurnMode(text) ? std::string() : "is not an angle from 0 to 180, smooth or off";
      });
  command.add_flag("!--no-vignette", options.comfort.vignette, "Disable the vignette during smooth motion");
  command.add_flag("--left-handed", options.comfort.leftHanded,
                   "Show the menu on the right hand; the left hand points and teleports");
  command.add_flag("!--mute", options.sound, "Disable the sounds of contacts and reached goals");
  command.add_flag("--seated", options.seated,
                   "Assume an eye height of 1.2 m instead of 1.6 m if the runtime has no floor height");
  command.add_option("--scale", options.scale, "Display scale of the scene, 1 to 10")
      ->type_name("N")
      ->check(finiteIn(Room::kMinScale, Room::kMaxScale))
      ->capture_default_str();
  command
      .add_option("--fine", options.fine,
                  "Fine motion: scale hand motion by 1/N while the trigger is pulled, 1 to 10")
      ->type_name("N")
      ->check(finiteIn(1, 10))
      ->capture_default_str();
  command.add_flag("--guidance", options.guidance,
                   "Guide parts into holes: reduce hand motion across a hole's axis; shown in the view and "
                   "stored in the record");
  command.add_flag("--training", options.training,
                   "Show the assembly step by step: the next part and its place are highlighted, time and\n"
                   "errors of each step are stored in the record");
  command
      .add_option_function<std::string>(
          "--plan",
          [&options](const std::string& file) {
            options.plan = file;
            options.training = true;
          },
          "Train this plan of 'tenon plan'; without one, the steps are in the order of the goals")
      ->type_name("PLAN.json");
}

void declareHeadset(CLI::App& command, VrOptions& options) {
  command
      .add_option(
          "--wait-for-headset", options.waitTimeout,
          "Timeout for the runtime and the headset, before and during the session [s]; default: 0 before, "
          "60 during")
      ->type_name("S")
      ->check(finiteIn(0, 86400));
  command
      .add_option(
          "--refresh-rate", options.refreshRate,
          "Refresh rate of the headset [Hz]; the nearest supported rate is used, if the runtime allows "
          "changing it")
      ->type_name("HZ")
      ->check(finiteIn(1, 1000));
  command
      .add_option_function<std::string>(
          "--resolution",
          [&options](const std::string& text) {
            options.dynamicResolution = text == "auto";
            if (text != "auto") options.resolution = std::stod(text);
          },
          "Width and height of the eyes' images relative to those that the runtime recommends, 0.25 to 2, "
          "or\n"
          "auto: smaller while the graphics card is too slow for the display; default: auto, with software\n"
          "rendering 1")
      ->type_name("N|auto")
      ->check([](const std::string& text) {
        std::string number = text;
        return text == "auto" ? std::string() : finiteIn(0.25, 2)(number);
      });
  command
      .add_option_function<std::string>(
          "--views",
          [&options](const std::string& text) {
            using xr::EyeViews;
            options.views = text == "stereo"     ? EyeViews::stereo
                            : text == "foveated" ? EyeViews::foveated
                                                 : EyeViews::preferred;
          },
          "stereo: one image for each eye; foveated: also a smaller one with more detail for the middle of "
          "the\n"
          "view or the gaze, where the runtime offers it; default: auto, the kind that the runtime prefers")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "stereo", "foveated"}));
  command.add_flag("--passthrough", options.passthrough,
                   "Show the real room behind the parts, on headsets with cameras or see-through displays");
  command.add_flag("!--no-mirror", options.mirror, "No desktop window with the left eye's view");
  command.add_option("--trace", options.trace, "Write a line of JSON per frame: times, head, hands, goals")
      ->type_name("FILE");
  command
      .add_option("--screenshot", options.screenshot, "Save the last frame of both eyes, side by side (PNG)")
      ->type_name("FILE.png");
}

struct VrArguments {
  VrOptions vr;
  ConnectSettings connect;
};

void declareVr(CLI::App& command, VrOptions& options, ConnectSettings& connect) {
  declareScene(command, options);
  addConnect(command, connect);
  declareComfort(command, options);
  declareHeadset(command, options);
  for (const char* own : {"--solver", "--accuracy", "--solver-option", "--rate", "--guidance", "--record"})
    command.get_option("--session")->excludes(own);  // the session that it joins has its own
  for (const char* own : {"--training", "--plan"}) command.get_option("--connect")->excludes(own);
  command.footer(
      "Needs an OpenXR runtime with Vulkan support (SteamVR, Monado, WiVRn ...) and a headset; tenon doctor\n"
      "reports what is missing. The scene stands on a table in front of you; recenter it with the runtime's\n"
      "own function or the menu.\n"
      "Grasp: squeeze the grip within 5 cm of a part, or while pointing at a part up to 3 m away; both "
      "hands\n"
      "may hold the same part. Open the hand to release. Pull in your arm to bring a distant part closer.\n"
      "Pull the trigger while grasping for fine motion (--fine). Without controllers, pinch or make a fist,\n"
      "if the runtime supports hand tracking.\n"
      "Menu: turn the left palm to your face or press its menu button; point with the other hand and pull\n"
      "the trigger, or touch the menu.\n"
      "Thumbsticks, while both hands are open: left or right turns, right stick forward teleports, left\n"
      "stick forward or back raises or lowers the table.\n"
      "A hand out of the cameras' view keeps its grasp. The simulation pauses while the headset is off, and\n"
      "while the runtime or the headset is unavailable (--wait-for-headset). A desktop window shows the "
      "left\n"
      "eye's view; closing it does not end the session.\n\n"
      "Examples:\n"
      "  tenon vr content/scenes/bolt-in-plate.json\n"
      "  tenon vr content/scenes/flange.json --connect 127.0.0.1:7171\n"
      "  tenon vr content/scenes/four-bolts.json --table 1.1 --record s.tenon\n"
      "  tenon vr content/scenes/flange.json --training --record s.tenon\n\n"
      "Exit codes: 0 ended from the headset; 2 bad input or usage; 3 no runtime, no headset, the headset "
      "did\n"
      "not return, or the record is incomplete; 130 stopped by Ctrl-C.");
}

}  // namespace

void addVrCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<VrArguments>();
  CLI::App* command =
      program.add_subcommand("vr", "Show a scene in a headset and assemble it with both hands");
  declareVr(*command, options->vr, options->connect);
  command->callback([options, &exitCode] {
    options->vr.source = sessionsOf(options->connect);
    exitCode = runVr(options->vr);
  });
}

}  // namespace tenon::runtime
