// The network service: `tenon serve`.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/service/server/serve_options.h"
#include "runtime/service/server/services.h"

namespace tenon::service {

/// The page for browsers on its own port, served while this exists.
class WebPort {
 public:
  WebPort() = default;
  virtual ~WebPort() = default;
  WebPort(const WebPort&) = delete;
  WebPort& operator=(const WebPort&) = delete;
  /// As browsers open it: "http://127.0.0.1:7180".
  virtual std::string address() const = 0;
};

/// Serves options.http; borrows the parts. Throws content::InputError for an address that cannot be served.
using MakeWebPort = std::function<std::unique_ptr<WebPort>(const ServiceParts& parts)>;

/// Serves until SIGTERM or SIGINT, then completes all records and returns the exit code. Throws
/// content::InputError for settings that cannot be, before anything is served.
int runServer(const ServeOptions& options, const MakeWebPort& makeWebPort);

/// The default data folder: tenon/service in the user's data folder.
std::string defaultDataFolder();

}  // namespace tenon::service
