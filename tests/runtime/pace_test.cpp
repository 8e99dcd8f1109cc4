// When steps are due, and what happens to those that nobody had time for.
#include "runtime/simulation/pace.h"

#include <gtest/gtest.h>

namespace tenon::runtime {
namespace {

constexpr std::int64_t kMs = 1'000'000;

/// Does all that is due at `now`; returns how many steps that were.
int doDue(Pace& pace, std::int64_t now) {
  int steps = 0;
  for (; pace.due() <= now; ++steps) pace.stepDone();
  return steps;
}

TEST(Pace, NothingIsDueBeforeItStartsAndAfterItStops) {
  Pace pace(1000, 1);
  EXPECT_EQ(pace.due(), Pace::kNever);
  pace.start(5 * kMs);
  EXPECT_EQ(pace.due(), 5 * kMs);
  pace.stop();
  EXPECT_EQ(pace.due(), Pace::kNever);
}

TEST(Pace, StepsKeepToTheClockWherePeriodsAreNoWholeNanoseconds) {
  Pace pace(700, 1);  // 1428571.43 ns
  pace.start(0);
  for (int k = 0; k < 700 * 3600; ++k) pace.stepDone();
  EXPECT_EQ(pace.due(), 3'600'000'000'000);  // an hour, to the nanosecond
}

TEST(Pace, SlowMotionMakesStepsRarer) {
  Pace pace(1000, 0.1);
  pace.start(0);
  EXPECT_EQ(doDue(pace, 99 * kMs), 10);
  EXPECT_EQ(pace.period(), 10 * kMs);
}

TEST(Pace, AnotherSpeedCountsFromNowOn) {
  Pace pace(1000, 0.01);
  pace.start(0);
  EXPECT_EQ(doDue(pace, 10 * kMs), 1);  // the next one would be due at 100 ms
  pace.setSpeed(1, 10 * kMs);
  EXPECT_EQ(pace.due(), 11 * kMs);
  EXPECT_EQ(doDue(pace, 20 * kMs), 10);
}

TEST(Pace, AnotherRateCountsFromNowOn) {
  Pace pace(1000, 1);
  pace.start(0);
  EXPECT_EQ(doDue(pace, 10 * kMs), 11);
  pace.setRate(500, 10 * kMs);
  EXPECT_EQ(doDue(pace, 20 * kMs), 5);  // 11, 13, 15, 17, 19 ms
}

TEST(Pace, ALittleLatenessIsMadeUpFor) {
  Pace pace(1000, 1);
  pace.start(0);
  EXPECT_EQ(pace.giveUpLate(50 * kMs), 0);
  EXPECT_EQ(doDue(pace, 50 * kMs), 51);
}

TEST(Pace, WhatIsTooLateIsGivenUpAndCounted) {
  Pace pace(1000, 1);
  pace.start(0);
  EXPECT_EQ(pace.giveUpLate(2000 * kMs), 1950);
  EXPECT_EQ(pace.due(), 1950 * kMs);
  EXPECT_EQ(doDue(pace, 2000 * kMs), 51);
}

TEST(Pace, StepsThatTakeTwiceTheirTimeEndInNoSpiral) {
  Pace pace(1000, 1);
  pace.start(0);
  std::int64_t now = 0, done = 0, givenUp = 0;
  for (; done < 10000; ++done) {
    givenUp += pace.giveUpLate(now);
    ASSERT_LE(now - pace.due(), Pace::kCatchUp_ns);
    pace.stepDone();
    now += 2 * kMs;
  }
  // Half of what was due in those 20 s, but for what may still be made up for.
  EXPECT_NEAR(static_cast<double>(givenUp), 10000 - 50, 2);
}

}  // namespace
}  // namespace tenon::runtime
