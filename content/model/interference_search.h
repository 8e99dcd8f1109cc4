// Overlaps of the parts of a scene in several poses.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "content/model/build_world.h"
#include "physics/collision/collider.h"

namespace tenon::content {

/// Most of the time is that of the constructor, which prepares the shapes.
class InterferenceSearch {
 public:
  explicit InterferenceSearch(const Scene& scene);

  /// Pairs of parts that overlap by more than `tolerance` [m] in their start poses, in the order of the
  /// parts. Stops after `maxCount` pairs. `scene`: that of the constructor, or one with the same shapes in
  /// the same order.
  std::vector<Interference> find(const Scene& scene, double tolerance,
                                 std::size_t maxCount = std::numeric_limits<std::size_t>::max());

 private:
  std::unique_ptr<physics::Collider> collider_;
};

}  // namespace tenon::content
