// Controls of a session of the service: undo, redo, solver, rate, marks, and what its record contains of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/record/session_events.h"
#include "runtime/record/session_reader.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/worker/served_session.h"
#include "runtime/session/verify_session.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/program_run.h"

namespace tenon::tests::session_controls_test {
namespace {

using namespace service;
using grpc::StatusCode;

constexpr std::int64_t kFreeHands = 0;
const std::function<bool()> kGoOn = [] { return false; };

/// A box on a floor below two hands.
runtime::LoadedScene boxScene() {
  runtime::LoadedScene loaded;
  loaded.text = R"({"tenon": 1, "title": "A box", "duration_s": 1, "unit": "mm",
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "hands": [{"name": "right", "position": [0, 0, 0]}],
    "parts": [{"name": "floor", "motion": "fixed", "shape": {"kind": "half_space"}},
              {"name": "box", "material": "steel", "shape": {"kind": "box", "size": [10, 10, 10]},
               "position": [0, 0, 5.1]}]})";
  loaded.scene = std::make_shared<const content::Scene>(content::parseScene(loaded.text, "box.json"));
  return loaded;
}

v1::ControlRequest request(const std::function<void(v1::ControlRequest&)>& fill) {
  v1::ControlRequest control;
  fill(control);
  return control;
}
const v1::ControlRequest kUndo = request([](auto& r) { r.set_undo(true); });
const v1::ControlRequest kRedo = request([](auto& r) { r.set_redo(true); });

StatusCode codeOf(const std::function<void()>& body) {
  return guarded(body).error_code();
}

v1::Command grasp() {
  v1::Command command;
  command.mutable_grasp()->set_hand(0);
  command.mutable_grasp()->set_part(1);
  command.mutable_grasp()->mutable_pose()->mutable_position()->set_z(0.005);
  return command;
}
v1::Command lift(double z) {
  v1::Command command;
  command.mutable_move_hand()->set_hand(0);
  command.mutable_move_hand()->mutable_target()->mutable_position()->set_z(z);
  return command;
}
v1::Command release() {
  v1::Command command;
  command.mutable_release()->set_hand(0);
  return command;
}

/// Grasps the box, lifts it and releases it.
void place(ServedSession& session) {
  session.apply({grasp()}, kFreeHands);
  for (int k = 1; k <= 40; ++k) {
    session.apply({lift(0.005 + 0.0002 * k)}, kFreeHands);
    session.step(1, kGoOn);
  }
  session.apply({release()}, kFreeHands);
  session.step(5, kGoOn);
}

TEST(SessionControls, UndoAndRedoRestoreAPlacementBitForBitAndTheRecordReproducesThem) {
  const TemporaryFolder folder;
  SessionSettings settings;
  settings.record = folder / "s.tenon";
  {
    ServedSession session(boxScene(), settings);
    session.step(20, kGoOn);
    const std::uint64_t before = session.state().state_hash();
    place(session);
    const v1::State placed = session.state();
    EXPECT_EQ(placed.settings().undoable(), 1);
    EXPECT_EQ(placed.settings().undo_text(), "box by right");
    session.control(kUndo);
    EXPECT_EQ(session.state().state_hash(), before);
    EXPECT_EQ(session.state().settings().redoable(), 1);
    EXPECT_EQ(session.state().settings().returns(), 1);
    session.control(kRedo);
    EXPECT_EQ(session.state().state_hash(), placed.state_hash());
    EXPECT_EQ(codeOf([&] { session.control(kRedo); }), StatusCode::FAILED_PRECONDITION);
    session.step(10, kGoOn);
    session.control(kUndo);
    session.step(10, kGoOn);
    EXPECT_EQ(codeOf([&] { session.control(kUndo); }), StatusCode::FAILED_PRECONDITION);
    EXPECT_TRUE(session.finish("done"));
  }
  runtime::SessionReader reader(folder / "s.tenon");
  const auto verification = runtime::verifySession(reader, [](double) { return true; });
  EXPECT_TRUE(verification.isVerified());
  EXPECT_EQ(verification.check.steps, 20 + 45 + 10 + 10);
}

TEST(SessionControls, ResetAndDynamicsCanBeUndoneAndAPlacementUnderWayAsWell) {
  ServedSession session(boxScene(), {});
  session.step(5, kGoOn);
  const std::uint64_t five = session.state().state_hash();
  session.control(request([](auto& r) { r.set_reset(true); }));
  EXPECT_EQ(session.state().step(), 0);
  session.control(kUndo);
  EXPECT_EQ(session.state().state_hash(), five);
  v1::Command gravity;
  gravity.mutable_set_dynamics()->mutable_gravity()->set_z(-1);
  session.apply({gravity}, kFreeHands);
  gravity.mutable_set_dynamics()->set_continues(true);
  gravity.mutable_set_dynamics()->mutable_gravity()->set_z(-2);
  session.apply({gravity}, kFreeHands);
  session.step(3, kGoOn);
  EXPECT_EQ(session.state().settings().dynamics().gravity().z(), -2);
  session.control(kUndo);  // both: one series
  EXPECT_EQ(session.state().settings().dynamics().gravity().z(), -9.81);
  EXPECT_EQ(session.state().state_hash(), five);
  session.apply({grasp()}, kFreeHands);
  session.step(5, kGoOn);
  EXPECT_EQ(session.state().hands(0).part(), 1);
  session.control(kUndo);
  EXPECT_EQ(session.state().hands(0).part(), -1);
  EXPECT_EQ(session.state().state_hash(), five);
}

TEST(SessionControls, SolverAndRateChangeBetweenStepsAndTheRecordReproducesThem) {
  const TemporaryFolder folder;
  SessionSettings settings;
  settings.record = folder / "s.tenon";
  settings.run.rate = 997;
  {
    ServedSession session(boxScene(), settings);
    EXPECT_EQ(session.state().settings().rate(), 997);
    session.step(10, kGoOn);
    session.control(request([](auto& r) { r.set_solver("fischer-newton"); }));
    EXPECT_EQ(session.state().settings().solver(), "fischer-newton");
    session.step(10, kGoOn);
    session.control(request([](auto& r) { r.set_rate(499); }));
    EXPECT_EQ(session.state().settings().rate(), 499);
    const double then = session.state().time();
    EXPECT_NEAR(session.step(1, kGoOn).time() - then, 1.0 / 499, 1e-12);
    // An undo keeps solver and rate, also without a step in between.
    place(session);
    session.control(request([](auto& r) { r.set_solver("auto"); }));
    session.control(kUndo);
    EXPECT_EQ(session.state().settings().solver(), "auto");
    session.step(10, kGoOn);
    EXPECT_EQ(codeOf([&] { session.control(request([](auto& r) { r.set_solver("magic"); })); }),
              StatusCode::INVALID_ARGUMENT);
    for (const double bad : {0.0, 1e9})
      EXPECT_EQ(codeOf([&] { session.control(request([&](auto& r) { r.set_rate(bad); })); }),
                StatusCode::INVALID_ARGUMENT);
    EXPECT_TRUE(session.finish("done"));
  }
  runtime::SessionReader reader(folder / "s.tenon");
  EXPECT_TRUE(runtime::verifySession(reader, [](double) { return true; }).isVerified());
}

TEST(SessionControls, AnUndoAtTheEndIsInTheRecordAndInTheLastState) {
  const TemporaryFolder folder;
  SessionSettings settings;
  settings.record = folder / "s.tenon";
  ServedSession session(boxScene(), settings);
  ServedSession::Cursor cursor;
  session.beginStream(cursor);
  place(session);
  session.control(kUndo);
  const double before = session.state().time();
  EXPECT_TRUE(session.finish("done"));
  EXPECT_TRUE(session.isFinished());
  runtime::SessionReader reader(folder / "s.tenon");
  EXPECT_TRUE(runtime::verifySession(reader, [](double) { return true; }).isVerified());
  const std::vector<runtime::SessionEvent> events = reader.events();
  EXPECT_TRUE(
      std::any_of(events.begin(), events.end(), [](const auto& event) { return event.kind == "undo"; }));
  std::shared_ptr<const ServedSession::Observation> newest;
  std::vector<v1::Event> news;
  ASSERT_TRUE(session.next(cursor, newest, news, std::chrono::steady_clock::now()));
  EXPECT_NEAR(newest->step.time - before, 1.0 / session.startRate(), 1e-12) << "one step records the undo";
}

TEST(SessionControls, TheTickOfAStreamIsNotSetBack) {
  ServedSession session(boxScene(), {});
  ServedSession::Cursor cursor;
  session.beginStream(cursor);
  std::int64_t last = -1;
  const auto expectAfterLast = [&] {
    std::shared_ptr<const ServedSession::Observation> newest;
    std::vector<v1::Event> news;
    ASSERT_TRUE(session.next(cursor, newest, news, std::chrono::steady_clock::time_point::max()));
    EXPECT_GE(newest->tick, last);
    last = newest->tick;
  };
  place(session);
  expectAfterLast();
  session.control(kUndo);
  session.step(1, kGoOn);
  expectAfterLast();
  EXPECT_GT(last, 1);
}

TEST(SessionControls, ARestoredHandThatHoldsHoldsOnThoughItsClientStreams) {
  ServedSession session(boxScene(), {});
  const std::int64_t lease = session.lease({0});
  const auto follow = [&](double z, bool closed) {
    v1::HandSample sample;
    sample.set_hand(0);
    sample.set_tracked(true);
    sample.set_closed(closed);
    sample.set_part(1);
    sample.mutable_pose()->mutable_position()->set_z(z);
    session.follow(sample, lease);
    return session.step(1, kGoOn);
  };
  follow(0.005, false);
  EXPECT_EQ(follow(0.005, true).hands(0).part(), 1);
  follow(0.006, true);
  const std::int64_t holding = session.snapshot();
  follow(0.007, true);
  follow(0.007, false);
  EXPECT_EQ(session.state().hands(0).part(), -1);
  EXPECT_EQ(session.restore(holding).hands(0).part(), 1);
  EXPECT_EQ(session.step(1, kGoOn).hands(0).part(), 1) << "without a new sample";
  EXPECT_EQ(follow(0.007, true).hands(0).part(), 1) << "with one";
  EXPECT_EQ(follow(0.007, false).hands(0).part(), -1);
  // A closed hand that holds nothing in the snapshot must be opened before it grasps.
  const std::int64_t empty = session.snapshot();
  EXPECT_EQ(follow(0.005, true).hands(0).part(), 1);
  session.restore(empty);
  EXPECT_EQ(follow(0.005, true).hands(0).part(), -1);
  follow(0.005, false);
  EXPECT_EQ(follow(0.005, true).hands(0).part(), 1);
}

TEST(SessionControls, MarksGuidanceAndTheEndOfARecordAreInIt) {
  const TemporaryFolder folder;
  SessionSettings settings;
  settings.record = folder / "s.tenon";
  ServedSession session(boxScene(), settings);
  EXPECT_TRUE(session.state().settings().recording());
  session.step(5, kGoOn);
  const auto mark = [](const std::string& kind, const std::string& text) {
    return request([&](auto& r) {
      r.mutable_mark()->set_kind(kind);
      r.mutable_mark()->set_text(text);
    });
  };
  session.control(mark("note", "tight here"));
  EXPECT_EQ(codeOf([&] { session.control(mark("grab", "")); }), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(codeOf([&] { session.control(mark("note", std::string(1001, 'x'))); }),
            StatusCode::INVALID_ARGUMENT);
  session.control(request([](auto& r) { r.set_guidance(true); }));
  EXPECT_TRUE(session.state().settings().guidance());
  session.step(5, kGoOn);
  session.control(request([](auto& r) { r.set_end_record(true); }));
  EXPECT_FALSE(session.state().settings().recording());
  EXPECT_FALSE(session.state().settings().record_failed());
  EXPECT_EQ(codeOf([&] { session.control(request([](auto& r) { r.set_end_record(true); })); }),
            StatusCode::FAILED_PRECONDITION);
  EXPECT_EQ(session.step(5, kGoOn).step(), 15) << "the session goes on";
  const runtime::SessionReader reader(folder / "s.tenon");
  const Outcome exported =
      runTenon({"export", folder / "s.tenon", "--format", "json", "--out", folder / "s.json"});
  EXPECT_EQ(exported.exitCode, 0) << exported.err;
  EXPECT_TRUE(session.finish("done"));
  const Outcome shown = runTenon({"replay", folder / "s.tenon", "--text"});
  EXPECT_NE((shown.out + shown.err).find("10 steps"), std::string::npos) << shown.out << shown.err;
}

}  // namespace
}  // namespace tenon::tests::session_controls_test
