// See stress_scenes.h.
#include "tests/bench/stress/stress_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <utility>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/triangle_meshes.h"
#include "tests/support/wooden_cross.h"

namespace tenon::bench {

namespace {

using namespace physics;

constexpr double kSteel = 7850;  // [kg/m³]

World makeWorld(double rate, const Vector3d& gravity, const SurfacePair& surfaces = {}) {
  World world({.dt = 1 / rate, .gravity = gravity}, makeBulletCollider());
  world.setSurfaces({0}, {0}, surfaces);
  return world;
}

Vector3d weight() {
  return {0, 0, -9.81};
}

BodyDescription makeBody(const Shape& shape, double mass, const Vector3d& at,
                         const Vector3d& v = Vector3d::Zero()) {
  BodyDescription body;
  body.shape = shape;
  body.material = {0};
  body.X_WP = Pose::at(at);
  body.v = v;
  if (mass > 0) {
    body.mass = massProperties(shape, kSteel);
    const double ratio = mass / body.mass.mass;
    body.mass.mass *= ratio;
    body.mass.inertia *= ratio;
  } else {
    body.motion = MotionType::fixed;
  }
  return body;
}

/// Steps a world and collects what its reports say.
struct Run {
  int steps = 0, notConverged = 0;
  double overlap = 0;             ///< worst [m]
  std::vector<double> step_us{};  ///< [µs]
  long linearizations = 0, iterations = 0;

  void advance(World& world, int count) {
    for (int k = 0; k < count; ++k) {
      const auto start = std::chrono::steady_clock::now();
      const StepReport& report = world.step().report;
      step_us.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
      ++steps;
      notConverged += report.converged ? 0 : 1;
      linearizations += report.linearizations;
      iterations += report.iterations;
      overlap = std::max(overlap, report.penetration);
    }
  }
  double median_us() const {
    std::vector<double> sorted = step_us;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted[sorted.size() / 2];
  }
  std::string text() const {
    return fmt::format(
        "{} of {} steps not converged, overlap {:.3g} nm, median step {:.3g} µs, {:.1f} linearizations and "
        "{:.0f} inner iterations a step",
        notConverged, steps, 1e9 * overlap, median_us(), static_cast<double>(linearizations) / steps,
        static_cast<double>(iterations) / steps);
  }
};

// --- impacts -----------------------------------------------------------------------------------------------

/// Boxes that fly towards a common center.
std::string impactsOfBoxes(int side) {
  World world = makeWorld(1000, Vector3d::Zero(), {.friction = 0.3, .restitution = 0.8});
  std::mt19937 random(7);
  const auto uniform = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  for (int k = 0; k < side * side * side; ++k) {
    const Vector3d center = 0.04 * (Vector3d(k % side, k / side % side, k / (side * side)) -
                                    Vector3d::Constant(0.5 * (side - 1)));
    BodyDescription box = makeBody(Box{Vector3d(0.011, 0.009, 0.007)}, 0.02, center, -8 * center);
    box.v += Vector3d(0.2 + 0.1 * uniform(), 0.1 * uniform(), 0.1 * uniform());
    box.omega = Vector3d(5 * uniform(), 5 * uniform(), 5 * uniform());
    world.addBody(box);
  }
  const auto momentum = [&world] {
    Vector3d sum = Vector3d::Zero();
    for (std::size_t i = 0; i < world.bodyCount(); ++i)
      sum += world.body({static_cast<int>(i)}).mass.mass * world.stepResult().bodies[i].v;
    return sum;
  };
  const Vector3d start = momentum();
  Run run;
  run.advance(world, 200);
  return fmt::format("momentum changed by {:.1e} of itself, {}", (momentum() - start).norm() / start.norm(),
                     run.text());
}

/// A row of balls with gaps of 0.2 µm, hit at 1 m/s with e = 1.
std::string chainOfBalls(int count) {
  World world = makeWorld(1000, Vector3d::Zero(), {.restitution = 1});
  for (int k = 0; k < count; ++k)
    world.addBody(makeBody(Sphere{0.01}, 0.03, {(0.02 + 2e-7) * k - (k == 0 ? 0.0053 : 0), 0, 0},
                           {k == 0 ? 1.0 : 0.0, 0, 0}));
  Run run;
  run.advance(world, 10 + count);
  double momentum = 0, energy = 0;
  for (const BodyState& body : world.stepResult().bodies) {
    momentum += body.v.x();
    energy += body.v.squaredNorm();
  }
  return fmt::format("momentum {:.6f}, energy {:.6f} of the start's", momentum, energy);
}

// --- mass ratios -------------------------------------------------------------------------------------------

/// A heavy box on a light smooth block that slides at 20 mm/s with it.
std::string massRatio(double heavy, double rate) {
  World world = makeWorld(rate, weight());
  world.addBody(makeBody(HalfSpace{}, 0, Vector3d::Zero()));
  world.addBody(makeBody(Box{Vector3d(0.05, 0.05, 0.01)}, 0.001, {0, 0, 0.01}, {0.02, 0, 0}));
  world.addBody(makeBody(Box{Vector3d(0.05, 0.05, 0.05)}, heavy, {0, 0, 0.07}, {0.02, 0, 0}));
  Run run;
  run.advance(world, static_cast<int>(rate));
  return fmt::format("speeds after 1 s {:.2f} and {:.2f} mm/s, {}", 1e3 * world.stepResult().bodies[1].v.x(),
                     1e3 * world.stepResult().bodies[2].v.x(), run.text());
}

// --- towers and piles --------------------------------------------------------------------------------------

std::string tower(int boxes) {
  World world({.gravity = weight(), .allowSleep = false}, makeBulletCollider());
  world.setSurfaces({0}, {0}, {.friction = 0.3});
  world.addBody(makeBody(HalfSpace{}, 0, Vector3d::Zero()));
  for (int k = 0; k < boxes; ++k)
    world.addBody(makeBody(Box{Vector3d(0.02, 0.02, 0.01)}, 0.25, {0, 0, 0.01 + 0.02 * k}));
  Run run;
  run.advance(world, 10000);
  const Vector3d top = world.stepResult().bodies.back().X_WC.p - Vector3d(0, 0, 0.01 + 0.02 * (boxes - 1));
  return fmt::format("top moved by {:.3g} µm in 10 s, {:.3g} µs a box, {}", 1e6 * top.norm(),
                     run.median_us() / boxes, run.text());
}

/// Boxes dropped into a square shaft of four walls.
std::string pile(int boxes, double friction, double rate, double seconds) {
  World world = makeWorld(rate, weight(), {.friction = friction});
  world.addBody(makeBody(HalfSpace{}, 0, Vector3d::Zero()));
  const double half = 0.05;
  for (const Vector3d& side :
       {Vector3d(1, 0, 0), Vector3d(-1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, -1, 0)}) {
    BodyDescription wall = makeBody(HalfSpace{}, 0, half * side);
    wall.X_WP.q = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), -side);
    world.addBody(wall);
  }
  std::mt19937 random(3);
  const auto uniform = [&random] { return 2 * (static_cast<double>(random()) / 4294967295.0) - 1; };
  for (int k = 0; k < boxes; ++k) {
    const int cell = k % 4, layer = k / 4;
    BodyDescription box =
        makeBody(Box{Vector3d(0.012, 0.01, 0.008)}, 0.015,
                 {cell % 2 == 0 ? -0.024 : 0.024, cell < 2 ? -0.024 : 0.024, 0.025 + 0.045 * layer});
    const double z = uniform(), y = uniform(), x = uniform();
    box.X_WP.q = exponential(Vector3d(x, y, z));
    world.addBody(box);
  }
  Run run;
  run.advance(world, static_cast<int>(std::lround(seconds * rate)));
  return run.text();
}

// --- curves, speed -----------------------------------------------------------------------------------------

/// A ball that circles in a smooth ring at 1 m/s for a second, without gravity.
std::string ballInRing(double rate) {
  World world = makeWorld(rate, Vector3d::Zero());
  const double R = 0.045, r = 0.005;
  world.addBody(makeBody(
      SolidOfRevolution{{{-0.01, R}, {-0.01, R + 0.01}, {0.01, R + 0.01}, {0.01, R}, {-0.01, R}}, "bore"}, 0,
      Vector3d::Zero()));
  world.addBody(makeBody(Sphere{r}, 0.004, {R - r, 0, 0}, {0, 1, 0}));
  Run run;
  run.advance(world, static_cast<int>(rate));
  return fmt::format("speed {:.4f} m/s after 1 s, {}", world.stepResult().bodies[1].v.norm(), run.text());
}

/// Twelve parts on their own faces fall one after the other into a bin of five boards: flat and round lumps
/// of 320 and 1280 triangles, and plates with a small hole.
std::string bin(unsigned seed, Accuracy accuracy) {
  World world({.dt = 1.0 / 250, .gravity = weight(), .solverOptions = {.accuracy = accuracy}},
              makeBulletCollider());
  world.setSurfaces({0}, {0}, {.friction = 0.3});
  constexpr double kHalf = 0.1, kBoard = 0.01, kHeight = 0.3;
  world.addBody(makeBody(Box{Vector3d(kHalf, kHalf, kBoard)}, 0, {0, 0, -kBoard}));
  for (const double side : {-1.0, 1.0}) {
    const double at = side * (kHalf + kBoard);
    world.addBody(makeBody(Box{Vector3d(kBoard, kHalf, kHeight)}, 0, {at, 0, kHeight}));
    world.addBody(makeBody(Box{Vector3d(kHalf, kBoard, kHeight)}, 0, {0, at, kHeight}));
  }
  std::mt19937 random(seed);
  const auto number = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967295.0;
  };
  for (int k = 0; k < 12; ++k) {
    Shape shape;
    const double size = number(0.03, 0.06);
    if (k % 3 < 2) {
      BoundarySolid lump = tests::bumpyBall(k < 10 ? 2 : 3, size, 0.05, random);
      if (k % 3 == 0)
        for (Vector3d& vertex : lump.vertices) vertex.z() *= 0.3;
      shape = std::move(lump);
    } else {
      const double half = number(3e-3, 10e-3), radius = number(4e-4, 2e-3);
      const Vector3d mouth(0.8 * size, 0.6 * size, half);
      shape = BlockWithHoles{{size, 0.8 * size, half},
                             {{"hole", Pose::at(mouth), {{0, radius}, {-2 * half, radius}}, true}}};
    }
    BodyDescription part = makeBody(shape, 0.2, {0, 0, 0.08 + 0.13 * k});
    const double z = number(-1, 1), y = number(-1, 1), x = number(-1, 1);
    const Vector3d turn(x, y, z);
    part.X_WP.q = exponential(3 * turn);
    world.addBody(part);
  }
  Run run;
  run.advance(world, 1000);
  double seconds = 0;
  for (const double each : run.step_us) seconds += 1e-6 * each;
  std::vector<double> sorted = run.step_us;
  std::sort(sorted.begin(), sorted.end());
  return fmt::format("{:.2f} of real time, p99 {:.3g} ms, {}", 4 / seconds,
                     1e-3 * sorted[sorted.size() * 99 / 100], run.text());
}

/// Balls Ø 2 mm that fly at a fixed pin Ø 2 mm: 160 offsets and distances at the start, e = 0.5. All must hit
/// it.
std::string fastBalls(double speed) {
  int passed = 0, count = 0;
  Run run;
  for (int offset = 0; offset < 8; ++offset) {
    for (int phase = 0; phase < 20; ++phase, ++count) {
      World world = makeWorld(1000, Vector3d::Zero(), {.restitution = 0.5});
      world.addBody(makeBody(Cylinder{0.001, 0.01}, 0, Vector3d::Zero()));
      const double y = 0.00025 * offset, x = -0.0021 - 0.05 * speed * 0.001 * phase;
      world.addBody(makeBody(Sphere{0.001}, 3e-5, {x, y, 0}, {speed, 0, 0}));
      run.advance(world, 5);
      passed += world.stepResult().bodies[1].v == Vector3d(speed, 0, 0) ? 1 : 0;
    }
  }
  return fmt::format("{} of {} balls pass through untouched; {}", passed, count, run.text());
}

// --- loads on hands, press fits ----------------------------------------------------------------------------

/// 2 kg welded to a handle of 8 g that a hand of 2000 N/m holds without carrying its weight.
std::string weldedLoad() {
  World world = makeWorld(1000, weight());
  const BodyId handle = world.addBody(makeBody(Box{Vector3d(0.01, 0.01, 0.01)}, 0.008, {0, 0, 0.03}));
  const BodyId load = world.addBody(makeBody(Box{Vector3d(0.02, 0.02, 0.02)}, 2, Vector3d::Zero()));
  JointDescription weld;
  weld.i = load;
  weld.j = handle;
  weld.X_PA = Pose::at({0, 0, 0.03});
  world.addJoint(weld);
  HandParameters parameters;
  parameters.carriesWeight = false;
  const Pose X_WH = Pose::at({0, 0, 0.03});
  const HandId hand = world.addHand(parameters, X_WH);
  world.apply(Grab{hand, handle, X_WH});
  double least = 0;
  for (int k = 0; k < 2000; ++k) least = std::min(least, world.step().bodies[handle.value].X_WC.p.z() - 0.03);
  const double sag = 0.03 - world.stepResult().bodies[handle.value].X_WC.p.z();
  return fmt::format("sags by {:.3f} mm (spring: {:.3f} mm), overshoots by {:.1f} %", 1e3 * sag,
                     1e3 * 2.008 * 9.81 / 2000, 100 * (-least / sag - 1));
}

std::string woodenCross() {
  tests::WoodenCross cross;
  std::vector<double> times_us;
  int notConverged = 0;
  for (int k = 0; k < tests::WoodenCross::kSteps; ++k) {
    const auto start = std::chrono::steady_clock::now();
    notConverged += cross.step(k).report.converged ? 0 : 1;
    times_us.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  double sum = 0;
  for (const double t : times_us) sum += t;
  std::sort(times_us.begin(), times_us.end());
  return fmt::format(
      "step: median {:.0f} µs, p99 {:.0f} µs; {:.2f} s for {:.0f} s; {} of {} steps not converged",
      times_us[times_us.size() / 2], times_us[times_us.size() * 99 / 100], 1e-6 * sum,
      1e-3 * tests::WoodenCross::kSteps, notConverged, times_us.size());
}

}  // namespace

std::vector<StressScene> stressScenes() {
  std::vector<StressScene> all;
  const auto add = [&all](std::string name, std::string scene, std::function<std::string()> measure) {
    all.push_back({std::move(name), std::move(scene), std::move(measure)});
  };
  for (const int side : {3, 4})
    add(fmt::format("impact-{}", side * side * side),
        fmt::format("{} free boxes collide, e 0.8, µ 0.3, 0.2 s", side * side * side),
        [side] { return impactsOfBoxes(side); });
  for (const int count : {33, 62})
    add(fmt::format("chain-{}", count), fmt::format("ball of 1 m/s on a row of {}, e 1", count - 1),
        [count] { return chainOfBalls(count); });
  add("mass-1e4", "10 kg on 1 g, both at 20 mm/s, smooth, 200 Hz", [] { return massRatio(10, 200); });
  add("mass-1e6", "1000 kg on 1 g, both at 20 mm/s, smooth, 1 kHz", [] { return massRatio(1000, 1000); });
  for (const int boxes : {10, 32, 33, 64, 100})
    add(fmt::format("tower-{}", boxes), fmt::format("tower of {} boxes, µ 0.3, 10 s at 1 kHz", boxes),
        [boxes] { return tower(boxes); });
  add("pile-30", "30 boxes fall into a shaft, µ 0.5, 1.2 s at 1 kHz",
      [] { return pile(30, 0.5, 1000, 1.2); });
  add("pile-250", "30 boxes fall into a shaft, µ 0.3, 1 s at 250 Hz", [] { return pile(30, 0.3, 250, 1); });
  add("pile-100", "100 boxes fall into a shaft, µ 0.3, 1.2 s at 250 Hz",
      [] { return pile(100, 0.3, 250, 1.2); });
  for (const unsigned seed : {1u, 2u, 3u})
    for (const auto& [name, accuracy] : {std::pair("exact", Accuracy::exact), {"fast", Accuracy::fast}})
      add(fmt::format("bin-{}-{}", seed, name),
          fmt::format("12 parts of up to 1280 faces fall into a bin, µ 0.3, 4 s at 250 Hz, {}, seed {}", name,
                      seed),
          [seed, accuracy = accuracy] { return bin(seed, accuracy); });
  for (const double rate : {90., 500., 1000., 4000.})
    add(fmt::format("ring-{:.0f}", rate),
        fmt::format("ball at 1 m/s in a smooth ring of R 45 mm, 1 s at {:.0f} Hz", rate),
        [rate] { return ballInRing(rate); });
  for (const double speed : {20., 100.})
    add(fmt::format("fast-{:.0f}", speed),
        fmt::format("balls Ø 2 mm at {:.0f} m/s on a pin Ø 2 mm, e 0.5, 1 kHz", speed),
        [speed] { return fastBalls(speed); });
  add("cross",
      "wooden cross of six bars on their faces, µ 0.35: a hand draws its key and pushes it back, 4 s at 1 "
      "kHz",
      woodenCross);
  add("weld", "2 kg welded to a handle of 8 g in a hand of 2000 N/m", weldedLoad);
  return all;
}

}  // namespace tenon::bench
