// How a part touches its hole: which edge on which surface, with what force, and whether that makes a
// one-point or a two-point contact in the sense of Whitney.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/assess/insertion_fit.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

enum class ContactState {
  none,       ///< nothing touches with force
  onFace,     ///< on the face around the mouth, or on a counterbore's floor
  onRim,      ///< on the edge of the mouth or of the bore, with the tip's edge or face
  onChamfer,  ///< on the lead-in, or with the tip's own chamfer on an edge
  onePoint,   ///< in the bore, at one place
  twoPoint,   ///< in the bore, at two depths on opposite sides
  line,       ///< in the bore, along one side or all round: aligned
  seated,     ///< mostly on the bottom or a step, or by the head on the face
  elsewhere,  ///< at places that have no name
};

enum class PartFeature {
  tipFace,
  tipEdge,
  tipChamfer,
  roundTip,
  tipShoulder,  ///< where the tip's chamfer meets the shank
  shank,
  head,    ///< all that is wider than the shank, behind it
  unnamed  ///< the part is not round about its feature's axis
};

enum class HoleSurface {
  mouthFace,
  mouthEdge,
  chamfer,  ///< a cone above the bore
  counterboreWall,
  counterboreFloor,
  counterboreEdge,  ///< any edge above the bore's own but the mouth's
  boreEdge,         ///< where the bore begins
  boreWall,
  undercut,   ///< wider than the bore, below its edge
  innerEdge,  ///< any edge below the bore's own
  step,       ///< below the bore: where the hole goes on narrower
  drillPoint,
  bottom,
  farEdge,  ///< where a through bore ends
  unnamed
};

std::string_view toText(ContactState state);   ///< as in JSON: "two-point"
std::string_view toText(PartFeature feature);  ///< "tip edge"
std::string_view toText(HoleSurface surface);  ///< "bore wall"

/// One physical contact: neighbouring contact points between the same feature and surface. In the frame H.
struct ContactCluster {
  PartFeature feature = PartFeature::unnamed;
  HoleSurface surface = HoleSurface::unnamed;
  int points = 0;
  Vector3d p_H = Vector3d::Zero();         ///< weighted by force [m]
  Vector3d normal_H = Vector3d::Zero();    ///< sum of the normal forces on the part [N]
  Vector3d friction_H = Vector3d::Zero();  ///< on the part [N]
  double force = 0;                        ///< sum of the normal forces' sizes [N]
  double mu = 0;                           ///< weighted by force [-]
  double depthSpan = 0;                    ///< between its highest and lowest point [m]
  double arc = 0;                          ///< that its points cover about the hole's axis [rad]
  double radius = 0;                       ///< off the hole's axis, weighted by force [m]

  double depth() const { return -p_H.z(); }  ///< below the mouth [m]
  double phase() const;                      ///< about the axis, from H's x; means nothing for a ring [rad]
};

/// Two contacts at different depths whose normal forces oppose each other across the bore.
struct TwoPoint {
  ContactCluster lower, upper;          ///< all that acts at the one depth, and at the other
  Vector3d side_H = Vector3d::UnitX();  ///< unit, across the axis, towards the lower one
  double length = 0;                    ///< ℓ, between them along the axis [m]
  double mu = 0;                        ///< the smaller one [-]
};

struct InsertionContact {
  ContactState state = ContactState::none;
  std::vector<ContactCluster> clusters;  ///< largest force first
  bool allRound = false;                 ///< what the state is named by holds from all sides
  std::optional<TwoPoint> twoPoint;      ///< iff that is the state
};

/// Points that carry less than this fraction of the largest force are left out [-]: they hold nothing, and
/// solvers spread a load over redundant points.
inline constexpr double kMinForceFraction = 1e-3;
/// ... and less than this [N], a thousandth of what counts as a push.
inline constexpr double kMinForce = 2e-4;

/// The contact that `points` make. Pure: nothing depends on the world's axes or on the order of points, but
/// for rounding.
InsertionContact classifyContact(const std::vector<InsertionContactPoint>& points, const InsertionFit& fit);

}  // namespace tenon::runtime
