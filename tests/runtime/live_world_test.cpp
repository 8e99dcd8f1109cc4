// A live session without its thread: controls take effect exactly, and invalid ones are rejected with a
// message.
#include "runtime/simulation/live_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "runtime/record/program_identity.h"
#include "runtime/report/event_text.h"
#include "tests/runtime/live_scene.h"
#include "tests/runtime/session_file.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/manual_clock.h"
#include "tests/support/program_run.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests::live_world_test {
namespace {

using namespace runtime;
using physics::Vector3d;
using xr::HandSample;

constexpr std::int64_t kMs = 1'000'000;

/// Calls something in each sample of a hand's script: a step that takes its time, or fails.
class CallingHands final : public xr::HandSource {
 public:
  explicit CallingHands(std::function<void()> call) : call_(std::move(call)) {}
  void sample(std::int64_t /*time_ns*/, std::vector<HandSample>& samples) override {
    samples.assign(2, HandSample());
    call_();
  }

 private:
  std::function<void()> call_;
};

struct Live {
  ManualClock clock;
  LiveWorld world;

  explicit Live(LiveOptions options = {.world = liveOptions()},
                std::shared_ptr<const content::Scene> scene = liveScene())
      : world(std::move(scene), std::move(options), clock) {}

  /// Lets time pass, and does what is due. Returns how many steps that were.
  int pass(std::int64_t by_ns) {
    const std::int64_t end = clock.now_ns() + by_ns;
    int steps = 0;
    while (true) {
      const std::int64_t nextStepTime_ns = world.nextStepTime_ns();
      if (nextStepTime_ns > clock.now_ns() && nextStepTime_ns < end)
        clock.advance(nextStepTime_ns - clock.now_ns());
      if (nextStepTime_ns > clock.now_ns() || clock.now_ns() >= end) break;
      world.step();
      ++steps;
    }
    if (end > clock.now_ns()) clock.advance(end - clock.now_ns());
    return steps;
  }
  void hands(const HandSample& right, const HandSample& left = HandSample()) {
    const std::vector<HandSample> samples = {right, left};
    world.mailbox().put(samples, clock.now_ns(), 0);
  }
  /// Right takes `part` at its place and carries it to `to`.
  void carry(int part, const Vector3d& to) {
    const Vector3d from = world.world().stepResult().bodies[static_cast<std::size_t>(part)].X_WC.p;
    hands(handAt(from, true, part));
    pass(2 * kMs);
    hands(handAt(to, true, part));
    pass(200 * kMs);
    hands(handAt(to));
    pass(200 * kMs);
  }
  Vector3d placeOf(int part) const {
    return world.world().stepResult().bodies[static_cast<std::size_t>(part)].X_WC.p;
  }
  std::uint64_t hash() const { return world.world().stateHash(); }
  LiveStatus status() const {
    SimulationFrame moment;
    world.fillFrame(moment);
    return moment.status;
  }
  std::vector<std::string> eventKinds() {
    std::vector<std::string> kinds;
    for (const SessionEvent& event : world.trace().events) kinds.push_back(event.kind);
    return kinds;
  }
};

TEST(LiveWorld, ScriptedHandsLeadToTheSameBytesAsARun) {
  const auto scene = std::make_shared<content::Scene>(content::loadScene(scenePath("bolt-in-plate")));
  Simulation simulation(*scene, liveOptions(), std::make_unique<xr::ScriptedHands>(scene->hands));
  Live live({.world = liveOptions(), .scripted = true}, scene);
  live.pass(1800 * kMs - 1);
  ASSERT_EQ(live.world.world().stepResult().step, 1800);
  for (int k = 0; k < 1800; ++k) simulation.step();
  EXPECT_EQ(live.hash(), simulation.world().stateHash());
}

TEST(LiveWorld, StepsComeAtTheirRate) {
  Live live;
  EXPECT_EQ(live.pass(100 * kMs), 100);
  EXPECT_EQ(live.status().achievedRatio, 1);
}

TEST(LiveWorld, PausedItStandsStillAndAdvancesOneStepOnCommand) {
  Live live({.world = liveOptions(), .paused = true});
  EXPECT_EQ(live.pass(100 * kMs), 0);
  EXPECT_TRUE(live.status().paused);
  live.world.apply(StepControl{});
  EXPECT_EQ(live.pass(100 * kMs), 1);
  live.world.apply(PlayControl{true});
  EXPECT_EQ(live.pass(100 * kMs), 100) << "the pause is not made up for";
  live.world.apply(StepControl{});
  EXPECT_EQ(live.pass(100 * kMs), 1);
  EXPECT_TRUE(live.status().paused);
}

TEST(LiveWorld, SlowMotionChangesNoByteOfAStep) {
  Live usual, slow;
  slow.world.apply(SpeedControl{0.1});
  for (Live* live : {&usual, &slow}) live->hands(handAt({0, 0, 0}, true, 0));
  usual.pass(10 * kMs);
  EXPECT_EQ(slow.pass(100 * kMs), 10);
  for (Live* live : {&usual, &slow}) live->hands(handAt({0.01, 0, 0}, true, 0));
  usual.pass(10 * kMs);
  slow.pass(100 * kMs);
  EXPECT_GT(usual.placeOf(0).x(), 1e-3);
  EXPECT_EQ(usual.hash(), slow.hash());
}

TEST(LiveWorld, GuidanceIsOffAtFirstAndReportedWhenSet) {
  Live live;
  EXPECT_FALSE(live.status().guidance);
  live.world.apply(GuidanceControl{false});
  EXPECT_TRUE(live.eventKinds().empty()) << "nothing changed";
  live.world.apply(GuidanceControl{true});
  EXPECT_TRUE(live.status().guidance);
  ASSERT_EQ(live.world.trace().events.size(), 1U);
  EXPECT_EQ(describeEvent(live.world.trace().events[0], *liveScene()), "guidance on");
  live.world.apply(ResetControl{});
  live.world.apply(SceneControl{liveScene()});
  EXPECT_TRUE(live.status().guidance) << "it is the session's, not the scene's";
}

TEST(LiveWorld, ResetGivesTheBytesOfTheStartAndCanBeUndone) {
  Live live;
  const std::uint64_t start = live.hash();
  live.carry(0, {0, 0.05, 0});
  const std::uint64_t moved = live.hash();
  ASSERT_NE(moved, start);
  live.world.apply(ResetControl{});
  EXPECT_EQ(live.hash(), start);
  EXPECT_EQ(live.world.world().stepResult().step, 0);
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.hash(), moved);
}

TEST(LiveWorld, TheSameAfterResetGivesTheSameBytes) {
  Live live;
  live.carry(0, {0, 0.05, 0});
  const std::uint64_t first = live.hash();
  live.world.apply(ResetControl{});
  live.carry(0, {0, 0.05, 0});
  EXPECT_EQ(live.hash(), first);
}

TEST(LiveWorld, UndoAndRedoGoThroughPlacementsToTheLastBit) {
  Live live({.world = liveOptions(), .paused = false});
  const std::uint64_t start = live.hash();
  live.carry(0, {0, 0.05, 0});
  live.world.apply(PlayControl{false});
  const std::uint64_t one = live.hash();
  live.world.apply(PlayControl{true});
  live.carry(1, {0.1, 0.05, 0});
  live.world.apply(PlayControl{false});
  const std::uint64_t two = live.hash();
  EXPECT_EQ(live.status().undoable, 2);
  EXPECT_EQ(live.status().undoText, "blue by right");
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.hash(), one);
  EXPECT_EQ(live.status().redoText, "blue by right");
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.hash(), start);
  EXPECT_EQ(live.status().undoable, 0);
  live.world.apply(RedoControl{});
  EXPECT_EQ(live.hash(), one);
  live.world.apply(RedoControl{});
  EXPECT_EQ(live.hash(), two);
  EXPECT_EQ(live.status().redoable, 0);
}

TEST(LiveWorld, UndoWhileHoldingPutsThePartBackAndTheHandHasToOpenFirst) {
  Live live;
  live.hands(handAt({0, 0, 0}, true, 0));
  live.pass(2 * kMs);
  live.hands(handAt({0, 0.05, 0}, true, 0));
  live.pass(100 * kMs);
  ASSERT_GT(live.placeOf(0).y(), 0.04);
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.placeOf(0).y(), 0);
  live.pass(100 * kMs);
  EXPECT_EQ(live.placeOf(0).y(), 0) << "the button is still down, but it took the part before";
  live.hands(handAt({0, 0, 0}));
  live.pass(2 * kMs);
  live.hands(handAt({0, 0, 0}, true, 0));
  live.pass(2 * kMs);
  EXPECT_TRUE(live.world.world().stepResult().hands[0].body.valid());
}

TEST(LiveWorld, WithNothingToUndoItSaysSo) {
  Live live;
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.status().message, "there is nothing to undo");
  live.world.apply(RedoControl{});
  EXPECT_EQ(live.status().message, "there is nothing to redo");
  EXPECT_EQ(live.status().messages, 2);
}

TEST(LiveWorld, PlacementsAreKeptUpToABound) {
  Live live;
  for (std::size_t k = 0; k < LiveWorld::kMaxPlacements + 5; ++k) {
    live.hands(handAt({0, 0, 0}, true, 0));
    live.pass(kMs);
    live.hands(handAt({0, 0, 0}));
    live.pass(kMs);
  }
  EXPECT_EQ(live.status().undoable, static_cast<int>(LiveWorld::kMaxPlacements));
}

TEST(LiveWorld, AnotherSolverAndAnotherRateGoOnWithTheSameStates) {
  Live live;
  live.hands(handAt({0, 0, 0}, true, 0));
  live.pass(2 * kMs);
  live.hands(handAt({0, 0.05, 0}, true, 0));
  live.pass(48 * kMs);
  const std::uint64_t before = live.hash();
  live.world.apply(SolverControl{physics::SolverName::lemkeFixpoint});
  EXPECT_EQ(live.hash(), before);
  EXPECT_EQ(live.world.world().options().solver, physics::SolverName::lemkeFixpoint);
  live.world.apply(RateControl{250});
  EXPECT_EQ(live.hash(), before);
  EXPECT_NEAR(live.world.world().stepResult().time, 0.05, 0.5 / 250 + 1e-12);
  EXPECT_EQ(live.pass(100 * kMs), 25);
  EXPECT_TRUE(live.world.world().stepResult().hands[0].body.valid()) << "still in hand";
  EXPECT_NEAR(live.placeOf(0).y(), 0.05, 1e-3);
}

TEST(LiveWorld, UndoAfterAnotherRateKeepsTheTimeOfThePlacement) {
  Live live;
  live.pass(100 * kMs);
  live.carry(0, {0, 0.05, 0});
  live.world.apply(RateControl{500});
  live.world.apply(UndoControl{});
  EXPECT_NEAR(live.world.world().stepResult().time, 0.1, 2e-3);
  EXPECT_EQ(live.placeOf(0).y(), 0);
}

TEST(LiveWorld, ASolverThatTakesNoFrictionIsRefusedWhereThereIsSome) {
  auto scene = std::make_shared<content::Scene>(*liveScene());
  scene->pairs = {{.a = 0, .b = 0, .friction = 0.1}};
  Live live({.world = liveOptions()}, scene);
  live.world.apply(SolverControl{physics::SolverName::baraff});
  EXPECT_NE(live.status().message.find("does not support friction"), std::string::npos)
      << live.status().message;
  EXPECT_EQ(live.status().solver, physics::SolverName::automatic);
}

TEST(LiveWorld, AnInvalidRateIsRefused) {
  Live live;
  for (const double rate : {0.0, -5.0, 1e6, std::nan("")}) live.world.apply(RateControl{rate});
  EXPECT_EQ(live.status().messages, 4);
  EXPECT_EQ(live.status().rate, 1000);
}

TEST(LiveWorld, HandThatIsClosedAtTheStartTakesNothingBeforeItHasBeenOpen) {
  Live live({.world = liveOptions(), .handsAwaitOpening = true});
  const auto holds = [&] { return live.world.world().stepResult().hands[0].body.valid(); };
  live.hands(handAt(Vector3d::Zero(), true));
  live.pass(10 * kMs);
  EXPECT_FALSE(holds());
  live.hands(handAt(Vector3d::Zero()));
  live.pass(10 * kMs);
  live.hands(handAt(Vector3d::Zero(), true));
  live.pass(10 * kMs);
  EXPECT_TRUE(holds());
}

TEST(LiveWorld, AnotherSceneBeginsAtItsStart) {
  Live live;
  live.carry(0, {0, 0.05, 0});
  auto other = std::make_shared<content::Scene>(*liveScene());
  other->parts.resize(1);
  other->hands.resize(1);
  other->rate = 2000;
  live.hands(handAt({0, 0, 0}, true, 0));
  live.world.apply(SceneControl{other});
  EXPECT_EQ(live.world.world().bodyCount(), 1u);
  EXPECT_EQ(live.world.world().stepResult().step, 0);
  EXPECT_EQ(live.status().undoable, 0);
  EXPECT_EQ(live.status().rate, 2000);
  EXPECT_EQ(live.pass(10 * kMs), 20);
  EXPECT_FALSE(live.world.world().stepResult().hands[0].body.valid()) << "that click was for the other scene";
}

TEST(LiveWorld, StepsThatTakeTooLongAreReportedAndAbandoned) {
  ManualClock* clock = nullptr;
  Live live({.world = liveOptions(), .scripted = true, .scripts = [&clock](const content::Scene&) {
               return std::make_unique<CallingHands>([&clock] { clock->advance(2 * kMs); });
             }});
  clock = &live.clock;
  live.pass(4000 * kMs);
  EXPECT_NEAR(live.status().achievedRatio, 0.5, 0.01);
  EXPECT_EQ(live.status().overruns, live.status().steps);
  EXPECT_NEAR(static_cast<double>(live.status().steps), 2000, 2);
  EXPECT_NEAR(static_cast<double>(live.status().droppedSteps), 1950, 2);
  EXPECT_LE(live.status().backlog_ns, StepScheduler::kCatchUp_ns);
}

TEST(LiveWorld, OneStalledStepIsGivenUpOnceAndThenTheRateHolds) {
  ManualClock* clock = nullptr;
  int steps = 0;
  Live live({.world = liveOptions(), .scripted = true, .scripts = [&](const content::Scene&) {
               return std::make_unique<CallingHands>([&] {
                 if (++steps == 100) clock->advance(3000 * kMs);
               });
             }});
  clock = &live.clock;
  live.pass(10000 * kMs);
  EXPECT_EQ(live.status().droppedSteps, 2949);
  EXPECT_EQ(live.status().steps, 10000 - 2949);
  EXPECT_EQ(live.status().achievedRatio, 1) << "in the last second";
  EXPECT_EQ(live.status().overruns, 1);
}

TEST(LiveWorld, ItsFrameHasTheNewestSampleAndItsTimeStamp) {
  Live live;
  live.pass(5 * kMs);
  live.hands(handAt({1, 0, 0}));
  live.hands(handAt({2, 0, 0}));
  const std::int64_t stamp = live.clock.now_ns();
  live.pass(kMs);
  SimulationFrame moment;
  live.world.fillFrame(moment);
  EXPECT_EQ(moment.sampleTime_ns, stamp);
  EXPECT_EQ(moment.record.samples[0].X_WH.p.x(), 2);
  EXPECT_EQ(moment.time_ns, 6 * kMs);
  EXPECT_EQ(moment.displayTime_ns, 6 * kMs) << "to be seen when its step is over";
  EXPECT_EQ(moment.displayInterval_ns, kMs);
  EXPECT_FALSE(moment.discontinuous);
  EXPECT_EQ(moment.X_WP.size(), 2u);
}

TEST(LiveWorld, AStepThatTouchesNothingAllocatesNothing) {
  Live live;
  SimulationFrame moment;
  LiveTrace trace;
  const auto step = [&] {
    live.clock.advance(kMs);
    live.world.step();
    live.world.fillFrame(moment);
    trace.clear();
    trace.append(live.world.trace());
  };
  live.hands(handAt({0, 0, 0}, true, 0), handAt({0.1, 0, 0}, true, 1));
  for (int k = 0; k < 10; ++k) step();
  const std::int64_t before = allocationCount();
  for (int k = 0; k < 100; ++k) step();
  EXPECT_EQ(allocationCount(), before);
}

TEST(LiveWorld, EventsAreReported) {
  Live live;
  live.carry(0, {0, 0.05, 0});
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.eventKinds(), (std::vector<std::string>{"grab", "release", "undo"}));
  EXPECT_EQ(describeEvent(live.world.trace().events[0], *liveScene()), "right grasps red");
  EXPECT_EQ(describeEvent(live.world.trace().events[2], *liveScene()), "undone: red by right");
  EXPECT_EQ(live.world.trace().steps.size(), 402u);
}

TEST(LiveWorld, GoalsAreWatchedAndGoBackWithAnUndo) {
  const auto scene = std::make_shared<content::Scene>(content::loadScene(scenePath("bolt-in-plate")));
  Live live({.world = liveOptions(), .scripted = true}, scene);
  live.pass(4000 * kMs);
  SimulationFrame moment;
  live.world.fillFrame(moment);
  ASSERT_EQ(moment.goals.size(), 1u);
  EXPECT_EQ(moment.goals[0].verdict, Verdict::inserted);
  EXPECT_GT(live.world.trace().goals.size(), 100u);
  EXPECT_LT(live.world.trace().goals.size(), 4000u) << "without a change no point is added";
  live.world.apply(UndoControl{});
  live.world.fillFrame(moment);
  EXPECT_EQ(moment.goals[0].verdict, Verdict::pending);
  live.pass(4000 * kMs);
  live.world.fillFrame(moment);
  EXPECT_EQ(moment.goals[0].verdict, Verdict::inserted) << "the script has gone back as well";
}

std::string contentOf(const std::string& file) {
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  return content.str();
}

/// A session of the live scene's kind that is recorded: its scene has to be a file's.
struct Recorded {
  TemporaryFolder folder;
  std::string file = folder / "live.tenon";
  std::string text = contentOf(scenePath("bolt-in-plate"));
  std::shared_ptr<content::Scene> scene =
      std::make_shared<content::Scene>(content::parseScene(text, scenePath("bolt-in-plate")));

  LiveOptions options() {
    LiveOptions options{.world = liveOptions()};
    options.record = [this](const physics::World& world) {
      SessionHeader header;
      header.program = thisProgram();
      header.started = "2026-01-31T12:00:00Z";
      header.sceneFile = scene->file;
      header.sceneText = text;
      header.solver = "auto";
      header.rate = 1000;
      return std::make_unique<Recorder>(file, true, header, *scene, world, OverflowPolicy::stop,
                                        [](const std::string&) {});
    };
    return options;
  }
};

TEST(LiveWorld, WhatIsRecordedLiveIsSimulatedAgainBitForBitResetIncluded) {
  Recorded recorded;
  {
    Live live(recorded.options(), recorded.scene);
    const Vector3d place = recorded.scene->parts[1].X_WP.p;
    for (int round = 0; round < 2; ++round) {
      HandSample hand = handAt(place, true, 1);
      live.world.mailbox().put({&hand, 1}, live.clock.now_ns(), 0);
      live.pass(2 * kMs);
      hand = handAt(place + Vector3d(0, 0, 0.03), true, 1);
      live.world.mailbox().put({&hand, 1}, live.clock.now_ns(), 16 * kMs);
      live.pass(150 * kMs);
      if (round == 0) live.world.apply(ResetControl{});
      hand = handAt(place);
      live.world.mailbox().put({&hand, 1}, live.clock.now_ns(), 0);
      live.pass(2 * kMs);
    }
    EXPECT_TRUE(live.world.finish("done"));
  }
  const Outcome outcome = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
}

/// A hand grasps the screw, lifts and releases it.
void liftOnce(Live& live, const Vector3d& place) {
  HandSample hand = handAt(place, true, 1);
  live.world.mailbox().put({&hand, 1}, live.clock.now_ns(), 0);
  live.pass(2 * kMs);
  hand = handAt(place + Vector3d(0, 0, 0.03), true, 1);
  live.world.mailbox().put({&hand, 1}, live.clock.now_ns(), 16 * kMs);
  live.pass(60 * kMs);
  hand = handAt(place);
  live.world.mailbox().put({&hand, 1}, live.clock.now_ns(), 0);
  live.pass(30 * kMs);
}

TEST(LiveWorld, UndoSolverAndRateAreRecordedAndComeOutTheSameBitForBit) {
  Recorded recorded;
  {
    Live live(recorded.options(), recorded.scene);
    const Vector3d place = recorded.scene->parts[1].X_WP.p;
    liftOnce(live, place);
    const Vector3d lifted = live.world.world().stepResult().bodies[1].X_WC.p;
    live.world.apply(UndoControl{});
    EXPECT_GT((live.world.world().stepResult().bodies[1].X_WC.p - lifted).norm(), 1e-4)
        << "it is where it was";
    live.pass(20 * kMs);
    live.world.apply(RedoControl{});
    live.world.apply(UndoControl{});  // nothing between
    live.world.apply(RateControl{500});
    live.world.apply(SolverControl{physics::SolverName::gaussSeidel});
    live.world.apply(MarkControl{{"bookmark", ""}});
    live.pass(50 * kMs);
    liftOnce(live, place);
    live.world.apply(PlayControl{false});
    live.world.apply(MarkControl{{"note", "too far left"}});
    live.world.apply(ResetControl{});
    live.pass(10 * kMs);
    live.world.apply(UndoControl{});  // the reset
    live.world.apply(PlayControl{true});
    live.pass(100 * kMs);
    EXPECT_EQ(live.status().messages, 0) << live.status().message;
    EXPECT_TRUE(live.world.finish("done"));
  }
  const Outcome outcome = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;

  std::vector<std::string> reported;
  double before = 0;
  for (const SessionEvent& event : SessionReader(recorded.file).events()) {
    EXPECT_GE(event.time, before) << "the session's time never goes back";
    before = event.time;
    for (const char* kind : {"undo", "redo", "bookmark", "note", "solver", "rate", "reset"})
      if (event.kind == kind) reported.push_back(event.kind + " " + event.text);
  }
  EXPECT_EQ(reported, (std::vector<std::string>{"undo screw by right", "redo screw by right",
                                                "undo screw by right", "rate 500 Hz", "solver gauss-seidel",
                                                "bookmark ", "note too far left", "reset ", "undo reset"}));

  change(recorded.file, "UPDATE command SET to_tick = 99999 WHERE kind = 'return'");
  const Outcome refused = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(refused.exitCode, 2) << refused.out;
  EXPECT_NE(refused.err.find("returns to tick 99999, which is not before it"), std::string::npos)
      << refused.err;
}

/// The live scene, with a thruster of 0.1 N on the first block.
std::shared_ptr<const content::Scene> thrusterScene() {
  auto scene = std::make_shared<content::Scene>(*liveScene());
  scene->parts[0].thrusters = {{.name = "up", .key = 'I', .force = {0, 0, 0.1}}};
  return scene;
}

TEST(LiveWorld, DynamicsActFromTheNextStepAndAreUndoneAndReset) {
  Live live({.world = liveOptions()}, thrusterScene());
  const auto speed = [&] { return live.world.world().stepResult().bodies[1].v.z(); };
  physics::Dynamics heavy{.gravity = {0, 0, -2}};
  live.world.apply(DynamicsControl{heavy, true});
  EXPECT_EQ(live.status().dynamics, heavy) << "shown before the next step";
  live.pass(10 * kMs);
  EXPECT_NEAR(speed(), -0.02, 1e-12);
  const std::uint64_t before = live.hash();
  physics::Dynamics syrup{.gravity = {0, 0, -2}, .linearDamping = 10};
  live.world.apply(DynamicsControl{syrup, true});
  syrup.linearDamping = 1e6;
  live.world.apply(DynamicsControl{syrup, false});
  live.pass(10 * kMs);
  EXPECT_NEAR(speed(), 0, 1e-2);
  live.world.apply(UndoControl{});
  EXPECT_EQ(live.status().dynamics, heavy) << "a drag is undone as one";
  EXPECT_EQ(live.hash(), before);
  live.world.apply(RateControl{500});
  EXPECT_EQ(live.status().dynamics, heavy) << "kept by another rate";
  live.world.apply(ResetControl{});
  EXPECT_EQ(live.status().dynamics.gravity, Vector3d::Zero());
  live.pass(10 * kMs);
  EXPECT_EQ(speed(), 0);
}

TEST(LiveWorld, AThrusterActsWhileItsKeyIsHeldAlsoAcrossUndoAndReset) {
  Live live({.world = liveOptions()}, thrusterScene());
  const double gain = 0.1 / live.world.world().body({0}).mass.mass * 1e-3;
  const auto speed = [&] { return live.world.world().stepResult().bodies[0].v.z(); };
  live.world.apply(ThrusterControl{physics::ThrusterId{0}, true});
  live.pass(10 * kMs);
  EXPECT_NEAR(speed(), 10 * gain, 1e-12);
  live.world.apply(ResetControl{});
  live.pass(10 * kMs);
  EXPECT_NEAR(speed(), 10 * gain, 1e-12) << "still held";
  live.world.apply(ThrusterControl{physics::ThrusterId{0}, false});
  live.pass(10 * kMs);
  EXPECT_NEAR(speed(), 10 * gain, 1e-12);
  live.world.apply(UndoControl{});  // the reset: the key was held then
  const double at = speed();
  live.pass(10 * kMs);
  EXPECT_NEAR(speed(), at, 1e-12) << "it is not held now";
  live.world.apply(ThrusterControl{physics::ThrusterId{7}, true});
  live.pass(kMs);
  EXPECT_EQ(live.world.world().stepResult().thrusters, std::vector<double>{0}) << "no such thruster";
}

TEST(LiveWorld, DynamicsAndThrustersAreRecordedAndComeOutTheSameBitForBit) {
  Recorded recorded;
  {
    LiveOptions options = recorded.options();
    Live live(options, recorded.scene);
    live.pass(20 * kMs);
    physics::Dynamics moon{.gravity = {-0.0, 0, -1.62}, .linearDamping = 0.3, .restitution = 0.7};
    live.world.apply(DynamicsControl{moon, true});
    live.pass(50 * kMs);
    moon.restitution.reset();
    live.world.apply(DynamicsControl{moon, true});
    live.pass(20 * kMs);
    live.world.apply(UndoControl{});
    live.pass(20 * kMs);
    live.world.apply(ResetControl{});
    live.pass(20 * kMs);
    EXPECT_TRUE(live.world.finish("done"));
  }
  const Outcome outcome = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
  int marks = 0;
  for (const SessionEvent& event : SessionReader(recorded.file).events()) marks += event.kind == "dynamics";
  EXPECT_EQ(marks, 2);
  change(recorded.file, "UPDATE command_value SET restitution = 0.71 WHERE restitution = 0.7");
  const Outcome changed = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(changed.exitCode, 2) << changed.out;
  EXPECT_NE(changed.err.find("chain of hashes"), std::string::npos) << changed.err;
}

TEST(LiveWorld, TwoUndosOfAScriptedGraspAreRecordedAsWhatTheyWere) {
  // A script grasps the screw again in the step that brings the undo into the record.
  Recorded recorded;
  {
    LiveOptions options = recorded.options();
    options.scripted = true;
    Live live(std::move(options), recorded.scene);
    live.pass(450 * kMs);
    for (int k = 0; k < 2; ++k) {
      live.world.apply(UndoControl{});
      live.pass(60 * kMs);
    }
    EXPECT_EQ(live.status().messages, 0) << live.status().message;
    EXPECT_TRUE(live.world.finish("done"));
  }
  const Outcome outcome = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
}

TEST(LiveWorld, AnotherSceneIsRefusedWhileRecording) {
  Recorded recorded;
  Live live(recorded.options(), recorded.scene);
  live.pass(10 * kMs);
  live.world.apply(SceneControl{liveScene()});
  EXPECT_EQ(live.status().messages, 1);
  EXPECT_NE(live.status().message.find("end the record first"), std::string::npos);
  EXPECT_TRUE(live.status().recording);
  EXPECT_TRUE(live.world.finish("done"));
}

TEST(LiveWorld, ResetWhilePausedAndRecordingTakesTheStepThatRecordsIt) {
  Recorded recorded;
  Live live(recorded.options(), recorded.scene);
  live.pass(100 * kMs);
  live.world.apply(PlayControl{false});
  live.world.apply(ResetControl{});
  EXPECT_EQ(live.world.world().stepResult().step, 1);
  EXPECT_EQ(live.pass(100 * kMs), 0);
  SimulationFrame moment;
  live.world.fillFrame(moment);
  EXPECT_TRUE(moment.discontinuous);
  EXPECT_TRUE(live.world.finish("done"));
}

TEST(LiveWorld, ResetUndoneAtOnceAndRedoneIsTheWorldThatWasReset) {
  Recorded recorded;
  {
    Live live(recorded.options(), recorded.scene);
    const Vector3d start = live.world.world().stepResult().bodies[1].X_WC.p;
    liftOnce(live, recorded.scene->parts[1].X_WP.p);
    live.world.apply(PlayControl{false});
    const Vector3d lifted = live.world.world().stepResult().bodies[1].X_WC.p;
    live.world.apply(ResetControl{});
    live.world.apply(UndoControl{});
    // The step that records the undo follows it, and 30 ms of falling have come before: some µm of motion.
    EXPECT_LT((live.world.world().stepResult().bodies[1].X_WC.p - lifted).norm(), 1e-3);
    live.world.apply(RedoControl{});
    EXPECT_LT((live.world.world().stepResult().bodies[1].X_WC.p - start).norm(), 1e-3);
    EXPECT_GT((lifted - start).norm(), 5e-3) << "the two are distinguishable";
    EXPECT_TRUE(live.world.finish("done"));
  }
  const Outcome outcome = runTenon({"replay", recorded.file, "--verify"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
}

TEST(LiveWorld, HeadIsInTheRecordWhereItIsNewAndInTheFiguresOfTheOperation) {
  // A head 0.5 m above where the screw lies, which looks straight down, later less so by 30°, then is out of
  // sight.
  const TemporaryFolder folder;
  Recorded recorded;
  {
    Live live(recorded.options(), recorded.scene);
    const Vector3d place = recorded.scene->parts[1].X_WP.p;
    physics::Pose head = physics::Pose::at(place + Vector3d(0, 0, 0.5));
    live.world.mailbox().putHead({head});
    live.pass(20 * kMs);
    live.world.mailbox().putHead({head});  // the same
    liftOnce(live, place);
    head.q = physics::exponential({30 * std::numbers::pi / 180, 0, 0});
    live.world.mailbox().putHead({head});
    liftOnce(live, live.world.world().stepResult().bodies[1].X_WC.p);
    live.world.mailbox().putHead({});
    live.pass(20 * kMs);
    // It is hidden and has no effect.
    liftOnce(live, live.world.world().stepResult().bodies[1].X_WC.p);
    EXPECT_TRUE(live.world.finish("done"));
  }
  {
    const SQLite::Database file(recorded.file);
    SQLite::Statement rows(file, "SELECT tick, px_m FROM head_pose ORDER BY tick");
    std::vector<bool> seen;
    while (rows.executeStep()) {
      if (seen.empty()) {
        EXPECT_EQ(rows.getColumn(0).getInt(), 1);
      }
      seen.push_back(!rows.isColumnNull(1));
    }
    EXPECT_EQ(seen, (std::vector<bool>{true, true, false}));
  }
  ASSERT_EQ(runTenon({"export", recorded.file, "--format", "json", "--out", folder / "s.json"}).exitCode, 0);
  const nlohmann::json all = nlohmann::json::parse(contentOf(folder / "s.json"));
  EXPECT_EQ(all["head_poses"].size(), 3u);
  const nlohmann::json& op = all["operations"].at(0);
  EXPECT_EQ(op["grasps"], 3);
  EXPECT_NEAR(op["estimated_gaze_down_most_rad"], std::numbers::pi / 2, 1e-7);
  EXPECT_NEAR(op["estimated_gaze_down_mean_rad"], std::numbers::pi * (90 + 60) / 2 / 180, 0.1);
  EXPECT_NEAR(op["estimated_reach_m"], 0.5, 0.03);
  EXPECT_NEAR(op["head_distance_mean_m"], 0.45,
              0.05);  // the tip is aside of the head, and is lifted by 30 mm
  EXPECT_LE(op["head_distance_least_m"], op["head_distance_mean_m"]);
}

TEST(LiveWorld, WhatFollowsAJumpBeforeAnybodyLooksHidesItNot) {
  Recorded recorded;
  Live live(recorded.options(), recorded.scene);
  live.pass(50 * kMs);
  live.world.apply(ResetControl{});
  live.world.apply(RateControl{500});  // takes a step of its own into the record
  SimulationFrame moment;
  live.world.fillFrame(moment);
  EXPECT_TRUE(moment.discontinuous);
  live.pass(20 * kMs);
  live.world.fillFrame(moment);
  EXPECT_FALSE(moment.discontinuous);
  EXPECT_TRUE(live.world.finish("done"));
}

}  // namespace
}  // namespace tenon::tests::live_world_test
