// See remote_server.h.
#include "runtime/service/client/remote_server.h"

#include <fmt/format.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "content/input/file_source.h"
#include "content/input/input_error.h"
#include "runtime/service/messages/address.h"
#include "runtime/service/messages/keepalive.h"
#include "runtime/service/messages/scene_id.h"
#include "runtime/service/messages/status.h"
#include "runtime/session/atomic_file.h"

namespace tenon::service {

namespace {

using grpc::StatusCode;

constexpr std::chrono::seconds kConnectLimit{10};
constexpr std::size_t kChunkBytes = 1 << 20;
constexpr std::int64_t kStepsPerCall = 1'000'000;  ///< as the server allows

std::string pemFile(const char* argument, const std::string& path) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || text.empty()) throw content::InputError(argument, path, "cannot be read", "name a PEM file");
  return text;
}

std::shared_ptr<grpc::ChannelCredentials> channelCredentials(const ConnectOptions& options,
                                                             const Address& address) {
  if (address.isLocal && options.authority.empty()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions tls;
  tls.pem_root_certs = pemFile("authority", options.authority);
  tls.pem_cert_chain = pemFile("certificate", options.certificate);
  tls.pem_private_key = pemFile("key", options.key);
  return grpc::SslCredentials(tls);
}

/// Throws unless `status` is OK; a server that does not answer is named.
void requireAnswer(const grpc::Status& status, const std::string& address) {
  if (status.error_code() == StatusCode::UNAVAILABLE || status.error_code() == StatusCode::DEADLINE_EXCEEDED)
    throw StatusError(status.error_code(),
                      fmt::format("{}: no server answers ({}); start tenon serve, or correct the "
                                  "address",
                                  address, status.error_message()));
  requireOk(status);
}

}  // namespace

RemoteServer::RemoteServer(const ConnectOptions& options) : options_(options) {
  silenceGrpc();
  const Address address = parseAddress(options.address, "connect");
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);  // a slow reader gets new states, not old ones
  // A connection of its own: one that the process had to an earlier server of this address may be broken.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  keepAlive(arguments);
  channel_ = grpc::CreateCustomChannel(address.text, channelCredentials(options, address), arguments);
  scenes_ = v1::Scenes::NewStub(channel_);
  sessions_ = v1::Sessions::NewStub(channel_);
  records_ = v1::Records::NewStub(channel_);
  solver_ = v1::Solver::NewStub(channel_);
  grpc::ClientContext context;
  prepare(context);
  context.set_deadline(std::chrono::system_clock::now() + kConnectLimit);
  const auto stub = v1::Server::NewStub(channel_);
  const grpc::Status status = stub->GetIdentity(&context, {}, &identity_);
  if (status.error_code() == StatusCode::UNIMPLEMENTED)
    throw StatusError(
        status.error_code(),
        fmt::format("{}: is not a server of tenon.v1; use programs of the same version", options.address));
  requireAnswer(status, options.address);
}

void RemoteServer::require(const grpc::Status& status) const {
  requireAnswer(status, address());
}

void RemoteServer::prepare(grpc::ClientContext& context) const {
  if (!options_.token.empty()) context.AddMetadata("authorization", "Bearer " + options_.token);
}

std::string RemoteServer::upload(const runtime::LoadedScene& scene) {
  const std::string name = std::filesystem::path(scene.scene->file).filename().string();
  const std::string id = sceneId(name, scene.text, scene.meshFiles);
  v1::Scene stored;
  {
    grpc::ClientContext context;
    prepare(context);
    v1::GetSceneRequest request;
    request.set_id(id);
    const grpc::Status status = scenes_->Get(&context, request, &stored);
    if (status.ok()) return id;
    if (status.error_code() != StatusCode::NOT_FOUND) requireAnswer(status, address());
  }
  grpc::ClientContext context;
  prepare(context);
  const auto writer = scenes_->Upload(&context, &stored);
  v1::UploadRequest request;
  request.mutable_scene()->set_name(name);
  request.mutable_scene()->set_text(scene.text);
  bool open = writer->Write(request);
  for (const auto& [path, bytes] : scene.meshFiles)
    for (std::size_t begin = 0; open && (begin == 0 || begin < bytes.size()); begin += kChunkBytes) {
      request.mutable_file()->set_path(path);
      request.mutable_file()->set_data(bytes.substr(begin, kChunkBytes));
      open = writer->Write(request);
    }
  writer->WritesDone();
  requireAnswer(writer->Finish(), address());
  return stored.id();
}

v1::Session RemoteServer::runningSession(const std::string& field, const std::string& id) {
  for (const v1::Session& session : sessions()) {
    if (session.id() != id) continue;
    if (session.running()) return session;
    throw content::InputError(field, id, "has ended: " + session.ended(), "name one that runs");
  }
  throw content::InputError(field, id, "is not a session of this server",
                            "name one that tenon.connect(…).sessions() lists");
}

runtime::LoadedScene RemoteServer::sceneOf(const v1::Session& session) {
  return download(session.scene(), {session.parameters().begin(), session.parameters().end()});
}

runtime::LoadedScene RemoteServer::download(const v1::Scene& scene,
                                            const content::ParameterValues& parameters) {
  grpc::ClientContext context;
  prepare(context);
  v1::DownloadSceneRequest request;
  request.set_id(scene.id());
  const auto reader = scenes_->Download(&context, request);
  runtime::LoadedScene loaded;
  for (v1::DownloadSceneResponse part; reader->Read(&part);) {
    if (part.has_scene()) loaded.text = part.scene().text();
    if (part.has_file()) loaded.meshFiles[part.file().path()] += part.file().data();
  }
  requireAnswer(reader->Finish(), address());
  content::StoredFileSource files(scene.name(), loaded.meshFiles);
  content::MeshReadOptions options;
  options.files = &files;
  loaded.scene = std::make_shared<const content::Scene>(
      content::parseScene(loaded.text, scene.name(), parameters, options));
  return loaded;
}

v1::Session RemoteServer::create(const v1::CreateSessionRequest& request) {
  grpc::ClientContext context;
  prepare(context);
  v1::Session session;
  requireAnswer(sessions_->Create(&context, request, &session), address());
  return session;
}

std::vector<v1::Session> RemoteServer::sessions() {
  grpc::ClientContext context;
  prepare(context);
  v1::ListSessionsResponse response;
  requireAnswer(sessions_->List(&context, {}, &response), address());
  return {response.sessions().begin(), response.sessions().end()};
}

std::vector<v1::Record> RemoteServer::records() {
  grpc::ClientContext context;
  prepare(context);
  v1::ListRecordsResponse response;
  requireAnswer(records_->List(&context, {}, &response), address());
  return {response.records().begin(), response.records().end()};
}

void RemoteServer::download(const std::string& record, const std::string& file, bool force) {
  if (!force && std::filesystem::exists(file))
    throw content::InputError(file, "", "exists", "name another file, or overwrite it with force");
  grpc::ClientContext context;
  prepare(context);
  v1::DownloadRecordRequest request;
  request.set_id(record);
  const auto reader = records_->Download(&context, request);
  runtime::AtomicFile out(file);
  for (v1::RecordChunk chunk; reader->Read(&chunk);) out.append(chunk.data());
  requireAnswer(reader->Finish(), address());
  out.commit("");
}

void RemoteServer::deleteRecord(const std::string& record) {
  grpc::ClientContext context;
  prepare(context);
  v1::DeleteRecordRequest request;
  request.set_id(record);
  v1::DeleteRecordResponse response;
  requireAnswer(records_->Delete(&context, request, &response), address());
}

void RemoteServer::deleteScene(const std::string& scene) {
  grpc::ClientContext context;
  prepare(context);
  v1::DeleteSceneRequest request;
  request.set_id(scene);
  v1::DeleteSceneResponse response;
  requireAnswer(scenes_->Delete(&context, request, &response), address());
}

v1::VerifyRecordResponse RemoteServer::verify(const std::string& record) {
  grpc::ClientContext context;
  prepare(context);
  v1::VerifyRecordRequest request;
  request.set_id(record);
  v1::VerifyRecordResponse response;
  requireAnswer(records_->Verify(&context, request, &response), address());
  return response;
}

std::string RemoteServer::report(const std::string& record) {
  grpc::ClientContext context;
  prepare(context);
  v1::ReportRecordRequest request;
  request.set_id(record);
  const auto reader = records_->Report(&context, request);
  std::string html;
  for (v1::RecordChunk chunk; reader->Read(&chunk);) html += chunk.data();
  requireAnswer(reader->Finish(), address());
  return html;
}

v1::SolveResponse RemoteServer::solve(const v1::SolveRequest& request) {
  grpc::ClientContext context;
  prepare(context);
  v1::SolveResponse response;
  requireAnswer(solver_->Solve(&context, request, &response), address());
  return response;
}

std::vector<v1::Scene> RemoteServer::scenes() {
  grpc::ClientContext context;
  prepare(context);
  v1::ListScenesResponse response;
  requireAnswer(scenes_->List(&context, {}, &response), address());
  return {response.scenes().begin(), response.scenes().end()};
}

std::string RemoteServer::check(const v1::CheckSceneRequest& request) {
  grpc::ClientContext context;
  prepare(context);
  v1::CheckSceneResponse response;
  requireAnswer(scenes_->Check(&context, request, &response), address());
  return response.json();
}

std::string RemoteServer::thumbnail(const v1::ThumbnailRequest& request) {
  grpc::ClientContext context;
  prepare(context);
  v1::ThumbnailResponse response;
  requireAnswer(scenes_->Thumbnail(&context, request, &response), address());
  return response.png();
}

template <class Request, class Response>
Response RemoteSession::call(Request request,
                             grpc::Status (v1::Sessions::StubInterface::*method)(grpc::ClientContext*,
                                                                                 const Request&, Response*)) {
  grpc::ClientContext context;
  server_->prepare(context);
  if (limit_) context.set_deadline(std::chrono::system_clock::now() + *limit_);
  request.set_session(info_.id());
  Response response;
  const grpc::Status status = (server_->sessionsStub().*method)(&context, request, &response);
  if (status.error_code() == StatusCode::DEADLINE_EXCEEDED && limit_)
    throw StatusError(status.error_code(), fmt::format("{}: the session has not answered for {} s",
                                                       server_->address(), limit_->count()));
  requireAnswer(status, server_->address());
  return response;
}

v1::State RemoteSession::step(std::int64_t steps, const std::function<bool()>& interrupted) {
  constexpr std::chrono::milliseconds kInterruptCheck{50};
  v1::State state;
  while (steps > 0) {
    grpc::ClientContext context;
    server_->prepare(context);
    v1::StepRequest request;
    request.set_session(info_.id());
    request.set_steps(std::min(steps, kStepsPerCall));
    steps -= request.steps();
    grpc::CompletionQueue queue;
    grpc::Status status;
    const auto pending = server_->sessionsStub().AsyncStep(&context, request, &queue);
    pending->Finish(&state, &status, nullptr);
    void* tag = nullptr;
    bool ok = false, canceled = false;
    while (queue.AsyncNext(&tag, &ok, std::chrono::system_clock::now() + kInterruptCheck) ==
           grpc::CompletionQueue::TIMEOUT) {
      if (canceled || !interrupted()) continue;
      canceled = true;
      context.TryCancel();
    }
    if (canceled) return state;
    requireAnswer(status, server_->address());
  }
  return state;
}

void RemoteSession::apply(const v1::Command& command) {
  v1::ApplyRequest request;
  *request.add_commands() = command;
  call(request, &v1::Sessions::StubInterface::Apply);
}

v1::Pace RemoteSession::control(const v1::ControlRequest& request) {
  return call(request, &v1::Sessions::StubInterface::Control);
}

v1::State RemoteSession::state() {
  return call(v1::GetStateRequest(), &v1::Sessions::StubInterface::GetState);
}

std::int64_t RemoteSession::snapshot() {
  return call(v1::SnapshotRequest(), &v1::Sessions::StubInterface::Snapshot).snapshot();
}

v1::State RemoteSession::restore(std::int64_t snapshot) {
  v1::RestoreRequest request;
  request.set_snapshot(snapshot);
  return call(request, &v1::Sessions::StubInterface::Restore);
}

bool RemoteSession::close() {
  return call(v1::CloseSessionRequest(), &v1::Sessions::StubInterface::Close).record_complete();
}

}  // namespace tenon::service
