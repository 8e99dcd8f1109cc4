// The streams of a running server: two clients with a hand each, observers, and what they must not do.
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>

#include "tenon/v1/scenes.grpc.pb.h"
#include "tenon/v1/sessions.grpc.pb.h"
#include "tests/support/program_run.h"
#include "tests/support/traced_program.h"

namespace tenon::tests::streams_test {
namespace {

using grpc::StatusCode;

constexpr std::chrono::seconds kLimit{60};  ///< on a machine with much else to do

/// Two boxes without gravity, two hands.
constexpr const char* kScene =
    R"({"tenon": 1, "title": "Two boxes", "unit": "mm", "duration_s": 1, "gravity_m_per_s2": [0, 0, 0],
  "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
  "hands": [{"name": "right", "position": [0, 0, 0]}, {"name": "left", "position": [100, 0, 0]}],
  "parts": [
    {"name": "red", "material": "steel", "shape": {"kind": "box", "size": [20, 20, 20]}},
    {"name": "blue", "material": "steel", "shape": {"kind": "box", "size": [20, 20, 20]}, "position": [100, 0, 0]}]})";

class Streams : public testing::Test {
 protected:
  using HandsStream = grpc::ClientReaderWriterInterface<v1::HandsRequest, v1::State>;

  void SetUp() override {
    const auto channel =
        grpc::CreateChannel("unix:" + (folder_ / "socket"), grpc::InsecureChannelCredentials());
    ASSERT_TRUE(channel->WaitForConnected(std::chrono::system_clock::now() + kLimit)) << server_.said();
    sessions_ = v1::Sessions::NewStub(channel);
    const auto scenes = v1::Scenes::NewStub(channel);
    grpc::ClientContext context;
    v1::Scene scene;
    const auto upload = scenes->Upload(&context, &scene);
    v1::UploadRequest request;
    request.mutable_scene()->set_name("boxes.json");
    request.mutable_scene()->set_text(kScene);
    upload->Write(request);
    upload->WritesDone();
    const grpc::Status uploaded = upload->Finish();
    ASSERT_TRUE(uploaded.ok()) << uploaded.error_message();
    v1::CreateSessionRequest create;
    create.set_scene(scene.id());
    grpc::ClientContext creating;
    v1::Session session;
    const grpc::Status created = sessions_->Create(&creating, create, &session);
    ASSERT_TRUE(created.ok()) << created.error_message();
    id_ = session.id();
  }
  void TearDown() override {
    server_.send(SIGTERM);
    EXPECT_EQ(server_.exitCode(), 0) << server_.said();
  }

  /// A stream that has leased a hand: its first state has come.
  std::unique_ptr<HandsStream> lease(grpc::ClientContext& context, int hand) {
    auto stream = begin(context, hand);
    v1::State state;
    EXPECT_TRUE(stream->Read(&state));
    return stream;
  }
  std::unique_ptr<HandsStream> begin(grpc::ClientContext& context, int hand) {
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    auto stream = sessions_->Hands(&context);
    v1::HandsRequest request;
    request.mutable_begin()->set_session(id_);
    request.mutable_begin()->add_hands(hand);
    request.mutable_begin()->set_rate(240);
    stream->Write(request);
    return stream;
  }
  static void move(HandsStream& stream, int hand, double x, bool closed) {
    v1::HandsRequest request;
    v1::HandSample& sample = *request.mutable_sample();
    sample.set_hand(hand);
    sample.set_tracked(true);
    sample.set_closed(closed);
    sample.mutable_pose()->mutable_position()->set_x(x);
    stream.Write(request);
  }
  /// States until `is` holds of one.
  static bool waitFor(HandsStream& stream, const std::function<bool(const v1::State&)>& is) {
    for (v1::State state; stream.Read(&state);)
      if (is(state)) return true;
    return false;
  }
  void play(bool on) {
    grpc::ClientContext context;
    v1::ControlRequest request;
    request.set_session(id_);
    request.set_play(on);
    v1::Pace pace;
    EXPECT_TRUE(sessions_->Control(&context, request, &pace).ok());
  }
  v1::State state() {
    grpc::ClientContext context;
    v1::GetStateRequest request;
    request.set_session(id_);
    v1::State state;
    EXPECT_TRUE(sessions_->GetState(&context, request, &state).ok());
    return state;
  }

  TemporaryFolder folder_;
  TracedProgram server_{
      {TENON_PROGRAM, "serve", "--data", folder_ / "data", "--listen", "unix:" + (folder_ / "socket")},
      {},
      folder_.path(),
      ""};
  std::unique_ptr<v1::Sessions::StubInterface> sessions_;
  std::string id_;
};

TEST_F(Streams, TwoClientsMoveAHandEachAndOneThatVanishesHoldsOn) {
  grpc::ClientContext first, second;
  const auto right = lease(first, 0), left = lease(second, 1);
  play(true);
  move(*right, 0, 0, false);
  move(*left, 1, 0.1, false);
  move(*right, 0, 0, true);
  move(*left, 1, 0.1, true);
  const auto bothHold = [](const v1::State& s) { return s.hands(0).part() == 0 && s.hands(1).part() == 1; };
  EXPECT_TRUE(waitFor(*right, bothHold));
  EXPECT_TRUE(waitFor(*left, bothHold));
  first.TryCancel();
  right->Finish();
  // The hand is free once the server has seen it: then another client may have it, and it still holds.
  bool leased = false;
  while (!leased) {
    grpc::ClientContext third;
    const auto taken = begin(third, 0);
    v1::State seen;
    leased = taken->Read(&seen);
    if (leased) {
      EXPECT_EQ(seen.hands(0).part(), 0);
      third.TryCancel();
    }
    const grpc::Status status = taken->Finish();
    ASSERT_EQ(status.error_code(), leased ? StatusCode::CANCELLED : StatusCode::ABORTED)
        << status.error_message();
  }
  EXPECT_EQ(state().hands(1).part(), 1);
  move(*left, 1, 0.1, false);
  EXPECT_TRUE(
      waitFor(*left, [](const v1::State& s) { return s.hands(1).part() == -1 && s.hands(0).part() == 0; }));
  left->WritesDone();
  EXPECT_FALSE(waitFor(*left, [](const v1::State&) { return false; }));
  EXPECT_TRUE(left->Finish().ok());
}

TEST_F(Streams, AHandOfAnotherClientIsRefusedWithItsName) {
  grpc::ClientContext first, second, third;
  const auto right = lease(first, 0);
  const auto taken = begin(second, 0);
  v1::State none;
  EXPECT_FALSE(taken->Read(&none));
  const grpc::Status status = taken->Finish();
  EXPECT_EQ(status.error_code(), StatusCode::ABORTED);
  EXPECT_NE(status.error_message().find("the hand right belongs to another client"), std::string::npos);
  v1::ApplyRequest apply;
  apply.set_session(id_);
  apply.add_commands()->mutable_release()->set_hand(0);
  v1::ApplyResponse response;
  EXPECT_EQ(sessions_->Apply(&third, apply, &response).error_code(), StatusCode::PERMISSION_DENIED);
  // A hand that this stream has not leased ends the stream with the reason, though its client still writes.
  move(*right, 1, 0, false);
  EXPECT_FALSE(waitFor(*right, [](const v1::State&) { return false; }));
  const grpc::Status ended = right->Finish();
  EXPECT_EQ(ended.error_code(), StatusCode::PERMISSION_DENIED) << ended.error_message();
}

TEST_F(Streams, BadBeginningsAreRefused) {
  const auto outcomeOf = [this](const std::function<void(v1::HandsRequest&)>& fill) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    const auto stream = sessions_->Hands(&context);
    v1::HandsRequest request;
    fill(request);
    stream->Write(request);
    v1::State none;
    EXPECT_FALSE(stream->Read(&none));
    return stream->Finish().error_code();
  };
  EXPECT_EQ(outcomeOf([](v1::HandsRequest&) {}), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(outcomeOf([](v1::HandsRequest& r) { r.mutable_sample(); }), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(outcomeOf([](v1::HandsRequest& r) { r.mutable_begin()->set_session("0"); }),
            StatusCode::NOT_FOUND);
  EXPECT_EQ(outcomeOf([this](v1::HandsRequest& r) { r.mutable_begin()->set_session(id_); }),
            StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(outcomeOf([this](v1::HandsRequest& r) {
              r.mutable_begin()->set_session(id_);
              r.mutable_begin()->add_hands(0);
              r.mutable_begin()->set_rate(1e9);
            }),
            StatusCode::INVALID_ARGUMENT);
}

TEST_F(Streams, AnObserverSeesThePlayingSessionUntilItEnds) {
  grpc::ClientContext watching, closing;
  watching.set_deadline(std::chrono::system_clock::now() + kLimit);
  v1::WatchRequest request;
  request.set_session(id_);
  request.set_rate(100);
  request.set_changes_only(true);
  const auto states = sessions_->Watch(&watching, request);
  v1::State seen;
  ASSERT_TRUE(states->Read(&seen));
  EXPECT_EQ(seen.parts_size(), 2);
  play(true);
  std::int64_t last = seen.step();
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(states->Read(&seen));
    EXPECT_GE(seen.step(), last);
    EXPECT_EQ(seen.parts_size(), 0);  // nothing moves
    last = seen.step();
  }
  EXPECT_GT(last, 0);
  v1::CloseSessionRequest close;
  close.set_session(id_);
  v1::CloseSessionResponse response;
  EXPECT_TRUE(sessions_->Close(&closing, close, &response).ok());
  while (states->Read(&seen)) {
  }
  const grpc::Status ended = states->Finish();
  EXPECT_TRUE(ended.ok()) << ended.error_message();
}

TEST_F(Streams, AnObserverThatNeverReadsDoesNotDelayOthers) {
  grpc::ClientContext watching;
  v1::WatchRequest request;
  request.set_session(id_);
  request.set_rate(240);
  const auto states = sessions_->Watch(&watching, request);
  v1::StepRequest step;
  step.set_session(id_);
  step.set_steps(2000);
  for (int k = 0; k < 3; ++k) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    v1::State seen;
    EXPECT_TRUE(sessions_->Step(&context, step, &seen).ok());
    EXPECT_EQ(seen.step(), 2000 * (k + 1));
  }
  watching.TryCancel();
  states->Finish();
}

}  // namespace
}  // namespace tenon::tests::streams_test
