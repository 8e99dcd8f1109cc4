// When steps are due, and which late steps are dropped.
#include "runtime/simulation/step_scheduler.h"

#include <gtest/gtest.h>

namespace tenon::runtime::step_scheduler_test {
namespace {

constexpr std::int64_t kMs = 1'000'000;

/// Does all that is due at `now`; returns how many steps that were.
int doDue(StepScheduler& pace, std::int64_t now) {
  int steps = 0;
  for (; pace.nextStepTime_ns() <= now; ++steps) pace.stepDone();
  return steps;
}

TEST(StepScheduler, NothingIsDueBeforeItStartsAndAfterItStops) {
  StepScheduler pace(1000, 1);
  EXPECT_EQ(pace.nextStepTime_ns(), StepScheduler::kNever);
  pace.start(5 * kMs);
  EXPECT_EQ(pace.nextStepTime_ns(), 5 * kMs);
  pace.stop();
  EXPECT_EQ(pace.nextStepTime_ns(), StepScheduler::kNever);
}

TEST(StepScheduler, StepsKeepToTheClockWherePeriodsAreNoWholeNanoseconds) {
  StepScheduler pace(700, 1);  // 1428571.43 ns
  pace.start(0);
  for (int k = 0; k < 700 * 3600; ++k) pace.stepDone();
  EXPECT_EQ(pace.nextStepTime_ns(), 3'600'000'000'000);  // an hour, to the nanosecond
}

TEST(StepScheduler, SlowMotionMakesStepsRarer) {
  StepScheduler pace(1000, 0.1);
  pace.start(0);
  EXPECT_EQ(doDue(pace, 99 * kMs), 10);
  EXPECT_EQ(pace.period_ns(), 10 * kMs);
}

TEST(StepScheduler, AnotherSpeedCountsFromNowOn) {
  StepScheduler pace(1000, 0.01);
  pace.start(0);
  EXPECT_EQ(doDue(pace, 10 * kMs), 1);  // the next one would be due at 100 ms
  pace.setSpeed(1, 10 * kMs);
  EXPECT_EQ(pace.nextStepTime_ns(), 11 * kMs);
  EXPECT_EQ(doDue(pace, 20 * kMs), 10);
}

TEST(StepScheduler, AnotherRateCountsFromNowOn) {
  StepScheduler pace(1000, 1);
  pace.start(0);
  EXPECT_EQ(doDue(pace, 10 * kMs), 11);
  pace.setRate(500, 10 * kMs);
  EXPECT_EQ(doDue(pace, 20 * kMs), 5);  // 11, 13, 15, 17, 19 ms
}

TEST(StepScheduler, ALittleLatenessIsMadeUpFor) {
  StepScheduler pace(1000, 1);
  pace.start(0);
  EXPECT_EQ(pace.dropLateSteps(50 * kMs), 0);
  EXPECT_EQ(doDue(pace, 50 * kMs), 51);
}

TEST(StepScheduler, WhatIsTooLateIsGivenUpAndCounted) {
  StepScheduler pace(1000, 1);
  pace.start(0);
  EXPECT_EQ(pace.dropLateSteps(2000 * kMs), 1950);
  EXPECT_EQ(pace.nextStepTime_ns(), 1950 * kMs);
  EXPECT_EQ(doDue(pace, 2000 * kMs), 51);
}

TEST(StepScheduler, StepsThatTakeTwiceTheirTimeEndInNoSpiral) {
  StepScheduler pace(1000, 1);
  pace.start(0);
  std::int64_t now = 0, done = 0, droppedSteps = 0;
  for (; done < 10000; ++done) {
    droppedSteps += pace.dropLateSteps(now);
    ASSERT_LE(now - pace.nextStepTime_ns(), StepScheduler::kCatchUp_ns);
    pace.stepDone();
    now += 2 * kMs;
  }
  // Half of what was due in those 20 s, but for what may still be made up for.
  EXPECT_NEAR(static_cast<double>(droppedSteps), 10000 - 50, 2);
}

}  // namespace
}  // namespace tenon::runtime::step_scheduler_test
