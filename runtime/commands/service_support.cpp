// The only file that is compiled differently without gRPC.
#include "runtime/commands/service_support.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <fstream>
#include <utility>

#include "content/input/input_error.h"
#include "content/step/read_step.h"

#include "runtime/service/server/serve_options.h"
#ifdef TENON_GRPC
#include "runtime/service/client/remote_source.h"
#include "runtime/service/http/web_server.h"
#include "runtime/service/server/server.h"
#include "runtime/service/worker/worker_main.h"
#endif

namespace tenon::runtime {

void addConnect(CLI::App& command, ConnectSettings& settings) {
  auto* connect = command
                      .add_option("--connect", settings.address,
                                  "Run the session on the server at this address: unix:PATH or HOST:PORT")
                      ->type_name("ADDRESS");
  command
      .add_option("--session", settings.session, "Join this running session of the server instead of SCENE")
      ->type_name("ID")
      ->needs(connect)
      ->excludes("SCENE");
  command.add_option("--token-file", settings.tokenFile, "File with the token of this client, on one line")
      ->type_name("FILE")
      ->needs(connect);
  command
      .add_option("--ca", settings.authority,
                  "Authority that signed the server's certificate (PEM); default: the system's")
      ->type_name("FILE")
      ->needs(connect);
  command
      .add_option("--client-certificate", settings.certificate,
                  "This client's own certificate, where the server requires one (PEM)")
      ->type_name("FILE")
      ->needs(connect);
  command.add_option("--client-key", settings.key, "Private key of that certificate (PEM)")
      ->type_name("FILE")
      ->needs(connect);
}

#ifdef TENON_GRPC
namespace {

std::string tokenIn(const std::string& path) {
  if (path.empty()) return {};
  std::ifstream file(path);
  std::string token;
  std::getline(file, token);
  if (!token.empty() && token.back() == '\r') token.pop_back();
  if (!file || token.empty())
    throw content::InputError("--token-file", path, "has no token", "name a file with the token on one line");
  return token;
}

}  // namespace

std::shared_ptr<LiveSource> sessionsOf(const ConnectSettings& settings) {
  if (settings.address.empty()) return localSessions();
  return service::remoteSessions(
      {settings.address, tokenIn(settings.tokenFile), settings.authority, settings.certificate, settings.key},
      settings.session);
}

std::string grpcVersion() {
  return TENON_GRPC;
}
int serve(service::ServeOptions options) {
  if (options.data.empty()) options.data = service::defaultDataFolder();
  return service::runServer(options, service::startWebPort);
}
int serveWorker(int channel, int lifeline) {
  return service::runWorker(channel, lifeline);
}
#else
namespace {
[[noreturn]] void failWithoutGrpc() {
  throw content::MissingComponent(
      "--connect, serve: this program was built without gRPC; install libgrpc++-dev libprotobuf-dev "
      "protobuf-compiler-grpc "
      "libssl-dev libboost-dev prometheus-cpp-dev, then configure and build again");
}
}  // namespace

std::string grpcVersion() {
  return {};
}
std::shared_ptr<LiveSource> sessionsOf(const ConnectSettings& settings) {
  if (settings.address.empty()) return localSessions();
  failWithoutGrpc();
}
int serve(service::ServeOptions /*options*/) {
  failWithoutGrpc();
}
int serveWorker(int /*channel*/, int /*lifeline*/) {
  failWithoutGrpc();
}
#endif

}  // namespace tenon::runtime
