// See worker_main.h.
#include "runtime/service/worker/worker_main.h"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_posix.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

#include "runtime/service/messages/keepalive.h"
#include "runtime/service/messages/status.h"
#include "runtime/service/worker/worker_service.h"
#include "runtime/session/exit_code.h"

namespace tenon::service {

int runWorker(int channel, int lifeline) {
  silenceGrpc();
  // The server decides when the session ends, also at Ctrl-C in its terminal.
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) std::signal(signal, SIG_IGN);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  WorkerService service;
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(-1);  // of the server, which has checked it
  // Not keepAlive(): a server that is stopped for a while (Ctrl-Z) keeps its sessions, and the end of the
  // server closes the lifeline.
  permitKeepalive(builder);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  grpc::AddInsecureChannelFromFd(server.get(), channel);
  char byte = 0;
  while (read(lifeline, &byte, 1) != 0 && errno == EINTR) {
  }
  service.finish("the server ended");
  server->Shutdown(std::chrono::system_clock::now());  // cancels streams, whose session has ended
  server->Wait();
  return runtime::kSuccess;
}

}  // namespace tenon::service
