// tenon replay: what a recorded session says, and whether it comes out the same again.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "content/build_world.h"
#include "content/scene/wording.h"
#include "runtime/commands/command.h"
#include "runtime/commands/interrupt.h"
#include "runtime/commands/program.h"
#include "runtime/commands/progress_line.h"
#include "runtime/commands/session_scene.h"
#include "runtime/commands/solver_settings.h"
#include "runtime/record/replay_check.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

namespace {

struct ReplayOptions {
  std::string file;
  bool verify = false;
};

/// Events that are told; the file has them all.
constexpr std::size_t kMostEvents = 40;

/// What a file says, without what would move a terminal's cursor or fake a line.
std::string shown(const std::string& text) {
  constexpr std::size_t kMostBytes = 300;
  return content::oneLine(text, kMostBytes);
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
  return shown(text + (event.text.empty() ? "" : " (" + event.text + ")")) + "\n";
}

std::string summaryOf(const SessionReader& session) {
  const SessionHeader& header = session.header();
  std::string text = fmt::format(
      "{}: {}\n  recorded  {} by tenon {} on {}\n  length    {:.3f} s, {} steps at {:g} Hz, solver {}\n",
      session.file(), shown(header.sceneFile), shown(header.started), shown(header.program.version),
      shown(header.program.processor), session.lastTime(), session.lastTick(), header.rate,
      shown(header.solver));
  for (const auto& [path, bytes] : header.meshFiles)
    text += fmt::format("  mesh      {}, {} bytes, kept\n", shown(path), bytes.size());
  const auto ending = session.ending();
  text += ending
              ? fmt::format("  ended     {}\n", shown(*ending))
              : fmt::format("  ended     cut off: what came after {:.3f} s is missing\n", session.lastTime());
  for (const RecordedGoal& goal : session.goals())
    text += fmt::format("  goal      {}: {}, {:.3f} mm of {:.3f} mm, {:.3f}°, peak push {:.3f} N\n",
                        shown(goal.name), shown(goal.verdict), goal.depth * 1e3, goal.wantedDepth * 1e3,
                        goal.tilt * 180 / std::numbers::pi, goal.maxPush);
  const std::vector<SessionEvent> events = session.events();
  if (!events.empty()) text += "  events\n";
  for (std::size_t k = 0; k < std::min(events.size(), kMostEvents); ++k)
    text += eventText(session, events[k]);
  if (events.size() > kMostEvents)
    text += fmt::format("  … and {} more, in the table event\n", events.size() - kMostEvents);
  return text;
}

/// Why this program cannot come to the same bytes; empty: it can.
std::string whyNotExact(const SessionHeader& header) {
  for (const std::string& option : header.solverOptions)
    if (option.starts_with("time-us="))
      return "the solver's option " + option + " makes steps depend on the machine";
  return differenceOf(header.program, thisProgram());
}

/// The world that the session began with.
physics::World worldOf(const SessionHeader& header) {
  const content::Scene scene = sceneOf(header);
  SolverSettings solver;
  solver.name = header.solver;
  solver.options = header.solverOptions;
  if (!physics::solverFromText(solver.name))
    throw content::InputError(header.sceneFile, "session.solver", "is no solver: " + solver.name,
                              "take another copy of the session");
  physics::WorldOptions options;
  options.dt = 1 / header.rate;
  options.solver = solver.solver();
  options.solverOptions = solverOptions(solver, header.seed);
  options.threads = std::clamp(header.threads, 1, 64);
  return content::buildWorld(scene, options);
}

std::string differenceText(const SessionReader& session, const ReplayCheck& result) {
  std::string text =
      fmt::format("differs: first after tick {}, at {:.6f} s\n", *result.firstDifferent, result.time);
  if (!result.body)
    return text + "  the record ends before states were recorded again, so nothing says by how much\n";
  const BodyDifference& d = *result.body;
  return text +
         fmt::format(
             "  {} is off by {:.6g} mm and {:.6g}°, its velocity by {:.6g} mm/s and {:.6g}°/s, at tick {}, "
             "the first with recorded states\n  bodies that differ there: {}\n",
             shown(session.bodies()[static_cast<std::size_t>(d.body)]), d.distance * 1e3,
             d.angle * 180 / std::numbers::pi, d.speed * 1e3, d.spin * 180 / std::numbers::pi, d.tick,
             d.bodiesOffInAll);
}

int verify(SessionReader& session) {
  const InterruptGuard interrupt;
  const std::string why = whyNotExact(session.header());
  std::optional<physics::World> world;
  if (why.empty()) world.emplace(worldOf(session.header()));
  const auto start = std::chrono::steady_clock::now();
  ReplayCheck result;
  {
    ProgressLine progress(session.lastTime());
    result = check(session, world ? &*world : nullptr, [&](double time) {
      progress.update(time, 0);
      return !interrupt.requested();
    });
  }
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::string text;
  int exitCode = kDone;
  if (interrupt.requested()) {
    text = fmt::format("stopped after step {}\n", result.steps);
    exitCode = kInterrupted;
  } else if (!why.empty()) {
    text = fmt::format(
        "exact verification does not apply: {}\n  the record itself is whole: {} steps, all hashes as "
        "recorded\n",
        shown(why), result.steps);
    exitCode = kMissing;
  } else if (result.firstDifferent) {
    text = differenceText(session, result);
    exitCode = kNotReached;
  } else {
    text = fmt::format("verified: {} steps, {:.3f} s, every state bit for bit, in {:.2f} s\n", result.steps,
                       session.lastTime(), wall);
  }
  printResult(summaryOf(session) + "\n" + text);
  return exitCode;
}

int replay(const ReplayOptions& options) {
  SessionReader session(options.file);
  if (options.verify) return verify(session);
  printResult(summaryOf(session));
  return kDone;
}

}  // namespace

void addReplayCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* command =
      program.add_subcommand("replay", "Tell what a recorded session holds, or re-simulate and compare");
  command->add_option("FILE", options->file, "Session file, as tenon run --record writes it")
      ->type_name("")
      ->required();
  command->add_flag("--verify", options->verify,
                    "Re-simulate from the recorded inputs and compare every state");
  command->footer(
      "Tells scene, length, how it ended (a recording that was cut off says so), goals and events. The\n"
      "session has its scene and mesh files in it: the files themselves are not looked at.\n"
      "--verify names the first tick that differs, and which body by how much. A record of another version,\n"
      "compiler or processor is only checked against its own hashes: other bytes would prove nothing.\n\n"
      "Examples:\n"
      "  tenon replay s.tenon\n"
      "  tenon replay s.tenon --verify\n\n"
      "Exit codes: 0 done, and with --verify all the same; 1 it differs; 2 bad input or usage, such as a\n"
      "damaged file; 3 exact verification does not apply to this program or machine; 130 stopped by Ctrl-C.");
  command->callback([options, &exitCode] { exitCode = replay(*options); });
}

}  // namespace tenon::runtime
