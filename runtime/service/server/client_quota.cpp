// See client_quota.h.
#include "runtime/service/server/client_quota.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/service/messages/status.h"

namespace tenon::service {

ClientQuota::Slot::Slot(ClientQuota& quota, std::string client) : quota_(quota), client_(std::move(client)) {
  const std::lock_guard lock(quota_.mutex_);
  int& count = quota_.counts_[client_];
  if (count >= quota_.most_)
    throw StatusError(
        grpc::StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{} {} are open, as many as a client may have; close one", count, quota_.kind_));
  ++count;
}

ClientQuota::Slot::~Slot() {
  const std::lock_guard lock(quota_.mutex_);
  const auto at = quota_.counts_.find(client_);
  if (--at->second == 0) quota_.counts_.erase(at);
}

}  // namespace tenon::service
