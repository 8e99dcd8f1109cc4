// The direction along which the faces of two parts that lie on one another guide one out of the other.
#pragma once

#include <vector>

#include "content/recognize/conforming_faces.h"

namespace tenon::content {

/// How a part A leaves a part B. A wall is a pair of conforming faces parallel to that direction, a stop one
/// from which A moves away.
struct Mating {
  Vector3d out = Vector3d::UnitZ();    ///< unit, in the frame of A
  double depth = 0;                    ///< of the motion until no wall lies on another any more [m]
  double leastGap = 0, widestGap = 0;  ///< of the walls [m]
  bool isRound = false;                ///< all walls are cylinders about one axis (see findMating)
  bool isTight = false;  ///< walls without a gap (0.5 µm) face each other: there is no play between them
};

/// Why the faces of two parts guide neither of them.
enum class NoMating {
  apart,     ///< no faces lie on one another
  flat,      ///< all of them face the same side: the parts lie on one another
  parallel,  ///< two parallel walls: one part can slide off along both directions between them
  unguided,  ///< there are walls, but the parts can slide apart across each direction that these allow
  locked,    ///< walls guide, but faces bar both directions
};

struct MatingSearch {
  std::vector<Mating> matings;        ///< one for each direction out of B, the best first
  NoMating reason = NoMating::apart;  ///< where there is no mating
};

/// The matings of A and B in the pose X_AB of B in A; `pairs`: their conforming faces. Directions are those
/// to which walls are parallel whose normals do not lie within half a turn: A cannot slide off across them.
/// The best has the least depth, then points the most along `up`, a direction in the frame of A. Planes on
/// one side of a pin whose cylinders hold it there too, as the flat of a head beside a shoulder, are no walls
/// of its mating.
MatingSearch findMating(const std::vector<SolidFace>& a, const std::vector<SolidFace>& b,
                        const physics::Pose& X_AB, const std::vector<ConformingFaces>& pairs,
                        const Vector3d& up);

/// A unit vector, moved onto an axis of its frame from which it deviates by rounding only.
Vector3d onAxis(const Vector3d& direction);

}  // namespace tenon::content
