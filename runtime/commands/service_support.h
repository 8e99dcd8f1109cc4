// The service as far as this program was built with it.
#pragma once

#include <string>

namespace tenon::service {
struct ServeOptions;
}

namespace tenon::runtime {

/// Version of gRPC; "" if built without.
std::string grpcVersion();

/// service::runServer(), with the default data folder if there is none. Throws content::MissingComponent
/// without gRPC.
int serve(service::ServeOptions options);
/// service::runWorker(). Throws content::MissingComponent without gRPC.
int serveWorker(int channel, int lifeline);

}  // namespace tenon::runtime
