// Classifies the contact between a part and its hole: which feature on which surface, with what force, and
// whether it is a one-point or a two-point contact in the sense of Whitney.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/assess/contact_cluster.h"
#include "runtime/assess/insertion_fit.h"

namespace tenon::runtime {

enum class ContactState {
  none,       ///< no contact carries force
  onFace,     ///< on the face around the mouth, a counterbore's floor, or a face across an unknown section
  onRim,      ///< on the edge of the mouth or of the bore, with the tip's edge or face
  onChamfer,  ///< on the lead-in, or with the tip's own chamfer on an edge
  onePoint,   ///< in the bore, at one place
  twoPoint,   ///< in the bore, at two depths on opposite sides
  line,       ///< in the bore, along one side or all round: aligned
  turned,     ///< in an unknown section, on opposed walls that hold it against turning about the axis
  seated,     ///< mostly on the bottom or a step, or by the head on the face
  elsewhere,  ///< at unnamed features or surfaces
};

std::string_view toText(ContactState state);  ///< as in JSON: "two-point"

/// Two contacts at different depths whose normal forces oppose each other across the bore.
struct TwoPoint {
  ContactCluster lower, upper;          ///< all contacts at the lower, at the upper depth
  Vector3d side_H = Vector3d::UnitX();  ///< unit, perpendicular to the axis, towards the lower contact
  double length = 0;                    ///< ℓ, between them along the axis [m]
  double mu = 0;                        ///< the smaller one [-]
  /// Of the walls of an unknown section, from the upper contact towards the side of the lower one [m];
  /// negative where the part is around a post. 0: the bore's diameter.
  double width = 0;
  double aside = 0;  ///< between them within the cross-section, along walls of an unknown section [m]
};

struct InsertionContact {
  ContactState state = ContactState::none;
  std::vector<ContactCluster> clusters;  ///< largest force first
  bool allRound = false;                 ///< the contact of this state acts from all sides
  std::optional<TwoPoint> twoPoint;      ///< set if and only if the state is twoPoint or turned
};

/// Classifies `points`. Pure: independent of the world's axes and of the order of points, except for
/// rounding. Without a hole in `fit`, only their normals count, and the part's `tilt` [rad]: see
/// classifySectionContact().
InsertionContact classifyContact(const std::vector<InsertionContactPoint>& points, const InsertionFit& fit,
                                 double tilt);

}  // namespace tenon::runtime
