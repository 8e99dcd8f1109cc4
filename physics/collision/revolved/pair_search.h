// Shared by all contact searches of a pair of solids: the pair, feature codes, and the conversion of a
// surface point to a contact.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/revolved/placed_solids.h"
#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics {

/// Distances that differ by less are equal [m]: 10⁴ times the rounding of a coordinate of 1 m.
inline constexpr double kSameDistance = 1e-12;
/// Sine below which two edges count as parallel: their cross product defines no normal [-].
inline constexpr double kParallel = 1e-6;
/// A point whose closest point is this close to a sharp edge of the other surface is left to that edge's
/// contacts [m]: motion within a step decides which face of the edge it meets, and a contact with the wrong
/// face would block it. Overlap missed by this is smaller still.
inline constexpr double kNearEdgeDistance = 1e-8;

/// A contact search: solids A and B in the common frame C (the frame of B), range, and output.
struct PairSearch {
  const PlacedSolid& a;
  const PlacedSolid& b;
  double range;  ///< [m]
  std::vector<SurfaceContact>& contacts;
  /// The deepest point that does not face the other surface; added only if no other contact shows the
  /// overlap.
  mutable SurfaceContact notFacing{};
};

enum class Owner : std::uint32_t { kA = 0, kB = 1 };  ///< the solid whose edge or corner is the contact point
/// See also isMinimum() in revolved_contacts.h.
enum class Kind : std::uint32_t { kFixed = 0, kMinimum = 1, kEdges = 2, kCrossing = 3 };

std::uint32_t featureCode(Owner owner, int own, int other, Kind kind, int sector);

inline const PlacedSolid& ownOf(const PairSearch& pair, Owner owner) {
  return owner == Owner::kA ? pair.a : pair.b;
}
inline const PlacedSolid& otherOf(const PairSearch& pair, Owner owner) {
  return owner == Owner::kA ? pair.b : pair.a;
}

/// Contact of a point of `owner` with the other solid's surface, whose outward normal is `normal`.
SurfaceContact contactOf(Owner owner, const Vector3d& p, const Vector3d& normal, double distance,
                         std::uint32_t code);

/// True if direction `d` (of any length) lies between unit vectors `a` and `b`, or within 15° of one of them.
template <class Vector>
bool isNearCone(const Vector& d, const Vector& a, const Vector& b) {
  const double c = a.dot(b), x = d.dot(a), y = d.dot(b);
  if (x - c * y >= 0 && y - c * x >= 0) return true;
  return std::max(x, y) >= kFacingCosine * d.norm();
}

void recordNotFacing(const PairSearch& pair, const SurfaceContact& contact);

/// True if a contact from `first` on has δ < 0.
bool hasOverlapContact(const PairSearch& pair, std::size_t first);

/// Ends a search whose contacts begin at `first`: adds notFacing if no other contact shows the overlap, and
/// sorts the contacts by feature.
void finish(const PairSearch& pair, std::size_t first);

}  // namespace tenon::physics
