// Runs a loop whose items do not depend on each other on all processors.
#pragma once

#include <cstddef>
#include <functional>

namespace tenon::physics {

/// Calls task(first, last) for consecutive ranges of at most `grain` ≥ 1 items, which together are [0,
/// count), on as many threads as there are processors. The ranges do not depend on the number of threads, so
/// that results do not where each range writes to places of its own. After the last range, throws the
/// exception of the first range that has thrown one. Starts threads: for preparation, not within a step.
void parallelFor(std::size_t count, std::size_t grain,
                 const std::function<void(std::size_t first, std::size_t last)>& task);

}  // namespace tenon::physics
