// A loaded screw with a real thread, tilted in its play: no point of its flanks lies deeper than a contact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics::tilted_screw_test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi, kRate = 1000;

/// How deep a point of a thread's frame lies in the teeth of the thread, along the normal of the nearest
/// flank; negative: outside [m]. From the profile of ISO 68-1 alone.
double depthIn(const Thread& t, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y()), theta = std::atan2(p.y(), p.x());
  const double h = t.lead() / kTurn, slope = std::tan(t.halfAngle);
  const double outwards = t.isInternal ? 1 : -1;
  const double halfWidth = t.pitch / 4 + outwards * slope * (rho - t.pitchDiameter / 2);
  const double away = std::remainder(p.z() - h * (theta - t.phase), t.pitch);
  const double fromFlank = (halfWidth - std::abs(away)) / std::sqrt(1 + slope * slope + h * h / (rho * rho));
  const double crest = t.isInternal ? rho - t.minorDiameter / 2 : t.majorDiameter / 2 - rho;
  return std::min({fromFlank, crest, t.high - p.z(), p.z() - t.low});
}

/// The deepest point of the crest edges of `own`, over its whole length, in `other` (X_OE of `own`).
double deepestOfEdges(const Thread& own, const Thread& other, const Pose& X_OE) {
  const double rho = (own.isInternal ? own.minorDiameter : own.majorDiameter) / 2;
  const double outwards = own.isInternal ? 1 : -1;
  const double halfWidth = own.pitch / 4 + outwards * std::tan(own.halfAngle) * (rho - own.pitchDiameter / 2);
  const double turns = (own.high - own.low) / own.pitch + 1;
  constexpr int kAround = 720;
  double deepest = -1;
  for (const double side : {-1.0, 1.0})
    for (int k = static_cast<int>(-turns * kAround); k <= turns * kAround; ++k) {
      const double angle = kTurn * k / kAround;
      const double z = own.lead() * angle / kTurn + side * halfWidth;
      if (z < own.low || z > own.high) continue;
      const double theta = angle + own.phase;
      deepest =
          std::max(deepest, depthIn(other, X_OE * Vector3d(rho * std::cos(theta), rho * std::sin(theta), z)));
    }
  return deepest;
}

/// A bolt M8 in two turns of a wide thread, pulled up by a hand that tilts it.
struct TiltedScrew {
  explicit TiltedScrew(double modulus)
      : world({.dt = 1 / kRate, .gravity = Vector3d::Zero(), .allowSleep = false}, makeBulletCollider()) {
    bolt = basicThread(8e-3, 1.25e-3, false, -8e-3, 8e-3);
    nut = basicThread(8e-3, 1.25e-3, true, -1.5e-3, 1.5e-3);
    nut.pitchDiameter += 0.3e-3;
    nut.minorDiameter += 0.3e-3;
    nut.majorDiameter += 0.3e-3;
    const MaterialId steel{0};
    world.setSurfaces(steel, steel, {.friction = 0.1});
    world.setElasticity(steel, {modulus, 0.3});
    BodyDescription fixed;
    fixed.motion = MotionType::fixed;
    fixed.material = steel;
    const double wall = nut.majorDiameter / 2, z = 1.5e-3;
    fixed.shape =
        Compound{{{threadedSolid(nut), {}},
                  {SolidOfRevolution{{{-z, wall}, {-z, 9e-3}, {z, 9e-3}, {z, wall}, {-z, wall}}}, {}}}};
    world.addBody(fixed);
    BodyDescription body;
    body.material = steel;
    body.shape = threadedSolid(bolt);
    body.mass = massProperties(body.shape, 7850);
    body.X_WP = Pose::at({0, 0, bolt.pitch / 2});
    screw = world.addBody(body);
    HandParameters hand;
    hand.stiffness = Vector3d::Constant(1e6);
    hand.angularStiffness = Vector3d::Constant(500);
    hand.maxForce = 1e4;
    hand.maxTorque = 100;
    hand.carriesWeight = false;
    world.addHand(hand, body.X_WP);
    world.apply(Grab{{0}, screw, body.X_WP});
  }

  Pose pose() const {
    return world.partPose(screw, world.stepResult().bodies[static_cast<std::size_t>(screw.value)]);
  }
  /// The deepest overlap, along a normal [m].
  double overlap() const {
    return std::max(deepestOfEdges(bolt, nut, pose()), deepestOfEdges(nut, bolt, pose().inverse()));
  }
  double tilt() const { return std::acos(std::min(1.0, (pose().q * Vector3d::UnitZ()).z())); }

  Thread bolt, nut;
  World world;
  BodyId screw;
};

// The elongation of the thread is that of its contacts, and is all that overlaps.
TEST(TiltedScrew, OverlapsByNoMoreThanItsContacts) {
  for (const double modulus : {0.0, 210e9}) {
    for (const double phase : {0.3, 0.3 + std::numbers::pi / 4}) {
      TiltedScrew s(modulus);
      const Vector3d axis(std::cos(phase), std::sin(phase), 0);
      constexpr int kSteps = 150;
      double most = 0, tilt = 0;
      for (int k = 1; k <= kSteps; ++k) {
        const double share = static_cast<double>(k) / kSteps;
        s.world.apply(MoveHand{{0},
                               {Quaterniond(Eigen::AngleAxisd(0.025 * share, axis)),
                                {0, 0, s.bolt.pitch / 2 + 0.8e-3 * share}}});
        const StepReport& report = s.world.step().report;
        ASSERT_TRUE(report.converged) << "step " << k << ", modulus " << modulus;
        double deepest = 0, force = 0;
        for (const ContactForce& c : s.world.stepResult().contacts) {
          deepest = std::max(deepest, -c.contact.separation);
          force += c.force;
        }
        most = std::max(most, force);
        tilt = std::max(tilt, s.tilt());
        EXPECT_LE(s.overlap(), deepest + 1e-8) << "step " << k << ", modulus " << modulus;
      }
      EXPECT_GT(most, 400) << modulus;
      EXPECT_GT(tilt, 0.5 * std::numbers::pi / 180);
    }
  }
}

}  // namespace
}  // namespace tenon::physics::tilted_screw_test
