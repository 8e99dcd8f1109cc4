// What every search of a pair of solids shares: the pair, the codes of its features, and how a point of one
// surface becomes a contact.
#pragma once

#include <cstdint>
#include <vector>

#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/revolved/placed_solids.h"
#include "physics/collision/revolved/revolved_contacts.h"

namespace tenon::physics {

/// Distances that differ by less are the same [m]: 10⁴ times the rounding of a coordinate of 1 m.
inline constexpr double kSameDistance = 1e-12;
/// Edges with a smaller sine between them have no common normal by their cross product [-].
inline constexpr double kParallel = 1e-6;
/// A point whose closest point is as near as this to a sharp edge of the other surface is left to the
/// edge [m]: which of the edge's faces it meets is decided by less than a step moves, and the wrong one would
/// hold it. The overlap that no other point would tell is smaller still.
inline constexpr double kNearEdgeDistance = 1e-8;

/// What a search is about: solids A and B in the frame C of B, and where the contacts go.
struct PairSearch {
  const PlacedSolid& a;
  const PlacedSolid& b;
  double range;  ///< [m]
  std::vector<SurfaceContact>& contacts;
  /// Deepest of the points that do not face the other surface. Listed only where no other tells the overlap.
  mutable SurfaceContact notFacing{};
};

enum class Owner : std::uint32_t { kA = 0, kB = 1 };  ///< whose edge gives the point
enum class Kind : std::uint32_t { kFixed = 0, kMinimum = 1, kEdges = 2, kCrossing = 3 };

std::uint32_t featureCode(Owner owner, int own, int other, Kind kind, int sector);

inline const PlacedSolid& ownOf(const PairSearch& pair, Owner owner) {
  return owner == Owner::kA ? pair.a : pair.b;
}
inline const PlacedSolid& otherOf(const PairSearch& pair, Owner owner) {
  return owner == Owner::kA ? pair.b : pair.a;
}

/// The contact of a point of `owner` with the other's surface, from the other's outward normal.
SurfaceContact contactOf(Owner owner, const Vector3d& p, const Vector3d& normal, double distance,
                         std::uint32_t code);

/// Whether direction `d` lies between unit vectors `a` and `b`, or within 15° of one of them. Scale-free in
/// d.
template <class Vector>
bool isNearCone(const Vector& d, const Vector& a, const Vector& b) {
  const double c = a.dot(b), x = d.dot(a), y = d.dot(b);
  if (x - c * y >= 0 && y - c * x >= 0) return true;
  return std::max(x, y) >= kFacingCosine * d.norm();
}

void recordNotFacing(const PairSearch& pair, const SurfaceContact& contact);

/// True where some contact from `first` on tells overlap.
bool hasOverlapContact(const PairSearch& pair, std::size_t first);

/// At the end of a search, `first` being where its contacts begin: makes sure that overlap is told, and
/// orders the contacts by feature.
void finish(const PairSearch& pair, std::size_t first);

}  // namespace tenon::physics
