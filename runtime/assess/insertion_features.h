// Which feature of a part, and which surface of a hole, a contact point is on.
#pragma once

#include <string_view>

#include "runtime/assess/insertion_fit.h"
#include "runtime/assess/insertion_view.h"

namespace tenon::runtime {

enum class PartFeature {
  tipFace,
  tipEdge,
  tipChamfer,
  roundTip,
  tipShoulder,  ///< where the tip's chamfer meets the shank
  shank,
  head,    ///< everything wider than the shank, behind it
  unnamed  ///< the part is not round about its feature's axis
};

enum class HoleSurface {
  mouthFace,
  mouthEdge,
  chamfer,  ///< a cone above the bore
  counterboreWall,
  counterboreFloor,
  counterboreEdge,  ///< any edge above the bore's own but the mouth's
  boreEdge,         ///< start of the bore
  boreWall,
  undercut,   ///< wider than the bore, below its edge
  innerEdge,  ///< any edge below the bore's own
  step,       ///< below the bore: the hole becomes narrower
  drillPoint,
  bottom,
  farEdge,       ///< end of a through bore
  wall,          ///< of an unknown cross-section
  inclinedFace,  ///< of an unknown cross-section, inclined to the axis, facing out
  acrossFace,    ///< of an unknown cross-section, across the axis, facing out
  unnamed
};

std::string_view toText(PartFeature feature);  ///< "tip edge"
std::string_view toText(HoleSurface surface);  ///< "bore wall"

/// The feature of the part, by its distance from the tip and the axis; unnamed if the part is not round.
PartFeature featureAt(const InsertionContactPoint& point, const InsertionFit& fit);

/// The surface of the hole, by its profile: an edge if one is at this depth, else the flat surface or wall
/// nearest to the point.
HoleSurface surfaceAt(const InsertionContactPoint& point, const InsertionFit& fit);

/// True for surfaces perpendicular to the hole's axis.
bool isFlat(HoleSurface surface);

}  // namespace tenon::runtime
