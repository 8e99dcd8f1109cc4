// The steps of a training: their order, what counts as an error, and the marks for the record.
#include "runtime/vr/training.h"

#include <gtest/gtest.h>

namespace tenon::tests {
namespace {

using namespace runtime;

/// Three pins into a plate: "c" goes into two holes, and "a" only after it.
std::shared_ptr<const content::Scene> pinScene() {
  auto scene = std::make_shared<content::Scene>();
  for (const char* const name : {"plate", "a", "b", "c"}) {
    content::Part part;
    part.name = name;
    scene->parts.push_back(part);
  }
  const auto addGoal = [&](int part, std::vector<int> after) {
    content::Goal goal;
    goal.part = part;
    goal.into = 0;
    goal.after = std::move(after);
    scene->goals.push_back(goal);
  };
  addGoal(1, {2});
  addGoal(2, {});
  addGoal(3, {});
  addGoal(3, {2});
  return scene;
}

std::vector<int> partsOf(const std::vector<TrainingStep>& steps) {
  std::vector<int> parts;
  for (const TrainingStep& step : steps) parts.insert(parts.end(), step.parts.begin(), step.parts.end());
  return parts;
}

TEST(TrainingSteps, FollowTheGoalsAndTheirPredecessors) {
  const auto steps = trainingSteps(*pinScene(), {});
  EXPECT_EQ(partsOf(steps), (std::vector{2, 3, 1}));
  EXPECT_EQ(steps[1].goals, (std::vector<std::size_t>{2, 3})) << "of one part";
}

TEST(TrainingSteps, FollowThePlanAndThenTheGoals) {
  EXPECT_EQ(partsOf(trainingSteps(*pinScene(), {{"plate", 1}, {"a", 2}, {"c", 3}, {"b", 4}})),
            (std::vector{1, 3, 2}));
  EXPECT_EQ(partsOf(trainingSteps(*pinScene(), {{"a", 2}})), (std::vector{1, 2, 3}));
  const auto together = trainingSteps(*pinScene(), {{"b", 1}, {"c", 1}, {"a", 2}});
  ASSERT_EQ(together.size(), 2U);
  EXPECT_EQ(together[0].parts, (std::vector{2, 3}));
  EXPECT_EQ(together[0].goals, (std::vector<std::size_t>{1, 2, 3}));
}

class TrainingSession : public testing::Test {
 protected:
  TrainingSession() : training_(pinScene(), {}) { frame_.goals.resize(4); }

  void happens(const char* kind, int hand, int part) {
    SessionEvent event;
    event.kind = kind;
    event.hand = hand;
    event.body = part;
    events_.push_back(event);
  }
  std::vector<SessionMark> passUntil(double time) {
    frame_.time_ns = static_cast<std::int64_t>(1e9 * time);
    const std::vector<SessionMark> marks = training_.update(frame_, events_);
    events_.clear();
    return marks;
  }
  void reach(std::size_t goal) { frame_.goals[goal].verdict = Verdict::inserted; }

  Training training_;
  SimulationFrame frame_;
  std::vector<SessionEvent> events_;
};

TEST_F(TrainingSession, GoesFromStepToStepAndMarksThem) {
  EXPECT_TRUE(passUntil(1).empty());
  EXPECT_EQ(training_.taskText(), "Step 1 of 3: b");
  EXPECT_TRUE(passUntil(3).empty());
  reach(1);
  const auto first = passUntil(4);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].kind, "training");
  EXPECT_EQ(first[0].text, "step 1 of 3, b: 3.0 s, wrong parts 0, jams 0, dropped 0");
  EXPECT_EQ(training_.taskText(), "Step 2 of 3: c");
  reach(2);
  EXPECT_TRUE(passUntil(5).empty()) << "one of two goals";
  reach(3);
  EXPECT_EQ(passUntil(6.5).size(), 1U);
  EXPECT_NEAR(training_.result(1).time, 2.5, 1e-9);
  EXPECT_TRUE(passUntil(7).empty()) << "each step once";
  reach(0);
  EXPECT_EQ(passUntil(8).size(), 1U);
  EXPECT_FALSE(training_.current());
  EXPECT_EQ(training_.taskText(), "Training: all steps done");
  EXPECT_EQ(training_.summary(), "training: 3 of 3 steps in 7.0 s, wrong parts 0, jams 0, dropped 0");
}

TEST_F(TrainingSession, CountsErrorsOfTheCurrentStep) {
  happens("grab", 0, 3);
  happens("release", 0, 3);
  happens("grab", 0, 2);
  happens("jam", -1, -1);
  happens("release", 0, 2);
  passUntil(1);
  EXPECT_EQ(training_.result(0).wrongParts, 1);
  EXPECT_EQ(training_.result(0).jams, 1);
  EXPECT_EQ(training_.result(0).drops, 0) << "it may still fall into its place";
  happens("grab", 1, 2);
  passUntil(2);
  EXPECT_EQ(training_.result(0).drops, 1);
  happens("grab", 0, 2);
  happens("release", 1, 2);
  happens("grab", 1, 2);
  happens("lost", 0, 2);
  happens("release", 1, 2);
  passUntil(3);
  EXPECT_EQ(training_.result(0).drops, 1) << "handed over, not dropped";
  EXPECT_EQ(training_.result(0).errors(), 3);
  reach(1);
  passUntil(4);
  happens("grab", 0, 2);
  passUntil(5);
  EXPECT_EQ(training_.result(1).wrongParts, 1) << "the part of the step before";
  EXPECT_EQ(training_.result(0).errors(), 3);
}

TEST_F(TrainingSession, NamesThePartThatIsNeededWhileAnotherIsHeld) {
  passUntil(1);
  EXPECT_EQ(training_.correction(frame_), "");
  frame_.record.tick.hands.resize(1);
  frame_.record.tick.hands[0].body = physics::BodyId{3};
  EXPECT_EQ(training_.correction(frame_), "This step needs b");
  frame_.record.tick.hands[0].body = physics::BodyId{2};
  EXPECT_EQ(training_.correction(frame_), "");
}

TEST_F(TrainingSession, BeginsAgainWithAReset) {
  passUntil(1);
  happens("grab", 0, 3);
  reach(1);
  passUntil(2);
  frame_.goals[1].verdict = Verdict::pending;
  happens("reset", -1, -1);
  EXPECT_TRUE(passUntil(0).empty());
  EXPECT_EQ(training_.taskText(), "Step 1 of 3: b");
  EXPECT_EQ(training_.result(0).errors(), 0);
  reach(1);
  EXPECT_EQ(passUntil(1).size(), 1U);
}

TEST_F(TrainingSession, StepThatIsUndoneIsTheCurrentOneAgain) {
  reach(1);
  EXPECT_EQ(passUntil(1).size(), 1U);
  frame_.goals[1].verdict = Verdict::pending;
  EXPECT_TRUE(passUntil(0.5).empty());
  EXPECT_EQ(training_.taskText(), "Step 1 of 3: b");
  reach(1);
  EXPECT_TRUE(passUntil(1.5).empty()) << "its mark is in the record";
  EXPECT_EQ(training_.taskText(), "Step 2 of 3: c");
}

}  // namespace
}  // namespace tenon::tests
