// See tick_queue.h. The lock is held for moves of pointers alone.
#include "runtime/record/tick_queue.h"

#include <utility>

namespace tenon::runtime {

TickQueue::Entry TickQueue::fresh() {
  {
    const std::lock_guard lock(mutex_);
    if (!spares_.empty()) {
      Entry entry = std::move(spares_.back());
      spares_.pop_back();
      return entry;
    }
  }
  return std::make_unique<TickRecord>();
}

bool TickQueue::tryPush(Entry& entry, Span span) {
  const std::size_t bytes = entry->bytes();
  const std::lock_guard lock(mutex_);
  if (closed_ || !hasRoom(bytes, span)) return false;
  held_ += bytes;
  unsaved_ += span;
  entries_.push_back({std::move(entry), span});
  if (isMuch()) filled_.notify_one();
  return true;
}

void TickQueue::waitForRoom(std::size_t bytes, Span span) {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [&] { return closed_ || hasRoom(bytes, span); });
}

bool TickQueue::take(std::vector<Entry>& entries, std::size_t most, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  filled_.wait_for(lock, patience, [this] { return closed_ || isMuch(); });
  const bool more = !closed_ || !entries_.empty();
  for (; most > 0 && !entries_.empty(); --most) {
    taken_ += entries_.front().span;
    entries.push_back(std::move(entries_.front().entry));
    entries_.pop_front();
  }
  return more;
}

void TickQueue::giveBack(std::vector<Entry>& entries) {
  {
    const std::lock_guard lock(mutex_);
    for (Entry& entry : entries) {
      held_ -= entry->bytes();
      if (spares_.size() < kSpares) spares_.push_back(std::move(entry));
    }
  }
  entries.clear();
  freed_.notify_one();
}

void TickQueue::saved() {
  {
    const std::lock_guard lock(mutex_);
    unsaved_ -= taken_;
    taken_ = Span::zero();
  }
  freed_.notify_one();
}

bool TickQueue::isUrgent() const {
  const std::lock_guard lock(mutex_);
  return taken_ >= kHurrySpan;
}

void TickQueue::close(bool discard) {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    if (discard) {
      for (const Queued& queued : entries_) held_ -= queued.entry->bytes();
      entries_.clear();
    }
  }
  filled_.notify_one();
  freed_.notify_one();
}

}  // namespace tenon::runtime
