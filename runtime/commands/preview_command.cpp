// tenon preview: a scene in a window, to be touched.
#include <CLI/App.hpp>
#include <memory>

#include "runtime/commands/command.h"
#include "runtime/preview/preview.h"
#include "runtime/session/output_files.h"
#include "runtime/session/rate_option.h"

namespace tenon::runtime {

namespace {

void declare(CLI::App& command, PreviewOptions& options) {
  addSceneOptions(command, options.scene);
  command.get_option("SCENE")->required(false);
  addSolverSettings(command, options.solver);
  addRate(command, options.rate);
  command.add_flag("--play", options.play, "The scene's scripted hands begin to work at once");
  command
      .add_option(
          "--script", options.script,
          "Hands of another JSON file (\"hands\" as in a scene) take the place of the scene's, and play")
      ->type_name("FILE");
  command.add_flag("--guidance", options.guidance,
                   "Help hands on their way into holes: what is beside a hole's axis counts less; told in "
                   "picture and record");
  command.add_flag("--paused", options.paused, "Time stands still until it is let go");
  command.add_option("--record", options.record, "Record the session to this file (SQLite)")
      ->type_name("FILE");
  addForce(command, options.force);
  command.add_option("--size", options.size, "Size of the window in pixels; default: as it was last")
      ->type_name("WxH");
  auto* frames = command
                     .add_option("--frames", options.frames,
                                 "Count so many pictures, then do what --screenshot and "
                                 "--quit say")
                     ->type_name("N")
                     ->check(CLI::Range(1, 1000000));
  command.add_option("--after", options.after, "Count pictures from this simulated time on [s]")
      ->type_name("S")
      ->check(finiteIn(0, 86400))
      ->needs(frames);
  command.add_option("--screenshot", options.screenshot, "Save the last one of them (PNG)")
      ->type_name("FILE.png")
      ->needs(frames);
  command.add_flag("--quit", options.quit, "Leave then")->needs(frames);
  command.add_option("--trace", options.trace, "Write a line of JSON for each picture: times, places, goals")
      ->type_name("FILE");
  command.footer(
      "Pull a part with the left mouse button, at the point that you touch; the wheel moves it nearer and\n"
      "further, R turns it. Middle button: orbit. Wheel: zoom. Space: pause. P: play the script from the\n"
      "start, or take over from it. Ctrl+R: record from the scene's start. F1: all keys.\n\n"
      "Examples:\n"
      "  tenon preview content/scenes/bolt-in-plate.json\n"
      "  tenon preview content/scenes/flange.json --play\n"
      "  tenon preview content/scenes/four-bolts.json --record s.tenon\n"
      "  tenon preview content/scenes/flange.json --play --after 3 --frames 1 --screenshot a.png --quit\n\n"
      "Exit codes: 0 done, 2 bad input or usage, 3 no display, no Vulkan device, or the record ends early,\n"
      "130 stopped by Ctrl-C.");
}

}  // namespace

void addPreviewCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<PreviewOptions>();
  CLI::App* command =
      program.add_subcommand("preview", "Show a scene in a window, to be touched with the mouse");
  declare(*command, *options);
  command->callback([options, &exitCode] { exitCode = runPreview(*options); });
}

}  // namespace tenon::runtime
