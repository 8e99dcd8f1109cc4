// How deep the boxes of a scene overlap each other and its half-spaces, from corners and poses alone: calls
// no engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "tests/support/convex_overlap.h"

namespace tenon::tests {

class BoxProbe {
 public:
  explicit BoxProbe(const content::Scene& scene) {
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
      const content::Part& part = scene.parts[i];
      if (const auto* box = std::get_if<physics::Box>(&part.shape))
        boxes_.push_back({static_cast<int>(i), box->halfExtents});
      else if (std::holds_alternative<physics::HalfSpace>(part.shape))
        planes_.push_back(part.X_WP);
    }
  }

  std::size_t boxCount() const { return boxes_.size(); }

  /// Deepest overlap in the present state of `world` [m]; at most 0 without one.
  double worst(const physics::World& world) const {
    std::vector<physics::Pose> poses;
    std::vector<ConvexBody> bodies;
    for (const Box& box : boxes_) {
      const physics::BodyId id{box.body};
      poses.push_back(world.partPose(id, world.stepResult().bodies[static_cast<std::size_t>(box.body)]));
      bodies.push_back(boxBody(box.halfExtents, poses.back()));
    }
    double deepest = -HUGE_VAL;
    for (std::size_t a = 0; a < boxes_.size(); ++a) {
      for (const physics::Pose& X_WS : planes_)
        for (const physics::Vector3d& corner : bodies[a].corners)
          deepest = std::max(deepest, -(X_WS.inverse() * corner).z());
      for (std::size_t b = a + 1; b < boxes_.size(); ++b)
        if ((poses[a].p - poses[b].p).norm() < boxes_[a].halfExtents.norm() + boxes_[b].halfExtents.norm())
          deepest = std::max(deepest, overlapOf(bodies[a], bodies[b]));
    }
    return deepest;
  }

 private:
  struct Box {
    int body = 0;
    physics::Vector3d halfExtents;
  };
  std::vector<Box> boxes_;
  std::vector<physics::Pose> planes_;  ///< of half-spaces, which are solid below z = 0
};

}  // namespace tenon::tests
