// The streams of a running server: two clients with a hand each, observers, and what they must not do.
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

#include "tenon/v1/records.grpc.pb.h"
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
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // as our clients: buffers do not grow
    const auto channel = grpc::CreateCustomChannel("unix:" + (folder_ / "socket"),
                                                   grpc::InsecureChannelCredentials(), arguments);
    ASSERT_TRUE(channel->WaitForConnected(std::chrono::system_clock::now() + kLimit)) << server_.said();
    sessions_ = v1::Sessions::NewStub(channel);
    scenes_ = v1::Scenes::NewStub(channel);
    records_ = v1::Records::NewStub(channel);
    begin(kScene);
  }
  void TearDown() override {
    server_.send(SIGTERM);
    EXPECT_EQ(server_.exitCode(), 0) << server_.said();
  }

  /// Stores a scene with these files.
  grpc::Status upload(const std::string& text, const std::map<std::string, std::string>& files,
                      v1::Scene& scene) {
    grpc::ClientContext context;
    const auto upload = scenes_->Upload(&context, &scene);
    v1::UploadRequest request;
    request.mutable_scene()->set_name("boxes.json");
    request.mutable_scene()->set_text(text);
    upload->Write(request);
    for (const auto& [path, data] : files) {
      request.mutable_file()->set_path(path);
      request.mutable_file()->set_data(data);
      upload->Write(request);
    }
    upload->WritesDone();
    return upload->Finish();
  }
  /// Starts a session of this scene, for the calls below.
  void begin(const std::string& text, bool record = false) {
    v1::Scene scene;
    const grpc::Status uploaded = upload(text, {}, scene);
    ASSERT_TRUE(uploaded.ok()) << uploaded.error_message();
    v1::CreateSessionRequest create;
    create.set_scene(scene.id());
    create.set_record(record);
    grpc::ClientContext creating;
    v1::Session session;
    const grpc::Status created = sessions_->Create(&creating, create, &session);
    ASSERT_TRUE(created.ok()) << created.error_message();
    id_ = session.id();
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
  std::unique_ptr<v1::Scenes::StubInterface> scenes_;
  std::unique_ptr<v1::Records::StubInterface> records_;
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

/// Boxes far apart, whose states take 33 kB, with this gravity [m/s²].
std::string manyBoxes(const std::string& gravity) {
  std::string parts;
  for (int k = 0; k < 1000; ++k)
    parts += (k == 0 ? "" : ", ") +
             ("{\"name\": \"box" + std::to_string(k) +
              "\", \"material\": \"steel\", \"shape\": {\"kind\": \"box\", \"size\": [2, 2, 2]}, "
              "\"position\": [" +
              std::to_string(20 * k) + ", 0, 0]}");
  return R"({"tenon": 1, "title": "Many boxes", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "gravity_m_per_s2": )" +
         gravity + R"(, "parts": [)" + parts + "]}";
}

TEST_F(Streams, AnObserverThatDoesNotReadDelaysNoOtherAndGetsTheNewestStateNext) {
  ASSERT_NO_FATAL_FAILURE(begin(manyBoxes("[0, 0, 0]")));
  grpc::ClientContext idle, busy;
  v1::WatchRequest request;
  request.set_session(id_);
  request.set_rate(240);
  const auto unread = sessions_->Watch(&idle, request);
  const auto read = sessions_->Watch(&busy, request);
  v1::State seen;
  ASSERT_TRUE(unread->Read(&seen));
  ASSERT_GT(seen.ByteSizeLong(), 30'000u);
  // Steps until the other one has got many times what the buffers hold.
  v1::StepRequest step;
  step.set_session(id_);
  step.set_steps(1);
  std::int64_t last = 0;
  for (int k = 0; k < 500; ++k) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    v1::State state;
    ASSERT_TRUE(sessions_->Step(&context, step, &state).ok());
    last = state.step();
    ASSERT_TRUE(read->Read(&seen));
  }
  int states = 0;
  do {
    ASSERT_TRUE(unread->Read(&seen));
    ++states;
  } while (seen.step() < last);
  EXPECT_LT(states, 20) << "it has missed the others";
  for (auto* context : {&idle, &busy}) context->TryCancel();
  unread->Finish();
  read->Finish();
}

TEST_F(Streams, AClientMayDownloadFourRecordsAtOnce) {
  ASSERT_NO_FATAL_FAILURE(begin(manyBoxes("[0, 0, -9.81]"), true));
  v1::StepRequest step;
  step.set_session(id_);
  step.set_steps(300);  // some MB
  grpc::ClientContext stepping;
  v1::State state;
  ASSERT_TRUE(sessions_->Step(&stepping, step, &state).ok());
  v1::DownloadRecordRequest request;
  request.set_id(id_);
  constexpr std::size_t kMost = 4;
  std::vector<grpc::ClientContext> contexts(kMost);
  std::vector<std::unique_ptr<grpc::ClientReaderInterface<v1::RecordChunk>>> downloads;
  v1::RecordChunk chunk;
  for (grpc::ClientContext& context : contexts) {
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    downloads.push_back(records_->Download(&context, request));
    ASSERT_TRUE(downloads.back()->Read(&chunk));
    ASSERT_EQ(chunk.data().size(), 256u * 1024u) << "more than the buffers hold: it goes on";
  }
  const auto outcomeOfOneMore = [&] {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kLimit);
    const auto download = records_->Download(&context, request);
    v1::RecordChunk part;
    while (download->Read(&part)) {
    }
    return download->Finish();
  };
  const grpc::Status refused = outcomeOfOneMore();
  EXPECT_EQ(refused.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refused.error_message(), "4 downloads are open, as many as a client may have; close one");
  while (downloads.back()->Read(&chunk)) {
  }
  EXPECT_TRUE(downloads.back()->Finish().ok());
  downloads.pop_back();
  EXPECT_TRUE(outcomeOfOneMore().ok());
  for (std::size_t k = 0; k < downloads.size(); ++k) {
    contexts[k].TryCancel();
    downloads[k]->Finish();
  }
}

TEST_F(Streams, HandsAndObserversOfAClosedSessionEndAlike) {
  grpc::ClientContext holding, watching, closing;
  const auto hand = lease(holding, 0);
  v1::WatchRequest request;
  request.set_session(id_);
  const auto states = sessions_->Watch(&watching, request);
  v1::State seen;
  ASSERT_TRUE(states->Read(&seen));
  v1::CloseSessionRequest close;
  close.set_session(id_);
  v1::CloseSessionResponse response;
  EXPECT_TRUE(sessions_->Close(&closing, close, &response).ok());
  while (hand->Read(&seen)) {
  }
  while (states->Read(&seen)) {
  }
  const grpc::Status ofHand = hand->Finish(), ofStates = states->Finish();
  EXPECT_TRUE(ofHand.ok()) << ofHand.error_code() << " " << ofHand.error_message();
  EXPECT_TRUE(ofStates.ok()) << ofStates.error_message();
  grpc::ClientContext late;
  const auto none = begin(late, 0);
  EXPECT_FALSE(none->Read(&seen));
  EXPECT_EQ(none->Finish().error_code(), StatusCode::ABORTED);
}

TEST_F(Streams, AnInvalidSceneIsRefusedWithTheTextOfTheCommandAndNotStored) {
  const std::string mesh =
      R"({"tenon": 1, "title": "A mesh", "unit": "mm", "duration_s": 1,
          "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
          "parts": [{"name": "cube", "material": "steel",
                     "shape": {"kind": "mesh", "file": "cube.obj", "unit": "mm"}}]})";
  std::string unknown = kScene;
  unknown.insert(1, "\"no_such_key\": 1, ");
  const auto refused = [this](const std::string& text, const std::map<std::string, std::string>& files,
                              const std::string& expected) {
    v1::Scene scene;
    const grpc::Status status = upload(text, files, scene);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT) << status.error_message();
    EXPECT_NE(status.error_message().find(expected), std::string::npos) << status.error_message();
  };
  refused(unknown, {}, "boxes.json: /no_such_key");
  refused("{", {}, "boxes.json");
  refused(mesh, {}, "cube.obj");
  refused(mesh, {{"cube.obj", "v 1 2\n"}}, "cube.obj");
  refused(mesh, {{"../cube.obj", "v 1 2\n"}}, "cube.obj");
  grpc::ClientContext listing;
  v1::ListScenesResponse stored;
  EXPECT_TRUE(scenes_->List(&listing, {}, &stored).ok());
  EXPECT_EQ(stored.scenes_size(), 1) << "the boxes alone";
}

TEST_F(Streams, AStoredSceneIsDownloadedAsItWasUploaded) {
  std::string cube;
  for (int x = 0; x < 2; ++x)
    for (int y = 0; y < 2; ++y)
      for (int z = 0; z < 2; ++z)
        cube += "v " + std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + "\n";
  cube += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n#" + std::string(600'000, ' ') +
          "\n";
  const std::string text =
      R"({"tenon": 1, "title": "A mesh", "unit": "mm", "duration_s": 1,
          "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
          "parts": [{"name": "cube", "material": "steel",
                     "shape": {"kind": "mesh", "file": "cube.obj", "unit": "mm"}}]})";
  v1::Scene scene;
  const grpc::Status uploaded = upload(text, {{"cube.obj", cube}}, scene);
  ASSERT_TRUE(uploaded.ok()) << uploaded.error_message();
  grpc::ClientContext context;
  v1::DownloadSceneRequest request;
  request.set_id(scene.id());
  const auto parts = scenes_->Download(&context, request);
  v1::DownloadSceneResponse part;
  ASSERT_TRUE(parts->Read(&part));
  EXPECT_EQ(part.scene().name(), "boxes.json");
  EXPECT_EQ(part.scene().text(), text);
  std::string bytes;
  while (parts->Read(&part)) {
    EXPECT_EQ(part.file().path(), "cube.obj");
    bytes += part.file().data();
  }
  EXPECT_TRUE(parts->Finish().ok());
  EXPECT_EQ(bytes, cube);
}

}  // namespace
}  // namespace tenon::tests::streams_test
