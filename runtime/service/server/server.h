// The network service: `tenon serve`.
#pragma once

#include <string>

#include "runtime/service/server/serve_options.h"

namespace tenon::service {

/// Serves until SIGTERM or SIGINT, then completes all records and returns the exit code. Throws
/// content::InputError for settings that cannot be, before anything is served.
int runServer(const ServeOptions& options);

/// The default data folder: tenon/service in the user's data folder.
std::string defaultDataFolder();

}  // namespace tenon::service
