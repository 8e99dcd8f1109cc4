// See places.h.
#include "runtime/service/server/places.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/service/messages/status.h"

namespace tenon::service {

Places::Place::Place(Places& places, std::string client) : places_(places), client_(std::move(client)) {
  const std::lock_guard lock(places_.mutex_);
  int& count = places_.counts_[client_];
  if (count >= places_.most_)
    throw StatusError(
        grpc::StatusCode::RESOURCE_EXHAUSTED,
        fmt::format("{} {} are open, as many as a client may have; close one", count, places_.kind_));
  ++count;
}

Places::Place::~Place() {
  const std::lock_guard lock(places_.mutex_);
  const auto at = places_.counts_.find(client_);
  if (--at->second == 0) places_.counts_.erase(at);
}

}  // namespace tenon::service
