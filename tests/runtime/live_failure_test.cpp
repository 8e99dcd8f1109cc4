// A step that throws pauses a live session and ends nothing: undo, reset and playing on work from there. And
// a session without readers pauses.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "runtime/simulation/live_simulation.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/manual_clock.h"

namespace tenon::tests::live_failure_test {
namespace {

using namespace runtime;

constexpr std::int64_t kMs = 1'000'000;

struct Session {
  std::unique_ptr<ManualClock> owned = std::make_unique<ManualClock>();
  ManualClock& clock = *owned;
  LiveSimulation simulation;

  explicit Session(std::int64_t inactivityTimeout_ns = 0)
      : simulation(liveScene(), {.world = liveOptions(), .inactivityTimeout_ns = inactivityTimeout_ns},
                   std::move(owned)) {}

  /// Lets time pass bit by bit, as steps that are too late are given up, and what is due be done.
  void pass(std::int64_t by_ns) {
    clock.waitUntilIdle();
    for (std::int64_t left = by_ns; left > 0; left -= 10 * kMs) {
      clock.advance(10 * kMs);
      clock.waitUntilIdle();
    }
  }
  void hand(const xr::HandSample& sample) { simulation.setHands({&sample, 1}, clock.now_ns(), 0); }
  LiveStatus status() const { return simulation.frameBuffer().after->status; }
  std::int64_t step() const { return simulation.frameBuffer().after->record.tick.step; }
  double redAt() const { return simulation.frameBuffer().after->X_WP[0].p.y(); }

  /// The hand holds the red block 20 mm further along y; then its pose is invalid, and a step fails.
  void carryAndFail() {
    hand(handAt({0, 0, 0}, true, 0));
    pass(10 * kMs);
    hand(handAt({0, 0.02, 0}, true, 0));
    pass(500 * kMs);
    hand(handAt({0, std::nan(""), 0}, true, 0));
    pass(10 * kMs);
  }
};

TEST(LiveFailure, PausesAndSaysWhyUntilAStepIsDoneAgain) {
  Session session;
  session.carryAndFail();
  EXPECT_TRUE(session.status().paused);
  EXPECT_NE(session.status().failure.find("the simulation has stopped"), std::string::npos);
  EXPECT_NEAR(session.redAt(), 0.02, 1e-4) << "as the last step left it";
  const std::int64_t stopped = session.step();
  session.hand(handAt({0, 0.04, 0}, true, 0));
  session.simulation.play();
  session.pass(500 * kMs);
  EXPECT_FALSE(session.status().paused);
  EXPECT_EQ(session.status().failure, "");
  EXPECT_GT(session.step(), stopped + 400);
  EXPECT_NEAR(session.redAt(), 0.04, 1e-4) << "still in the hand";
}

TEST(LiveFailure, ThatIsStillThereFailsAgainAndSaysSo) {
  Session session;
  session.carryAndFail();
  const int messages = session.status().messages;
  session.simulation.play();
  session.pass(10 * kMs);
  EXPECT_TRUE(session.status().paused);
  EXPECT_NE(session.status().failure, "");
  EXPECT_GT(session.status().messages, messages);
}

TEST(LiveFailure, IsUndoneAndReset) {
  for (const bool undo : {true, false}) {
    SCOPED_TRACE(undo ? "undo" : "reset");
    Session session;
    session.carryAndFail();
    undo ? session.simulation.undo() : session.simulation.reset();
    session.pass(0);
    EXPECT_EQ(session.status().failure, "");
    EXPECT_EQ(session.redAt(), 0);
    session.hand(handAt({0, 0.1, 0}));
    session.simulation.play();
    session.pass(100 * kMs);
    EXPECT_FALSE(session.status().paused);
    EXPECT_EQ(session.redAt(), 0);
  }
}

TEST(LiveFailure, OfAStepLeavesNoCommandOfItBehind) {
  Session session;
  session.pass(10 * kMs);
  // The right hand takes the red block in the step in which the left one's pose is invalid.
  const std::vector<xr::HandSample> samples = {handAt({0, 0, 0}, true, 0), handAt({0, std::nan(""), 0})};
  session.simulation.setHands(samples, 1, 0);
  session.pass(10 * kMs);
  ASSERT_NE(session.status().failure, "");
  const std::vector<xr::HandSample> open = {handAt({0.3, 0, 0}), handAt({0.3, 0, 0})};
  session.simulation.setHands(open, 2, 0);
  session.simulation.play();
  session.pass(100 * kMs);
  EXPECT_EQ(session.status().failure, "");
  EXPECT_FALSE(session.simulation.frameBuffer().after->record.tick.hands[0].body.valid());
  EXPECT_EQ(session.redAt(), 0);
}

TEST(LiveAttention, ThatIsGoneStopsTimeAndReturnsWithIt) {
  Session session(250 * kMs);
  session.pass(200 * kMs);
  EXPECT_FALSE(session.status().paused);
  session.pass(2000 * kMs);
  EXPECT_TRUE(session.status().paused);
  EXPECT_FALSE(session.status().isPausedByUser());
  const std::int64_t stopped = session.step();
  EXPECT_LT(stopped, 320);
  session.simulation.reportActivity();
  session.pass(100 * kMs);
  EXPECT_FALSE(session.status().paused);
  EXPECT_NEAR(static_cast<double>(session.step() - stopped), 100, 2) << "the time between is not made up for";
  EXPECT_EQ(session.status().droppedSteps, 0);
}

TEST(LiveAttention, ThatReturnsPlaysNothingOnThatWasPaused) {
  Session session(250 * kMs);
  session.simulation.pause();
  session.pass(1000 * kMs);
  session.simulation.reportActivity();
  session.pass(100 * kMs);
  EXPECT_TRUE(session.status().paused);
  session.simulation.play();
  session.pass(1000 * kMs);
  session.simulation.pause();
  session.simulation.reportActivity();
  session.pass(100 * kMs);
  EXPECT_TRUE(session.status().isPausedByUser()) << "paused by hand while it was hidden";
}

}  // namespace
}  // namespace tenon::tests::live_failure_test
