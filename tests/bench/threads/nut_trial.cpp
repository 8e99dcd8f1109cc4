// Sizes of the threads, the referee of overlaps, and the loop with its clock.
#include "tests/bench/threads/nut_trial.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

namespace tenon::bench {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kStart = 15e-3;          // height of the nut's middle [m]
constexpr double kGap = 1e-7;             // m
constexpr double kFarAway = 10e-3;        // m
constexpr double kDensity = 7850;         // kg/m³
constexpr double kLeastTurn = 1e-3;       // rad
constexpr int kOverlapEvery = 10;         // steps
constexpr int kAround = 48, kAcross = 6;  // points of the referee's grid a turn and a flank

tests::ThreadMeshOptions m16(bool isInternal, int facets) {
  tests::ThreadMeshOptions o;
  o.isInternal = isInternal;
  o.pitch = 2e-3;
  o.majorDiameter = isInternal ? 16.2e-3 : 15.822e-3;
  o.pitchDiameter = isInternal ? 14.807e-3 : 14.583e-3;
  o.minorDiameter = isInternal ? 14.0225e-3 : 13.3e-3;
  o.length = isInternal ? 14.8e-3 : 34e-3;
  o.facets = facets;
  o.rows = 2;
  o.across = 24e-3;
  o.head = 0;
  if (isInternal) o.X = Pose::at({0, 0, -o.length / 2});
  return o;
}

/// Half of the height of a tooth at a radius [m].
double halfTooth(const tests::ThreadMeshOptions& o, double r) {
  const double narrowing = std::tan(o.halfAngle) * (r - o.pitchDiameter / 2);
  return o.pitch / 4 + (o.isInternal ? narrowing : -narrowing);
}

/// Depth of a point, given in the frame of the thread's formula, in the tooth at its height.
double depthIn(const tests::ThreadMeshOptions& o, const Vector3d& p) {
  const double r = p.head<2>().norm(), middle = o.pitch * (std::atan2(p.y(), p.x()) - o.phase) / kTurn;
  const double flank =
      (halfTooth(o, r) - std::abs(std::remainder(p.z() - middle, o.pitch))) * std::cos(o.halfAngle);
  const double end = std::min(p.z(), o.length - p.z());
  return std::min({flank, o.isInternal ? r - o.minorDiameter / 2 : o.majorDiameter / 2 - r, end});
}

/// Point of a flank of tooth 0 and its turns: `turn` from z = 0, radius r, on its lower (-1) or upper (1)
/// side.
Vector3d flankPoint(const tests::ThreadMeshOptions& o, double turn, double r, double side) {
  const double angle = o.phase + kTurn * turn;
  return {r * std::cos(angle), r * std::sin(angle), o.pitch * turn + side * halfTooth(o, r)};
}

/// Worst depth of the flanks of `a` in `b`. X_BA: a in b's frame, both of the formulas.
double worstDepth(const tests::ThreadMeshOptions& a, const tests::ThreadMeshOptions& b, const Pose& X_BA) {
  const double inner = std::max(a.minorDiameter, b.minorDiameter) / 2;
  const double outer = std::min(a.majorDiameter, b.majorDiameter) / 2, turns = a.length / a.pitch;
  double worst = -1;
  const auto depth = [&](double turn, double r, double side) {
    const Vector3d p = flankPoint(a, turn, r, side);
    return p.z() < 0 || p.z() > a.length ? -1 : depthIn(b, X_BA * p);
  };
  for (const double side : {-1.0, 1.0}) {
    double turn = 0, r = 0, best = -1;
    const int around = static_cast<int>(turns * kAround);
    for (int i = 0; i <= around; ++i)
      for (int k = 0; k <= kAcross; ++k) {
        const double t = turns * i / around, radius = inner + (outer - inner) * k / kAcross;
        if (const double d = depth(t, radius, side); d > best) best = d, turn = t, r = radius;
      }
    // By ever smaller steps around the best.
    double along = turns / around, across = (outer - inner) / kAcross;
    for (int halvings = 0; halvings < 20; ++halvings, along /= 2, across /= 2)
      for (const auto& [dt, dr] : {std::pair{along, 0.0}, {-along, 0.0}, {0.0, across}, {0.0, -across}}) {
        const double radius = std::clamp(r + dr, inner, outer);
        if (const double d = depth(turn + dt, radius, side); d > best) best = d, turn += dt, r = radius;
      }
    worst = std::max(worst, best);
  }
  return worst;
}

double percentile(std::vector<double> values, double percent) {
  const auto rank = static_cast<std::ptrdiff_t>(percent / 100 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

}  // namespace

double cpuTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

NutTrial::NutTrial(const std::string& trialName, int facets, double mu, double axialLoad)
    : name(trialName), friction(mu), load(axialLoad), bolt(m16(false, facets)), nut(m16(true, facets)) {
  // Of a ring from the pitch cylinder to the circle of the hexagon's area.
  const double in = nut.pitchDiameter / 2, out2 = nut.across * nut.across * std::sqrt(3.0) / kTurn;
  mass = kDensity * std::numbers::pi * (out2 - in * in) * nut.length;
  const double polar = mass * (out2 + in * in) / 2;
  inertia = Vector3d(polar / 2, polar / 2, polar) + mass * nut.length * nut.length / 12 * Vector3d(1, 1, 0);
  // The middle of a tooth of the nut, in the section θ = 0 at z = -length/2 + k P, is in the middle of a
  // groove of the bolt, less the play of the flanks.
  const double play = std::tan(bolt.halfAngle) * (nut.pitchDiameter - bolt.pitchDiameter) / 2;
  const double tooth = kStart - nut.length / 2;
  const double groove = (std::round(tooth / bolt.pitch) + 0.5) * bolt.pitch;
  X_WN = Pose::at({0, 0, kStart + groove - tooth - play + kGap / std::cos(bolt.halfAngle)});
}

double NutTrial::smoothFall() const {
  const double h = lead() / kTurn;
  return acceleration() / (1 + inertia.z() / (mass * h * h));
}

double overlap(const NutTrial& trial, const Pose& X_WN) {
  const Pose X_BN = X_WN * trial.nut.X;
  return std::max(worstDepth(trial.nut, trial.bolt, X_BN), worstDepth(trial.bolt, trial.nut, X_BN.inverse()));
}

NutOutcome measure(const NutTrial& trial, NutEngine& engine) {
  NutOutcome outcome;
  outcome.overlap = overlap(trial, trial.X_WN);
  std::vector<double> times_us;
  Pose last = trial.X_WN;
  double turned = 0, settled = last.p.z();  // about the axis [rad]; height from which both count [m]
  while (outcome.steps < trial.steps) {
    const double start = cpuTime();
    engine.step();
    times_us.push_back(cpuTime() - start);
    const Pose X_WN = engine.pose();
    turned += physics::logarithm(X_WN.q * last.q.conjugate()).z();
    last = X_WN;
    if (outcome.steps == kSettling) turned = 0, settled = last.p.z();
    const bool isAway = !((X_WN.p - trial.X_WN.p).norm() < kFarAway);
    if (++outcome.steps % kOverlapEvery == 0 || isAway)
      outcome.overlap = std::max(outcome.overlap, overlap(trial, X_WN));
    if (isAway) break;
  }
  outcome.fallen = trial.X_WN.p.z() - last.p.z();
  if (std::abs(turned) > kLeastTurn) outcome.advance = (last.p.z() - settled) * kTurn / turned;
  outcome.median_us = percentile(times_us, 50);
  outcome.p99_us = percentile(times_us, 99);
  outcome.remark = engine.remark();
  return outcome;
}

}  // namespace tenon::bench
