// Parts that leave the work area of an interactive session, and where they belong.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <Eigen/Geometry>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::runtime {

/// A part out of reach is of no use to a person who stands at a table: it comes back to where it last lay.
class StrayParts {
 public:
  static constexpr double kMargin = 1;         ///< of the work area around all parts at the start [m]
  static constexpr double kRestSpeed = 0.005;  ///< slower parts that no hand holds lie still [m/s]

  /// Parts with joints never stray.
  explicit StrayParts(const content::Scene& scene);

  /// Remembers where parts lie after a step, and returns the free parts that have left the work area, with
  /// the poses to which they return.
  std::vector<physics::SetPose> update(const physics::World& world);

 private:
  Eigen::AlignedBox3d area_;            ///< [world, m]
  std::vector<bool> canStray_;          ///< by part
  std::vector<physics::Pose> X_WLain_;  ///< by part: where it last lay
};

}  // namespace tenon::runtime
