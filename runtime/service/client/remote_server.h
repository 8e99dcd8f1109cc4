// A client of `tenon serve`: the C++ side of tenon.connect().
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/session/run_scene.h"
#include "tenon/v1/records.grpc.pb.h"
#include "tenon/v1/scenes.grpc.pb.h"
#include "tenon/v1/server.grpc.pb.h"
#include "tenon/v1/sessions.grpc.pb.h"
#include "tenon/v1/solve.grpc.pb.h"

namespace tenon::service {

/// Where a server is, and who calls it.
struct ConnectOptions {
  std::string address;  ///< "unix:PATH" or "HOST:PORT"
  std::string token;    ///< empty: none
  std::string
      authority;  ///< PEM file of the authority that signed the server's certificate; empty: the system's
  std::string certificate, key;  ///< PEM files of the client's own certificate; empty: none
};

/// The connection to a server. All members may be called from any thread, and throw StatusError with the
/// server's text. A local address without `authority` is not encrypted, any other one is.
class RemoteServer : public std::enable_shared_from_this<RemoteServer> {
 public:
  /// Connects. Throws content::InputError for a text that is no address, or a file that cannot be read.
  explicit RemoteServer(const ConnectOptions& options);

  /// As the server reported it when the connection was made.
  const v1::Identity& identity() const { return identity_; }
  const std::string& address() const { return options_.address; }

  /// Uploads a scene unless the server has it; returns its id.
  std::string upload(const runtime::LoadedScene& scene);
  void deleteScene(const std::string& scene);
  /// A stored scene with its files, read with the parameters' values.
  runtime::LoadedScene download(const v1::Scene& scene, const content::ParameterValues& parameters);
  v1::Session create(const v1::CreateSessionRequest& request);
  std::vector<v1::Session> sessions();
  /// A session that runs, with its scene. Throws content::InputError, for `field`, if there is none with this
  /// id.
  v1::Session runningSession(const std::string& field, const std::string& id);
  runtime::LoadedScene sceneOf(const v1::Session& session);
  std::vector<v1::Record> records();
  /// Writes a record to a file. Throws content::InputError if it exists, without `force`, or cannot be
  /// written.
  void download(const std::string& record, const std::string& file, bool force);
  void deleteRecord(const std::string& record);
  v1::VerifyRecordResponse verify(const std::string& record);
  /// The bytes of the HTML report of a record.
  std::string report(const std::string& record);
  v1::SolveResponse solve(const v1::SolveRequest& request);
  /// The scenes that the server has.
  std::vector<v1::Scene> scenes();
  /// The object that `tenon check --json` prints.
  std::string check(const v1::CheckSceneRequest& request);
  /// The bytes of an image (PNG).
  std::string thumbnail(const v1::ThumbnailRequest& request);

  std::shared_ptr<RemoteServer> shared() { return shared_from_this(); }
  v1::Sessions::StubInterface& sessionsStub() { return *sessions_; }
  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  /// Throws StatusError with the server's text unless `status`, of a call, is OK.
  void require(const grpc::Status& status) const;
  /// Metadata for a call.
  void prepare(grpc::ClientContext& context) const;

 private:
  ConnectOptions options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::Scenes::StubInterface> scenes_;
  std::unique_ptr<v1::Sessions::StubInterface> sessions_;
  std::unique_ptr<v1::Records::StubInterface> records_;
  std::unique_ptr<v1::Solver::StubInterface> solver_;
  v1::Identity identity_;
};

/// A session of a server. Members as in RemoteServer.
class RemoteSession {
 public:
  RemoteSession(std::shared_ptr<RemoteServer> server, v1::Session info)
      : server_(std::move(server)), info_(std::move(info)) {}

  const v1::Session& info() const { return info_; }
  /// How long every call but step() may take; without a limit, as long as the server answers.
  void setLimit(std::chrono::seconds limit) { limit_ = limit; }
  /// Computes steps. `interrupted` is called some times a second; if it returns true, the call ends between
  /// two steps.
  v1::State step(std::int64_t steps, const std::function<bool()>& interrupted);
  void apply(const v1::Command& command);
  v1::Pace control(const v1::ControlRequest& request);
  v1::State state();
  std::int64_t snapshot();
  v1::State restore(std::int64_t snapshot);
  /// True if its record is complete.
  bool close();
  RemoteServer& server() const { return *server_; }

 private:
  template <class Request, class Response>
  Response call(Request request,
                grpc::Status (v1::Sessions::StubInterface::*method)(grpc::ClientContext*, const Request&,
                                                                    Response*));

  std::shared_ptr<RemoteServer> server_;
  v1::Session info_;
  std::optional<std::chrono::seconds> limit_;
};

}  // namespace tenon::service
