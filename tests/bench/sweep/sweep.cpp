// Cases from a seed, and a watch over each.
#include "tests/bench/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "content/model/build_world.h"
#include "content/reader/load_scene.h"
#include "runtime/assess/assessment.h"
#include "runtime/simulation/simulation.h"
#include "tests/support/exact_bore.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::bench {
namespace {

using physics::Pose;
using physics::Vector3d;

constexpr char kScene[] = "content/scenes/insertion-benchmark.json";
constexpr double kPegDiameter_mm = 10, kChamfer_mm = 1.5, kBlockMargin_mm = 12;
constexpr double kTunnelled = 50e-6;       // m; no contact error is as large, every passage is
constexpr double kEnergyTolerance = 0.05;  // of the work: rotations are linearised in a step
constexpr double kLargestPush = 200;       // N; the hand alone gives 54, the rest is a heavy landing
constexpr double kLeastWork = 1e-5;        // J; a hand of 15 mm/s puts that into the peg at once

/// Numbers of a standard engine, spread by our own arithmetic: the library's distributions differ.
class Draw {
 public:
  Draw(std::uint64_t seed, int number) : engine_(seed * 1000003 + static_cast<std::uint64_t>(number)) {
    engine_.discard(16);
  }
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  double logBetween(double low, double high) { return low * std::pow(high / low, unit()); }

 private:
  std::mt19937_64 engine_;
};

/// To a value that reads the same from a command line.
double rounded(double value, double unit) {
  return std::round(value / unit) * unit;
}

content::Scene sceneOf(const SweepCase& which) {
  return content::loadScene(std::string(TENON_SOURCE_DIR "/") + kScene, {{"clearance_um", which.clearance_um},
                                                                         {"friction", which.friction},
                                                                         {"tilt_deg", which.tilt_deg},
                                                                         {"offset_mm", which.offset_mm}});
}

tests::PegAndBore fitOf(const content::Scene& scene, const SweepCase& which) {
  tests::PegAndBore fit;
  fit.pegRadius = kPegDiameter_mm / 2000;
  fit.boreRadius = fit.pegRadius + which.clearance_um * 1e-6 / 2;
  fit.chamfer = kChamfer_mm / 1000;
  fit.height = scene.goals.front().depth + kBlockMargin_mm / 1000;
  return fit;
}

/// What the hand has put into the peg, and what is in it.
class EnergyWatch {
 public:
  EnergyWatch(const content::Scene& scene, const physics::StepResult& start)
      : hand_(scene.hands.front().parameters),
        mass_(scene.parts[static_cast<std::size_t>(scene.goals.front().part)].mass),
        last_(start.hands.front().X_WH) {}

  /// Takes in a step; returns (energy − work) / (all the work so far, done and undone).
  double excess(const physics::StepResult& tick, const physics::BodyState& peg) {
    const physics::HandState& hand = tick.hands.front();
    const Pose& target = hand.X_WH;
    const double done = hand.force.dot(target.p - last_.p) +
                        hand.torque.dot(physics::logarithm(target.q * last_.q.conjugate()));
    last_ = target;
    work_ += done;
    turnover_ += std::abs(done);
    return (energy(hand, peg) - work_) / (turnover_ + kLeastWork);
  }

 private:
  double energy(const physics::HandState& hand, const physics::BodyState& peg) const {
    const Vector3d omega_C = peg.X_WC.q.conjugate() * peg.omega;
    double sum = 0.5 * mass_.mass * peg.v.squaredNorm() + 0.5 * omega_C.dot(mass_.inertia * omega_C);
    if (!hand.body.valid()) return sum;
    const Pose X_WG = peg.X_WC * hand.X_CH;  // the grabbed point
    const physics::Quaterniond toHand = X_WG.q.conjugate();
    const Vector3d e = toHand * (hand.X_WH.p - X_WG.p);
    const Vector3d turn = toHand * physics::logarithm(hand.X_WH.q * X_WG.q.conjugate());
    return sum + 0.5 * e.dot(hand_.stiffness.cwiseProduct(e)) +
           0.5 * turn.dot(hand_.angularStiffness.cwiseProduct(turn));
  }

  physics::HandParameters hand_;
  physics::MassProperties mass_;
  Pose last_;
  double work_ = 0, turnover_ = 0;
};

/// One case while it runs.
class Watch {
 public:
  Watch(const SweepCase& which, double penetration)
      : scene_(sceneOf(which)),
        fit_(fitOf(scene_, which)),
        penetration_(penetration),
        peg_{scene_.goals.front().part},
        simulation_(scene_, {.dt = 1 / which.rate}, std::make_unique<xr::ScriptedHands>(scene_.hands)),
        assessment_(scene_),
        energy_(scene_, simulation_.world().stepResult()) {
    outcome_.which = which;
  }

  SweepOutcome run() {
    const auto steps = static_cast<int>(std::ceil(scene_.duration * outcome_.which.rate));
    while (outcome_.steps < steps && step()) {
    }
    outcome_.verdict = assessment_.goals().front().verdict;
    outcome_.push = assessment_.goals().front().maxPush;
    if (!(outcome_.push <= kLargestPush)) fail("push", fmt::format("{:.0f} N", outcome_.push));
    const bool held =
        outcome_.verdict == runtime::Verdict::blocked || outcome_.verdict == runtime::Verdict::jammed;
    if (outcome_.which.clearance_um < 0 && !held) fail("verdict", std::string(toText(outcome_.verdict)));
    return std::move(outcome_);
  }

 private:
  bool step() {
    const physics::StepResult& tick = simulation_.step();
    ++outcome_.steps;
    const physics::BodyState& peg = tick.bodies[static_cast<std::size_t>(peg_.value)];
    if (!peg.X_WC.isFinite() || !peg.v.allFinite() || !peg.omega.allFinite()) {
      fail("not finite", "");
      return false;
    }
    assessment_.add(tick);
    if (!tick.report.converged) ++outcome_.notConverged;
    if (tick.report.backedOff > 0) ++outcome_.backedOff;
    checkPlace(simulation_.world().partPose(peg_, peg));
    const double excess = energy_.excess(tick, peg);
    outcome_.energyExcess = std::max(outcome_.energyExcess, excess);
    if (excess > kEnergyTolerance) fail("energy from nowhere", fmt::format("{:.3g} of the work", excess));
    return true;
  }

  void checkPlace(const Pose& X_WP) {
    const double overlap = tests::overlap(fit_, X_WP);
    outcome_.penetration = std::max(outcome_.penetration, overlap);
    if (overlap > penetration_) fail("overlap", fmt::format("{:.3f} µm", overlap * 1e6));
    if (overlap > kTunnelled) fail("in the material", fmt::format("{:.3f} mm", overlap * 1e3));
    // The rim reaches R cos(tilt) from the tip's center in the plane of tilt, and as high as R sin(tilt).
    const Vector3d axis = X_WP.q * Vector3d::UnitZ();
    const double rim = fit_.pegRadius * std::abs(axis.z());
    const double high = X_WP.p.z() + fit_.pegRadius * axis.head<2>().norm();
    const double wide = fit_.boreRadius + std::clamp(high + fit_.chamfer, 0.0, fit_.chamfer);
    const double aside = X_WP.p.head<2>().norm();
    if (X_WP.p.z() < 0 && aside + rim > wide + kTunnelled)
      fail("out of the bore", fmt::format("{:.3f} mm aside", aside * 1e3));
  }

  void fail(const std::string& what, const std::string& howMuch) {
    const bool known = std::any_of(outcome_.failures.begin(), outcome_.failures.end(),
                                   [&](const std::string& one) { return one.starts_with(what); });
    if (!known) outcome_.failures.push_back(fmt::format("{} {} at step {}", what, howMuch, outcome_.steps));
  }

  content::Scene scene_;
  tests::PegAndBore fit_;
  double penetration_;
  physics::BodyId peg_;
  runtime::Simulation simulation_;
  runtime::Assessment assessment_;
  EnergyWatch energy_;
  SweepOutcome outcome_;
};

}  // namespace

SweepCase sweepCase(std::uint64_t seed, int number) {
  Draw draw(seed, number);
  SweepCase which{.seed = seed, .number = number};
  const double kind = draw.unit();
  which.clearance_um = kind < 0.1 ? draw.between(-20, 0) : kind < 0.12 ? 0 : draw.logBetween(1, 1000);
  which.clearance_um = rounded(which.clearance_um, 0.01);
  which.friction = draw.unit() < 0.2 ? 0 : rounded(draw.between(0, 0.5), 0.001);
  which.rate = rounded(draw.logBetween(90, 2000), 1);
  which.tilt_deg = rounded(draw.between(0, 5), 0.01);
  // Off the chamfer's brim by a tenth of its width: beyond it the peg stands on the face.
  const double caught = 0.9 * kChamfer_mm + which.clearance_um / 2000;
  which.offset_mm = rounded(draw.between(-caught, caught), 0.001);
  return which;
}

std::string commandOf(const SweepCase& which) {
  return fmt::format(
      "tenon run {} --rate {:g} --set clearance_um={:.2f} --set friction={:.3f} --set tilt_deg={:.2f} "
      "--set offset_mm={:.3f}",
      kScene, which.rate, which.clearance_um, which.friction, which.tilt_deg, which.offset_mm);
}

SweepOutcome runSweepCase(const SweepCase& which, double penetration) {
  return Watch(which, penetration).run();
}

}  // namespace tenon::bench
