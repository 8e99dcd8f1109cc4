// tenon replay: shows a recorded session, or re-simulates it and compares the states.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <numbers>
#include <optional>

#include "content/input/printable.h"
#include "content/input/wording.h"
#include "content/reader/load_scene.h"
#include "runtime/commands/command.h"
#include "runtime/record/session_reader.h"
#include "runtime/replay/replay_window.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/terminal.h"
#include "runtime/session/verify_session.h"

namespace tenon::runtime {

namespace {

struct ReplayOptions {
  std::string file;
  bool verify = false, text = false, force = false;
  ReplayWindowOptions window;
};

constexpr std::size_t kMaxListedEvents = 40;  ///< the file contains all of them

/// Text from a file as one line without control characters, shortened.
std::string singleLine(const std::string& text) {
  constexpr std::size_t kMaxBytes = 300;
  return content::oneLine(text, kMaxBytes);
}

std::string eventText(const SessionReader& session, const SessionEvent& event) {
  const auto nameIn = [](const std::vector<std::string>& names, int id) {
    const bool known = id >= 0 && static_cast<std::size_t>(id) < names.size();
    return known ? " " + names[static_cast<std::size_t>(id)] : std::string();
  };
  std::string text = fmt::format("  {:9.3f} s  {}", event.time, event.kind);
  text += nameIn(session.hands(), event.hand) + nameIn(session.bodies(), event.body) +
          nameIn(session.bodies(), event.other);
  if (event.goal >= 0) text += fmt::format(" goal {}", event.goal);
  return singleLine(text + (event.text.empty() ? "" : " (" + event.text + ")")) + "\n";
}

std::string sessionSummaryOf(const SessionReader& session) {
  const SessionHeader& header = session.header();
  std::string text = fmt::format(
      "{}: {}\n  recorded  {} by tenon {} on {}\n  length    {:.3f} s, {} steps at {:g} Hz, solver {}\n",
      session.file(), singleLine(header.sceneFile), singleLine(header.started),
      singleLine(header.program.version), singleLine(header.program.processor), session.lastTime(),
      session.lastTick(), header.rate, singleLine(header.solver));
  for (const auto& [path, bytes] : header.meshFiles)
    text += fmt::format("  mesh      {}, {} bytes, stored in the session\n", singleLine(path), bytes.size());
  const auto ending = session.ending();
  text += ending ? fmt::format("  ended     {}\n", singleLine(*ending))
                 : fmt::format("  ended     cut off: data after {:.3f} s is missing\n", session.lastTime());
  for (const RecordedGoal& goal : session.goals())
    text += fmt::format("  goal      {}: {}, {:.3f} mm of {:.3f} mm, {:.3f}°, peak push {:.3f} N\n",
                        singleLine(goal.name), singleLine(goal.verdict), goal.depth * 1e3,
                        goal.targetDepth * 1e3, goal.tilt * 180 / std::numbers::pi, goal.maxPush);
  const std::vector<SessionEvent> events = session.events();
  if (!events.empty()) text += "  events\n";
  for (std::size_t k = 0; k < std::min(events.size(), kMaxListedEvents); ++k)
    text += eventText(session, events[k]);
  if (events.size() > kMaxListedEvents)
    text += fmt::format("  … and {} more, in the table event\n", events.size() - kMaxListedEvents);
  return text;
}

/// The file to which --verify writes its result.
std::string outcomeFile(const std::string& folder) {
  return folder + "/verify.txt";
}

int verify(SessionReader& session, const std::optional<std::string>& outDir) {
  const InterruptGuard interrupt;
  const auto start = std::chrono::steady_clock::now();
  SessionVerification verification;
  {
    ProgressLine progress(session.lastTime());
    verification = verifySession(session, [&](double time) {
      progress.update(time, 0);
      return !interrupt.requested();
    });
  }
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  int exitCode = kSuccess;
  if (verification.canceled)
    exitCode = kInterrupted;
  else if (!verification.obstacle.empty())
    exitCode = kMissingComponent;
  else if (verification.check.firstDifferent)
    exitCode = kGoalNotReached;
  const std::string outcome =
      sessionSummaryOf(session) + "\n" + verificationText(session, verification, wall);
  if (outDir) {
    AtomicFile(outcomeFile(*outDir)).commit(content::printable(outcome, content::LineEndings::preserved));
    printMessage("result written to " + outcomeFile(*outDir));
  }
  printResult(outcome);
  return exitCode;
}

/// Creates the folder unless it exists.
void makeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!std::filesystem::is_directory(path))
    throw content::InputError(path, "",
                              fmt::format("cannot be created ({})", error ? error.message() : "a file"),
                              "name a folder inside a writable folder");
}

int replay(const ReplayOptions& options) {
  SessionReader session(options.file);
  const std::optional<std::string>& outDir = options.window.outDir;
  InputFiles inputs;
  inputs.add(options.file, session.header());
  requireWritable(
      std::array{Output{"--screenshot", options.window.screenshot, OutputKind::image},
                 Output{"--trace", options.window.trace, OutputKind::trace},
                 Output{"--out-dir",
                        options.verify && outDir ? std::make_optional(outcomeFile(*outDir)) : std::nullopt,
                        OutputKind::report}},
      inputs, options.force);
  if (outDir) makeFolder(*outDir);
  if (options.verify) return verify(session, options.window.outDir);
  if (options.window.time > session.lastTime())
    throw content::InputError(options.file, "--time",
                              fmt::format("is after the end at {:.3f} s", session.lastTime()),
                              "name a time within the session");
  printResult(sessionSummaryOf(session));
  return options.text ? kSuccess : runReplay(session, options.window);
}

}  // namespace

void addReplayCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<ReplayOptions>();
  ReplayWindowOptions& window = options->window;
  CLI::App* command = program.add_subcommand(
      "replay", "Show a recorded session in a window, or re-simulate it and compare bit for bit");
  command->add_option("FILE", options->file, "Session file, as --record writes it")
      ->type_name("")
      ->required();
  auto* verify = command->add_flag("--verify", options->verify,
                                   "No window: re-simulate from the recorded inputs and compare every state");
  auto* text = command->add_flag("--text", options->text, "No window: print the contents of the session");
  text->excludes(verify);
  const auto ofWindow = [&](CLI::Option* option) { return option->excludes(verify)->excludes(text); };
  ofWindow(command->add_option("--time", window.time, "Start at this time of the session [s]"))
      ->type_name("S")
      ->check(finiteIn(0, 1e9));
  ofWindow(command->add_flag("--play", window.play, "Start playing"));
  ofWindow(command->add_flag("--resimulate", window.resimulate, "Show a re-simulation beside the record"));
  ofWindow(command->add_option("--size", window.size, "Window size in pixels; default: the last size"))
      ->type_name("WxH");
  auto* frames = ofWindow(command->add_option("--frames", window.frames,
                                              "Render N frames, then apply --screenshot and --quit"))
                     ->type_name("N")
                     ->check(CLI::Range(1, 1000000));
  ofWindow(command->add_option("--screenshot", window.screenshot, "Save the last of these frames (PNG)"))
      ->type_name("FILE.png")
      ->needs(frames);
  ofWindow(command->add_flag("--quit", window.quit, "Exit after --frames"))->needs(frames);
  ofWindow(command->add_option("--trace", window.trace, "Write a line of JSON per frame"))->type_name("FILE");
  command
      ->add_option("--out-dir", window.outDir,
                   "Output folder: images saved with F12; with --verify the result, verify.txt")
      ->type_name("DIR")
      ->excludes(text);
  addForce(*command, options->force);
  command->footer(
      "Prints the scene, length, ending (done, interrupted or cut off), goals and events, and shows the\n"
      "session in a window: drag on the time line, click on events, Space: play, F1: all keys. The session\n"
      "contains its scene and mesh files; the original files are not read.\n"
      "--verify reports the first tick that differs, and the difference of each body; it applies on every\n"
      "x86-64 processor. A record of another version is only checked against its own hashes, because its\n"
      "results may differ; the window plays it from the recorded states. Window options cannot be\n"
      "combined with --verify or --text.\n\n"
      "Examples:\n"
      "  tenon replay s.tenon\n"
      "  tenon replay s.tenon --time 2.5 --resimulate\n"
      "  tenon replay s.tenon --time 2.5 --frames 1 --screenshot a.png --quit\n"
      "  tenon replay s.tenon --verify\n\n"
      "Exit codes: 0 done, with --verify: identical; 1 a state differs; 2 bad input or usage, such as a\n"
      "damaged file; 3 no display, or exact verification does not apply to this program or machine; 130\n"
      "stopped by Ctrl-C.");
  command->callback([options, &exitCode] { exitCode = replay(*options); });
}

}  // namespace tenon::runtime
