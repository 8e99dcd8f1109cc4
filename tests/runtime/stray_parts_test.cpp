// A part that a person throws away returns to where it lay, and nothing else does.
#include <gtest/gtest.h>

#include "runtime/simulation/live_world.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/manual_clock.h"

namespace tenon::tests::stray_parts_test {
namespace {

using namespace runtime;
using physics::Vector3d;

constexpr std::int64_t kMs = 1'000'000;

/// Without weight and friction, a released part flies on.
class Session {
 public:
  explicit Session(bool returns, std::shared_ptr<const content::Scene> scene = liveScene())
      : world_(std::move(scene), {.world = liveOptions(), .returnsStrayParts = returns}, clock_) {}

  void hand(const Vector3d& p, bool closed) {
    const std::vector<xr::HandSample> samples{handAt(p, closed, 0), xr::HandSample()};
    world_.mailbox().put(samples, clock_.now_ns(), 0);
  }
  void pass(int steps) {
    for (int k = 0; k < steps; ++k) {
      clock_.advance(kMs);
      world_.step();
    }
  }
  /// Takes part 0 at the origin, and releases it 50 mm above.
  void lift() {
    hand(Vector3d::Zero(), true);
    pass(5);
    hand({0, 0, 0.05}, true);
    pass(500);
    hand({0, 0, 0.05}, false);
    pass(500);
  }
  /// Takes part 0 at its place, moves it at 2 m/s for 0.1 s, and releases it.
  void throwPart() {
    const Vector3d from = placeOf(0);
    hand(from, true);
    pass(5);
    for (int k = 1; k <= 100; ++k) {
      hand(from + 0.002 * k * Vector3d::UnitY(), true);
      pass(1);
    }
    hand(from + 0.2 * Vector3d::UnitY(), false);
    pass(1);
  }
  Vector3d placeOf(int part) const {
    return world_.world()
        .partPose({part}, world_.world().stepResult().bodies[static_cast<std::size_t>(part)])
        .p;
  }
  double speedOf(int part) const {
    return world_.world().stepResult().bodies[static_cast<std::size_t>(part)].v.norm();
  }
  LiveStatus status() const {
    SimulationFrame frame;
    world_.fillFrame(frame);
    return frame.status;
  }
  LiveWorld& world() { return world_; }

 private:
  ManualClock clock_;
  LiveWorld world_;
};

TEST(StrayParts, ThrownPartReturnsToWhereItLayWithANote) {
  Session session(true);
  session.throwPart();
  ASSERT_GT(session.speedOf(0), 1);
  session.pass(300);
  EXPECT_GT(session.placeOf(0).y(), 0.5) << "it flies within the work area";
  EXPECT_EQ(session.status().message, "");
  session.pass(500);
  EXPECT_LT(session.placeOf(0).norm(), 1e-6);
  EXPECT_LT(session.speedOf(0), 1e-9) << "at rest";
  EXPECT_EQ(session.status().message, "red left the work area and is back where it lay");
  EXPECT_EQ(session.status().messages, 1) << "once";
  EXPECT_NEAR(session.placeOf(1).x(), 0.1, 1e-9) << "the other part stays";
}

TEST(StrayParts, PartReturnsToWhereItWasPutLast) {
  Session session(true);
  session.lift();
  const Vector3d put = session.placeOf(0);
  ASSERT_NEAR(put.z(), 0.05, 1e-3);
  session.throwPart();
  session.pass(1000);
  EXPECT_LT((session.placeOf(0) - put).norm(), 1e-4);
}

TEST(StrayParts, HeldPartMayBeCarriedAway) {
  Session session(true);
  session.hand(Vector3d::Zero(), true);
  session.pass(5);
  for (int k = 1; k <= 2000; ++k) {
    session.hand({0, 0.001 * k, 0}, true);
    session.pass(1);
  }
  EXPECT_GT(session.placeOf(0).y(), 1.9);
  EXPECT_EQ(session.status().message, "");
}

TEST(StrayParts, PartsStayAwayWithoutTheOption) {
  Session session(false);
  session.throwPart();
  session.pass(1000);
  EXPECT_GT(session.placeOf(0).y(), 1.5);
}

/// With weight, both parts on a table 0.4 m wide that has nothing below.
std::shared_ptr<content::Scene> tableScene() {
  auto scene = std::make_shared<content::Scene>(*liveScene());
  scene->gravity = {0, 0, -9.81};
  content::Part table;
  table.name = "table";
  table.motion = physics::MotionType::fixed;
  table.material = 0;
  table.shape = physics::Box{{0.2, 0.2, 0.01}};
  table.X_WP = physics::Pose::at({0, 0, -0.02 - 1e-6});
  scene->parts.push_back(table);
  return scene;
}

TEST(StrayParts, PartThrownOverTheEdgeLiesOnTheTableAgain) {
  Session session(true, tableScene());
  session.pass(300);
  const Vector3d lay = session.placeOf(0);
  session.throwPart();
  session.pass(1500);
  EXPECT_EQ(session.status().message, "red left the work area and is back where it lay");
  EXPECT_EQ(session.status().messages, 1);
  EXPECT_LT((session.placeOf(0) - lay).norm(), 1e-6);
  session.pass(2000);
  EXPECT_LT((session.placeOf(0) - lay).norm(), 1e-6) << "it lies still";
  EXPECT_EQ(session.status().messages, 1);
}

TEST(StrayParts, HighestPointOfAThrowIsNoPlaceToReturnTo) {
  Session session(true, tableScene());
  session.pass(300);
  session.hand(session.placeOf(0), true);
  session.pass(5);
  // Straight up beside the table: for some milliseconds the part is slower than kRestSpeed there.
  for (int k = 1; k <= 300; ++k) {
    session.hand({0, 0.001 * k, 0.0003 * k}, true);
    session.pass(1);
  }
  session.pass(300);
  for (int k = 1; k <= 50; ++k) {
    session.hand({0, 0.3, 0.09 + 0.003 * k}, true);
    session.pass(1);
  }
  session.hand({0, 0.3, 0.24}, false);
  session.pass(3000);
  EXPECT_EQ(session.status().messages, 1) << "it does not fall again";
  EXPECT_LT(session.placeOf(0).head<2>().norm(), 1e-4) << session.placeOf(0).transpose();
}

TEST(StrayParts, PartReturnsAboveWhatLiesThereNow) {
  Session session(true, tableScene());
  session.pass(300);
  // Red is carried off the table; blue is put where it lay.
  session.hand(session.placeOf(0), true);
  session.pass(5);
  for (int k = 1; k <= 500; ++k) {
    session.hand({0, -0.001 * k, 0.1}, true);
    session.pass(1);
  }
  const auto both = [&](const xr::HandSample& right, const xr::HandSample& left) {
    const std::vector<xr::HandSample> samples{right, left};
    session.world().mailbox().put(samples, 0, 0);
  };
  const xr::HandSample red = handAt({0, -0.5, 0.1}, true, 0);
  both(red, handAt(session.placeOf(1), true, 1));
  session.pass(5);
  for (int k = 1; k <= 200; ++k) {
    both(red, handAt({0.1 - 0.0005 * k, 0, 0.001}, true, 1));
    session.pass(1);
  }
  session.pass(300);
  both(red, handAt({0, 0, 0.001}, false));
  session.pass(500);
  ASSERT_LT(session.placeOf(1).head<2>().norm(), 1e-3);
  both(handAt({0, -0.5, 0.1}, false), handAt({0, 0, 0.001}, false));
  session.pass(1500);
  EXPECT_EQ(session.status().message, "red left the work area and is back where it lay");
  EXPECT_NEAR(session.placeOf(0).z() - session.placeOf(1).z(), 0.02, 1e-4) << "one on the other";
  EXPECT_LT(session.placeOf(1).head<2>().norm(), 1e-3) << "which is not pushed away";
}

TEST(StrayParts, PartThatNothingHoldsThereReturnsTwiceAtMost) {
  auto scene = tableScene();
  scene->parts[0].X_WP = physics::Pose::at({0.5, 0, 0});  // beside the table
  Session session(true, scene);
  session.pass(5000);
  EXPECT_EQ(session.status().messages, StrayParts::kMaxReturns);
  EXPECT_LT(session.placeOf(0).z(), -2);
}

TEST(StrayParts, ResetForgetsWherePartsLay) {
  Session session(true);
  session.lift();
  session.world().apply(ResetControl{});
  session.hand({0, 0, 0.3}, false);
  session.pass(10);
  session.throwPart();
  session.pass(1000);
  EXPECT_LT(session.placeOf(0).norm(), 1e-6) << session.placeOf(0).transpose();
}

}  // namespace
}  // namespace tenon::tests::stray_parts_test
