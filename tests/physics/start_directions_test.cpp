// Force directions of the start of a step: contacts that appear in it take those of the nearest one there,
// however far the bodies move, and every attempt of a step begins with them. With friction the gradients of
// the distances are those of the trial state all the same.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "physics/contact/island_problem.h"
#include "physics/solver/solver_chain.h"
#include "tests/support/particle.h"

namespace tenon::physics::start_directions_test {
namespace {

constexpr double kDt = 1e-3;

/// A disc of radius 5 mm in a ring of 45 mm about the origin, in the plane z = 0, seen by a collider that
/// gives the contact another feature every 20 degrees.
class Ring final : public Collider {
 public:
  static constexpr double kRing = 0.045, kDisc = 0.005;
  BodyId addBody(const Shape&, const Vector3d&, bool) override { return {}; }
  void findPairs(std::span<const Pose>, std::span<const double>, std::vector<BodyPair>&) override {}
  void findContacts(BodyPair pair, const Pose&, const Pose& X_WJ, double range,
                    ContactSet& contacts) const override {
    const Vector3d out = X_WJ.p.normalized();
    Contact contact;
    contact.i = pair.i;
    contact.j = pair.j;
    contact.separation = kRing - kDisc - X_WJ.p.norm();
    contact.p = kRing * out;
    contact.n = -out;
    contact.feature =
        static_cast<std::uint64_t>(40 + std::floor(std::atan2(out.y(), out.x()) * 18 / M_PI / 2));
    if (contact.separation <= range) contacts.push_back(contact);
  }
  bool isSeparated(BodyPair, const Pose&, const Pose&, double) const override { return false; }
  bool isSatExact(BodyPair) const override { return false; }
  double radius(BodyId body) const override { return body.value == 0 ? kRing : kDisc; }
  double thickness(BodyId) const override { return 2 * kDisc; }
  bool isConvex(BodyId body) const override { return body.value == 1; }
};

/// The problem of the disc, linearized after it moved along the ring by `angle` in a step, from just before a
/// new feature.
LinearizedContacts linearizedAfter(double angle, double friction = 0) {
  Ring collider;
  const auto at = [](double phase) {
    return Pose::at((Ring::kRing - Ring::kDisc) * Vector3d(std::cos(phase), std::sin(phase), 0));
  };
  const std::array<Pose, 2> poses{Pose(), at(-1e-3)};
  const Vector3d path = at(angle).p - poses[1].p;
  const std::array<double, 2> margin{0, 1.5 * path.norm() + 5e-4}, thickness{0.001, 0.001};
  const std::array<Matrix6d, 2> massFactor{Matrix6d::Identity(), Matrix6d::Identity()};
  std::array<Vector6d, 2> u{Vector6d::Zero(), Vector6d::Zero()};
  u[1].head<3>() = path / kDt;
  const std::array<MaterialId, 2> material{MaterialId{0}, MaterialId{0}};
  std::array<BodyState, 2> states;
  states[1].v = u[1].head<3>();
  SurfaceTable surfaces;
  surfaces.set({0}, {0}, SurfacePair{.friction = friction});
  IslandProblem problem;
  problem.begin({.collider = &collider,
                 .dt = kDt,
                 .start = poses,
                 .end = poses,
                 .searchMargin = margin,
                 .thickness = thickness,
                 .massFactor = massFactor,
                 .freeVelocity = u,
                 .predicted = u,
                 .surfaces = &surfaces,
                 .material = material,
                 .joints = {},
                 .states = states});
  problem.addBody(BodyId{1});
  problem.addPair({{0}, {1}});
  problem.complete();
  problem.linearize(std::vector<double>(u[1].data(), u[1].data() + 6));
  return problem;
}

Vector3d directionAfter(double angle) {
  const LinearizedContacts problem = linearizedAfter(angle);
  return problem.rows.size() == 1 ? problem.rows[0].normal() : Vector3d::Zero();
}

// Arc lengths of 0.2, 2 and 8 mm at a range of 0.5 mm.
TEST(StartDirections, AreThoseOfTheNearestContactHoweverFarTheBodyMoves) {
  const Vector3d start(-std::cos(1e-3), std::sin(1e-3), 0);
  for (const double angle : {0.005, 0.05, 0.2})
    EXPECT_LE((directionAfter(angle) - start).norm(), 1e-12) << angle;
}

// A move of 40 um by 45 degrees into the wall: the distance is linear but for the square of what it slides.
// Along the direction of the start, 0.1 rad before, the model misses by 3 um.
TEST(StartDirections, LeaveTheGradientOfTheTrialStateToContactsWithFriction) {
  const double angle = 0.1;
  const Vector3d out(std::cos(angle), std::sin(angle), 0), along(-out.y(), out.x(), 0);
  const Vector3d before = (Ring::kRing - Ring::kDisc) * out, move = 4e-5 * (out + along).normalized();
  const double truth = Ring::kRing - Ring::kDisc - (before + move).norm();
  const auto errorWith = [&](double friction) {
    const LinearizedContacts problem = linearizedAfter(angle, friction);
    EXPECT_LE((problem.rows.at(0).normal() + Vector3d(std::cos(1e-3), -std::sin(1e-3), 0)).norm(), 1e-12);
    const Vector3d start =
        before - (Ring::kRing - Ring::kDisc) * Vector3d(std::cos(1e-3), -std::sin(1e-3), 0);
    std::vector<double> u(6, 0.0);
    block(std::span(u), 0).head<3>() = (start + move) / kDt;
    return std::abs(problem.distance(problem.rows.at(0), u) - truth);
  };
  EXPECT_LE(errorWith(0.3), 0.6 * move.squaredNorm() / (Ring::kRing - Ring::kDisc));
  EXPECT_GE(errorWith(0), 1e-6);
}

/// A particle whose distances alternate so that no step reduces them; it records which directions were used.
class Restless : public tests::Particle {
 public:
  using Particle::Particle;
  std::vector<bool> atRest, all;  ///< usesStartDirections of linearizations at u = 0, and of all

  void linearize(const std::vector<double>& u) override {
    if (u == std::vector<double>(6, 0.0)) atRest.push_back(usesStartDirections);
    all.push_back(usesStartDirections);
    Particle::linearize(u);
  }

 protected:
  void touch(const Vector3d& p) override {
    addContact(-2e-6 - 1e-6 * std::sin(1e9 * p.z() + static_cast<double>(trials.size())), Vector3d::UnitZ());
  }
};

TEST(StartDirections, AreThoseOfEveryAttemptOfAStep) {
  Restless restless(2, kDt, Vector3d::Zero(), Vector3d(0.2, 0, -0.3));
  restless.predicted = restless.freeVelocity;
  SolverChain chain(SolverName::fischerNewton);
  ContactSolution solution;
  const ChainReport report = chain.solve(restless, {}, solution);
  ASSERT_FALSE(report.solve.solved);
  ASSERT_NE(std::find(restless.all.begin(), restless.all.end(), false), restless.all.end())
      << "no attempt left the start's directions";
  ASSERT_GE(restless.atRest.size(), 1u) << "no other solver was tried";
  EXPECT_TRUE(restless.atRest[0]);
}

}  // namespace
}  // namespace tenon::physics::start_directions_test
