// Numbers from the scene, the hand for engines that have none, and the loop with its clock.
#include "tests/bench/insertion/insertion_trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "content/reader/load_scene.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::bench {

namespace {

constexpr double kTiltTolerance = 0.5 * std::numbers::pi / 180;
constexpr double kDepthTolerance = 1e-4;  // m

content::Scene load(double clearance_um, double friction) {
  return content::loadScene(TENON_SOURCE_DIR "/content/scenes/insertion-benchmark.json",
                            {{"clearance_um", clearance_um}, {"friction", friction}});
}

double parameter(const content::Scene& scene, const std::string& name) {
  const auto found = std::find_if(scene.parameters.begin(), scene.parameters.end(),
                                  [&](const content::Parameter& p) { return p.name == name; });
  return found->value;
}

double percentile(std::vector<double> values, double percent) {
  const auto rank = static_cast<std::size_t>(percent / 100 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
  return values[rank];
}

/// The hand's spring and damper with coefficients `damping`, for stretch and velocities at one moment.
Vector6d springAndDamper(const InsertionTrial& trial, const Vector3d& damping, const Vector3d& angularDamping,
                         const PegState& state, const Pose& target, const Pose& lastTarget, const Pose& now) {
  const physics::HandParameters& hand = trial.hand();
  const physics::Matrix3d R = state.X_WC.q.toRotationMatrix();
  const auto onAxes = [&R](const Vector3d& k, const Vector3d& x) -> Vector3d {
    return R * k.cwiseProduct(R.transpose() * x);
  };
  const Vector3d V = (target.p - lastTarget.p) / trial.dt;
  const Vector3d turning = physics::logarithm(target.q * lastTarget.q.conjugate()) / trial.dt;
  Vector6d wrench;
  wrench << onAxes(hand.stiffness, now.p - state.X_WC.p) + onAxes(damping, V - state.v),
      onAxes(hand.angularStiffness, physics::logarithm(now.q * state.X_WC.q.conjugate())) +
          onAxes(angularDamping, turning - state.omega);
  return wrench;
}

}  // namespace

InsertionTrial::InsertionTrial(double clearance, double mu)
    : clearance_um(clearance), friction(mu), scene(load(clearance, mu)) {
  dt = 1 / scene.rate;
  steps = static_cast<int>(std::lround(scene.duration * scene.rate));
  const content::Goal& goal = scene.goals.front();
  const content::Part& peg = scene.part(goal.part);
  mass = peg.mass.mass;
  inertia = peg.mass.inertia.diagonal();
  centerHeight = peg.mass.center.z();
  depth = goal.depth;
  fit.pegRadius = parameter(scene, "diameter_mm") / 2000;
  fit.boreRadius = fit.pegRadius + clearance_um * 1e-6 / 2;
  fit.height = depth + 12e-3;
  xr::ScriptedHands hands(scene.hands);
  std::vector<xr::HandSample> samples;
  const Pose X_PC = Pose::at(peg.mass.center);
  targets.push_back(peg.X_WP * X_PC);
  for (int k = 1; k <= steps; ++k) {
    hands.sample(std::llround(k * dt * 1e9), samples);
    targets.push_back(samples.front().X_WH * X_PC);
  }
}

ImplicitHand::ImplicitHand(const InsertionTrial& trial) : trial_(trial) {
  const physics::HandParameters& hand = trial.hand();
  const double dt = trial.dt, critical = 2 * hand.dampingRatio;
  damping_ = critical * (hand.stiffness * trial.mass).cwiseSqrt();
  angularDamping_ = critical * hand.angularStiffness.cwiseProduct(trial.inertia).cwiseSqrt();
  mass_ = trial.mass + dt * damping_.x() + dt * dt * hand.stiffness.x();
  inertia_ = trial.inertia + dt * angularDamping_ + dt * dt * hand.angularStiffness;
  damping_ += dt * hand.stiffness;
  angularDamping_ += dt * hand.angularStiffness;
}

Vector6d ImplicitHand::wrench(int k, const PegState& state) const {
  const auto i = static_cast<std::size_t>(k);
  const Pose &target = trial_.targets[i], &last = trial_.targets[i - 1];
  return springAndDamper(trial_, damping_, angularDamping_, state, target, last, last);
}

double pushOfHand(const InsertionTrial& trial, int k, const PegState& state) {
  const physics::HandParameters& hand = trial.hand();
  const auto i = static_cast<std::size_t>(k);
  const Vector3d damping = 2 * hand.dampingRatio * (hand.stiffness * trial.mass).cwiseSqrt();
  return -springAndDamper(trial, damping, Vector3d::Zero(), state, trial.targets[i], trial.targets[i - 1],
                          trial.targets[i])
              .z();
}

InsertionOutcome measure(const InsertionTrial& trial, InsertionEngine& engine) {
  using Clock = std::chrono::steady_clock;
  const Pose X_CP = Pose::at({0, 0, -trial.centerHeight});
  InsertionOutcome outcome;
  std::vector<double> times_us;
  Pose X_WP;
  for (int k = 1; k <= trial.steps; ++k) {
    engine.prepare(k);
    const auto start = Clock::now();
    engine.step();
    times_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    const PegState peg = engine.peg();
    X_WP = peg.X_WC * X_CP;
    const double depth = tests::overlap(trial.fit, X_WP);
    if (!(depth <= outcome.penetration)) outcome.penetration = depth;  // NaN stays
    outcome.push = std::max(outcome.push, pushOfHand(trial, k, peg));
  }
  outcome.depth = -X_WP.p.z();
  const double tilt = std::acos(std::clamp((X_WP.q * Vector3d::UnitZ()).z(), -1.0, 1.0));
  outcome.inserted = outcome.depth >= trial.depth - kDepthTolerance && tilt <= kTiltTolerance &&
                     X_WP.p.head<2>().norm() <= trial.fit.boreRadius;
  outcome.median_us = percentile(times_us, 50);
  outcome.p99_us = percentile(times_us, 99);
  return outcome;
}

InsertionOutcome medians(const std::vector<InsertionOutcome>& outcomes) {
  const auto medianOf = [&outcomes](double InsertionOutcome::*field) {
    std::vector<double> values;
    for (const InsertionOutcome& outcome : outcomes) values.push_back(outcome.*field);
    return percentile(values, 50);
  };
  InsertionOutcome result;
  result.inserted = std::all_of(outcomes.begin(), outcomes.end(),
                                [](const InsertionOutcome& outcome) { return outcome.inserted; });
  for (const auto field : {&InsertionOutcome::depth, &InsertionOutcome::penetration, &InsertionOutcome::push,
                           &InsertionOutcome::median_us, &InsertionOutcome::p99_us})
    result.*field = medianOf(field);
  return result;
}

}  // namespace tenon::bench
