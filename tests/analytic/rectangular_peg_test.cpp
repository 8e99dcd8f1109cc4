// A square peg goes slowly into a chamfered square hole with 10 to 100 µm: the push of the hand against
// planar statics (Whitney 1982, without small angles), the overlap by separating planes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>
#include <utility>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"
#include "tests/support/convex_overlap.h"
#include "tests/support/planar_insertion.h"

namespace tenon::rectangular_peg_test {
namespace {

using namespace physics;
using tests::PlanarInsertion;

constexpr double kOuter = 0.02, kHeight = 0.04, kHalfLength = 0.03;

/// A block below z = 0 with a square through hole of half width `bore`, 45° chamfers at its mouth [m].
BoundarySolid blockWithSquareHole(double bore, double chamfer) {
  BoundarySolid block;
  const auto ring = [&](double half, double z) {
    for (const auto& [x, y] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}})
      block.vertices.emplace_back(x * half, y * half, z);
  };
  ring(kOuter, -kHeight);
  ring(kOuter, 0);
  ring(bore + chamfer, 0);
  ring(bore, -chamfer);
  ring(bore, -kHeight);
  for (int layer = 0; layer < 5; ++layer)
    for (int k = 0; k < 4; ++k) {
      const int a = 4 * layer, b = 4 * ((layer + 1) % 5), n = (k + 1) % 4;
      block.triangles.push_back({a + k, a + n, b + n});
      block.triangles.push_back({a + k, b + n, b + k});
    }
  return block;
}

/// The four walls about the hole.
std::vector<tests::ConvexBody> wallsOf(double bore, double chamfer) {
  std::vector<tests::ConvexBody> walls;
  for (int k = 0; k < 4; ++k) {
    const Pose turned{exponential(Vector3d(0, 0, k * std::acos(0.0))), Vector3d::Zero()};
    walls.push_back(tests::prismBody(
        {{bore, -kHeight}, {kOuter, -kHeight}, {kOuter, 0}, {bore + chamfer, 0}, {bore, -chamfer}}, kOuter,
        turned));
  }
  return walls;
}

struct Row {
  double clearance_um, friction;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.clearance_um << " um, friction " << row.friction;
}

class RectangularPeg : public testing::TestWithParam<Row> {};

TEST_P(RectangularPeg, TakesThePushOfPlanarStaticsAndOverlapsNowhere) {
  PlanarInsertion in;
  in.clearance = GetParam().clearance_um * 1e-6;
  in.friction = GetParam().friction;
  in.depth = 12e-3;  // beyond the largest push
  const tests::InsertionTruth truth = insertionTruth(in);
  ASSERT_TRUE(truth.arrives);
  ASSERT_LT(truth.peakDepth, 0.9 * in.depth);

  World world(WorldOptions{.dt = 1e-3, .gravity = Vector3d::Zero()}, makeBulletCollider());
  const double bore = in.radius + in.clearance / 2;
  BodyDescription block;
  block.shape = blockWithSquareHole(bore, in.chamfer);
  block.motion = MotionType::fixed;
  block.material = MaterialId{0};
  world.addBody(block);
  // Light, so that the hand's damping, which depends on the mass, hardly adds to the push.
  BodyDescription peg;
  const Vector3d half(in.radius, in.radius, kHalfLength);
  peg.shape = Box{half};
  peg.material = MaterialId{0};
  peg.mass.mass = 0.01;
  peg.mass.inertia = Vector3d(5e-6, 5e-6, 2e-7).asDiagonal();
  const auto targetAt = [&](double progress) {
    const double tilt = in.tilt * (1 - progress);
    const Quaterniond q = exponential(Vector3d(0, tilt, 0));
    const Vector3d tip(in.offset * (1 - progress), 0, in.top - (in.top + in.depth) * progress);
    return Pose{q, tip + q * Vector3d(0, 0, in.centreHeight)};
  };
  peg.X_WP = targetAt(0);
  const BodyId id = world.addBody(peg);
  world.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = in.friction});
  HandParameters parameters;
  parameters.angularStiffness = Vector3d(2, 2, 0.1);
  const HandId hand = world.addHand(parameters, targetAt(0));
  world.apply(Grab{hand, id, targetAt(0)});

  const std::vector<tests::ConvexBody> walls = wallsOf(bore, in.chamfer);
  constexpr int kSteps = 12000;
  int notConverged = 0;
  double peak = 0, overlap = 0;
  for (int k = 1; k <= kSteps; ++k) {
    world.apply(MoveHand{hand, targetAt(static_cast<double>(k) / kSteps)});
    const StepResult& result = world.step();
    notConverged += result.report.converged ? 0 : 1;
    peak = std::max(peak, -result.hands[0].force.z());
    const tests::ConvexBody body =
        tests::boxBody(half, world.partPose(id, result.bodies[static_cast<std::size_t>(id.value)]));
    for (const tests::ConvexBody& wall : walls) overlap = std::max(overlap, overlapOf(body, wall));
  }
  const Pose end = world.partPose(id, world.stepResult().bodies[static_cast<std::size_t>(id.value)]);
  EXPECT_EQ(notConverged, 0);
  EXPECT_LE(overlap, 1e-8);
  EXPECT_NEAR(peak / truth.peakPush, 1, 0.05) << peak << " N, planar statics " << truth.peakPush << " N";
  EXPECT_NEAR(end.p.z(), in.centreHeight - in.depth, 1e-3);
  RecordProperty("push_n", std::to_string(peak));
  RecordProperty("overlap_nm", std::to_string(1e9 * overlap));
  std::printf("%g um, friction %g: push %.4f N, planar statics %.4f N, overlap %.3g nm\n",
              GetParam().clearance_um, in.friction, peak, truth.peakPush, 1e9 * overlap);
}

INSTANTIATE_TEST_SUITE_P(clearances, RectangularPeg,
                         testing::Values(Row{100, 0}, Row{50, 0}, Row{20, 0}, Row{10, 0}, Row{100, 0.1},
                                         Row{50, 0.1}, Row{20, 0.1}, Row{10, 0.1}));

}  // namespace
}  // namespace tenon::rectangular_peg_test
