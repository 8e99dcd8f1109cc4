// Classifies the contact of a part in an opening whose cross-section is unknown (key, spline, flat, dovetail,
// rectangular pocket, several pins at once): from points, normals and forces alone.
#pragma once

#include "runtime/assess/insertion_contact.h"

namespace tenon::runtime {

/// Joins the points to faces: those of one normal, to 10°, in one plane. Normals are inclined to those of the
/// opening by up to the part's `tilt` [rad], where an edge touches the part, and by a draft, for which 5° are
/// allowed. By its normal a face is
/// - a wall (HoleSurface::wall), if the normal is in the cross-section, to tilt + 5°,
/// - across the direction of insertion (acrossFace), if it is along the axis, to as much, facing out,
/// - inclined (inclinedFace) between these.
///
/// The state is onFace or onChamfer where faces across, or inclined, resist the insertion with more than the
/// walls. Else it follows from the two strongest walls that press against each other, by their centers of
/// pressure: twoPoint, if these are at different depths, by more than 1 % of the distance across, and turned,
/// if they are further apart along the walls within the cross-section than in depth. Without such a pair it
/// is line (along a wall, or from all sides) or onePoint.
///
/// The pair is TwoPoint in both cases, with its own distance across, since the opening has no diameter.
InsertionContact classifySectionContact(const std::vector<InsertionContactPoint>& points, double tilt);

}  // namespace tenon::runtime
