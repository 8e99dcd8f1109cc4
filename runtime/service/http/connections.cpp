// See connections.h.
#include "runtime/service/http/connections.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tenon::service {

int Connections::add(const boost::asio::ip::address& from) {
  const std::lock_guard lock(mutex_);
  const auto ofAddress = static_cast<std::size_t>(
      std::count_if(open_.begin(), open_.end(), [&](const auto& one) { return one.second.from == from; }));
  if (open_.size() >= kMax || ofAddress >= kMaxOfAddress) return 0;
  open_.emplace(++number_, Open{from, nullptr});
  return number_;
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
