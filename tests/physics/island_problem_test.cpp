// Reuse of contacts between trial states: error of their distances, and which pairs are queried again.
// Gradients of distances whose forces act along the start of the step.
#include "physics/contact/island_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "physics/math/tolerances.h"
#include "tests/support/convex_overlap.h"
#include "tests/support/counting_collider.h"

namespace tenon::physics::island_problem_test {
namespace {

constexpr double kDt = 1e-3;
constexpr double kAllowed = 8e-7;  // overlap of pairs that are not queried [m]
const Vector3d kHalf(0.01, 0.012, 0.008);

constexpr std::array<BodyPair, 3> kPairs{{{{0}, {1}}, {{0}, {3}}, {{1}, {2}}}};

/// A box on a floor, a second one on its corner, and a third one elsewhere on the floor.
struct Boxes : testing::Test {
  tests::CountingCollider collider;
  std::vector<Pose> poses;
  std::vector<double> searchMargin, thickness;
  std::vector<Matrix6d> massFactor;
  std::vector<Vector6d> still;
  std::vector<MaterialId> material;
  std::vector<BodyState> states;
  SurfaceTable surfaces;
  ContactSet start;
  IslandProblem problem;

  Boxes() {
    const auto add = [&](const Shape& shape, const Pose& X, bool moves) {
      collider.addBody(shape, Vector3d::Zero(), moves);
      poses.push_back(X);
    };
    add(HalfSpace{}, Pose(), false);
    add(Box{kHalf}, Pose::at({0, 0, kHalf.z()}), true);
    add(Box{kHalf}, {exponential(Vector3d(0.3, 0.2, 0.1)), {0.002, 0.001, 3 * kHalf.z() + 0.0049}}, true);
    add(Box{kHalf}, Pose::at({0.1, 0, kHalf.z()}), true);
    searchMargin.assign(poses.size(), 5e-3);
    thickness.assign(poses.size(), std::numeric_limits<double>::infinity());
    massFactor.assign(poses.size(), Matrix6d::Identity());
    still.assign(poses.size(), Vector6d::Zero());
    material.resize(poses.size());
    states.resize(poses.size());
    for (const BodyPair& pair : kPairs)
      collider.findContacts(pair, poses[pair.i.value], poses[pair.j.value], 1e-2, start);
    begin();
  }

  void begin() {
    problem.begin({.collider = &collider,
                   .dt = kDt,
                   .start = poses,
                   .end = poses,
                   .searchMargin = searchMargin,
                   .thickness = thickness,
                   .massFactor = massFactor,
                   .freeVelocity = still,
                   .predicted = still,
                   .surfaces = &surfaces,
                   .material = material,
                   .joints = {},
                   .states = states,
                   .startContacts = start});
    for (const int body : {1, 2, 3}) problem.addBody(BodyId{body});
    for (const BodyPair& pair : kPairs) problem.addPair(pair);
    problem.complete();
  }

  /// Returns the number of pairs that were queried.
  int linearize(const std::vector<double>& u) {
    collider.count = 0;
    collider.ranges.clear();
    problem.linearize(u);
    return collider.count;
  }
  /// Velocities with which body 2 (the second of the island) moves and turns by `displacement` in a step [m].
  static std::vector<double> moved(double displacement) {
    std::vector<double> u(18, 0.0);
    const double share = displacement / (3 * kDt);
    u[6] = share;
    u[8] = -share;
    u[10] = share / kHalf.norm();
    return u;
  }
};

TEST_F(Boxes, QueryEveryPairUnlessReuseIsAllowed) {
  EXPECT_EQ(linearize(moved(0)), 3);
  EXPECT_EQ(linearize(moved(0)), 3);
  problem.reuseBelowOverlap = kAllowed;
  EXPECT_EQ(linearize(moved(0)), 3);
  EXPECT_EQ(linearize(moved(0)), 0);
  EXPECT_EQ(linearize(moved(-9e-6)), 0);
  EXPECT_EQ(linearize(moved(-1.4e-5)), 1) << "the pair of the body that moved";
  EXPECT_EQ(linearize(moved(-1.4e-5)), 0);
  EXPECT_EQ(linearize(moved(-2.1e-5)), 0) << "measured from its last query";
  problem.reuseBelowOverlap = 0;
  EXPECT_EQ(linearize(moved(-2.1e-5)), 3);
}

// Those of its three pairs: body 2, which moves, is in the last one.
TEST_F(Boxes, ATrialSeesAsFarAsTheNextOneMayMove) {
  linearize(moved(0));
  EXPECT_EQ(collider.ranges, std::vector<double>(3, 0.01)) << "at the start: all that the step may reach";
  const double displacement = 3e-4, margins = 2 * kSearchMargin;
  linearize(moved(displacement));
  const double reach = displacement * (std::sqrt(2.0) + 1) / 3 + margins;
  ASSERT_EQ(collider.ranges.size(), 3U);
  EXPECT_DOUBLE_EQ(collider.ranges[0], margins);
  EXPECT_DOUBLE_EQ(collider.ranges[1], margins);
  EXPECT_NEAR(collider.ranges[2], reach, 1e-12);
  linearize(moved(displacement));
  EXPECT_NEAR(collider.ranges.at(2), reach, 1e-12) << "the same state again";
  linearize(moved(displacement + 1e-6));
  EXPECT_NEAR(collider.ranges.at(2), reach * 1e-6 / displacement + margins * (1 - 1e-6 / displacement),
              1e-12);
}

TEST_F(Boxes, ContactsThatTheLastStepDidNotListAreSoughtAtTheStartOnce) {
  std::vector<double> u = moved(1e-6);
  EXPECT_EQ(linearize(u), 3);
  for (Contact& contact : start)
    if (contact.j == BodyId{1}) contact.feature += std::uint64_t{1} << 60;
  begin();
  EXPECT_EQ(linearize(u), 4);
  EXPECT_EQ(linearize(u), 3);
}

// By central differences, in a step in which the box on the corner turns by 0.15 rad.
TEST_F(Boxes, TiltedRowsHaveTheGradientOfTheTrialState) {
  surfaces.set({0}, {0}, SurfacePair{.friction = 0.3});
  material.assign(material.size(), MaterialId{0});
  std::vector<double> u(18, 0.0);
  auto body = block(std::span(u), 1);
  body << 0.4, -0.2, 0.1, 0.15 / kDt * Vector3d(0.5, 0.8, 0.3).normalized();
  states[2].v = body.head<3>();
  states[2].omega = body.tail<3>();
  problem.linearize(u);
  const std::vector<ContactRow> rows = problem.rows;
  int tilted = 0;
  for (int entry = 0; entry < 18; ++entry) {
    constexpr double kStep = 1e-7;  // m, or rad times some 10 mm
    const double change = kStep / kDt / (entry % 6 < 3 ? 1 : 0.01);
    const auto separationsAt = [&](double sign) {
      std::vector<double> moved = u;
      moved[static_cast<std::size_t>(entry)] += sign * change;
      problem.linearize(moved);
      return problem.rows;
    };
    const std::vector<ContactRow> more = separationsAt(1), less = separationsAt(-1);
    for (const ContactRow& row : rows) {
      if (!row.isTilted || entry / 6 != (entry < 6 ? row.a : row.b)) continue;
      const ContactRow *above = findRow(more, row.key), *below = findRow(less, row.key);
      if (!above || !below) continue;
      ++tilted;
      const double byDifference =
          (above->contact.separation - below->contact.separation) / (2 * change * kDt);
      const Vector6d& J = entry / 6 == row.a ? row.Ja : row.Jb;
      EXPECT_NEAR(byDifference, J[entry % 6], 1e-6) << entry;
      EXPECT_GT((row.normal() - row.contact.n).norm(), 1e-3) << "not along the start of the step";
    }
  }
  EXPECT_GE(tilted, 6);
}

TEST_F(Boxes, QueryPairsWithoutASeparatingPlane) {
  const auto lowered = [](double depth) {  // body 2
    std::vector<double> u(18, 0.0);
    u[8] = -depth / kDt;
    return u;
  };
  // The depth at which they overlap by the allowed amount.
  double high = 0, low = 6e-3;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (high + low);
    const Pose lower{poses[2].q, poses[2].p - Vector3d(0, 0, middle)};
    const double overlap = tests::overlapOf(tests::boxBody(kHalf, poses[1]), tests::boxBody(kHalf, lower));
    (overlap < kAllowed ? high : low) = middle;
  }
  ASSERT_LT(high, 5.9e-3) << "they never meet";
  problem.reuseBelowOverlap = kAllowed;
  linearize(lowered(high - 2e-6));
  EXPECT_EQ(linearize(lowered(high - 1e-8)), 0);
  EXPECT_EQ(linearize(lowered(high + 1e-8)), 1);
}

TEST_F(Boxes, QueryBodiesThatMoveTogetherOnlyIfTheyTurn) {
  problem.reuseBelowOverlap = kAllowed;
  // Bodies 1 and 2 as one, about the middle of the first.
  const auto together = [&](double shift, double turn) {
    std::vector<double> u(18, 0.0);
    for (const int body : {0, 1}) {
      u[6 * body] = shift / kDt;
      u[6 * body + 3] = turn / kDt;
    }
    block(std::span(u), 1).head<3>() += Vector3d(turn / kDt, 0, 0).cross(poses[2].p - poses[1].p);
    return u;
  };
  EXPECT_EQ(linearize(together(0, 0)), 3);
  EXPECT_EQ(linearize(together(1e-4, 0)), 1) << "the first slides on the floor";
  EXPECT_EQ(linearize(together(1e-4, 4e-5)), 0) << "the second body turns with it";
  EXPECT_EQ(linearize(together(1e-4, 5e-3)), 2) << "too far for linear models";
}

TEST_F(Boxes, ReuseDistancesOfTheSamePoints) {
  constexpr double kDisplacement = 8e-6;
  problem.reuseBelowOverlap = kAllowed;
  // The box on the corner, lowered to 20 µm above the other one.
  double gap = std::numeric_limits<double>::infinity();
  for (const Contact& contact : start)
    if (contact.j == BodyId{2}) gap = std::min(gap, contact.separation);
  std::vector<double> near(18, 0.0);
  near[8] = -(gap - 2e-5) / kDt;
  linearize(near);
  std::vector<double> u = moved(-kDisplacement);
  u[8] += near[8];
  ASSERT_EQ(linearize(u), 0);
  const std::vector<ContactRow> reused = problem.rows;
  problem.reuseBelowOverlap = 0;
  linearize(u);
  ASSERT_GE(problem.rows.size(), 9U);  // those near enough for the next trial
  double largest = 0;
  for (const ContactRow& row : problem.rows) {
    const ContactRow* same = findRow(reused, row.key);
    ASSERT_NE(same, nullptr);
    // Error: displacement squared, divided by the smallest size of the boxes. Where an edge leaves a face,
    // the contact is another point of the edge; edges are within 15° of the faces of their contacts.
    const bool isVertex = (row.contact.feature >> 32 & 0xf) < 2;
    EXPECT_NEAR(same->contact.separation, row.contact.separation,
                isVertex ? 2 * kDisplacement * kDisplacement / kHalf.minCoeff() : 0.26 * kDisplacement);
    EXPECT_NEAR(problem.distance(*same, u), same->contact.separation, 1e-16);
    largest = std::max(largest, std::abs(same->contact.separation - same->b0));
  }
  EXPECT_GT(largest, 1e-8) << "no distance changed: the test checks nothing";
}

}  // namespace
}  // namespace tenon::physics::island_problem_test
