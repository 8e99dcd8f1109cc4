// Options of Baraff's direct method: part of the public headers.
#pragma once

#include <cstdint>

namespace tenon::physics {

/// Order in which contacts that still accelerate into each other are treated. Joints are treated first.
enum class NextContact {
  hybrid,      ///< in the given order; deferred ones by the most negative acceleration
  minAccel,    ///< the most negative acceleration
  random,      ///< drawn from a seed
  preOrdered,  ///< in the given order
};

/// Options of Baraff's method.
struct BaraffOptions {
  NextContact policy = NextContact::hybrid;  ///< order of contacts
  std::uint64_t seed = 1;                    ///< of NextContact::random
  int flipFlops = 20;  ///< steps of length zero that undo another one, before a contact is deferred
};

}  // namespace tenon::physics
