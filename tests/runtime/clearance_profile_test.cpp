// Clearance along the path of a part against the closed form of a sphere beside boxes, and tolerances of
// goals.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "runtime/assess/clearance_profile.h"
#include "runtime/assess/operations.h"

namespace tenon::tests::clearance_profile_test {
namespace {

using namespace runtime;
using physics::Pose;
using physics::Vector3d;

constexpr double kRadius = 5e-3;

struct Box {
  Vector3d center, half;
  double distanceTo(const Vector3d& p) const { return ((p - center).cwiseAbs() - half).cwiseMax(0).norm(); }
};

class ClearanceProfiles : public testing::Test {
 protected:
  /// A ball, two posts, and a wall that does not count.
  void SetUp() override {
    for (const physics::Shape& shape :
         {physics::Shape(physics::Sphere{kRadius}), physics::Shape(physics::Box{boxes_[0].half}),
          physics::Shape(physics::Box{boxes_[1].half}), physics::Shape(physics::Box{{0.2, 0.001, 0.01}})}) {
      content::Part part;
      part.shape = shape;
      scene_.parts.push_back(std::move(part));
    }
    poses_.resize(scene_.parts.size());
    poses_[1].p = boxes_[0].center;
    poses_[2].p = boxes_[1].center;
    poses_[3].p = {0, 0.012, 0};
  }
  double nearest(const Vector3d& p) const {
    return std::min(boxes_[0].distanceTo(p), boxes_[1].distanceTo(p)) - kRadius;
  }

  content::Scene scene_;
  std::vector<Pose> poses_;
  const Box boxes_[2] = {{{0.1, -0.03, 0}, {0.01, 0.01, 0.01}}, {{0.2, -0.05, 0}, {0.005, 0.015, 0.01}}};
};

TEST_F(ClearanceProfiles, PassTwoPostsAtTheDistanceOfGeometry) {
  ClearanceTracker tracker(scene_);
  tracker.exclude(0, 3);
  ClearanceProfile profile(tracker);
  std::vector<double> along;
  for (int k = 0; k <= 400; ++k) {
    poses_[0].p = {1e-3 * k, 0, 0};
    profile.add(0, poses_);
  }
  const std::vector<PathClearance>& points = profile.of(0);
  ASSERT_GT(points.size(), 133U) << "one in 2 mm, or in 3 mm where two steps are a rounding error less";
  ASSERT_LE(points.size(), 201U);
  int none = 0, first = 0, second = 0;
  for (const PathClearance& at : points) {
    const double distance = nearest({at.along, 0, 0});
    if (distance > ClearanceTracker::kMaxDistance) {
      EXPECT_FALSE(at.distance) << at.along;
      ++none;
      continue;
    }
    ASSERT_TRUE(at.distance) << at.along;
    EXPECT_NEAR(*at.distance, distance, 1e-9) << at.along;
    ++(at.other == 1 ? first : second);
  }
  EXPECT_GT(none, 20) << "beyond 0.3 m";
  EXPECT_GT(first, 50);
  EXPECT_GT(second, 50);
  EXPECT_TRUE(profile.of(1).empty());
}

TEST_F(ClearanceProfiles, OfARandomWalkAreTheNearestAsWell) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> step(-4e-3, 4e-3);
  ClearanceTracker tracker(scene_);
  ClearanceProfile profile(tracker);
  profile.exclude(0, 3);
  Vector3d p(0.08, 0.03, 0);
  double along = 0;
  std::size_t seen = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vector3d next = p + Vector3d(step(random), step(random), step(random));
    if (next.x() > 0.25 || next.x() < -0.05 || next.cwiseAbs().maxCoeff() > 0.25 || nearest(next) < 1e-4)
      continue;
    along += seen == 0 ? 0 : (next - p).norm();
    p = next;
    poses_[0].p = p;
    profile.add(0, poses_);
    if (profile.of(0).size() == seen) continue;
    seen = profile.of(0).size();
    const PathClearance& at = profile.of(0).back();
    EXPECT_NEAR(at.along, along, 1e-12);
    const double distance = nearest(p);
    ASSERT_EQ(at.distance.has_value(), distance <= ClearanceTracker::kMaxDistance);
    if (at.distance) {
      EXPECT_NEAR(*at.distance, distance, 1e-9);
    }
  }
  EXPECT_GT(seen, 500U);
}

content::Goal goalOf30() {
  content::Goal goal;
  goal.depth = 0.03;
  goal.depthTolerance = 1e-4;
  goal.tiltTolerance = 0.01;
  goal.timeLimit = 2;
  return goal;
}

TEST(Tolerances, PassAndFail) {
  Operation op;
  op.verdict = "jammed";
  op.depthError = -0.002;
  op.tilt = 0.02;
  for (const ToleranceCheck& check : toleranceChecksOf(goalOf30(), op)) EXPECT_FALSE(check.passes);
  op.depthError = 0.9e-4;
  op.tilt = 0.009;
  op.seated = 1.5;
  const auto checks = toleranceChecksOf(goalOf30(), op);
  ASSERT_EQ(checks.size(), 3U);
  for (const ToleranceCheck& check : checks) EXPECT_TRUE(check.passes);
  EXPECT_NEAR(*checks[0].actual, 0.03009, 1e-12);
  EXPECT_NEAR(*checks[0].most, 0.0301, 1e-12);
  op.depthError = 1.1e-4;
  EXPECT_FALSE(toleranceChecksOf(goalOf30(), op)[0].passes) << "too deep";
  op.seated = 2.5;
  EXPECT_FALSE(toleranceChecksOf(goalOf30(), op)[2].passes) << "too late";
}

TEST(Tolerances, OfTurnsThereIsNoGreatestDepthAndOfAPoseThereIsAPlace) {
  Operation op;
  op.verdict = "pending";
  op.depthError = 5e-3;
  op.lateralError = 3e-4;
  content::Goal goal = goalOf30();
  goal.turns = 6;
  EXPECT_TRUE(toleranceChecksOf(goal, op)[0].passes);
  goal.turns = 0;
  goal.timeLimit = 0;
  goal.pose.emplace();
  goal.pose->across = 2e-4;
  const auto checks = toleranceChecksOf(goal, op);
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_EQ(checks[2].kind, ToleranceKind::across);
  EXPECT_FALSE(checks[2].passes);
}

TEST(Tolerances, AReachedGoalHeldOffItsSeatByItsTiltPasses) {
  Operation op;
  op.verdict = "inserted";
  op.depthError = -1.5e-4;
  EXPECT_TRUE(toleranceChecksOf(goalOf30(), op)[0].passes);
}

}  // namespace
}  // namespace tenon::tests::clearance_profile_test
