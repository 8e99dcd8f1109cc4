// The physics thread and the window's: neither waits for the other, and nothing depends on who is faster.
#include "runtime/simulation/live_simulation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>

#include "tests/runtime/live_scene.h"
#include "tests/support/manual_clock.h"

namespace tenon::tests::live_simulation_test {
namespace {

using namespace runtime;
using xr::HandSample;

constexpr std::int64_t kMs = 1'000'000;

/// A door that a step can be made to stand at.
class Door {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    --waiting_;
  }
  void setOpen(bool open) {
    const std::lock_guard lock(mutex_);
    open_ = open;
    changed_.notify_all();
  }
  /// Returns when a thread waits at it.
  void waitForSomebody() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0 && !open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true;
  int waiting_ = 0;
};

class DoorHands final : public xr::HandSource {
 public:
  explicit DoorHands(Door& door) : door_(door) {}
  void sample(std::int64_t /*time_ns*/, std::vector<HandSample>& samples) override {
    samples.assign(2, HandSample());
    door_.pass();
  }

 private:
  Door& door_;
};

struct Live {
  std::unique_ptr<ManualClock> owned = std::make_unique<ManualClock>();
  ManualClock& clock = *owned;
  LiveSimulation simulation;

  explicit Live(LiveOptions options = {.world = liveOptions()})
      : simulation(liveScene(), std::move(options), std::move(owned)) {}
  /// Lets time pass, and what is due be done.
  void pass(std::int64_t by_ns) {
    clock.waitUntilIdle();
    clock.advance(by_ns);
    clock.waitUntilIdle();
  }
  std::int64_t step() const { return simulation.frameBuffer().after->record.tick.step; }
};

TEST(LiveSimulation, TheStartCanBeSeenAtOnce) {
  Live live({.world = liveOptions(), .paused = true});
  const FrameBuffer frameBuffer = live.simulation.frameBuffer();
  ASSERT_NE(frameBuffer.after, nullptr);
  EXPECT_EQ(frameBuffer.before, frameBuffer.after);
  EXPECT_EQ(frameBuffer.after->record.tick.step, 0);
  EXPECT_EQ(frameBuffer.after->X_WP.size(), 2u);
}

TEST(LiveSimulation, ItStepsWhenTheClockSaysSo) {
  Live live;
  live.pass(10 * kMs);
  EXPECT_EQ(live.step(), 11);  // at 0, 1, … 10 ms
  live.pass(kMs / 2);
  EXPECT_EQ(live.step(), 11);
  live.simulation.pause();
  live.pass(10 * kMs);
  EXPECT_EQ(live.step(), 11);
  live.simulation.stepOnce();
  live.pass(0);
  EXPECT_EQ(live.step(), 12);
  live.simulation.play();
  live.pass(kMs);
  EXPECT_EQ(live.step(), 14);
}

TEST(LiveSimulation, SlowLookersSeeTheLastTwoStepsAndSlowNothing) {
  Live live;
  const FrameBuffer kept = live.simulation.frameBuffer();
  const std::int64_t keptStep = kept.after->record.tick.step;
  live.pass(40 * kMs);
  const FrameBuffer frameBuffer = live.simulation.frameBuffer();
  EXPECT_EQ(frameBuffer.before->record.tick.step, 40);
  EXPECT_EQ(frameBuffer.after->record.tick.step, 41);
  EXPECT_EQ(kept.after->record.tick.step, keptStep) << "what is looked at does not change";
  EXPECT_EQ(frameBuffer.after->status.droppedSteps, 0);
}

TEST(LiveSimulation, AStalledStepBlocksNoOtherThread) {
  Door door;
  Live live({.world = liveOptions(), .scripted = true, .scripts = [&door](const content::Scene&) {
               return std::make_unique<DoorHands>(door);
             }});
  live.pass(5 * kMs);
  ASSERT_EQ(live.step(), 6);
  door.setOpen(false);
  live.clock.advance(kMs);
  door.waitForSomebody();
  // The physics thread is in the middle of a step, and stays there.
  EXPECT_EQ(live.step(), 6);
  const HandSample sample = handAt({1, 0, 0});
  live.simulation.setHands({&sample, 1}, live.simulation.now_ns(), 0);
  live.simulation.pause();
  LiveTrace trace;
  live.simulation.drainTrace(trace);
  EXPECT_EQ(trace.steps.size(), 6u);
  InterpolatedState drawn;
  interpolateAt(live.simulation.frameBuffer(), live.simulation.now_ns(), drawn);
  EXPECT_EQ(drawn.fraction, 1);
  door.setOpen(true);
  live.clock.waitUntilIdle();
  EXPECT_EQ(live.step(), 7);
  EXPECT_TRUE(live.simulation.frameBuffer().after->status.paused);
}

TEST(LiveSimulation, HandsFromAnotherThreadReachTheNextStep) {
  Live live;
  live.pass(kMs);
  const std::vector<HandSample> closing = {handAt({0, 0, 0}, true, 0), handAt({0, 0, 0})};
  live.simulation.setHands(closing, 1234, 0);
  live.pass(kMs);
  const FrameBuffer frameBuffer = live.simulation.frameBuffer();
  EXPECT_EQ(frameBuffer.after->record.tick.hands[0].body.value, 0);
  EXPECT_EQ(frameBuffer.after->sampleTime_ns, 1234);
  EXPECT_EQ(frameBuffer.before->sampleTime_ns, HandMailbox::kNoSampleTime);
}

TEST(LiveSimulation, DrawnPosesAreBetweenTheTwoFrames) {
  Live live({.world = liveOptions(), .speed = 0.1});
  std::vector<HandSample> samples = {handAt({0, 0, 0}, true, 0), handAt({0, 0, 0})};
  live.simulation.setHands(samples, 1, 0);
  live.pass(10 * kMs);
  samples[0] = handAt({0.02, 0, 0}, true, 0);
  live.simulation.setHands(samples, 2, 0);
  live.pass(10 * kMs);
  const FrameBuffer frameBuffer = live.simulation.frameBuffer();
  const double x0 = frameBuffer.before->X_WP[0].p.x(), x1 = frameBuffer.after->X_WP[0].p.x();
  ASSERT_GT(x1, x0 + 1e-5);
  InterpolatedState drawn;
  // The step of the last 10 ms is to be seen from 20 to 30 ms.
  const std::int64_t now = live.simulation.now_ns();
  EXPECT_EQ(frameBuffer.after->displayTime_ns, now + 10 * kMs);
  interpolateAt(frameBuffer, now, drawn);
  EXPECT_DOUBLE_EQ(drawn.X_WP[0].p.x(), x0);
  interpolateAt(frameBuffer, now + 5 * kMs, drawn);
  EXPECT_NEAR(drawn.X_WP[0].p.x(), 0.5 * (x0 + x1), 1e-15);
  EXPECT_EQ(drawn.hands[0].part, 0);
  EXPECT_NEAR(drawn.hands[0].anchor_W.x(), 0.5 * (x0 + x1), 1e-15);
  EXPECT_EQ(drawn.hands[1].part, -1);
  interpolateAt(frameBuffer, now + 100 * kMs, drawn);
  EXPECT_EQ(drawn.X_WP[0].p.x(), x1);
  interpolateAt(frameBuffer, now - 100 * kMs, drawn);
  EXPECT_EQ(drawn.X_WP[0].p.x(), x0);
}

TEST(LiveSimulation, NoMotionIsDrawnThroughAReset) {
  Live live;
  std::vector<HandSample> samples = {handAt({0, 0, 0}, true, 0), handAt({0, 0, 0})};
  live.simulation.setHands(samples, 1, 0);
  live.pass(2 * kMs);
  samples[0] = handAt({0, 0.05, 0}, true, 0);
  live.simulation.setHands(samples, 2, 0);
  live.pass(40 * kMs);
  const std::int64_t steps = live.step();
  live.simulation.pause();
  live.simulation.reset();
  live.pass(0);
  const FrameBuffer frameBuffer = live.simulation.frameBuffer();
  EXPECT_EQ(frameBuffer.before, frameBuffer.after);
  EXPECT_EQ(frameBuffer.after->record.tick.step, 0);
  live.simulation.undo();
  live.pass(0);
  EXPECT_EQ(live.step(), steps);
  EXPECT_EQ(live.simulation.frameBuffer().before, live.simulation.frameBuffer().after);
}

TEST(LiveSimulation, AControlAloneKeepsTheMotionBetweenTheFrames) {
  Live live;
  live.pass(10 * kMs);
  const FrameBuffer before = live.simulation.frameBuffer();
  live.simulation.pause();
  live.pass(0);
  const FrameBuffer after = live.simulation.frameBuffer();
  EXPECT_TRUE(after.after->status.paused);
  EXPECT_EQ(after.before, before.before);
  EXPECT_EQ(after.after->record.tick.step, before.after->record.tick.step);
}

TEST(LiveSimulation, FramesAreReused) {
  const auto pool = std::make_shared<FramePool>();
  const SimulationFrame* first = nullptr;
  {
    const std::shared_ptr<SimulationFrame> moment = pool->acquire();
    first = moment.get();
    EXPECT_EQ(pool->spares(), 0u);
  }
  EXPECT_EQ(pool->spares(), 1u);
  EXPECT_EQ(pool->acquire().get(), first);
}

TEST(LiveSimulation, FramesOutliveTheirSession) {
  FrameBuffer frameBuffer;
  {
    Live live;
    live.pass(5 * kMs);
    frameBuffer = live.simulation.frameBuffer();
  }
  EXPECT_EQ(frameBuffer.after->record.tick.step, 6);
  EXPECT_EQ(frameBuffer.after->scene->parts[0].name, "red");
}

/// All that a window does, at once and without order: for the thread sanitizer, and that all ends well.
TEST(LiveSimulation, AWindowAndAPhysicsThreadAtFullSpeedEndWell) {
  Live live;
  LiveTrace trace;
  std::size_t steps = 0;
  InterpolatedState drawn;
  for (int frame = 0; frame < 300; ++frame) {
    const std::vector<HandSample> samples = {handAt({0, 0.0001 * frame, 0}, frame % 20 < 15, 0),
                                             handAt({0.1, 0, 0}, frame % 30 < 15, 1)};
    live.simulation.setHands(samples, live.simulation.now_ns(), 2 * kMs);
    live.clock.advance(2 * kMs);
    if (frame % 50 == 10) live.simulation.undo();
    if (frame % 50 == 12) live.simulation.redo();
    if (frame % 50 == 20) live.simulation.setRate(frame % 100 == 20 ? 500 : 1000);
    if (frame % 50 == 25) live.simulation.setSolver(physics::SolverName::lemkeFixpoint);
    if (frame % 50 == 30) live.simulation.pause();
    if (frame % 50 == 33) live.simulation.stepOnce();
    if (frame % 50 == 35) live.simulation.play();
    if (frame % 50 == 40) live.simulation.setSpeed(frame % 100 == 40 ? 0.5 : 1);
    if (frame % 50 == 45) live.simulation.reset();
    if (frame == 150) live.simulation.setScene(liveScene());
    interpolateAt(live.simulation.frameBuffer(), live.simulation.now_ns(), drawn);
    ASSERT_EQ(drawn.X_WP.size(), 2u);
    live.simulation.drainTrace(trace);
    steps += trace.steps.size();
    if (frame % 10 == 0) live.clock.waitUntilIdle();
  }
  live.clock.waitUntilIdle();
  live.simulation.drainTrace(trace);
  steps += trace.steps.size();
  EXPECT_GT(steps, 100u);
  const std::string message = live.simulation.frameBuffer().after->status.message;
  EXPECT_EQ(message.find("stopped"), std::string::npos) << message;
}

}  // namespace
}  // namespace tenon::tests::live_simulation_test
