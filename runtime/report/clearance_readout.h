// How far two picked features are from each other: exact distances, and of a pin and a bore how they fit.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "content/model/scene.h"
#include "physics/collision/collider.h"
#include "xr/appearance/pick.h"

namespace tenon::runtime {

/// The smallest distance between the surfaces of two parts.
struct PartGap {
  double distance = 0;  ///< [m]; negative: they overlap by that much
  physics::Vector3d p_WA = physics::Vector3d::Zero(), p_WB = physics::Vector3d::Zero();  ///< where [m]
};

/// Two axes: how they lie to each other.
struct AxisFit {
  /// Of the second one's origin from the first one's line; of a hole, from the hole's [m].
  double offset = 0;
  double tilt = 0;   ///< between the two lines, 0…π/2 [rad]
  double depth = 0;  ///< of the origin below the first one's, of a hole below its mouth [m]
  /// The bore's diameter less the pin's, where one is a hole and the other a round part's axis [m].
  std::optional<double> clearance;
};

struct ClearanceReading {
  std::optional<PartGap> gap;   ///< none: of one part, or further apart than kMaxDistance
  std::optional<AxisFit> axes;  ///< where both are holes or axes
  std::string text;             ///< one line: "screw tip to plate hole: 0.400 mm of clearance, …"
};

/// Of one scene's parts, as they stand at any moment. Keeps the two parts that were measured last, so that a
/// reading may be taken for every picture.
class ClearanceReadout {
 public:
  static constexpr double kMaxDistance = 100;  ///< [m]

  /// The scene outlives it.
  explicit ClearanceReadout(const content::Scene& scene) : scene_(scene) {}

  ClearanceReading read(const xr::PickedFeature& a, const xr::PickedFeature& b,
                        std::span<const physics::Pose> X_WP);

  /// Exact, from the shapes that collide.
  std::optional<PartGap> gapBetween(int a, int b, std::span<const physics::Pose> X_WP);

 private:
  AxisFit axesOf(const xr::PickedFeature& a, const xr::PickedFeature& b,
                 std::span<const physics::Pose> X_WP) const;
  std::optional<double> clearanceOf(const xr::PickedFeature& hole, const xr::PickedFeature& pin) const;
  std::string nameOf(const xr::PickedFeature& feature) const;

  const content::Scene& scene_;
  int a_ = -1, b_ = -1;
  std::unique_ptr<physics::Collider> collider_;  ///< of these two parts
  physics::ContactSet contacts_;
};

}  // namespace tenon::runtime
