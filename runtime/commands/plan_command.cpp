// tenon plan: the order, the paths and the hands of an assembly, from its assembled state.
#include <fmt/format.h>
#include <CLI/App.hpp>

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "content/input/wording.h"
#include "content/step/read_step.h"
#include "runtime/commands/carry_out_plan.h"
#include "runtime/commands/command.h"
#include "runtime/commands/load_assembly.h"
#include "runtime/commands/plan_pictures.h"
#include "runtime/export/animated_glb.h"
#include "runtime/plan/make_plan.h"
#include "runtime/plan/plan_json.h"
#include "runtime/plan/plan_page.h"
#include "runtime/plan/plan_text.h"
#include "runtime/session/atomic_file.h"
#include "runtime/session/exit_code.h"
#include "runtime/session/interrupt.h"
#include "runtime/session/output_files.h"
#include "runtime/session/progress_line.h"
#include "runtime/session/run_scene.h"
#include "runtime/session/terminal.h"
#include "xr/display/offscreen.h"

namespace tenon::runtime {

namespace {

struct PlanOptions {
  SceneOptions scene;
  std::optional<std::string> out, report, exploded, animation;
  std::optional<std::string> sceneOut;  ///< of a STEP assembly
  double timeLimit = 60;                ///< [s]
  bool carryOut = false;
  bool json = false;
  bool force = false;
};

constexpr double kMaxTimeLimit = 86400;  ///< [s]

/// Of --exploded [pixels].
constexpr ImageSize kExplodedSize{1280, 960};

/// The best plan; with --carry-out the first one that reaches all goals in the simulation.
AssemblyPlan bestPlan(const PlanOptions& options, const LoadedScene& loaded, const PlanSettings& settings,
                      const InterruptGuard& interrupt) {
  std::vector<AssemblyPlan> plans = makePlans(*loaded.scene, settings);
  if (!options.carryOut || plans.front().hands.empty()) return std::move(plans.front());
  SceneOptions scene = options.scene;
  if (content::isStepFile(scene.file))
    scene.file =
        options.sceneOut.value_or(std::filesystem::path(scene.file).replace_extension(".json").string());
  int trials = 0;
  const auto observerOf = [&](const std::string& what, double duration) {
    RunObserver observer;
    observer.stopRequested = [&] { return interrupt.requested(); };
    observer.progress = [&settings, what, duration](double time, double) {
      settings.progress(fmt::format("carrying out, {}: {:.1f} of {:.1f} s", what, time, duration));
    };
    return observer;
  };
  return carriedOut(
      std::move(plans), *loaded.scene,
      [&](const AssemblyPlan& plan) {
        return simulatePlan(plan, loaded, scene,
                            observerOf(fmt::format("attempt {}", ++trials), plan.duration));
      },
      [&](const AssemblyPlan& plan, int last, const AddedClearance& added) {
        const double end = plan.steps[static_cast<std::size_t>(last)].end;
        return simulateWider(
            plan, last, added, loaded, scene,
            observerOf(fmt::format("step {} with {:.0f} µm more clearance", last + 1, added.clearance * 1e6),
                       end));
      });
}

int makePlanOf(const PlanOptions& options) {
  using Clock = std::chrono::steady_clock;
  const InterruptGuard interrupt;
  const LoadedScene loaded = loadAssembly(options.scene, options.sceneOut);
  InputFiles inputs;
  if (content::isStepFile(options.scene.file))
    inputs.add(options.scene.file, "is the assembly itself");
  else
    inputs.add(*loaded.scene, loaded.meshFiles);
  requireWritable(std::array{Output{"--out", options.out, OutputKind::json},
                             Output{"--report", options.report, OutputKind::html},
                             Output{"--exploded", options.exploded, OutputKind::image},
                             Output{"--animation", options.animation, OutputKind::glb},
                             Output{"--scene-out", options.sceneOut, OutputKind::scene}},
                  inputs, options.force);
  if (options.sceneOut) {
    AtomicFile(*options.sceneOut).commit(loaded.text);
    printMessage("scene written to " + *options.sceneOut);
  }
  std::optional<AtomicFile> file, page, exploded, animation;
  if (options.out) file.emplace(*options.out);
  if (options.report) page.emplace(*options.report);
  if (options.exploded) exploded.emplace(*options.exploded);
  if (options.animation) animation.emplace(*options.animation);
  std::optional<xr::Offscreen> display;
  if (exploded) display.emplace(kExplodedSize.width, kExplodedSize.height);
  std::optional<ProgressLine> progress(std::in_place);
  const Clock::time_point start = Clock::now();
  PlanSettings settings;
  settings.progress = [&](const std::string& what) { progress->show(what); };
  const auto isOver = [&](double limit) {
    return interrupt.requested() || std::chrono::duration<double>(Clock::now() - start).count() > limit;
  };
  settings.stop = [&] { return isOver(options.timeLimit); };
  settings.stopSearch = [&] { return isOver(0.5 * options.timeLimit); };
  const AssemblyPlan plan = bestPlan(options, loaded, settings, interrupt);
  progress.reset();
  const std::string json = toJson(plan);
  if (file) {
    file->commit(json);
    printMessage("plan written to " + *options.out);
  }
  if (page || exploded || animation) {
    PartDistance distance(*loaded.scene);
    const Explosion explosion = explosionOf(plan, distance);
    if (page) {
      page->commit(planPage(plan, picturesOf(plan, explosion)));
      printMessage("report written to " + *options.report);
    }
    if (exploded) {
      exploded->commit(explodedPicture(plan, explosion, *display, kExplodedSize));
      printMessage("exploded picture written to " + *options.exploded);
    }
    if (animation) {
      animation->commit(animatedGlb(*loaded.scene, assemblyAnimation(plan, explosion)));
      printMessage("animation written to " + *options.animation);
    }
  }
  printResult(options.json ? json : toText(plan));
  if (interrupt.requested()) return kInterrupted;
  const bool isDone = plan.isComplete() && (!plan.carriedOut || plan.carriedOut->isWhole());
  return isDone ? kSuccess : kGoalNotReached;
}

void declarePlan(CLI::App& command, PlanOptions& options) {
  addSceneOptions(command, options.scene);
  command.get_option("SCENE")->description("Scene file (JSON), or an assembly (STEP)");
  command
      .add_option("--out", options.out, "Write the plan to this file (JSON), for 'tenon run SCENE --plan'")
      ->type_name("PLAN.json");
  command
      .add_option("--report", options.report,
                  "Write a report (HTML): order, directions, times, a picture after each step")
      ->type_name("PLAN.html");
  command
      .add_option("--exploded", options.exploded,
                  "Draw the exploded assembly (PNG): each part beside its place, against its insertion")
      ->type_name("FILE.png");
  command
      .add_option("--animation", options.animation,
                  "Write the assembly in the order of the plan as an animation (GLB)")
      ->type_name("FILE.glb");
  command
      .add_option(
          "--scene-out", options.sceneOut,
          "Of a STEP assembly: also write the scene that the plan is for, in the folder of the STEP file or "
          "above it")
      ->type_name("SCENE.json");
  command
      .add_option("--time-limit", options.timeLimit,
                  "Time for the search [s]; then the best plan so far is given. Paths of several moves are "
                  "searched in "
                  "the first half of it. --carry-out takes its own")
      ->type_name("S")
      ->check(finiteIn(0.01, kMaxTimeLimit))
      ->capture_default_str();
  command.add_flag(
      "--carry-out", options.carryOut,
      "Also simulate the plan with its hands; where a step fails, try it slowly, with two hands or "
      "more fixtures, then other orders, then how much clearance it would need");
  command.add_flag("--json", options.json, "Print the plan file instead of the summary");
  addForce(command, options.force);
  command.footer(
      "Plans by disassembly: from the state in which all goals are reached (or, without goals, from the "
      "start),\n"
      "parts are taken out along the axes of holes and features, the normals of contacts, and threads, "
      "checked\n"
      "with exact distances all along the path. Where no such motion frees any part, paths of several moves "
      "are\n"
      "searched: slides and lifts, rotations, parts that move together. The reverse is the order of "
      "assembly.\n"
      "Each state is simulated under gravity: does it stand, and what has to be held?\n\n"
      "Examples:\n"
      "  tenon plan content/scenes/hinge.json\n"
      "  tenon plan content/scenes/flange.json --out flange.plan.json\n"
      "  tenon run content/scenes/flange.json --plan flange.plan.json\n"
      "  tenon plan content/scenes/four-bolts.json --carry-out\n"
      "  tenon plan content/scenes/hinge.json --report hinge.html\n"
      "  tenon plan content/scenes/flange.json --exploded flange.png --animation flange.glb\n"
      "  tenon plan gearbox.step --scene-out gearbox.json --out gearbox.plan.json\n\n"
      "Exit codes: 0 a complete plan, carried out where --carry-out is given, 1 parts that cannot be "
      "separated,\n"
      "were not planned in time or did not reach their goals, 2 bad input (also parts that overlap in the\n"
      "assembled state, a screw that is too long for its hole, one part, or a part that floats), 130 stopped "
      "by\n"
      "Ctrl-C with the best plan so far.");
}

}  // namespace

void addPlanCommand(CLI::App& program, int& exitCode) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command = program.add_subcommand(
      "plan", "Plan an assembly: order, paths, what to hold, and scripts of the hands");
  declarePlan(*command, *options);
  command->callback([options, &exitCode] { exitCode = makePlanOf(*options); });
}

}  // namespace tenon::runtime
