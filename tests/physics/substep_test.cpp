// A hand's target in the substeps of a step.
#include <gtest/gtest.h>

#include "physics/step/stages.h"

namespace tenon::physics::substep_test {
namespace {

TEST(TargetOfAHand, MovesInEqualParts) {
  constexpr int kParts = 8;
  const double turn = 0.4;
  HandSlot hand;
  hand.lastTarget = Pose::at(Vector3d(0.1, -0.2, 0.3));
  const Pose start = hand.lastTarget;
  hand.state.X_WH = {Quaterniond(Eigen::AngleAxisd(turn, Vector3d::UnitY())), Vector3d(0.14, -0.2, 0.26)};
  for (int k = 1; k <= kParts; ++k) {
    const Substep substep{1e-3, 1.0 / (kParts - k + 1), 1, false};
    EXPECT_EQ(substep.isLast(), k == kParts);
    const Pose target = targetOf(hand, substep);
    const double share = static_cast<double>(k) / kParts;
    EXPECT_LE((target.p - (start.p + share * Vector3d(0.04, 0, -0.04))).norm(), 1e-15) << k;
    EXPECT_NEAR(target.q.angularDistance(start.q), share * turn, 1e-12) << k;
    EXPECT_GE(target.q.y(), 0) << k;
    hand.lastTarget = target;
  }
  EXPECT_EQ(hand.lastTarget.p, hand.state.X_WH.p);
  EXPECT_EQ(hand.lastTarget.q.coeffs(), hand.state.X_WH.q.coeffs());
}

TEST(TargetOfAHand, IsTheGivenOneInAWholeStep) {
  HandSlot hand;
  hand.state.X_WH = {Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitX())), Vector3d(0.1, 0.2, 0.3)};
  EXPECT_EQ(targetOf(hand, {1e-3, 1, 1, true}).p, hand.state.X_WH.p);
  EXPECT_EQ(targetOf(hand, {1e-3, 1, 1, true}).q.coeffs(), hand.state.X_WH.q.coeffs());
}

}  // namespace
}  // namespace tenon::physics::substep_test
