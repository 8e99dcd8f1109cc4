// The service as far as this program was built with it.
#pragma once

#include <memory>
#include <string>

#include "runtime/live_view/begin_live.h"
#include "runtime/session/command_line.h"

namespace tenon::service {
struct ServeOptions;
}

namespace tenon::runtime {

/// Version of gRPC; "" if built without.
std::string grpcVersion();

/// The options --connect, --session, --token-file, --ca, --client-certificate and --client-key.
struct ConnectSettings {
  std::string address;  ///< empty: sessions run in this process
  std::string session;  ///< id; empty: none
  std::string tokenFile, authority, certificate, key;
};
/// Adds the options to a command that reads a scene; `settings` must outlive it.
void addConnect(CLI::App& command, ConnectSettings& settings);
/// Where the sessions of these options run. Throws content::InputError for a server that refuses them, and
/// content::MissingComponent without gRPC or an answer.
std::shared_ptr<LiveSource> sessionsOf(const ConnectSettings& settings);

/// service::runServer(), with the default data folder if there is none. Throws content::MissingComponent
/// without gRPC.
int serve(service::ServeOptions options);
/// service::runWorker(). Throws content::MissingComponent without gRPC.
int serveWorker(int channel, int lifeline);

}  // namespace tenon::runtime
