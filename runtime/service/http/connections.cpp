// See connections.h.
#include "runtime/service/http/connections.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tenon::service {

Connections::Added Connections::add(const boost::asio::ip::address& from) {
  const std::lock_guard lock(mutex_);
  std::size_t served = 0, servedOfAddress = 0, refusedOfAddress = 0;
  for (const auto& [number, one] : open_) {
    served += one.refused ? 0 : 1;
    if (one.from == from) ++(one.refused ? refusedOfAddress : servedOfAddress);
  }
  const bool refused = served >= kMax || servedOfAddress >= kMaxOfAddress;
  if (refused && (open_.size() - served >= kMaxRefused || refusedOfAddress >= kMaxRefusedOfAddress))
    return {};
  open_.emplace(++number_, Open{from, refused, nullptr});
  return {number_, refused};
}

void Connections::setClose(int number, std::function<void()> close) {
  const std::lock_guard lock(mutex_);
  open_[number].close = std::move(close);
}

void Connections::remove(int number) {
  const std::lock_guard lock(mutex_);
  open_.erase(number);
  removed_.notify_all();
}

void Connections::closeAll(std::chrono::steady_clock::time_point limit) {
  std::unique_lock lock(mutex_);
  for (const auto& [number, one] : open_)
    if (one.close) one.close();
  removed_.wait_until(lock, limit, [this] {
    return std::none_of(open_.begin(), open_.end(),
                        [](const auto& one) { return one.second.close != nullptr; });
  });
}

}  // namespace tenon::service
