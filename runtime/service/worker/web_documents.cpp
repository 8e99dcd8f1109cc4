// See web_documents.h.
#include "runtime/service/worker/web_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/model/build_world.h"
#include "runtime/record/read_operations.h"
#include "runtime/record/session_reader.h"
#include "runtime/report/stop_causes.h"
#include "runtime/service/messages/state_messages.h"
#include "runtime/service/messages/status.h"
#include "runtime/session/session_scene.h"
#include "runtime/web/deflate.h"
#include "runtime/web/scene_json.h"
#include "runtime/web/session_document.h"

namespace tenon::service {

namespace {

constexpr std::size_t kDocumentChunkBytes = 1 << 20;

std::vector<physics::Pose> partPosesOf(const v1::State& state) {
  std::vector<physics::Pose> X_WP;
  for (const v1::PartState& part : state.parts()) X_WP.push_back(poseOf(part.pose()));
  return X_WP;
}

runtime::SessionEvent eventOf(const v1::Event& message) {
  runtime::SessionEvent event;
  event.tick = message.step();
  event.time = message.time();
  event.kind = message.kind();
  event.hand = message.hand();
  event.body = message.part();
  event.other = message.other();
  event.goal = message.goal();
  event.text = message.text();
  return event;
}

}  // namespace

std::string recordDocument(const std::string& file, const std::function<bool()>& isCanceled) {
  runtime::SessionReader session(file);
  const content::Scene scene = runtime::sceneOf(session.header());
  const physics::World world = content::buildWorld(scene, {});
  runtime::SessionDocument document(session, scene, world);
  auto operations = runtime::operationsOf(session, scene, world, [&](const runtime::Keyframe& frame) {
    if (isCanceled()) throw StatusError(grpc::StatusCode::CANCELLED, "the page was closed");
    document.add(frame);
  });
  runtime::explainStops(session, scene, operations);
  return runtime::deflated(document.bytes(operations));
}

std::string liveDocumentOf(const ServedSession& session, const v1::Session& info) {
  std::vector<runtime::SessionFact> facts{{"Scene", info.scene().name()},
                                          {"Session", info.id()},
                                          {"Rate", fmt::format("{:g} Hz", session.startRate())},
                                          {"Solver", info.solver()}};
  if (!info.owner().empty()) facts.push_back({"Started by", info.owner()});
  facts.push_back({"Record", info.record().empty() ? "no" : "yes"});
  return runtime::deflated(
      runtime::liveDocument(session.scene(), session.startPoses(), session.startRate(), facts));
}

void writeChunks(const std::string& bytes, grpc::ServerWriter<worker::DocumentChunk>& writer) {
  for (std::size_t at = 0; at < bytes.size(); at += kDocumentChunkBytes) {
    worker::DocumentChunk chunk;
    chunk.set_data(bytes.substr(at, kDocumentChunkBytes));
    if (!writer.Write(chunk)) return;
  }
}

worker::LiveFrame LiveFrameMaker::frame(const ServedSession::Observation& newest,
                                        const std::vector<v1::Event>& events) {
  const v1::Pace& pace = newest.state.pace();
  worker::LiveFrame frame;
  const std::vector<std::int64_t> row = frames_.row(
      {newest.tick, pace.playing(), pace.speed(), partPosesOf(newest.state), newest.step, newest.goals});
  frame.mutable_row()->Add(row.begin(), row.end());
  for (const v1::Event& message : events) {
    const runtime::SessionEvent event = eventOf(message);
    // As the record computes the time of a tick.
    const double time = static_cast<double>(event.tick) * (1 / session_.startRate());
    frame.add_events(runtime::eventJson(event, time, session_.scene())
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  frame.set_failure(pace.failure());
  return frame;
}

}  // namespace tenon::service
