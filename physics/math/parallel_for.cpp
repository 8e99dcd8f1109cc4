// See parallel_for.h.
#include "physics/math/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tenon::physics {

void parallelFor(std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t first, std::size_t last)>& task) {
  const std::size_t ranges = (count + grain - 1) / grain;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t errorRange = ranges;
  const auto work = [&] {
    for (std::size_t range = next++; range < ranges; range = next++) try {
        task(range * grain, std::min(count, (range + 1) * grain));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (range < errorRange) errorRange = range, error = std::current_exception();
      }
  };
  {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    try {
      for (std::size_t k = 1; k < std::min(processors, ranges); ++k) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // Those that could be started do the work.
    }
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace tenon::physics
