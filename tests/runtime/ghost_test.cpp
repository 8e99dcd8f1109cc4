// The re-simulation of a replay on its own thread, read by another one as the window reads it in each frame.
#include "runtime/replay/ghost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "runtime/replay/recorded_frame_source.h"
#include "runtime/session/session_scene.h"
#include "tests/runtime/recording.h"

namespace tenon::tests::ghost_test {
namespace {

using runtime::Ghost;
using runtime::GhostStatus;

/// 0.9 s of bolt-in-plate: the hand takes the screw at 0.4 s and lifts it from then on.
class GhostOfASession : public testing::Test {
 protected:
  void SetUp() override {
    Session session(file());
    session.step(900);
    session.recorder().finish("test");
    ASSERT_EQ(session.endMessage, "");
  }
  std::string file() const { return folder_ / "s.tenon"; }

  /// Re-simulates the file, and reads record and re-simulation until that is done; its last poses are in
  /// `X_WP_`.
  GhostStatus resimulate() {
    const runtime::SessionReader reader(file());
    const auto scene = std::make_shared<const content::Scene>(runtime::sceneOf(reader.header()));
    const std::vector<runtime::SessionEvent> events = reader.events();
    runtime::RecordedFrameSource recorded(reader, scene, events);
    const Ghost ghost(file(), scene, runtime::optionsOf(reader.header()));
    GhostStatus status;
    for (double time = 0; !status.done; status = ghost.status()) {
      EXPECT_GE(status.time, time) << "it goes forward";
      time = status.time;
      isShown_ = ghost.posesAt(time, X_WP_);
      frames_ = recorded.at(time);
      std::this_thread::yield();
    }
    isShown_ = ghost.posesAt(status.time, X_WP_);
    frames_ = recorded.at(status.time);
    return status;
  }

  TemporaryFolder folder_;
  bool isShown_ = false;
  std::vector<physics::Pose> X_WP_;
  runtime::FrameBuffer frames_;
};

TEST_F(GhostOfASession, IsTheRecordWhereNothingWasChanged) {
  const GhostStatus status = resimulate();
  EXPECT_EQ(status.problem, "");
  EXPECT_EQ(status.tick, 900);
  EXPECT_FALSE(status.firstDifferent.has_value());
  EXPECT_EQ(status.maxDistance, 0);
  EXPECT_FALSE(isShown_);
  EXPECT_TRUE(X_WP_.empty());
}

/// The states are those of the session, and the hand's path is not: from 0.7 s on it is 2 mm higher.
TEST_F(GhostOfASession, GoesItsOwnWayFromAChangedInputOn) {
  change(file(), "UPDATE command SET pz_m = pz_m + 0.002 WHERE kind = 'move' AND tick > 700");
  mendChain(file());
  const GhostStatus status = resimulate();
  EXPECT_EQ(status.problem, "");
  EXPECT_EQ(status.tick, 900);
  EXPECT_EQ(status.firstDifferent, 701);
  EXPECT_EQ(status.body, 1) << "the screw";
  // The spring of the hand follows in some 20 ms, and overshoots by less than half of it.
  EXPECT_GT(status.maxDistance, 0.0015);
  EXPECT_LT(status.maxDistance, 0.003);
  ASSERT_TRUE(isShown_);
  ASSERT_EQ(X_WP_.size(), 2U);
  EXPECT_NEAR(X_WP_[1].p.z() - frames_.after->X_WP[1].p.z(), 0.002, 0.0005);
}

TEST_F(GhostOfASession, EndsWhereItIsClosedEarly) {
  const runtime::SessionReader reader(file());
  const auto scene = std::make_shared<const content::Scene>(runtime::sceneOf(reader.header()));
  const Ghost ghost(file(), scene, runtime::optionsOf(reader.header()));
  while (ghost.status().tick < 0 && !ghost.status().done) std::this_thread::yield();
  EXPECT_EQ(ghost.status().problem, "");
}

}  // namespace
}  // namespace tenon::tests::ghost_test
