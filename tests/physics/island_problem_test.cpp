// Contacts that pairs keep between trials: by how much their distances are off, and who is asked again.
#include "physics/contact/island_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/counting_collider.h"

namespace tenon::physics {
namespace {

constexpr double kDt = 1e-3;
const Vector3d kHalf(0.01, 0.012, 0.008);

/// A box on a floor, another on its corner, and a third apart on the floor.
struct Boxes : testing::Test {
  tests::CountingCollider collider;
  std::vector<Pose> poses;
  std::vector<double> reach;
  std::vector<Matrix6d> massFactor;
  std::vector<Vector6d> still;
  std::vector<MaterialId> material;
  std::vector<BodyState> states;
  SurfaceTable surfaces;
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
    reach.assign(poses.size(), 5e-3);
    massFactor.assign(poses.size(), Matrix6d::Identity());
    still.assign(poses.size(), Vector6d::Zero());
    material.resize(poses.size());
    states.resize(poses.size());
    problem.begin({.collider = &collider,
                   .dt = kDt,
                   .start = poses,
                   .end = poses,
                   .reach = reach,
                   .massFactor = massFactor,
                   .freeVelocity = still,
                   .predicted = still,
                   .surfaces = &surfaces,
                   .material = material,
                   .joints = {},
                   .states = states});
    for (const int body : {1, 2, 3}) problem.addBody(BodyId{body});
    for (const auto& [i, j] : {std::pair(0, 1), std::pair(0, 3), std::pair(1, 2)})
      problem.addPair({BodyId{i}, BodyId{j}});
    problem.complete();
  }

  /// How many pairs were asked.
  int linearise(const std::vector<double>& u) {
    collider.count = 0;
    problem.linearise(u);
    return collider.count;
  }
  /// Body 2 (the second of the island) moves and turns by so much a step [m].
  static std::vector<double> moved(double way) {
    std::vector<double> u(18, 0.0);
    const double share = way / (3 * kDt);
    u[6] = share;
    u[8] = -share;
    u[10] = share / kHalf.norm();
    return u;
  }
};

TEST_F(Boxes, AskForEveryPairUnlessTheyMayKeepTheirs) {
  EXPECT_EQ(linearise(moved(0)), 3);
  EXPECT_EQ(linearise(moved(0)), 3);
  problem.stillWithin = 2e-6;
  EXPECT_EQ(linearise(moved(0)), 3);
  EXPECT_EQ(linearise(moved(0)), 0);
  EXPECT_EQ(linearise(moved(4e-7)), 0);
  EXPECT_EQ(linearise(moved(4e-6)), 1) << "the pair of the body that moved";
  EXPECT_EQ(linearise(moved(4e-6)), 0);
}

TEST_F(Boxes, KeepDistancesOfThePointsThatTheyWere) {
  problem.stillWithin = 2e-6;
  linearise(moved(0));
  const std::vector<double> u = moved(4.5e-7);
  ASSERT_EQ(linearise(u), 0);
  const std::vector<ContactRow> kept = problem.rows;
  problem.stillWithin = 0;
  linearise(u);
  ASSERT_EQ(kept.size(), problem.rows.size());
  double largest = 0;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    EXPECT_EQ(kept[k].key, problem.rows[k].key);
    // To the square of the way, by the smallest measure of the boxes. Where an edge leaves a face, another
    // point of it is the contact now; edges are within 15° of the faces they are told of.
    const bool isVertex = (problem.rows[k].contact.feature >> 32 & 0xf) < 2;
    EXPECT_NEAR(kept[k].contact.delta, problem.rows[k].contact.delta,
                isVertex ? 2e-6 * 2e-6 / kHalf.minCoeff() : 0.26 * 4.5e-7);
    EXPECT_NEAR(problem.distance(kept[k], u), kept[k].contact.delta, 1e-16);
    largest = std::max(largest, std::abs(kept[k].contact.delta - kept[k].b0));
  }
  EXPECT_GT(largest, 1e-8) << "no distance changed: the test tests nothing";
}

}  // namespace
}  // namespace tenon::physics
