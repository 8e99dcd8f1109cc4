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
/// all of it but for the few records kept for their memory.
class TickQueue {
 public:
  using Entry = std::unique_ptr<TickRecord>;

  explicit TickQueue(std::size_t maxBytes) : maxBytes_(maxBytes) {}

  /// A record to fill in, with the memory of one that was given back where there is one.
  Entry fresh();
  /// False where there is no room: `entry` is then still the caller's.
  bool tryPush(Entry& entry);
  /// Returns when there is room, or the queue is closed.
  void waitForRoom(std::size_t bytes);

  /// Waits for `patience`, or until there is much, then appends what is there to `entries`, at most `most` of
  /// it. False where the queue is closed and empty.
  bool take(std::vector<Entry>& entries, std::size_t most, std::chrono::milliseconds patience);
  /// For their memory; empties `entries`.
  void giveBack(std::vector<Entry>& entries);

  /// Nothing is pushed from now on. With `discard`, what is queued is dropped.
  void close(bool discard);

 private:
  bool hasRoom(std::size_t bytes) const { return held_ == 0 || held_ + bytes <= maxBytes_; }

  static constexpr std::size_t kSpares = 256;
  static constexpr std::size_t kHurry = 256 << 10;  ///< with more than this the taker is woken [bytes]

  std::mutex mutex_;
  std::condition_variable filled_, freed_;
  std::deque<Entry> entries_;
  std::vector<Entry> spares_;
  std::size_t maxBytes_, held_ = 0;
  bool closed_ = false;
};

}  // namespace tenon::runtime
