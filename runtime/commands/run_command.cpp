// tenon run: runs a scene with its scripted hands, without a display.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <memory>
#include <optional>

#include "runtime/commands/command.h"
#include "runtime/report/diagnosis_text.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/rate_option.h"
#include "runtime/session/run_scene.h"
#include "runtime/session/terminal.h"

namespace tenon::runtime {

namespace {

struct RunOptions {
  SceneOptions scene;
  std::optional<std::string> plan;    ///< file of a plan
  std::optional<std::string> script;  ///< file of a script
  RunSettings settings;
  bool json = false;
  bool verbose = false;
};

void declareRun(CLI::App& command, RunOptions& options) {
  addSceneOptions(command, options.scene);
  CLI::Option* const plan =
      command
          .add_option("--plan", options.plan,
                      "Carry out this plan of 'tenon plan' instead of the scene's scripts")
          ->type_name("PLAN.json");
  command
      .add_option("--script", options.script, "Use the \"hands\" of this JSON file instead of the scene's")
      ->type_name("FILE")
      ->excludes(plan);
  addSolverSettings(command, options.settings.solver);
  addRate(command, options.settings.rate);
  command.add_option("--duration", options.settings.duration, "Time to simulate [s]; default: the scene's")
      ->type_name("S")
      ->check(finiteIn(1e-6, kMaxDuration));
  command.add_option("--report", options.settings.report, "Also write a report (Markdown)")
      ->type_name("FILE");
  command.add_option("--record", options.settings.record, "Record the session to this file (SQLite)")
      ->type_name("FILE");
  addForce(command, options.settings.force);
  command.add_flag("--json", options.json, "Print all results as one JSON object instead of the summary");
  command.add_flag("-v,--verbose", options.verbose, "Add solver statistics and step times to the summary");
  command
      .add_option("--seed", options.settings.seed,
                  "Random seed (used by baraff's next-contact=random), stored in the result")
      ->type_name("N")
      ->check(wholeNumber());
  command.add_option("--threads", options.settings.threads, "Threads for independent islands of parts")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads))
      ->capture_default_str();
  command.footer(
      "Runs the scene's scripted hands as fast as the machine allows. Prints the verdict of each goal:\n"
      "inserted, tight (with \"preload_n\" or \"torque_nm\"), started (of a thread with \"turns\"), "
      "too-deep,\n"
      "jammed, cross-threaded, stripped, blocked, pending (time limit exceeded) or released (released too "
      "early), "
      "with\n"
      "its explanation and the accuracy of the simulation. Warnings, first those of tenon check, are printed "
      "on stderr and in the JSON.\n\n"
      "Examples:\n"
      "  tenon run content/scenes/bolt-in-plate.json\n"
      "  tenon run content/scenes/bolt-in-plate.json --solver lemke-fixpoint --rate 2000 --report out.md\n"
      "  tenon run content/scenes/insertion-benchmark.json --set clearance_um=20 --json\n"
      "  tenon run content/scenes/flange.json --plan flange.plan.json\n"
      "  tenon run content/scenes/four-bolts.json --record s.tenon --verbose\n"
      "  tenon run content/scenes/four-bolts.json --script hands.json\n"
      "  tenon run content/scenes/stack.json --duration 1 --solver baraff --solver-option "
      "next-contact=min-accel\n\n"
      "Exit codes: 0 every goal reached, 1 not every goal, 2 bad input or usage, 3 the record is incomplete\n"
      "(disk full, or file deleted), 130 stopped by Ctrl-C (with the results so far).");
}

/// Of a plan: each step whose goal was not reached, and why.
void reportSteps(const LoadedScene& loaded, const RunResult& result) {
  for (std::size_t k = 0; k < result.goals.size(); ++k) {
    const GoalResult& goal = result.goals[k];
    const content::Goal& of = loaded.scene->goals[k];
    if (isReached(goal.verdict)) continue;
    for (const int part : {of.part, of.into}) {
      const auto step = loaded.planSteps.find(loaded.scene->part(part).name);
      if (step == loaded.planSteps.end()) continue;
      printMessage(fmt::format("plan step {}, {}: {}", step->second, loaded.scene->part(of.part).name,
                               verdictAndExplanation(goal, of)));
      break;
    }
  }
}

int run(const RunOptions& options) {
  const InterruptGuard interrupt;
  const LoadedScene loaded = options.plan     ? loadPlannedScene(options.scene, *options.plan)
                             : options.script ? loadScriptedScene(options.scene, *options.script)
                                              : loadScene(options.scene);
  RunObserver observer;
  observer.message = printMessage;
  observer.stopRequested = [&] { return interrupt.requested(); };
  std::optional<ProgressLine> progress;
  observer.progress = [&](double time, double push) {
    const double duration =
        options.settings.duration > 0 ? options.settings.duration : loaded.scene->duration;
    if (!progress) progress.emplace(duration);
    progress->update(time, push);
  };
  const RunOutcome outcome = runScene(loaded, options.settings, observer);
  progress.reset();
  printResult(options.json ? toJson(outcome.result)
                           : toText(outcome.result, supportsColor(stdout),
                                    options.verbose ? Detail::all : Detail::brief));
  reportSteps(loaded, outcome.result);
  if (!outcome.problem.empty()) printMessage("error: " + outcome.problem);
  return outcome.exitCode();
}

}  // namespace

void addRunCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = program.add_subcommand("run", "Run a scene with its scripted hands, without a display");
  declareRun(*command, *options);
  command->callback([options, &exitCode] { exitCode = run(*options); });
}

}  // namespace tenon::runtime
