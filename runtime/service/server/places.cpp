// See streams.h.
#include "runtime/service/server/streams.h"

#include <fmt/format.h>

#include <utility>

#include "runtime/service/messages/status.h"

namespace tenon::service {

Streams::Place::Place(Streams& streams, std::string client) : streams_(streams), client_(std::move(client)) {
  const std::lock_guard lock(streams_.mutex_);
  int& count = streams_.counts_[client_];
  if (count >= kMaxOfClient)
    throw StatusError(grpc::StatusCode::RESOURCE_EXHAUSTED,
                      fmt::format("{} streams are open, as many as a client may have; close one", count));
  ++count;
}

Streams::Place::~Place() {
  const std::lock_guard lock(streams_.mutex_);
  const auto at = streams_.counts_.find(client_);
  if (--at->second == 0) streams_.counts_.erase(at);
}

}  // namespace tenon::service
