// See connections.h.
#include "runtime/service/http/connections.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tenon::service {

int Connections::add() {
  const std::lock_guard lock(mutex_);
  if (open_.size() >= kMax) return 0;
  open_.emplace(++number_, nullptr);
  return number_;
}

void Connections::setClose(int number, std::function<void()> close) {
  const std::lock_guard lock(mutex_);
  open_[number] = std::move(close);
}

void Connections::remove(int number) {
  const std::lock_guard lock(mutex_);
  open_.erase(number);
  removed_.notify_all();
}

void Connections::closeAll(std::chrono::steady_clock::time_point limit) {
  std::unique_lock lock(mutex_);
  for (const auto& [number, close] : open_)
    if (close) close();
  removed_.wait_until(lock, limit, [this] {
    return std::none_of(open_.begin(), open_.end(), [](const auto& one) { return one.second != nullptr; });
  });
}

}  // namespace tenon::service
