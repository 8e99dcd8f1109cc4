// A fixed set of threads that solve islands. The assignment of islands to threads has no effect on results:
// islands share no data while they are solved.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon::physics {

class IslandWorkers {
 public:
  /// `threads` ≥ 1 includes the calling thread; 1 starts none.
  explicit IslandWorkers(int threads);
  ~IslandWorkers();
  IslandWorkers(const IslandWorkers&) = delete;
  IslandWorkers& operator=(const IslandWorkers&) = delete;

  int count() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls task(worker, item) for every item in [0, items); worker w executes w, w + count, … Returns when
  /// all are done. `task` must not throw.
  void run(int items, const std::function<void(int worker, int item)>& task);

 private:
  void work(int worker);
  void stop();

  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int, int)>* task_ = nullptr;
  int items_ = 0;
  int running_ = 0;
  std::uint64_t round_ = 0;
  bool stop_ = false;
  std::vector<std::jthread> threads_;  // last member: they use all others
};

}  // namespace tenon::physics
