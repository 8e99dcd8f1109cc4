// A session of the service without its process: steps, commands with a step, leases of hands, states.
#include "runtime/service/worker/served_session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "content/input/input_error.h"
#include "runtime/record/session_reader.h"
#include "runtime/service/messages/status.h"
#include "runtime/session/verify_session.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/program_run.h"

namespace tenon::tests::served_session_test {
namespace {

using namespace service;
using grpc::StatusCode;

constexpr std::int64_t kNoLease = 0;
const std::function<bool()> kNeverCanceled = [] { return false; };

runtime::LoadedScene loadedLiveScene() {
  return {liveScene(), "", {}};
}

v1::Command moveTo(int hand, double x, std::int64_t step = 0) {
  v1::Command command;
  command.set_step(step);
  command.mutable_move_hand()->set_hand(hand);
  command.mutable_move_hand()->mutable_target()->mutable_position()->set_x(x);
  return command;
}

v1::Command graspOf(int hand, int part) {
  v1::Command command;
  command.mutable_grasp()->set_hand(hand);
  command.mutable_grasp()->set_part(part);
  return command;
}

v1::HandSample sampleAt(int hand, double x, bool closed) {
  v1::HandSample sample;
  sample.set_hand(hand);
  sample.set_tracked(true);
  sample.set_closed(closed);
  sample.mutable_pose()->mutable_position()->set_x(x);
  return sample;
}

/// Status of what `body` throws.
StatusCode codeOf(const std::function<void()>& body) {
  return guarded(body).error_code();
}

double targetOf(const v1::State& state, int hand) {
  return state.hands(hand).target().position().x();
}

TEST(ServedSession, ACommandActsAtTheStepThatItNames) {
  ServedSession session(loadedLiveScene(), {});
  session.apply({moveTo(0, 0.5, 3), moveTo(1, 0.25)}, kNoLease);
  const v1::State first = session.step(1, kNeverCanceled);
  EXPECT_EQ(targetOf(first, 1), 0.25);
  EXPECT_EQ(targetOf(first, 0), 0);
  EXPECT_EQ(targetOf(session.step(1, kNeverCanceled), 0), 0);
  EXPECT_EQ(targetOf(session.step(1, kNeverCanceled), 0), 0.5);
  EXPECT_EQ(codeOf([&] { session.apply({moveTo(0, 1, 3)}, kNoLease); }), StatusCode::INVALID_ARGUMENT);
}

TEST(ServedSession, CommandsOfOneStepAndOfManyCallsHaveTheSameBytes) {
  ServedSession ahead(loadedLiveScene(), {}), stepwise(loadedLiveScene(), {});
  std::vector<v1::Command> script{graspOf(0, 0)};
  for (int k = 1; k <= 50; ++k) script.push_back(moveTo(0, 0.001 * k, k));
  ahead.apply(script, kNoLease);
  stepwise.apply({script[0]}, kNoLease);
  for (std::size_t k = 1; k < script.size(); ++k) {
    script[k].set_step(0);
    stepwise.apply({script[k]}, kNoLease);
    stepwise.step(1, kNeverCanceled);
  }
  const v1::State state = ahead.step(50, kNeverCanceled);
  EXPECT_EQ(state.state_hash(), stepwise.state().state_hash());
  EXPECT_EQ(state.hands(0).part(), 0);
  EXPECT_NEAR(state.parts(0).pose().position().x(), 0.05, 0.01);
}

TEST(ServedSession, CallsThatWereCanceledBeforeTheirTurnChangeNothing) {
  ServedSession session(loadedLiveScene(), {});
  session.step(1, kNeverCanceled);
  const std::int64_t snapshot = session.snapshot();
  session.step(1, kNeverCanceled);
  const std::string before = session.state().SerializeAsString();
  v1::ControlRequest play;
  play.set_play(true);
  const std::function<bool()> canceled = [] { return true; };
  const std::function<void()> calls[] = {
      [&] { session.control(play, canceled); }, [&] { session.apply({moveTo(0, 0.5)}, kNoLease, canceled); },
      [&] { session.restore(snapshot, canceled); }, [&] { session.snapshot(canceled); }};
  for (const auto& call : calls) EXPECT_EQ(codeOf(call), StatusCode::CANCELLED);
  EXPECT_EQ(session.state().SerializeAsString(), before);
  EXPECT_EQ(session.snapshot(), snapshot + 1);
  EXPECT_EQ(targetOf(session.step(1, kNeverCanceled), 0), 0);
}

TEST(ServedSession, InvalidCommandsChangeNothing) {
  ServedSession session(loadedLiveScene(), {});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<v1::Command> bad(7);
  bad[0] = moveTo(2, 0);
  bad[1] = moveTo(-1, 0);
  bad[2] = moveTo(0, nan);
  bad[3] = moveTo(0, 0);
  bad[3].mutable_move_hand()->mutable_target()->mutable_orientation()->set_w(2);
  bad[4] = graspOf(0, 7);
  bad[5].mutable_set_thruster()->set_level(1);
  for (const v1::Command& command : bad)
    EXPECT_EQ(codeOf([&] {
                session.apply({moveTo(0, 1), command}, kNoLease);
              }),
              StatusCode::INVALID_ARGUMENT)
        << command.DebugString();
  v1::Command gravity;
  gravity.mutable_set_dynamics()->mutable_gravity()->set_z(-std::numeric_limits<double>::infinity());
  EXPECT_EQ(codeOf([&] { session.apply({gravity}, kNoLease); }), StatusCode::INVALID_ARGUMENT);
  v1::ControlRequest speed;
  speed.set_speed(nan);
  EXPECT_EQ(codeOf([&] { session.control(speed); }), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(targetOf(session.step(1, kNeverCanceled), 0), 0);
}

TEST(ServedSession, ALeasedHandFollowsItsClientAlone) {
  ServedSession session(loadedLiveScene(), {});
  const std::int64_t lease = session.lease({0});
  EXPECT_EQ(codeOf([&] { session.lease({1, 0}); }), StatusCode::ABORTED);
  const std::int64_t other = session.lease({1});  // the failed lease took no hand
  EXPECT_EQ(codeOf([&] { session.apply({moveTo(0, 1)}, kNoLease); }), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(codeOf([&] { session.apply({moveTo(0, 1)}, other); }), StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(codeOf([&] { session.follow(sampleAt(0, 1, false), other); }), StatusCode::PERMISSION_DENIED);
  session.follow(sampleAt(0, 0.02, false), lease);
  EXPECT_EQ(targetOf(session.step(1, kNeverCanceled), 0), 0.02);
  EXPECT_EQ(codeOf([&] { session.lease({}); }), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(codeOf([&] { session.lease({2}); }), StatusCode::INVALID_ARGUMENT);
}

TEST(ServedSession, AHandWhoseClientVanishesHoldsOn) {
  ServedSession session(loadedLiveScene(), {});
  const std::int64_t lease = session.lease({0});
  session.follow(sampleAt(0, 0, false), lease);
  session.step(1, kNeverCanceled);
  session.follow(sampleAt(0, 0, true), lease);
  EXPECT_EQ(session.step(1, kNeverCanceled).hands(0).part(), 0);
  v1::HandSample moved = sampleAt(0, 0.01, true);
  moved.set_move_duration(0.05);
  session.follow(moved, lease);
  session.step(50, kNeverCanceled);
  session.endLease(lease);
  const v1::State held = session.step(200, kNeverCanceled);
  EXPECT_EQ(held.hands(0).part(), 0);
  EXPECT_NEAR(targetOf(held, 0), 0.01, 1e-15);
  EXPECT_NEAR(held.parts(0).pose().position().x(), 0.01, 1e-6);
  // Another client takes the hand over without dropping the part, and opens it.
  const std::int64_t next = session.lease({0});
  session.follow(sampleAt(0, 0.01, true), next);
  EXPECT_EQ(session.step(1, kNeverCanceled).hands(0).part(), 0);
  session.follow(sampleAt(0, 0.01, false), next);
  EXPECT_EQ(session.step(1, kNeverCanceled).hands(0).part(), -1);
}

TEST(ServedSession, TheRecordOfSnapshotsAndResetsReproducesEveryState) {
  const TemporaryFolder folder;
  const std::string text = [] {
    std::string all =
        "{\"tenon\": 1, \"title\": \"A box\", \"duration_s\": 1, \"unit\": \"mm\", \"materials\": "
        "[{\"name\": \"steel\", "
        "\"density_kg_per_m3\": 7850}], \"parts\": [";
    all += "{\"name\": \"floor\", \"motion\": \"fixed\", \"shape\": {\"kind\": \"half_space\"}}, ";
    return all +
           "{\"name\": \"box\", \"material\": \"steel\", \"shape\": {\"kind\": \"box\", \"size\": "
           "[10, 10, 10]}, \"position\": [0, 0, 6]}]}";
  }();
  runtime::LoadedScene loaded;
  loaded.text = text;
  loaded.scene = std::make_shared<const content::Scene>(content::parseScene(text, "box.json"));
  SessionSettings settings;
  settings.record = folder / "s.tenon";
  {
    ServedSession session(loaded, settings);
    session.step(10, kNeverCanceled);
    const std::int64_t early = session.snapshot();
    session.step(20, kNeverCanceled);
    const std::uint64_t hash = session.state().state_hash();
    session.restore(early);
    session.step(20, kNeverCanceled);
    EXPECT_EQ(session.state().state_hash(), hash);
    v1::ControlRequest reset;
    reset.set_reset(true);
    session.control(reset);
    session.restore(early);  // without a step in between
    session.control(reset);
    session.step(30, kNeverCanceled);
    EXPECT_EQ(session.state().state_hash(), hash);
    EXPECT_EQ(codeOf([&] { session.restore(99); }), StatusCode::NOT_FOUND);
    EXPECT_TRUE(session.finish("done"));
  }
  runtime::SessionReader reader(folder / "s.tenon");
  const runtime::SessionVerification verification =
      runtime::verifySession(reader, [](double) { return true; });
  EXPECT_TRUE(verification.isVerified());
  EXPECT_EQ(verification.check.steps, 80);
}

TEST(ServedSession, ASlowReaderGetsTheNewestStateAndAllEvents) {
  ServedSession session(loadedLiveScene(), {});
  ServedSession::Cursor cursor;
  session.beginStream(cursor);
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::seconds(10); };
  v1::State state;
  ASSERT_TRUE(session.next(cursor, state, soon()));
  EXPECT_EQ(state.step(), 0);
  session.apply({graspOf(0, 0)}, kNoLease);
  for (int k = 0; k < 100; ++k) session.step(1, kNeverCanceled);
  int events = 0;
  while (state.step() < 100) {
    ASSERT_TRUE(session.next(cursor, state, soon()));
    for (const v1::Event& event : state.events()) events += event.kind() == "grab" ? 1 : 0;
  }
  EXPECT_EQ(events, 1);
  EXPECT_FALSE(session.next(cursor, state, std::chrono::steady_clock::now()));
  session.endStream();
}

TEST(ServedSession, FinishEndsALongCallBetweenTwoSteps) {
  ServedSession session(loadedLiveScene(), {});
  std::atomic<bool> begun{false};
  StatusCode outcome = StatusCode::OK;
  std::thread thread([&] {
    outcome = codeOf([&] {
      session.step(1'000'000'000, [&] {
        begun = true;
        return false;
      });
    });
  });
  while (!begun) std::this_thread::yield();
  EXPECT_TRUE(session.finish("done"));
  thread.join();
  EXPECT_EQ(outcome, StatusCode::ABORTED);
  EXPECT_EQ(codeOf([&] { session.state(); }), StatusCode::ABORTED);
}

}  // namespace
}  // namespace tenon::tests::served_session_test
