// bench_session: a session of an hour, recorded, opened, searched, exported and verified.
//
// The scene's scripted hands repeat their work, with a reset in between: states, contacts, hands and commands
// are those of a real session, and the same on every machine. With --cost: the cost of recording per
// simulation step, from two simulations that take the same steps in turn, one of them recorded. With
// --frames: the share of physics in a headset's frame.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/assess/assessment.h"
#include "runtime/assess/step_times.h"
#include "runtime/export/animated_glb.h"
#include "runtime/record/recorder.h"
#include "runtime/record/replay_check.h"
#include "runtime/record/session_frames.h"
#include "runtime/session/record_session.h"
#include "runtime/session/session_scene.h"
#include "runtime/session/terminal.h"
#include "runtime/simulation/simulation.h"
#include "tests/bench/bench_program.h"
#include "xr/hands/scripted_hands.h"
#include "xr/openxr/stopwatch.h"

namespace tenon::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string scene = "content/scenes/bolt-in-plate.json", file = "bench-session.tenon";
  double seconds = 3600, round = 5;
  bool keep = false, cost = false;
  double frames = 0;  ///< [Hz]
};

/// How long `work` takes [s].
template <class Work>
double timeOf(const Work& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void printProgress(const std::string& what, double done, double all) {
  fmt::print(stderr, "\r{} {:.0f} of {:.0f} s   ", what, done, all);
}

/// A scene, running, and looked at as `tenon run` looks at it.
struct Running {
  explicit Running(const content::Scene& scene)
      : simulation(scene, {.dt = 1 / scene.rate}, std::make_unique<xr::ScriptedHands>(scene.hands)),
        assessment(scene) {}

  void step() { assessment.add(simulation.step()); }

  runtime::Simulation simulation;
  runtime::Assessment assessment;
};

std::unique_ptr<runtime::Recorder> recorderOf(const Options& options, const content::Scene& scene,
                                              const std::string& text, const physics::World& world) {
  return std::make_unique<runtime::Recorder>(
      options.file, true,
      runtime::makeSessionHeader(scene, text, {}, {.name = "auto", .options = {}}, scene.rate, 0, 1), scene,
      world, runtime::OverflowPolicy::wait, runtime::printMessage);
}

void record(const Options& options) {
  const std::string text = content::readSceneText(options.scene);
  const content::Scene scene = content::parseScene(text, options.scene);
  Running running(scene);
  runtime::Simulation& simulation = running.simulation;
  const auto recorder = recorderOf(options, scene, text, simulation.world());
  const std::int64_t steps = runtime::stepsFor(options.seconds, 1 / scene.rate),
                     round = runtime::stepsFor(options.round, 1 / scene.rate);
  for (std::int64_t k = 0; k < steps; ++k) {
    if (k > 0 && k % round == 0) simulation.reset(true);
    const auto start = Clock::now();
    running.step();
    recorder->add(simulation.world(), simulation.commands(), simulation.samples(), running.assessment.goals(),
                  std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    if (k % 20000 == 0) printProgress("recorded", static_cast<double>(k) / scene.rate, options.seconds);
  }
  recorder->finish("done");
}

void measureCost(const Options& options) {
  const std::string text = content::readSceneText(options.scene);
  const content::Scene scene = content::parseScene(text, options.scene);
  Running with(scene), without(scene);
  const auto recorder = recorderOf(options, scene, text, with.simulation.world());
  const std::int64_t steps = runtime::stepsFor(options.seconds, 1 / scene.rate);
  double recorded = 0, alone = 0, adding = 0;
  std::int64_t contacts = 0;
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto both = [&] {
      with.step();
      adding += timeOf([&] {
        recorder->add(with.simulation.world(), with.simulation.commands(), with.simulation.samples(),
                      with.assessment.goals(), 0);
      });
    };
    // In turn first: the second one finds the caches warm.
    if (k % 2 == 0) recorded += timeOf(both);
    alone += timeOf([&] { without.step(); });
    if (k % 2 != 0) recorded += timeOf(both);
    contacts += static_cast<std::int64_t>(with.simulation.world().stepResult().contacts.size());
    if (k % 1000 == 0) printProgress("recorded", static_cast<double>(k) / scene.rate, options.seconds);
  }
  recorder->finish("done");
  const auto moving = std::count_if(scene.parts.begin(), scene.parts.end(), [](const content::Part& part) {
    return part.motion == physics::MotionType::dynamic;
  });
  const auto bytes = static_cast<double>(std::filesystem::file_size(options.file));
  const double count = static_cast<double>(steps);
  fmt::print(stderr, "\r{:40}\r", "");
  fmt::print("{} moving bodies, {:.0f} contacts, {} steps at {:g} Hz\n", moving,
             static_cast<double>(contacts) / count, steps, scene.rate);
  fmt::print("a step      {:.1f} us, recorded {:.1f} us: {:+.2f} %; handed over in {:.2f} us, {:.2f} %\n",
             1e6 * alone / count, 1e6 * recorded / count, 100 * (recorded / alone - 1), 1e6 * adding / count,
             100 * adding / alone);
  fmt::print("the file    {:.3f} MB/s of simulated time\n", 1e-6 * bytes * scene.rate / count);
  std::filesystem::remove(options.file);
}

/// The scripted hands do their work, and steps are summed over frames of a headset: by the clock, and by what
/// the processor worked for them, which other programs on the machine do not lengthen.
void measureFrames(const Options& options) {
  const content::Scene scene = content::loadScene(options.scene);
  Running running(scene);
  const std::int64_t steps = runtime::stepsFor(std::min(options.seconds, scene.duration), 1 / scene.rate);
  runtime::StepTimes clock, worked;
  std::int64_t frame = 0;
  xr::Stopwatch watch;
  xr::ThreadCpuStopwatch working;
  for (std::int64_t k = 0; k < steps; ++k) {
    running.step();
    const auto now = static_cast<std::int64_t>(static_cast<double>(k + 1) / scene.rate * options.frames);
    if (now == frame) continue;
    frame = now;
    clock.add(watch.ms());
    worked.add(working.ms());
    watch = {};
    working = {};
  }
  fmt::print("{} frames of {:.1f} ms, {:.1f} steps each\n", frame, 1e3 / options.frames,
             scene.rate / options.frames);
  for (const auto& [name, times] : {std::pair{"by the clock", &clock}, std::pair{"worked", &worked}})
    fmt::print("{:12} p50 {:.3f} ms, p99 {:.3f} ms, max {:.3f} ms; p99 is {:.1f} % of a frame\n", name,
               times->percentile(50), times->percentile(99), times->maximum(),
               0.1 * times->percentile(99) * options.frames);
}

/// Time to the keyframe at a random moment: mean and worst [s].
std::pair<double, double> lookAround(const runtime::SessionReader& session) {
  constexpr int kLooks = 200;
  runtime::SessionFrames frames(session);
  runtime::RecordedFrame frame;
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> ticks(0, session.lastTick());
  double sum = 0, worst = 0;
  for (int k = 0; k < kLooks; ++k) {
    const std::int64_t tick = frames.keyframeUpTo(ticks(random));
    const double one = timeOf([&] { frames.read(tick, frame); });
    sum += one;
    worst = std::max(worst, one);
  }
  return {sum / kLooks, worst};
}

void measure(const Options& options, double recording) {
  std::unique_ptr<runtime::SessionReader> session;
  std::size_t events = 0;
  const double opening = timeOf([&] {
    session = std::make_unique<runtime::SessionReader>(options.file);
    events = session->events().size();
  });
  const double length = session->lastTime();
  const auto bytes = static_cast<double>(std::filesystem::file_size(options.file));
  const auto [mean, worst] = lookAround(*session);
  const content::Scene scene = runtime::sceneOf(session->header());
  const physics::World world = content::buildWorld(scene, {});
  std::size_t size = 0;
  const double glb = timeOf([&] {
    runtime::SessionReader whole(options.file);
    size = animatedGlb(whole, scene, world, [](double) {}).size();
  });
  runtime::SessionReader again(options.file);
  runtime::Resimulation resimulation(again, scene, runtime::optionsOf(again.header()));
  runtime::ReplayCheck result;
  const double verifying = timeOf([&] {
    std::int64_t verified = 0;
    result = runtime::verifyReplay(again, &resimulation, [&](double time) {
      if (verified++ % 20000 == 0) printProgress("verified", time, length);
      return true;
    });
  });
  fmt::print(stderr, "\r{:40}\r", "");
  fmt::print("session     {:.0f} s, {} ticks, {} events, {:.1f} MB, {:.3f} MB/s\n", length,
             session->lastTick(), events, bytes * 1e-6, bytes * 1e-6 / length);
  if (recording > 0) fmt::print("recorded    in {:.1f} s\n", recording);
  fmt::print("opened      in {:.3f} s, with its events\n", opening);
  fmt::print("looked at   a moment in {:.2f} ms, at most {:.2f} ms\n", 1e3 * mean, 1e3 * worst);
  fmt::print("glb         in {:.2f} s, {:.1f} MB\n", glb, static_cast<double>(size) * 1e-6);
  fmt::print("verified    in {:.1f} s, {:.1f} times as fast as it was{}\n", verifying, length / verifying,
             result.firstDifferent ? ": IT DIFFERS" : ", every state bit for bit");
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("A long session: how fast it is recorded, opened, exported, verified.");
  app.add_option("--scene", options.scene, "Scene whose script is repeated");
  app.add_option("--seconds", options.seconds, "Length of the session [s]");
  app.add_option("--round", options.round, "A reset after so many seconds [s]");
  app.add_option("--file", options.file, "The session; one that is there is measured, not recorded again");
  app.add_flag("--keep", options.keep, "Leave the file there");
  app.add_flag("--cost", options.cost, "Measure what recording costs a step, and nothing else");
  app.add_option("--frames", options.frames,
                 "Measure what physics takes of a headset's frames of this rate [Hz], and nothing else")
      ->check(CLI::Range(1.0, 1000.0));
  CLI11_PARSE(app, argc, argv);
  if (options.frames > 0) {
    measureFrames(options);
    return 0;
  }
  if (options.cost) {
    measureCost(options);
    return 0;
  }
  const bool there = std::filesystem::exists(options.file);
  const double recording = there ? 0 : timeOf([&] { record(options); });
  measure(options, recording);
  if (!there && !options.keep) std::filesystem::remove(options.file);
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_session", tenon::bench::run, argc, argv);
}
