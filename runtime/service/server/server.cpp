// See server.h.
#include "runtime/service/server/server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "content/input/input_error.h"
#include "runtime/service/messages/address.h"
#include "runtime/service/messages/keepalive.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/server/access.h"
#include "runtime/service/server/calls_in_progress.h"
#include "runtime/service/server/credentials.h"
#include "runtime/service/server/services.h"
#include "runtime/session/exit_code.h"

namespace tenon::service {

namespace fs = std::filesystem;

namespace {

using content::InputError;

constexpr int kMaxMessageBytes = 8 << 20;
constexpr std::chrono::seconds kAnswerLimit{5};      ///< for the last answers of a server that stops
constexpr int kMaxThreads = 1024;                    ///< each call in progress has one
constexpr int kMaxStreams = 256, kMaxDownloads = 4;  ///< of a client at once

/// The data folder, used by one server at a time.
class DataFolder {
 public:
  explicit DataFolder(const std::string& path) : path_(path) {
    std::error_code error;
    fs::create_directories(path_ + "/scenes", error);
    fs::create_directories(path_ + "/records", error);
    fs::create_directories(path_ + "/studies", error);
    lock_ = open((path_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock_ < 0 || !fs::is_directory(path_ + "/studies"))
      throw InputError("--data", path, "cannot be written", "name a folder inside a writable folder");
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
      throw InputError("--data", path, "is in use by another server", "stop it, or name another folder");
    for (const std::string& folder : {scenes(), records(), studies()}) removeUnfinished(folder);
  }
  ~DataFolder() { close(lock_); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  std::string scenes() const { return path_ + "/scenes"; }
  std::string records() const { return path_ + "/records"; }
  std::string studies() const { return path_ + "/studies"; }

 private:
  /// What a server that was killed was writing.
  static void removeUnfinished(const std::string& folder) {
    std::error_code failed;
    for (const fs::directory_entry& file : fs::directory_iterator(folder, failed))
      if (file.path().extension() == ".part" || file.path().filename().string().starts_with(".copy-"))
        fs::remove(file, failed);
  }

  std::string path_;
  int lock_ = -1;
};

/// Blocks the signals that stop the server, for all threads that start later.
sigset_t blockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

/// Refuses an address that others can reach without TLS and tokens.
Address checkedAddress(const ServeOptions& options, const std::string& text, const char* option) {
  Address address = parseAddress(text, option);
  const bool isSecure = !options.certificate.empty() && !options.tokens.empty();
  if (!address.isLocal && !isSecure)
    throw InputError(option, address.text, "can be reached by others",
                     "add --certificate, --key and --tokens, or listen on a Unix socket or 127.0.0.1");
  return address;
}

Address listenAddress(const ServeOptions& options) {
  Address address = checkedAddress(
      options, options.listen.empty() ? "unix:" + options.data + "/tenon.sock" : options.listen, "--listen");
  requireFree(address);
  return address;
}

void requireValidHttp(const ServeOptions& options) {
  if (options.http.empty()) return;
  if (!checkedAddress(options, options.http, "--http").unixPath.empty())
    throw InputError("--http", options.http, "is a Unix socket, which browsers cannot open",
                     "give HOST:PORT, such as 127.0.0.1:7180");
}

std::unique_ptr<grpc::Server> start(const ServeOptions& options, const Address& address,
                                    const std::vector<std::unique_ptr<grpc::Service>>& services,
                                    const std::shared_ptr<CallsInProgress>& calls) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  keepAlive(builder);
  // Small buffers, so that a slow reader gets new states.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  grpc::ResourceQuota quota;
  quota.SetMaxThreads(kMaxThreads);
  builder.SetResourceQuota(quota);
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(CallsInProgress::counter(calls));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  int port = -1;
  builder.AddListeningPort(address.text, serverCredentials(options), &port);
  for (const auto& service : services) builder.RegisterService(service.get());
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server || port == 0)
    throw InputError("--listen", address.text, "cannot be listened on: it is in use, or not of this machine",
                     "name another address");
  // What clients connect to, also where the system chose the port.
  const std::string shown = address.unixPath.empty()
                                ? fmt::format("{}:{}", address.text.substr(0, address.text.rfind(':')), port)
                                : address.text;
  fmt::print("tenon serves on {}\n", shown);
  std::fflush(stdout);
  return server;
}

}  // namespace

std::string defaultDataFolder() {
  const char* const data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && data[0] == '/') return std::string(data) + "/tenon/service";
  const char* const home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.local/share/tenon/service";
}

int runServer(const ServeOptions& options, const MakeWebPort& makeWebPort) {
  silenceGrpc();
  umask(S_IRWXG | S_IRWXO);  // scenes, records and the socket are the user's own
  const sigset_t stopSignals = blockStopSignals();
  const Address address = listenAddress(options);
  requireValidHttp(options);
  const Access access = options.tokens.empty() ? Access() : Access(options.tokens);
  const DataFolder folder(options.data);
  ServiceLog log;
  Accounts accounts(options);
  Jobs jobs(accounts, options.maxJobs);
  ClientQuota streams("streams", kMaxStreams);
  Downloads downloads(kMaxDownloads);
  SceneStore scenes(folder.scenes(), options, accounts, jobs);
  SessionTable sessions(folder.records(), options, scenes, accounts, log);
  StudyTable studies(folder.studies(), options, scenes, accounts, log);
  const ServiceParts parts{options,   access, accounts, jobs,    streams,
                           downloads, scenes, sessions, studies, log};
  std::vector<std::unique_ptr<grpc::Service>> services;
  services.push_back(makeServerService(parts));
  services.push_back(makeScenesService(parts));
  services.push_back(makeSessionsService(parts));
  services.push_back(makeRecordsService(parts));
  services.push_back(makeSolverService(parts));
  services.push_back(makeStudiesService(parts));
  const auto calls = std::make_shared<CallsInProgress>();
  std::unique_ptr<WebPort> web;  // first: where it cannot listen, no client has begun anything
  if (!options.http.empty()) web = makeWebPort(parts);
  const std::unique_ptr<grpc::Server> server = start(options, address, services, calls);
  if (web) fmt::print("tenon shows sessions on {}\n", web->address());
  std::fflush(stdout);
  log.write("server-started", {{"address", address.text}, {"data", options.data}});
  constexpr timespec kIdleCheck{.tv_sec = 1, .tv_nsec = 0};
  while (sigtimedwait(&stopSignals, nullptr, &kIdleCheck) < 0) sessions.supervise();
  log.write("server-stopping", {});
  server->GetHealthCheckService()->SetServingStatus(false);
  jobs.stop();
  sessions.closeAll("the server was stopped");
  studies.stopAll("the server was stopped");
  web.reset();
  calls->waitForNone(kAnswerLimit);  // the last answers, such as those of sessions that have ended
  server->Shutdown(std::chrono::system_clock::now());
  server->Wait();
  log.write("server-stopped", {});
  return runtime::kSuccess;
}

}  // namespace tenon::service
