// tenon sweep: the volume that a part sweeps on its path, and the least clearances along it.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "content/input/wording.h"
#include "content/mesh/shaded_mesh.h"
#include "content/parts/write_mesh.h"
#include "runtime/commands/command.h"
#include "runtime/commands/load_assembly.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/plan_json.h"
#include "runtime/record/is_session.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/run_scene.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/terminal.h"
#include "runtime/sweep/sweep_report.h"
#include "runtime/sweep/swept_distance.h"

namespace tenon::runtime {

namespace {

using content::InputError;

struct SweepOptions {
  SceneOptions scene;
  std::optional<std::string> plan, part, out;
  std::vector<std::string> against;
  double error_mm = 0.1;
  double minClearance_mm = 0;
  int threads = 1;
  bool json = false;
  bool force = false;
};

/// Edges of a swept volume that are drawn sharp [rad].
constexpr double kCrease = 30 * std::numbers::pi / 180;
/// Color of swept volumes in GLB files: linear red, green, blue.
constexpr std::array kVolumeColor{0.1, 0.35, 0.8};
/// Share of the error that the simplification of a recorded path may take.
constexpr double kPathShare = 0.1;
/// STL has floats: half a rounding, relative to the largest coordinate.
constexpr double kFloatRounding = 6e-8;

/// Thrown after Ctrl-C.
struct Stopped {};

/// The paths and what they belong to.
struct Subject {
  std::shared_ptr<const content::Scene> scene;
  SweptParts parts;
  InputFiles inputs;
};

class Sweep {
 public:
  explicit Sweep(const SweepOptions& options) : options_(options) {}

  int run() {
    try {
      const bool isSession = isSessionFile(options_.scene.file);
      const Subject subject = isSession ? recorded() : planned();
      return sweep(subject);
    } catch (const Stopped&) {
      return kInterrupted;
    }
  }

 private:
  void requireOutput(const InputFiles& inputs) {
    if (options_.out && !options_.part)
      throw InputError("--out", content::inQuotes(*options_.out), "is for one part",
                       "add --part NAME, the part whose swept volume is written");
    requireWritable(std::array{Output{"--out", options_.out, OutputKind::volume}}, inputs, options_.force);
  }

  Subject recorded() {
    if (options_.plan || !options_.scene.settings.empty())
      throw InputError(options_.plan ? "--plan" : "--set",
                       options_.plan ? *options_.plan : options_.scene.settings.front(),
                       "is for scenes, and this is a session", "leave it out: a session has its own values");
    SessionReader session(options_.scene.file);
    Subject subject;
    subject.inputs.add(options_.scene.file, session.header());
    requireOutput(subject.inputs);
    subject.scene = std::make_shared<const content::Scene>(sceneOf(session.header()));
    subject.parts = recordedParts(session, *subject.scene, [&](double time) {
      progress_.show(fmt::format("Reading the session: {:.2f} of {:.2f} s", time, session.lastTime()));
      return !interrupt_.requested();
    });
    if (interrupt_.requested()) throw Stopped();
    if (!subject.parts.gaps.empty())
      printMessage("motion between keyframes is not known and taken as straight: " + subject.parts.gaps);
    return subject;
  }

  Subject planned() {
    const LoadedScene loaded = loadAssembly(options_.scene, std::nullopt);
    Subject subject;
    subject.scene = loaded.scene;
    subject.inputs.add(*loaded.scene, loaded.meshFiles);
    subject.inputs.add(options_.scene.file, "is the assembly itself");
    if (options_.plan) subject.inputs.add(*options_.plan, "is the plan itself");
    requireOutput(subject.inputs);
    if (options_.plan) {
      const std::string text = readPlanText(*options_.plan);
      const Assembly assembly = assembledState(*loaded.scene, planBase(text, *options_.plan, *loaded.scene));
      subject.parts = plannedParts(assembly, readPlanSteps(text, *options_.plan, assembly));
    } else {
      PlanSettings settings;
      settings.stop = [&] { return interrupt_.requested(); };
      settings.progress = [&](const std::string& what) { progress_.show(what); };
      const AssemblyPlan plan = makePlan(*loaded.scene, settings);
      subject.parts = plannedParts(plan.assembly, plan.steps);
    }
    if (interrupt_.requested()) throw Stopped();
    return subject;
  }

  int sweep(const Subject& subject) {
    const content::Scene& scene = *subject.scene;
    std::vector<int> against;
    for (const std::string& name : options_.against) against.push_back(partOf(scene, "--against", name));
    SweepReport report;
    report.scene = &scene;
    report.parts = &subject.parts;
    report.required = 1e-3 * options_.minClearance_mm;
    std::optional<int> only;
    if (options_.part) only = partOf(scene, "--part", *options_.part);
    const SweptPart* chosen = nullptr;
    for (const SweptPart& swept : subject.parts.swept)
      if (only && swept.part == *only) chosen = &swept;
    if (only && !chosen)
      throw InputError(
          "--part", content::inQuotes(*options_.part),
          subject.parts.isRecorded ? "does not move in this session" : "is in no step of the plan",
          "name one of " + movingNames(subject));
    PartDistance distance(scene);
    for (const SweptPart& swept : subject.parts.swept) {
      if (only && &swept != chosen) continue;
      report.findings.push_back(clearancesOf(subject, swept, against, distance));
    }
    if (options_.out) report.volume = writeVolume(scene, *chosen);
    progress_.show("");
    printResult(options_.json ? toJson(report) : toText(report));
    if (report.volume) printMessage("swept volume written to " + report.volume->file);
    return report.isTooClose() ? kGoalNotReached : kSuccess;
  }

  static int partOf(const content::Scene& scene, const char* option, const std::string& name) {
    std::vector<std::string> names;
    for (const content::Part& part : scene.parts) names.push_back(part.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(option, content::inQuotes(name), "is no part of the scene",
                       content::suggestion(name, names));
    return static_cast<int>(found - names.begin());
  }

  static std::string movingNames(const Subject& subject) {
    std::vector<std::string> names;
    for (const SweptPart& swept : subject.parts.swept) names.push_back(subject.scene->part(swept.part).name);
    return names.empty() ? "the parts that move: there is none" : content::quotedList(names);
  }

  SweepFinding clearancesOf(const Subject& subject, const SweptPart& swept, const std::vector<int>& against,
                            PartDistance& distance) {
    SweepFinding finding;
    finding.swept = &swept;
    for (const int other : against.empty() ? swept.others : against) {
      if (other == swept.part) continue;
      progress_.show(fmt::format("clearance of {} to {}", subject.scene->part(swept.part).name,
                                 subject.scene->part(other).name));
      const PartPath& path = subject.parts.others[static_cast<std::size_t>(other)];
      finding.to.push_back(
          {other, leastClearance(distance, {swept.part, swept.path}, {other, path}, kClearanceRange,
                                 subject.parts.isRecorded ? ClearanceTimes::atPoses : ClearanceTimes::all,
                                 [&] { return interrupt_.requested(); })});
      if (interrupt_.requested()) throw Stopped();
    }
    const auto value = [](const SweepFinding::To& to) {
      return to.clearance ? to.clearance->distance : 2 * kClearanceRange;
    };
    std::stable_sort(finding.to.begin(), finding.to.end(),
                     [&](const auto& a, const auto& b) { return value(a) < value(b); });
    return finding;
  }

  WrittenVolume writeVolume(const content::Scene& scene, const SweptPart& swept) {
    AtomicFile file(*options_.out);
    const physics::Shape& shape = scene.part(swept.part).shape;
    const double error = 1e-3 * options_.error_mm;
    SweptVolumeSettings settings;
    settings.error = error;
    settings.threads = options_.threads;
    settings.stop = [&] { return interrupt_.requested(); };
    settings.progress = [&](const std::string& what) { progress_.show(what); };
    PartPath path = withoutSpin(shape, swept.path);
    double largest = 0;
    for (const physics::Pose& X : path.poses()) largest = std::max(largest, X.p.cwiseAbs().maxCoeff());
    PartDistance reaches(scene);
    const double reach = reaches.collider().radius({swept.part});
    settings.pathDeviation = kFloatRounding * (largest + reach);
    if (path.poses().size() > 2) {
      path = simplified(path, reach, kPathShare * error);
      settings.pathDeviation += kPathShare * error;
    }
    const SweptVolume volume = sweptVolume(shape, path, settings);
    if (!volume.isComplete) throw Stopped();
    const std::string name = scene.part(swept.part).name + " swept";
    file.commit(endingOf(*options_.out) == ".stl"
                    ? content::stlOf(volume.mesh)
                    : content::glbOf(content::shadedMesh(volume.mesh, kCrease), name, kVolumeColor));
    return {*options_.out, error, volume.volume, volume.mesh.triangles.size()};
  }

  const SweepOptions& options_;
  const InterruptGuard interrupt_;
  ProgressLine progress_;
};

void declareSweep(CLI::App& command, SweepOptions& options) {
  addSceneOptions(command, options.scene);
  command.get_option("SCENE")->description("Scene (JSON), assembly (STEP) or recorded session");
  command.add_option("--plan", options.plan, "Paths of this plan of the scene; default: a new plan is made")
      ->type_name("PLAN.json");
  command.add_option("--part", options.part, "Only this part; default: all that move")->type_name("NAME");
  command
      .add_option("--out", options.out,
                  "Write the volume that the part sweeps to this file: STL (in mm) or GLB, by its ending")
      ->type_name("FILE");
  command
      .add_option("--error", options.error_mm,
                  "Largest distance of the written surface from the swept volume [mm], which is inside")
      ->type_name("MM")
      ->check(finiteIn(0.001, 100))
      ->capture_default_str();
  command
      .add_option("--against", options.against,
                  "Least clearances to this part only, wherever it is in the order; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--min-clearance", options.minClearance_mm, "Exit code 1 if some clearance is smaller [mm]")
      ->type_name("MM")
      ->check(finiteIn(1e-3, 100));
  command.add_option("--threads", options.threads, "Threads for the volume")
      ->type_name("N")
      ->check(CLI::Range(1, kMaxThreads))
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print one JSON object instead of the table");
  addForce(command, options.force);
  command.footer(
      "Of a scene or an assembly: the insertions of its plan, each part against those that are in place by\n"
      "then. Of a session: the recorded motion of the parts, against all others.\n"
      "Least clearances are exact to 1 µm, with the travel or time and the place; of a session at its "
      "steps.\n"
      "The written surface has the whole swept volume inside, which is proven by distances all over it.\n\n"
      "Examples:\n"
      "  tenon sweep content/scenes/hinge.json\n"
      "  tenon sweep content/scenes/bolt-in-plate.json --part screw --out screw.stl\n"
      "  tenon sweep s.tenon --part screw --error 0.2 --out screw.glb\n"
      "  tenon sweep gearbox.step --part cover --against frame --min-clearance 0.5\n\n"
      "Exit codes: 0 done, 1 a clearance is smaller than --min-clearance, 2 bad input, 130 stopped by "
      "Ctrl-C\n"
      "(nothing is written).");
}

}  // namespace

void addSweepCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<SweepOptions>();
  CLI::App* command = program.add_subcommand(
      "sweep", "Find the volume that a part sweeps on its path, and the least clearances along it");
  declareSweep(*command, *options);
  command->callback([options, &exitCode] { exitCode = Sweep(*options).run(); });
}

}  // namespace tenon::runtime
