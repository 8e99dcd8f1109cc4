// tenon run: runs a scene with its scripted hands, without a display.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "content/model/solver_support.h"
#include "runtime/assess/grab_reach.h"
#include "runtime/commands/command.h"
#include "runtime/record/recorder.h"
#include "runtime/report/run_result.h"
#include "runtime/report/scene_warnings.h"
#include "runtime/report/script_warnings.h"
#include "runtime/report/units_text.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/rate_option.h"
#include "runtime/session/record_session.h"
#include "runtime/session/scene_options.h"
#include "runtime/session/solver_settings.h"
#include "runtime/session/terminal.h"
#include "runtime/simulation/simulation.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

struct RunOptions {
  SceneOptions scene;
  SolverSettings solver;
  double rate = 0;                    ///< [Hz], 0: the scene's
  double duration = 0;                ///< [s], 0: the scene's
  std::optional<std::string> report;  ///< output file
  std::optional<std::string> record;  ///< output file
  bool force = false;                 ///< overwrite existing files
  bool json = false;
  bool verbose = false;
  std::uint64_t seed = 0;
  int threads = 1;
};

/// Longest simulated duration, one day [s].
constexpr double kMaxDuration = 86400;

void declareRun(CLI::App& command, RunOptions& options) {
  addSceneOptions(command, options.scene);
  addSolverSettings(command, options.solver);
  addRate(command, options.rate);
  command.add_option("--duration", options.duration, "Time to simulate [s]; default: the scene's")
      ->type_name("S")
      ->check(finiteIn(1e-6, kMaxDuration));
  command.add_option("--report", options.report, "Also write a report (Markdown)")->type_name("FILE");
  command.add_option("--record", options.record, "Record the session to this file (SQLite)")
      ->type_name("FILE");
  addForce(command, options.force);
  command.add_flag("--json", options.json, "Print all results as one JSON object instead of the summary");
  command.add_flag("-v,--verbose", options.verbose, "Add solver statistics and step times to the summary");
  command
      .add_option("--seed", options.seed,
                  "Random seed (used by baraff's next-contact=random), stored in the result")
      ->type_name("N")
      ->check(wholeNumber());
  command.add_option("--threads", options.threads, "Threads for independent islands of parts")
      ->type_name("N")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command.footer(
      "Runs the scene's scripted hands as fast as the machine allows. Prints the verdict of each goal:\n"
      "inserted, tight (for a screw with \"tight\": true), too-deep, jammed, blocked, pending (time limit\n"
      "exceeded) or released (released too early), with its explanation and the accuracy of the\n"
      "simulation. Warnings, first those of tenon check, are printed on stderr and in the JSON.\n\n"
      "Examples:\n"
      "  tenon run content/scenes/bolt-in-plate.json\n"
      "  tenon run content/scenes/bolt-in-plate.json --solver lemke-fixpoint --rate 2000 --report out.md\n"
      "  tenon run content/scenes/insertion-benchmark.json --set clearance_um=20 --json\n"
      "  tenon run content/scenes/four-bolts.json --record s.tenon --verbose\n"
      "  tenon run content/scenes/stack.json --duration 1 --solver baraff --solver-option "
      "next-contact=min-accel\n\n"
      "Exit codes: 0 every goal reached, 1 not every goal, 2 bad input or usage, 3 the record is incomplete\n"
      "(disk full, or file deleted), 130 stopped by Ctrl-C (with the results so far).");
}

double durationOf(const content::Scene& scene, const RunOptions& options) {
  const double duration = options.duration > 0 ? options.duration : scene.duration;
  if (duration > 0) return duration;
  throw content::InputError(scene.file, "/duration_s", "is missing, so the run has no end",
                            "add it to the scene, or use --duration");
}

/// Prints the warning on stderr and adds it to the result.
void warn(RunResult& result, std::string warning) {
  printMessage("warning: " + warning);
  result.warnings.push_back(std::move(warning));
}

/// Steps to the end of the run, until Ctrl-C, or until a state is not finite; stores the outcome in `result`.
void simulate(Simulation& simulation, RunResult& result, const InterruptGuard& interrupt,
              Recorder* recorder) {
  using Clock = std::chrono::steady_clock;
  using Microseconds = std::chrono::duration<double, std::micro>;
  const std::int64_t steps = std::max<std::int64_t>(1, stepsFor(result.duration, 1 / result.rate));
  Assessment assessment(*result.scene);
  GrabWatch grabs(*result.scene);
  ProgressLine progress(result.duration);
  const Clock::time_point start = Clock::now();
  for (std::int64_t k = 0; k < steps && !interrupt.requested() && result.notFinite == 0; ++k) {
    const Clock::time_point before = Clock::now();
    const std::vector<physics::Command>& commands = simulation.gather();
    for (const FarGrab& grab : grabs.farGrabs(simulation.world(), commands))
      warn(result, toText(grab, *result.scene));
    const physics::StepResult& tick = simulation.advance();
    const double step_us = Microseconds(Clock::now() - before).count();
    assessment.add(tick, step_us);
    if (recorder != nullptr)
      recorder->add(simulation.world(), simulation.commands(), simulation.samples(), assessment.goals(),
                    step_us);
    double push = 0;
    for (const GoalResult& goal : assessment.goals()) push = std::max(push, goal.push);
    progress.update(tick.time, push);
    result.notFinite = tick.report.notFinite;
  }
  result.wall = std::chrono::duration<double>(Clock::now() - start).count();
  result.interrupted = interrupt.requested() && assessment.summary().steps < steps;
  result.stateHash = simulation.world().stateHash();
  result.goals = assessment.goals();
  result.joints = assessment.joints();
  const physics::World& world = simulation.world();
  for (std::size_t k = 0; k < world.bodyCount(); ++k)
    result.parts.push_back(world.partPose({static_cast<int>(k)}, world.stepResult().bodies[k]));
  result.summary = assessment.summary();
}

int run(const RunOptions& options) {
  const InterruptGuard interrupt;
  std::string text = readSceneText(options.scene);
  content::RecordingFileSource files(options.scene.file);
  const content::Scene scene = parseScene(options.scene, text, files);
  content::FileBytes meshFiles = files.drain();
  RunResult result;
  result.scene = &scene;
  content::requireSolverSupports(options.solver.solver(), scene);
  result.solver = options.solver.name;
  result.rate = options.rate > 0 ? options.rate : scene.rate;
  result.duration = durationOf(scene, options);
  result.seed = options.seed;
  result.threads = options.threads;
  InputFiles inputs;
  inputs.add(scene, meshFiles);
  requireWritable(std::array{Output{"--record", options.record, OutputKind::session},
                             Output{"--report", options.report, OutputKind::report}},
                  inputs, options.force);
  std::optional<AtomicFile> report;
  if (options.report) report.emplace(*options.report);

  for (std::string& warning : sceneWarnings(scene, std::max(result.duration, scene.duration)))
    warn(result, std::move(warning));
  physics::WorldOptions world;
  world.dt = 1 / result.rate;
  world.solver = options.solver.solver();
  world.solverOptions = solverOptions(options.solver, options.seed);
  result.accuracy = toText(world.solverOptions.accuracy);
  world.threads = options.threads;
  Simulation simulation(scene, world, std::make_unique<xr::ScriptedHands>(scene.hands));
  std::optional<Recorder> recorder;
  if (options.record) {
    recorder.emplace(*options.record, options.force,
                     makeSessionHeader(scene, std::move(text), std::move(meshFiles), options.solver,
                                       result.rate, options.seed, options.threads),
                     scene, simulation.world(), OverflowPolicy::wait, printMessage);
  }
  simulate(simulation, result, interrupt, recorder ? &*recorder : nullptr);
  const char* const ending = result.interrupted ? "interrupted" : "done";
  if (recorder) {
    recorder->finish(result.notFinite > 0 ? "not finite" : ending);
    if (recorder->isComplete()) printMessage(recordingSummary(*options.record, result.summary.steps));
  }

  if (report) {
    report->commit(toReport(result));
    printMessage("report written to " + *options.report);
  }
  printResult(options.json
                  ? toJson(result)
                  : toText(result, supportsColor(stdout), options.verbose ? Detail::all : Detail::brief));
  if (result.notFinite > 0)
    printMessage(
        fmt::format("error: at {:.6g} s the motion of {} is not finite, so the run ends there; lower "
                    "speeds, forces or the duration, or raise --rate",
                    result.summary.simulated, countText(result.notFinite, "part")));
  if (result.interrupted) return kInterrupted;
  if (recorder && !recorder->isComplete() && result.notFinite == 0) return kMissingComponent;
  const bool allInserted = std::all_of(result.goals.begin(), result.goals.end(),
                                       [](const GoalResult& goal) { return isReached(goal.verdict); });
  return allInserted && result.notFinite == 0 ? kSuccess : kGoalNotReached;
}

}  // namespace

void addRunCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = program.add_subcommand("run", "Run a scene with its scripted hands, without a display");
  declareRun(*command, *options);
  command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace tenon::runtime
