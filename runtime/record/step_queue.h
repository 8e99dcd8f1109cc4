// Bounded queue of steps from the simulation to the writing thread; pushing never waits for the disk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/record/step_record.h"

namespace tenon::runtime {

/// Single producer, single consumer. Drained entries count until they are recycled, so `maxBytes` bounds all
/// memory except the few spare records. Their simulated time counts as unsaved until markSaved(), so
/// `maxSpan` bounds the loss if the process is killed. A single record always has room.
class StepQueue {
 public:
  using Entry = std::unique_ptr<StepRecord>;
  using Span = std::chrono::nanoseconds;  ///< simulated time

  static constexpr Span kUnlimited = Span::max();
  /// From this much unsaved time on, isUrgent() is true.
  static constexpr Span kUrgentSpan = std::chrono::milliseconds(50);

  explicit StepQueue(std::size_t maxBytes, Span maxSpan = kUnlimited)
      : maxBytes_(maxBytes), maxSpan_(maxSpan) {}

  /// A record to fill in, reusing the memory of a recycled one if possible.
  Entry acquire();
  /// False if there is no room; the caller then keeps `entry`. `span`: its simulated time.
  bool tryPush(Entry& entry, Span span = Span::zero());
  /// Returns when there is room or the queue is closed.
  void waitForRoom(std::size_t bytes, Span span = Span::zero());

  /// Waits for `timeout` or until much is queued, then moves at most `most` entries to the end of `entries`.
  /// False if the queue is closed and empty.
  bool drain(std::vector<Entry>& entries, std::size_t most, std::chrono::milliseconds timeout);
  /// Returns entries for reuse of their memory; empties `entries`.
  void recycle(std::vector<Entry>& entries);
  /// Marks all drained entries as saved.
  void markSaved();
  /// True if kUrgentSpan has been drained since markSaved().
  bool isUrgent() const;

  /// Rejects further entries. With `discard`, drops the queued ones.
  void close(bool discard);

 private:
  struct Queued {
    Entry entry;
    Span span;
  };

  bool hasRoom(std::size_t bytes, Span span) const {
    return (held_ == 0 || held_ + bytes <= maxBytes_) &&
           (unsaved_ == Span::zero() || span <= maxSpan_ - unsaved_);
  }
  bool isWakeDue() const { return held_ > kWakeBytes || unsaved_ >= kUrgentSpan; }

  static constexpr std::size_t kSpares = 256;
  static constexpr std::size_t kWakeBytes = 256 << 10;  ///< from this size on the consumer is woken [bytes]

  mutable std::mutex mutex_;
  std::condition_variable filled_, freed_;
  std::deque<Queued> entries_;
  std::vector<Entry> spares_;
  std::size_t maxBytes_, held_ = 0;
  Span maxSpan_;
  Span unsaved_ = Span::zero(), taken_ = Span::zero();  ///< since markSaved(): pushed, and drained of it
  bool closed_ = false;
};

}  // namespace tenon::runtime
