// See island_workers.h.
#include "physics/step/island_workers.h"

namespace tenon::physics {

IslandWorkers::IslandWorkers(int threads) {
  try {
    for (int worker = 1; worker < threads; ++worker) threads_.emplace_back([this, worker] { work(worker); });
  } catch (...) {
    stop();  // threads already started would wait forever
    throw;
  }
}

IslandWorkers::~IslandWorkers() {
  stop();
}

void IslandWorkers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
}

void IslandWorkers::run(int items, const std::function<void(int, int)>& task) {
  if (threads_.empty() || items < 2) {
    for (int item = 0; item < items; ++item) task(0, item);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    items_ = items;
    running_ = static_cast<int>(threads_.size());
    ++round_;
  }
  start_.notify_all();
  for (int item = 0; item < items; item += count()) task(0, item);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
}

void IslandWorkers::work(int worker) {
  std::uint64_t seen = 0;
  while (true) {
    const std::function<void(int, int)>* task = nullptr;
    int items = 0;
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
      task = task_;
      items = items_;
    }
    for (int item = worker; item < items; item += count()) (*task)(worker, item);
    {
      const std::lock_guard lock(mutex_);
      --running_;
    }
    done_.notify_one();
  }
}

}  // namespace tenon::physics
