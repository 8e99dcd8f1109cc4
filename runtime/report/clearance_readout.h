// Measures two picked features: exact distance, and the fit of a pin and a bore.
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
  double distance = 0;  ///< [m]; negative: overlap
  physics::Vector3d p_WA = physics::Vector3d::Zero(),
                    p_WB = physics::Vector3d::Zero();  ///< closest points [m]
};

/// Relative position of two axes.
struct AxisFit {
  /// Distance of the second axis' origin from the first axis; with a hole, from the hole's axis [m].
  double offset = 0;
  double tilt = 0;   ///< between the two lines, 0…π/2 [rad]
  double depth = 0;  ///< of that origin below the first one's, or below the hole's mouth [m]
  /// Diametral clearance, if one is a hole and the other the axis of a round part [m].
  std::optional<double> clearance;
};

struct ClearanceReading {
  std::optional<PartGap> gap;   ///< empty: same part, or farther apart than kMaxDistance
  std::optional<AxisFit> axes;  ///< if both are holes or axes
  std::string text;             ///< one line: "screw tip to plate hole: 0.400 mm of clearance, …"
};

/// Measures parts of one scene at given poses. Caches the collider of the last pair, so that a reading for
/// every rendered frame is cheap.
class ClearanceReadout {
 public:
  static constexpr double kMaxDistance = 100;  ///< [m]

  /// `scene` must outlive it.
  explicit ClearanceReadout(const content::Scene& scene) : scene_(scene) {}

  ClearanceReading read(const xr::PickedFeature& a, const xr::PickedFeature& b,
                        std::span<const physics::Pose> X_WP);

  /// Exact distance of the collision shapes.
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
