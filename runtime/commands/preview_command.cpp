// tenon preview: an interactive scene in a window.
#include <CLI/App.hpp>
#include <memory>

#include "runtime/commands/command.h"
#include "runtime/commands/service_support.h"
#include "runtime/preview/preview.h"
#include "runtime/session/output_files.h"
#include "runtime/session/rate_option.h"

namespace tenon::runtime {

namespace {

struct PreviewArguments {
  PreviewOptions preview;
  ConnectSettings connect;
};

void declare(CLI::App& command, PreviewOptions& options, ConnectSettings& connect) {
  addSceneOptions(command, options.scene);
  command.get_option("SCENE")->required(false);
  addConnect(command, connect);
  addSolverSettings(command, options.solver);
  addRate(command, options.rate);
  command.add_flag("--play", options.play, "Start playing the scene's script");
  command
      .add_option("--script", options.script, "Play the \"hands\" of this JSON file instead of the scene's")
      ->type_name("FILE");
  command.add_flag("--guidance", options.guidance,
                   "Guide parts into holes: reduce hand motion across a hole's axis; shown in the window and "
                   "stored in the record");
  command.add_flag("--paused", options.paused, "Start paused");
  command.add_option("--record", options.record, "Record the session to this file (SQLite)")
      ->type_name("FILE");
  addForce(command, options.force);
  command.add_option("--size", options.size, "Window size in pixels; default: the last size")
      ->type_name("WxH");
  auto* frames =
      command.add_option("--frames", options.frames, "Render N frames, then apply --screenshot and --quit")
          ->type_name("N")
          ->check(CLI::Range(1, 1000000));
  command.add_option("--after", options.after, "Count frames from this simulated time on [s]")
      ->type_name("S")
      ->check(finiteIn(0, 86400))
      ->needs(frames);
  command.add_option("--screenshot", options.screenshot, "Save the last of these frames (PNG)")
      ->type_name("FILE.png")
      ->needs(frames);
  command.add_flag("--quit", options.quit, "Exit after --frames")->needs(frames);
  command.add_option("--trace", options.trace, "Write a line of JSON per frame: times, positions, goals")
      ->type_name("FILE");
  for (const char* own : {"--solver", "--accuracy", "--solver-option", "--rate", "--play", "--script",
                          "--guidance", "--paused", "--record"})
    command.get_option("--session")->excludes(own);  // the session that it joins has its own
  command.footer(
      "Left button on a part: pull it at that point; the wheel moves it closer and away, R rotates it.\n"
      "Middle button: orbit. Wheel: zoom. Space: pause. P: play the script from the\n"
      "start, or take over with the mouse. Ctrl+R: record from the scene's start. Ctrl+E: arrange parts and\n"
      "goals, and save the scene. F1: all keys. Without SCENE: an empty workbench.\n\n"
      "Examples:\n"
      "  tenon preview\n"
      "  tenon preview content/scenes/bolt-in-plate.json\n"
      "  tenon preview content/scenes/flange.json --play\n"
      "  tenon preview content/scenes/four-bolts.json --record s.tenon\n"
      "  tenon preview content/scenes/flange.json --connect 127.0.0.1:7171\n"
      "  tenon preview content/scenes/flange.json --play --after 3 --frames 1 --screenshot a.png --quit\n\n"
      "Exit codes: 0 done, 2 bad input or usage, 3 no display, no Vulkan device, or the record ends early,\n"
      "130 stopped by Ctrl-C.");
}

}  // namespace

void addPreviewCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<PreviewArguments>();
  CLI::App* command =
      program.add_subcommand("preview", "Show a scene in a window and move its parts with the mouse");
  declare(*command, options->preview, options->connect);
  command->callback([options, &exitCode] {
    options->preview.source = sessionsOf(options->connect);
    exitCode = runPreview(options->preview);
  });
}

}  // namespace tenon::runtime
