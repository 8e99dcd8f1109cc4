// One physical contact of a part with its hole's part: neighboring contact points as one.
#pragma once

#include <vector>

#include "runtime/assess/insertion_features.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

/// Points below this fraction of the largest force are ignored [-]: solvers spread a load over redundant
/// points, and these carry nothing.
inline constexpr double kMinForceFraction = 1e-3;
/// So are points below this force [N], a thousandth of kPushForce.
inline constexpr double kMinForce = 2e-4;

/// One physical contact: neighboring contact points between the same feature and surface. In the frame H.
struct ContactCluster {
  PartFeature feature = PartFeature::unnamed;
  HoleSurface surface = HoleSurface::unnamed;
  int points = 0;
  Vector3d p_H = Vector3d::Zero();         ///< weighted by force [m]
  Vector3d normal_H = Vector3d::Zero();    ///< sum of the normal forces on the part [N]
  Vector3d friction_H = Vector3d::Zero();  ///< on the part [N]
  double force = 0;                        ///< sum of the normal forces' magnitudes [N]
  double mu = 0;                           ///< weighted by force [-]
  double depthSpan = 0;                    ///< between its highest and lowest point [m]
  double arc = 0;                          ///< angle about the hole's axis that its points cover [rad]
  double radius = 0;                       ///< distance from the hole's axis, weighted by force [m]

  double depth() const { return -p_H.z(); }  ///< below the mouth [m]
  double phase() const;                      ///< angle about the axis from H's x; undefined for a ring [rad]
};

/// The cluster of one point.
ContactCluster clusterOf(const InsertionContactPoint& point, PartFeature feature, HoleSurface surface);

/// Adds forces and points; spans are unchanged.
void addTo(ContactCluster& cluster, const ContactCluster& more);

/// The points whose force counts, in their order; pointers into `points`.
std::vector<const InsertionContactPoint*> carryingPoints(const std::vector<InsertionContactPoint>& points);

/// The full circle minus the largest gap between `phases` [rad]; sorts them.
double coveredArc(std::vector<double>& phases);

}  // namespace tenon::runtime
