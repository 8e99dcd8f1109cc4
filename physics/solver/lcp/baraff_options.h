// Options of Baraff's direct method, apart from the method, for the headers that users of the library see.
#pragma once

#include <cstdint>

namespace tenon::physics {

/// Which contact to treat next, of those that still accelerate into each other. Joints come before all.
enum class NextContact {
  hybrid,      ///< in the order given; those deferred once by the most negative acceleration
  minAccel,    ///< the most negative acceleration
  random,      ///< drawn from a seed
  preOrdered,  ///< in the order given
};

/// Options of Baraff's method.
struct BaraffOptions {
  NextContact policy = NextContact::hybrid;  ///< order of contacts
  std::uint64_t seed = 1;                    ///< of NextContact::random
  int flipFlops = 20;  ///< steps of length zero that undo another one, before a contact is deferred
};

}  // namespace tenon::physics
