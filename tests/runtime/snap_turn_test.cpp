// TurnMode on the spot: once a push, about the head, and not with something in the hand.
#include "runtime/vr/snap_turn.h"

#include <gtest/gtest.h>

#include <numbers>

namespace tenon::tests::snap_turn_test {
namespace {

using physics::Pose;
using physics::Vector3d;
using runtime::SnapTurn;

constexpr double kStep = std::numbers::pi / 6;

struct Person {
  SnapTurn turn{kStep};
  std::array<bool, 2> closed{};

  double push(double left, double right) {
    std::array<xr::Controller, 2> hands;
    hands[0].thumbstickX = left;
    hands[1].thumbstickX = right;
    return turn.update(hands, closed);
  }
};

TEST(SnapTurn, OnePushIsOneTurn) {
  Person person;
  EXPECT_EQ(person.push(0, 0.69), 0);
  EXPECT_EQ(person.push(0, 0.9), kStep);
  EXPECT_EQ(person.push(0, 1), 0);
  EXPECT_EQ(person.push(0, 0.5), 0) << "it trembles";
  EXPECT_EQ(person.push(0, 0.8), 0);
  EXPECT_EQ(person.push(0, 0.3), 0);
  EXPECT_EQ(person.push(-1, 0.3), -kStep);
  EXPECT_EQ(person.push(0, 0), 0);
  person.turn = SnapTurn(0);
  EXPECT_EQ(person.push(1, 0), 0);
}

TEST(SnapTurn, ClosedHandBlocksTheTurnAlsoAfterOpening) {
  Person person;
  person.closed = {true, false};
  EXPECT_EQ(person.push(0, 1), 0);
  person.closed = {false, false};
  EXPECT_EQ(person.push(0, 1), 0) << "the push is an old one";
}

TEST(SnapTurn, HeadKeepsItsPositionAndTurnsRight) {
  // A room with y up in a world with z up; the person looks along the world's y, and then along x.
  const Pose X_WS{physics::exponential({std::numbers::pi / 2, 0, 0}), {1, 2, 3}};
  const Pose X_SH = Pose::at({0.3, 1.6, -0.2});
  const Pose turned = runtime::turnedRoom(X_WS, X_SH, std::numbers::pi / 2);
  EXPECT_LT((turned * X_SH.p - X_WS * X_SH.p).norm(), 1e-12);
  EXPECT_LT((X_WS.q * (X_SH.q * -Vector3d::UnitZ()) - Vector3d::UnitY()).norm(), 1e-12);
  EXPECT_LT((turned.q * (X_SH.q * -Vector3d::UnitZ()) - Vector3d::UnitX()).norm(), 1e-12);
  EXPECT_LT((turned.q * Vector3d::UnitY() - Vector3d::UnitZ()).norm(), 1e-12) << "the floor stays level";
}

}  // namespace
}  // namespace tenon::tests::snap_turn_test
