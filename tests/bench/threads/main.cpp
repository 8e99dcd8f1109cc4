// Threads: CPU time of a contact query of M8 x 1.25 engaged over six turns, and of the steps of a nut on a
// bolt; then an M16 nut of triangles, beside MuJoCo on the same meshes.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <vector>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/collision/thread/thread_contacts.h"
#include "physics/world.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/threads/nut_trial.h"
#ifdef TENON_BENCH_MUJOCO
#include "tests/bench/mujoco_model.h"
#endif

namespace tenon::bench {
namespace {

using namespace physics;

struct Options {
  std::vector<int> facets{24, 72};
  int steps = 500;
};

Thread m8Bolt() {
  Thread t = basicThread(8e-3, 1.25e-3, false, -10e-3, 10e-3);
  for (double* diameter : {&t.majorDiameter, &t.pitchDiameter, &t.minorDiameter}) *diameter -= 28e-6;
  t.ends = {ThreadEnd{3e-3, 1e-3}, ThreadEnd{3e-3, 1e-3}};
  return t;
}

Thread m8Nut() {
  Thread t = basicThread(8e-3, 1.25e-3, true, -3.75e-3, 3.75e-3);
  t.pitchDiameter += 50e-6;
  t.minorDiameter += 100e-6;
  for (ThreadEnd& end : t.ends)
    end = {4.1e-3, (4.1e-3 - t.minorDiameter / 2) * std::tan(std::numbers::pi / 6)};
  return t;
}

double playOf(const Thread& bolt, const Thread& nut) {
  return std::tan(bolt.halfAngle) * (nut.pitchDiameter - bolt.pitchDiameter) / 2;
}

void printQueries() {
  const ThreadGeometry bolt = prepareThread(m8Bolt()), nut = prepareThread(m8Nut());
  fmt::print("query of M8 x 1.25 over six turns, without memory\n");
  fmt::print("{:>10} {:>10} {:>10} {:>10}\n", "tilt", "range", "contacts", "median");
  for (const double tilt : {0.0, 1e-3, 3e-3}) {
    for (const double range : {1e-5, 1e-4}) {
      const Pose X{exponential(Vector3d(tilt, 0, 0)), {0, 0, 0.625e-3 + 5e-6}};
      std::vector<SurfaceContact> found;
      std::vector<double> times;
      for (int k = 0; k < 1000; ++k) {
        found.clear();
        const double start = cpuTime();
        threadContacts(nut, bolt, X, range, found);
        times.push_back(cpuTime() - start);
      }
      std::sort(times.begin(), times.end());
      fmt::print("{:>6.0f} mrad {:>7.0f} µm {:>10} {:>7.0f} µs\n", 1e3 * tilt, 1e6 * range, found.size(),
                 times[times.size() / 2]);
    }
  }
}

void printSteps(const Options& options, double mu, double spin) {
  World world({.dt = 1e-3, .gravity = {0, 0, -9.81}, .allowSleep = false}, makeBulletCollider());
  const MaterialId steel{0};
  world.setSurfaces(steel, steel, {.friction = mu});
  const Thread bolt = m8Bolt(), nut = m8Nut();
  BodyDescription fixed;
  fixed.shape = threadedSolid(bolt);
  fixed.motion = MotionType::fixed;
  fixed.material = steel;
  world.addBody(fixed);
  const double wall = nut.majorDiameter / 2, r = 6.5e-3, z = 3.75e-3;
  BodyDescription body;
  body.material = steel;
  body.shape = Compound{{{threadedSolid(nut), {}},
                         {SolidOfRevolution{{{-z, wall}, {-z, r}, {z, r}, {z, wall}, {-z, wall}}}, {}}}};
  body.mass = {5e-3, Vector3d::Zero(), Vector3d(1.2e-7, 1.2e-7, 1.5e-7).asDiagonal()};
  body.X_WP = Pose::at({0, 0, bolt.pitch / 2 - playOf(bolt, nut)});
  const BodyId id = world.addBody(body);
  HandParameters parameters;
  parameters.stiffness = Vector3d::Constant(1e-3);
  parameters.angularStiffness = Vector3d::Constant(0.2);
  parameters.carriesWeight = false;
  Pose target = body.X_WP;
  const HandId hand = world.addHand(parameters, target);
  if (spin != 0) world.apply(Grab{hand, id, target});
  std::vector<double> times;
  int failed = 0;
  double overlap = 0;
  for (int k = 1; k <= options.steps; ++k) {
    target.q = Quaterniond(Eigen::AngleAxisd(-spin * 1e-3 * k, Vector3d::UnitZ()));
    target.p.z() = body.X_WP.p.z() - bolt.lead() * spin * 1e-3 * k / (2 * std::numbers::pi);
    world.apply(MoveHand{hand, target});
    const double start = cpuTime();
    const StepReport& report = world.step().report;
    times.push_back(cpuTime() - start);
    failed += report.converged ? 0 : 1;
    overlap = std::max(overlap, report.penetration);
  }
  std::sort(times.begin(), times.end());
  fmt::print(
      "nut, µ {:.2f}, turned at {:>4.1f} rad/s: median {:.0f} µs, p99 {:.0f} µs, {} of {} not converged, "
      "overlap {:.2g} nm\n",
      mu, spin, times[times.size() / 2], times[times.size() * 99 / 100], failed, options.steps,
      1e9 * overlap);
}

struct Contestant {
  std::string name;
  std::function<std::unique_ptr<NutEngine>(const NutTrial&)> make;
};

std::vector<Contestant> contestants() {
  std::vector<Contestant> all{{"Tenon", makeTenon}};
#ifdef TENON_BENCH_MUJOCO
  all.push_back({mujocoName() + ", in pieces", [](const NutTrial& t) { return makeMujoco(t, true); }});
  all.push_back({mujocoName() + ", as given", [](const NutTrial& t) { return makeMujoco(t, false); }});
#endif
  return all;
}

void printNuts(const Options& options) {
  fmt::print(
      "\nM16 × 2 nut and bolt as meshes, fixed bolt, {} steps of 1 ms. Fall: beside that of the smooth "
      "nut's\n"
      "closed form. Overlap: worst, in sections through the axis, by the threads' formulas; negative: "
      "apart.\n",
      options.steps);
  fmt::print("{:<15} {:>6} {:<24} {:>9} {:>7} {:>12} {:>9} {:>7} {:>7} {:>7}\n", "nut", "facets", "engine",
             "fallen", "of fall", "mm a turn", "overlap", "median", "p99", "median");
  fmt::print("{:<15} {:>6} {:<24} {:>9} {:>7} {:>12} {:>9} {:>7} {:>7} {:>7}\n", "", "a turn", "", "µm", "%",
             "", "µm", "µs", "µs", "× Tenon");
  for (const int facets : options.facets)
    for (NutTrial trial : {NutTrial("smooth", facets, 0, 0), NutTrial("µ 0.12", facets, 0.12, 0),
                           NutTrial("µ 0.12, 30 N", facets, 0.12, 30)}) {
      trial.steps = options.steps;
      double reference_us = 0;
      for (const Contestant& one : contestants()) {
        const NutOutcome outcome = measure(trial, *one.make(trial));
        if (reference_us == 0) reference_us = outcome.median_us;
        const double time = outcome.steps * trial.dt;
        const double free = trial.smoothFall() * time * (time + trial.dt) / 2;
        const bool isAway = outcome.steps < trial.steps;
        fmt::print("{:<15} {:>6} {:<24} {:>9.3f} {:>7} {:>12} {:>9.2g} {:>7.0f} {:>7.0f} {:>7.2f}  {}{}\n",
                   trial.name, facets, one.name, 1e6 * outcome.fallen,
                   trial.friction > 0 || isAway ? "-" : fmt::format("{:.2f}", 100 * outcome.fallen / free),
                   outcome.advance == 0 ? "-" : fmt::format("{:.9f}", 1e3 * outcome.advance),
                   1e6 * outcome.overlap, outcome.median_us, outcome.p99_us, outcome.median_us / reference_us,
                   outcome.remark, isAway ? fmt::format(" 10 mm away after {} steps", outcome.steps) : "");
        std::fflush(stdout);
      }
    }
#ifndef TENON_BENCH_MUJOCO
  fmt::print("MuJoCo: not found (libmujoco-dev)\n");
#endif
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Threads: contact queries and steps of nuts on bolts, Tenon and MuJoCo.", "bench_threads");
  app.add_option("--facets", options.facets, "Facets a turn of the meshes of M16")
      ->check(CLI::Range(12, 200))
      ->capture_default_str();
  app.add_option("--steps", options.steps, "Steps of each nut")
      ->check(CLI::Range(50, 100000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  printQueries();
  for (const double mu : {0.0, 0.12})
    for (const double spin : {0.0, 6.0}) printSteps(options, mu, spin);
  printNuts(options);
  return 0;
}

}  // namespace
}  // namespace tenon::bench

int main(int argc, char** argv) {
  return tenon::bench::benchMain("bench_threads", tenon::bench::run, argc, argv);
}
