// See step_queue.h. The lock is held only while pointers are moved.
#include "runtime/record/step_queue.h"

#include <utility>

namespace tenon::runtime {

StepQueue::Entry StepQueue::acquire() {
  {
    const std::lock_guard lock(mutex_);
    if (!spares_.empty()) {
      Entry entry = std::move(spares_.back());
      spares_.pop_back();
      return entry;
    }
  }
  return std::make_unique<StepRecord>();
}

bool StepQueue::tryPush(Entry& entry, Span span) {
  const std::size_t bytes = entry->bytes();
  const std::lock_guard lock(mutex_);
  if (closed_ || !hasRoom(bytes, span)) return false;
  held_ += bytes;
  unsaved_ += span;
  entries_.push_back({std::move(entry), span});
  if (isWakeDue()) filled_.notify_one();
  return true;
}

void StepQueue::waitForRoom(std::size_t bytes, Span span) {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [&] { return closed_ || hasRoom(bytes, span); });
}

bool StepQueue::drain(std::vector<Entry>& entries, std::size_t most, std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  filled_.wait_for(lock, timeout, [this] { return closed_ || isWakeDue(); });
  const bool more = !closed_ || !entries_.empty();
  for (; most > 0 && !entries_.empty(); --most) {
    taken_ += entries_.front().span;
    entries.push_back(std::move(entries_.front().entry));
    entries_.pop_front();
  }
  return more;
}

void StepQueue::recycle(std::vector<Entry>& entries) {
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

void StepQueue::markSaved() {
  {
    const std::lock_guard lock(mutex_);
    unsaved_ -= taken_;
    taken_ = Span::zero();
  }
  freed_.notify_one();
}

bool StepQueue::isUrgent() const {
  const std::lock_guard lock(mutex_);
  return taken_ >= kUrgentSpan;
}

void StepQueue::close(bool discard) {
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
