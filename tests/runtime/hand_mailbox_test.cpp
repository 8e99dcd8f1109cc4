// The newest hand samples reach each step once, and no click is lost between two of them.
#include "runtime/simulation/hand_mailbox.h"

#include <gtest/gtest.h>

namespace tenon::runtime {
namespace {

using physics::Pose;
using physics::Vector3d;
using xr::HandSample;

constexpr std::int64_t kMs = 1'000'000;

HandSample hand(double x, bool closed = false, int part = -1) {
  HandSample sample;
  sample.tracked = true;
  sample.X_WH = Pose::at(Vector3d(x, 0, 0));
  sample.closed = closed;
  sample.wantedPart = part;
  return sample;
}

struct Box {
  HandMailbox mailbox{1};
  std::vector<HandSample> samples;

  void put(const HandSample& sample, std::int64_t stamp, std::int64_t glide = 0) {
    mailbox.put({&sample, 1}, stamp, glide);
  }
  const HandSample& consume() {
    mailbox.consume(kMs, samples);
    return samples.at(0);
  }
};

TEST(HandMailbox, NoHandIsTrackedBeforeTheFirstSample) {
  Box box;
  EXPECT_FALSE(box.consume().tracked);
  EXPECT_EQ(box.mailbox.consumedSampleTime_ns(), HandMailbox::kNoSampleTime);
}

TEST(HandMailbox, OnlyTheNewestSampleCountsAndItStays) {
  Box box;
  box.put(hand(1), 10);
  box.put(hand(2), 20);
  EXPECT_EQ(box.consume().X_WH.p.x(), 2);
  EXPECT_EQ(box.mailbox.consumedSampleTime_ns(), 20);
  EXPECT_EQ(box.consume().X_WH.p.x(), 2);
  EXPECT_EQ(box.mailbox.consumedSampleTime_ns(), 20);
}

TEST(HandMailbox, AHandThatResumesHoldsAndItsNextSampleContinuesFromThere) {
  Box box;
  box.put(hand(5, true, 3), 1);
  box.consume();
  box.mailbox.resume(0, Pose::at(Vector3d(1, 0, 0)));
  EXPECT_TRUE(box.consume().closed);
  EXPECT_TRUE(box.samples[0].tracked);
  EXPECT_EQ(box.samples[0].X_WH.p.x(), 1);
  EXPECT_EQ(box.samples[0].wantedPart, 3) << "as its client holds it";
  box.put(hand(5, true, 3), 2, 4 * kMs);
  EXPECT_EQ(box.consume().X_WH.p.x(), 2) << "no jump";
  box.put(hand(5, false, 3), 3);
  EXPECT_FALSE(box.consume().closed);
}

TEST(HandMailbox, AClickShorterThanAStepIsGivenInTwoSteps) {
  Box box;
  box.put(hand(0), 1);
  box.consume();
  box.put(hand(1, true, 3), 2);
  box.put(hand(2), 3);
  EXPECT_TRUE(box.consume().closed);
  EXPECT_EQ(box.samples[0].wantedPart, 3);
  EXPECT_EQ(box.mailbox.consumedSampleTime_ns(), 1) << "the newest one is not in this step";
  EXPECT_FALSE(box.consume().closed);
  EXPECT_EQ(box.mailbox.consumedSampleTime_ns(), 3);
}

TEST(HandMailbox, ReleasingAndGraspingAgainBetweenTwoStepsIsNoPull) {
  Box box;
  box.put(hand(0, true, 1), 1);
  box.consume();
  box.put(hand(0, true, 1), 2);  // as every frame of a pause does
  box.put(hand(0), 3);
  box.put(hand(5, true, 1), 4);
  EXPECT_FALSE(box.consume().closed);
  EXPECT_TRUE(box.consume().closed);
  EXPECT_EQ(box.samples[0].X_WH.p.x(), 5);
}

TEST(HandMailbox, AClickThatIsOverBeforeAnyStepNeverWas) {
  Box box;
  box.put(hand(0), 1);
  box.consume();
  box.put(hand(0), 1);
  box.put(hand(1, true, 1), 2);
  box.put(hand(2), 3);
  box.put(hand(9, true, 2), 4);
  EXPECT_TRUE(box.consume().closed);
  EXPECT_EQ(box.samples[0].wantedPart, 2);
  EXPECT_TRUE(box.consume().closed);
}

TEST(HandMailbox, AHandThatHoldsGoesToItsNextPlaceEvenly) {
  Box box;
  box.put(hand(0, true, 1), 1, 4 * kMs);
  EXPECT_EQ(box.consume().X_WH.p.x(), 0) << "it closes where it closes";
  box.put(hand(1, true, 1), 2, 4 * kMs);
  EXPECT_DOUBLE_EQ(box.consume().X_WH.p.x(), 0.25);
  EXPECT_DOUBLE_EQ(box.consume().X_WH.p.x(), 0.5);
  box.put(hand(2.5, true, 1), 3, 2 * kMs);  // before it was there
  EXPECT_DOUBLE_EQ(box.consume().X_WH.p.x(), 1.5);
  EXPECT_EQ(box.consume().X_WH.p.x(), 2.5);
  EXPECT_EQ(box.consume().X_WH.p.x(), 2.5);
}

TEST(HandMailbox, AnEmptyHandIsWhereItIsAtOnce) {
  Box box;
  box.put(hand(0), 1, 4 * kMs);
  box.consume();
  box.put(hand(1), 2, 4 * kMs);
  EXPECT_EQ(box.consume().X_WH.p.x(), 1);
}

TEST(HandMailbox, InAnotherSceneAHandWaitsToHaveBeenOpen) {
  Box box;
  box.put(hand(0, true, 1), 1);
  box.consume();
  box.mailbox.begin(1);
  box.put(hand(0, true, 1), 2);
  EXPECT_FALSE(box.consume().closed);
  box.put(hand(0), 3);
  box.put(hand(0, true, 1), 4);
  EXPECT_TRUE(box.consume().closed) << "its last delivered state was open";
}

TEST(HandMailbox, SamplesOfHandsThatAreNotThereAreIgnored) {
  HandMailbox mailbox(1);
  const std::vector<HandSample> two = {hand(1), hand(2)};
  mailbox.put(two, 1, 0);
  std::vector<HandSample> samples;
  mailbox.consume(kMs, samples);
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].X_WH.p.x(), 1);
}

}  // namespace
}  // namespace tenon::runtime
