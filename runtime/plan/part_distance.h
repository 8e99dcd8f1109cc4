// Exact distances between the parts of a scene at any poses.
#pragma once

#include <memory>
#include <vector>

#include "content/model/scene.h"
#include "physics/collision/collider.h"

namespace tenon::runtime {

/// The parts of a scene as bodies of a collider whose frames are those of the parts. Not thread-safe.
class PartDistance {
 public:
  /// Copies the collision shapes.
  explicit PartDistance(const content::Scene& scene);

  /// Contacts of the parts at these poses with a separation up to `range` [m]; normals point from the part
  /// with the lower index into the other. Valid until the next call.
  const physics::ContactSet& contacts(int a, const physics::Pose& X_WA, int b, const physics::Pose& X_WB,
                                      double range);
  /// Smallest separation [m], negative where they overlap; `range` if it is larger.
  double separation(int a, const physics::Pose& X_WA, int b, const physics::Pose& X_WB, double range);

  const physics::Collider& collider() const { return *collider_; }

 private:
  std::unique_ptr<physics::Collider> collider_;
  physics::ContactSet contacts_;
};

}  // namespace tenon::runtime
