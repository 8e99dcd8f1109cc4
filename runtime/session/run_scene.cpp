// See run_scene.h.
#include "runtime/session/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "content/input/limits.h"
#include "content/input/text_file.h"
#include "content/input/wording.h"
#include "content/model/solver_support.h"
#include "runtime/assess/grab_reach.h"
#include "runtime/plan/plan_json.h"
#include "runtime/record/recorder.h"
#include "runtime/report/scene_warnings.h"
#include "runtime/report/script_warnings.h"
#include "runtime/report/units_text.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/output_files.h"
#include "runtime/session/record_session.h"
#include "runtime/session/script_file.h"
#include "runtime/simulation/simulation.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::runtime {

namespace {

using content::InputError;

double durationOf(const content::Scene& scene, const RunSettings& settings) {
  const double duration = settings.duration > 0 ? settings.duration : scene.duration;
  if (duration > 0) return duration;
  throw InputError(scene.file, "/duration_s", "is missing, so the run has no end",
                   "add it to the scene, or use --duration");
}

void requireIn(const char* option, double value, double minimum, double maximum, const char* unit) {
  if (value >= minimum && value <= maximum) return;
  throw InputError(option, fmt::format("{:g}", value), "is out of range",
                   fmt::format("give a number from {:g} to {:g}{}", minimum, maximum, unit));
}

/// One run; its members are what its steps change.
class Run {
 public:
  Run(const LoadedScene& loaded, const RunSettings& settings, const RunObserver& observer)
      : loaded_(loaded), scene_(*loaded.scene), settings_(settings), observer_(observer) {}

  RunOutcome perform();

 private:
  void message(const std::string& text) const {
    if (observer_.message) observer_.message(text);
  }
  /// Reports the warning and adds it to the result.
  void warn(std::string warning) {
    message("warning: " + warning);
    outcome_.result.warnings.push_back(std::move(warning));
  }
  bool stopRequested() const { return observer_.stopRequested && observer_.stopRequested(); }
  void prepare();
  void simulate(Simulation& simulation, Recorder* recorder);
  void store(const Simulation& simulation, const Assessment& assessment);

  const LoadedScene& loaded_;
  const content::Scene& scene_;
  const RunSettings& settings_;
  const RunObserver& observer_;
  RunOutcome outcome_;
};

/// Fills in what was requested, and checks the files to write.
void Run::prepare() {
  requireValid(settings_);
  content::requireSolverSupports(settings_.solver.solver(), scene_);
  RunResult& result = outcome_.result;
  result.scene = &scene_;
  result.solver = settings_.solver.name;
  result.rate = settings_.rate > 0 ? settings_.rate : scene_.rate;
  result.duration = durationOf(scene_, settings_);
  result.seed = settings_.seed;
  result.threads = settings_.threads;
  InputFiles inputs;
  inputs.add(scene_, loaded_.meshFiles);
  if (!loaded_.handsFile.empty()) inputs.add(loaded_.handsFile, "is what the hands carry out");
  requireWritable(std::array{Output{"--record", settings_.record, OutputKind::session},
                             Output{"--report", settings_.report, OutputKind::report}},
                  inputs, settings_.force);
}

/// Steps to the end of the run, until a requested stop, or until a state is not finite.
void Run::simulate(Simulation& simulation, Recorder* recorder) {
  using Clock = std::chrono::steady_clock;
  using Microseconds = std::chrono::duration<double, std::micro>;
  RunResult& result = outcome_.result;
  const std::int64_t steps = std::max<std::int64_t>(1, stepsFor(result.duration, 1 / result.rate));
  Assessment assessment(scene_);
  GrabWatch grabs(scene_);
  const Clock::time_point start = Clock::now();
  bool stopped = false;
  for (std::int64_t k = 0; k < steps && result.notFinite == 0; ++k) {
    if ((stopped = stopRequested())) break;
    const Clock::time_point before = Clock::now();
    const std::vector<physics::Command>& commands = simulation.gather();
    for (const FarGrab& grab : grabs.farGrabs(simulation.world(), commands)) warn(toText(grab, scene_));
    const physics::StepResult& tick = simulation.advance();
    const double step_us = Microseconds(Clock::now() - before).count();
    assessment.add(tick, step_us);
    if (recorder != nullptr)
      recorder->add(simulation.world(), simulation.commands(), simulation.samples(), assessment.goals(),
                    step_us);
    double push = 0;
    for (const GoalResult& goal : assessment.goals()) push = std::max(push, goal.push);
    if (observer_.progress) observer_.progress(tick.time, push);
    result.notFinite = tick.report.notFinite;
  }
  result.wall = std::chrono::duration<double>(Clock::now() - start).count();
  result.interrupted = stopped;
  store(simulation, assessment);
}

void Run::store(const Simulation& simulation, const Assessment& assessment) {
  RunResult& result = outcome_.result;
  const physics::World& world = simulation.world();
  result.stateHash = world.stateHash();
  result.goals = assessment.goals();
  result.joints = assessment.joints();
  for (std::size_t k = 0; k < world.bodyCount(); ++k)
    result.parts.push_back(world.partPose({static_cast<int>(k)}, world.stepResult().bodies[k]));
  result.summary = assessment.summary();
  if (result.notFinite > 0)
    outcome_.problem = fmt::format(
        "at {:.6g} s the motion of {} is not finite, so the run ends there; lower speeds, forces "
        "or the duration, or raise --rate",
        result.summary.simulated, countText(result.notFinite, "part"));
}

RunOutcome Run::perform() {
  prepare();
  RunResult& result = outcome_.result;
  std::optional<AtomicFile> report;
  if (settings_.report) report.emplace(*settings_.report);
  for (std::string& warning : sceneWarnings(scene_, std::max(result.duration, scene_.duration)))
    warn(std::move(warning));
  physics::WorldOptions world;
  world.dt = 1 / result.rate;
  world.solver = settings_.solver.solver();
  world.solverOptions = solverOptions(settings_.solver, settings_.seed);
  result.accuracy = toText(world.solverOptions.accuracy);
  world.threads = settings_.threads;
  Simulation simulation(scene_, world, std::make_unique<xr::ScriptedHands>(scene_.hands));
  std::optional<Recorder> recorder;
  if (settings_.record)
    recorder.emplace(*settings_.record, settings_.force,
                     makeSessionHeader(scene_, loaded_.text, loaded_.meshFiles, settings_.solver, result.rate,
                                       settings_.seed, settings_.threads),
                     scene_, simulation.world(), OverflowPolicy::wait,
                     [this](const std::string& text) { message(text); });
  simulate(simulation, recorder ? &*recorder : nullptr);
  if (recorder) {
    const char* const ending = result.interrupted ? "interrupted" : "done";
    recorder->finish(result.notFinite > 0 ? "not finite" : ending);
    outcome_.recordComplete = recorder->isComplete();
    if (outcome_.recordComplete) message(recordingSummary(*settings_.record, result.summary.steps));
  }
  if (report) {
    report->commit(toReport(result));
    message("report written to " + *settings_.report);
  }
  return std::move(outcome_);
}

}  // namespace

std::string readPlanText(const std::string& planFile) {
  return content::readTextFile(
      planFile, {"plan", kMaxPlanBytes, "give the file that 'tenon plan SCENE --out PLAN.json' wrote"});
}

namespace {

LoadedScene loadedFrom(const SceneOptions& options, std::string text) {
  LoadedScene loaded;
  loaded.text = std::move(text);
  content::RecordingFileSource files(options.file);
  loaded.scene = std::make_shared<const content::Scene>(parseScene(options, loaded.text, files));
  loaded.meshFiles = files.drain();
  return loaded;
}

/// What an error says after the name of its file: "place: problem", without the remedy.
std::string problemOf(const InputError& error, const std::string& file) {
  std::string text = error.what();
  const std::string start = content::oneLine(file, text.size()) + ": ";
  if (text.starts_with(start)) text.erase(0, start.size());
  return text.substr(0, text.rfind("; "));
}

/// The scene with the plan; what is wrong with it without the plan is an error of the scene, all else of the
/// plan.
content::Scene parsePlannedScene(const SceneOptions& options, const std::string& sceneText,
                                 const PlannedScene& planned, const std::string& planFile,
                                 content::FileSource& files) {
  try {
    return parseScene(options, planned.text, files);
  } catch (const InputError& error) {
    content::RecordingFileSource again(options.file);
    parseScene(options, sceneText, again);
    const std::string problem = problemOf(error, options.file);
    const std::size_t end = std::min(problem.find(": "), problem.size());
    const auto place = planned.placeInPlan(problem.substr(0, end));
    throw InputError(
        planFile, place.value_or(""),
        place ? problem.substr(std::min(end + 2, problem.size())) : "does not fit the scene: " + problem,
        kPlanRemedy);
  }
}

LoadedScene plannedFrom(const SceneOptions& options, const std::string& text, const std::string& plan,
                        const std::string& planFile, content::FileSource& files) {
  LoadedScene loaded;
  PlannedScene planned = applyPlan(text, options.file, plan, planFile);
  loaded.scene =
      std::make_shared<const content::Scene>(parsePlannedScene(options, text, planned, planFile, files));
  loaded.text = std::move(planned.text);
  loaded.planSteps = planSteps(plan, planFile);
  loaded.handsFile = planFile;
  return loaded;
}

}  // namespace

LoadedScene loadScene(const SceneOptions& options) {
  return loadedFrom(options, readSceneText(options));
}

LoadedScene loadScriptedScene(const SceneOptions& options, const std::string& scriptFile) {
  LoadedScene loaded = loadedFrom(options, withScript(readSceneText(options), options.file, scriptFile));
  loaded.handsFile = scriptFile;
  return loaded;
}

LoadedScene loadPlannedScene(const SceneOptions& options, const std::string& planFile) {
  const std::string plan = readPlanText(planFile);
  content::RecordingFileSource files(options.file);
  LoadedScene loaded = plannedFrom(options, readSceneText(options), plan, planFile, files);
  loaded.meshFiles = files.drain();
  return loaded;
}

LoadedScene withPlan(const LoadedScene& loaded, const SceneOptions& options, const std::string& planText,
                     const std::string& planFile) {
  content::StoredFileSource files(options.file, loaded.meshFiles);
  LoadedScene planned = plannedFrom(options, loaded.text, planText, planFile, files);
  planned.meshFiles = loaded.meshFiles;
  return planned;
}

LoadedScene loadScene(const std::string& file, const content::ParameterValues& values) {
  for (const auto& [name, value] : values)
    if (!std::isfinite(value))
      throw InputError("--set", fmt::format("{}={}", name, value), "is not a name and a finite number",
                       "write it as NAME=VALUE, such as clearance_um=20");
  LoadedScene loaded;
  loaded.text = readSceneText({file, {}});
  content::RecordingFileSource files(file);
  loaded.scene =
      std::make_shared<const content::Scene>(parseSceneWithProgress(loaded.text, file, values, files));
  loaded.meshFiles = files.drain();
  return loaded;
}

void requireValid(const RunSettings& settings) {
  const SolverSettings& solver = settings.solver;
  if (!physics::solverFromText(solver.name)) {
    std::string names;
    for (const auto& [name, text] : physics::kSolverNames)
      names += (names.empty() ? "" : ", ") + std::string(text);
    throw InputError("--solver", solver.name, "is not a solver", "name one of " + names);
  }
  if (settings.rate != 0) requireIn("--rate", settings.rate, content::kMinRate, content::kMaxRate, " Hz");
  if (settings.duration != 0) requireIn("--duration", settings.duration, 1e-6, kMaxDuration, " s");
  requireIn("--threads", settings.threads, 1, kMaxThreads, "");
}

int RunOutcome::exitCode() const {
  if (result.interrupted) return kInterrupted;
  if (!recordComplete && result.notFinite == 0) return kMissingComponent;
  const bool allReached = std::all_of(result.goals.begin(), result.goals.end(),
                                      [](const GoalResult& goal) { return isReached(goal.verdict); });
  return allReached && result.notFinite == 0 ? kSuccess : kGoalNotReached;
}

RunOutcome runScene(const LoadedScene& loaded, const RunSettings& settings, const RunObserver& observer) {
  return Run(loaded, settings, observer).perform();
}

}  // namespace tenon::runtime
