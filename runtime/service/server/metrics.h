// What a server measures of itself and its sessions, in the text format of Prometheus.
#pragma once

#include <string>

#include "runtime/service/server/services.h"

namespace tenon::service {

/// Requests the counters of each session from its process, 1 s at most for all. Names and meanings:
/// runtime/service/README.md.
std::string metricsText(const ServiceParts& parts);

}  // namespace tenon::service
