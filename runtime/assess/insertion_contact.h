// Classifies the contact between a part and its hole: which feature on which surface, with what force, and
// whether it is a one-point or a two-point contact in the sense of Whitney.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/assess/insertion_features.h"
#include "runtime/assess/insertion_fit.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

enum class ContactState {
  none,       ///< no contact carries force
  onFace,     ///< on the face around the mouth, or on a counterbore's floor
  onRim,      ///< on the edge of the mouth or of the bore, with the tip's edge or face
  onChamfer,  ///< on the lead-in, or with the tip's own chamfer on an edge
  onePoint,   ///< in the bore, at one place
  twoPoint,   ///< in the bore, at two depths on opposite sides
  line,       ///< in the bore, along one side or all round: aligned
  seated,     ///< mostly on the bottom or a step, or by the head on the face
  elsewhere,  ///< at unnamed features or surfaces
};

std::string_view toText(ContactState state);  ///< as in JSON: "two-point"

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

/// Two contacts at different depths whose normal forces oppose each other across the bore.
struct TwoPoint {
  ContactCluster lower, upper;          ///< all contacts at the lower, at the upper depth
  Vector3d side_H = Vector3d::UnitX();  ///< unit, perpendicular to the axis, towards the lower contact
  double length = 0;                    ///< ℓ, between them along the axis [m]
  double mu = 0;                        ///< the smaller one [-]
};

struct InsertionContact {
  ContactState state = ContactState::none;
  std::vector<ContactCluster> clusters;  ///< largest force first
  bool allRound = false;                 ///< the contact of this state acts from all sides
  std::optional<TwoPoint> twoPoint;      ///< set if and only if the state is twoPoint
};

/// Points below this fraction of the largest force are ignored [-]: solvers spread a load over redundant
/// points, and these carry nothing.
inline constexpr double kMinForceFraction = 1e-3;
/// So are points below this force [N], a thousandth of kPushForce.
inline constexpr double kMinForce = 2e-4;

/// Classifies `points`. Pure: independent of the world's axes and of the order of points, except for
/// rounding.
InsertionContact classifyContact(const std::vector<InsertionContactPoint>& points, const InsertionFit& fit);

}  // namespace tenon::runtime
