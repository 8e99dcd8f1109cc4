// Options of Baraff's direct method: part of the public headers.
#pragma once

#include <cstdint>
#include <vector>

namespace tenon::physics {

/// Order in which contacts that still accelerate into each other are treated. Joints are treated before all
/// contacts, in random order, so that no redundant joint is always the last one. Deferred contacts come after
/// the others, by the most negative acceleration. The policies are those of myPhysicsLab's 2D engine.
enum class NextContact {
  hybrid,      ///< the most negative acceleration
  minAccel,    ///< the same, and joints by the largest acceleration instead of at random
  random,      ///< drawn from a seed
  preOrdered,  ///< as BaraffOptions::order says, joints too
};

/// Options of Baraff's method.
struct BaraffOptions {
  NextContact policy = NextContact::hybrid;  ///< order of contacts
  std::uint64_t seed = 1;                    ///< of everything random, mixed with the problem's b
  int flipFlops = 20;  ///< steps of length zero that undo another one, before a contact is deferred
  /// Of NextContact::preOrdered: rows in the order of treatment, from 0. The others follow in their own
  /// order; entries that are not a row of the problem have no effect.
  std::vector<int> order = {};
};

}  // namespace tenon::physics
