// The page for browsers: HTTP and WebSocket on a port of its own.
#pragma once

#include <memory>

#include "runtime/service/server/server.h"

namespace tenon::service {

/// Serves `parts.options.http`; borrows the parts. Throws content::InputError for an address that cannot be
/// listened on.
std::unique_ptr<WebPort> startWebPort(const ServiceParts& parts);

}  // namespace tenon::service
