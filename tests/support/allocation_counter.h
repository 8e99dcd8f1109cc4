// Counts heap allocations, for tests that say that something allocates nothing.
#pragma once

#include <cstdint>

namespace tenon::tests {

/// Blocks requested so far by the whole program, on all threads, whether through operator new, malloc
/// (as Eigen does) or their relatives.
std::int64_t allocationCount();

}  // namespace tenon::tests
