// The only file that is compiled differently without gRPC.
#include "runtime/commands/service_support.h"

#include <utility>

#include "runtime/service/server/serve_options.h"
#ifdef TENON_GRPC
#include "runtime/service/http/web_server.h"
#include "runtime/service/server/server.h"
#include "runtime/service/worker/worker_main.h"
#else
#include "content/step/read_step.h"
#endif

namespace tenon::runtime {

#ifdef TENON_GRPC
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
      "serve: this program was built without gRPC; install libgrpc++-dev libprotobuf-dev "
      "protobuf-compiler-grpc "
      "libssl-dev libboost-dev, then configure and build again");
}
}  // namespace

std::string grpcVersion() {
  return {};
}
int serve(service::ServeOptions /*options*/) {
  failWithoutGrpc();
}
int serveWorker(int /*channel*/, int /*lifeline*/) {
  failWithoutGrpc();
}
#endif

}  // namespace tenon::runtime
