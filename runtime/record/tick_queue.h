// Ticks on their way to the thread that writes them: bounded, and never waited for by physics.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/record/tick_record.h"

namespace tenon::runtime {

/// One thread pushes, one takes. What was taken counts as held until it is given back, so `maxBytes` bounds
/// all of it but for the few records kept for their memory. Its simulated time counts as unsaved until
/// saved(), so `maxSpan` bounds what a killed process loses; a single record always has room.
class TickQueue {
 public:
  using Entry = std::unique_ptr<TickRecord>;
  using Span = std::chrono::nanoseconds;  ///< simulated time

  static constexpr Span kEndless = Span::max();
  /// With this much unsaved it is time to save.
  static constexpr Span kHurrySpan = std::chrono::milliseconds(50);

  explicit TickQueue(std::size_t maxBytes, Span maxSpan = kEndless)
      : maxBytes_(maxBytes), maxSpan_(maxSpan) {}

  /// A record to fill in, with the memory of one that was given back where there is one.
  Entry fresh();
  /// False where there is no room: `entry` is then still the caller's. `span`: of simulated time in it.
  bool tryPush(Entry& entry, Span span = Span::zero());
  /// Returns when there is room, or the queue is closed.
  void waitForRoom(std::size_t bytes, Span span = Span::zero());

  /// Waits for `patience`, or until there is much, then appends what is there to `entries`, at most `most` of
  /// it. False where the queue is closed and empty.
  bool take(std::vector<Entry>& entries, std::size_t most, std::chrono::milliseconds patience);
  /// For their memory; empties `entries`.
  void giveBack(std::vector<Entry>& entries);
  /// All that was taken so far is saved.
  void saved();
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
  bool isMuch() const { return held_ > kHurry || unsaved_ >= kHurrySpan; }

  static constexpr std::size_t kSpares = 256;
  static constexpr std::size_t kHurry = 256 << 10;  ///< with more than this the taker is woken [bytes]

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
