// Ticks on their way to the thread that writes them: bounded, and never waited for by physics.
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

/// One thread pushes, one takes. What was taken counts as held until it is given back, so `maxBytes` bounds
/// all of it but for the few records kept for their memory. Its simulated time counts as unsaved until
/// saved(), so `maxSpan` bounds what a killed process loses; a single record always has room.
class StepQueue {
 public:
  using Entry = std::unique_ptr<StepRecord>;
  using Span = std::chrono::nanoseconds;  ///< simulated time

  static constexpr Span kUnlimited = Span::max();
  /// With this much unsaved it is time to save.
  static constexpr Span kUrgentSpan = std::chrono::milliseconds(50);

  explicit StepQueue(std::size_t maxBytes, Span maxSpan = kUnlimited)
      : maxBytes_(maxBytes), maxSpan_(maxSpan) {}

  /// A record to fill in, with the memory of one that was given back where there is one.
  Entry acquire();
  /// False where there is no room: `entry` is then still the caller's. `span`: of simulated time in it.
  bool tryPush(Entry& entry, Span span = Span::zero());
  /// Returns when there is room, or the queue is closed.
  void waitForRoom(std::size_t bytes, Span span = Span::zero());

  /// Waits for `patience`, or until there is much, then appends what is there to `entries`, at most `most` of
  /// it. False where the queue is closed and empty.
  bool drain(std::vector<Entry>& entries, std::size_t most, std::chrono::milliseconds timeout);
  /// For their memory; empties `entries`.
  void recycle(std::vector<Entry>& entries);
  /// All that was taken so far is saved.
  void markSaved();
  /// True where so much has been taken since saved() that it is time to save.
  bool isUrgent() const;

  /// Nothing is pushed from now on. With `discard`, what is queued is dropped.
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
  static constexpr std::size_t kWakeBytes = 256 << 10;  ///< with more than this the taker is woken [bytes]

  mutable std::mutex mutex_;
  std::condition_variable filled_, freed_;
  std::deque<Queued> entries_;
  std::vector<Entry> spares_;
  std::size_t maxBytes_, held_ = 0;
  Span maxSpan_;
  Span unsaved_ = Span::zero(), taken_ = Span::zero();  ///< since saved(): pushed, and taken of it
  bool closed_ = false;
};

}  // namespace tenon::runtime
