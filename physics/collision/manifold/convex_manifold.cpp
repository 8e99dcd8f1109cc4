// The order in which separating axes, features and the search are evaluated.
#include "physics/collision/manifold/convex_manifold.h"

#include <algorithm>
#include <cmath>

#include "physics/collision/geometry/tolerances.h"
#include "physics/collision/manifold/candidates.h"
#include "physics/collision/manifold/face_contacts.h"
#include "physics/collision/manifold/searched_contact.h"
#include "physics/collision/manifold/separating_axes.h"
#include "physics/collision/manifold/side_contacts.h"

namespace tenon::physics {
namespace {

// True if a rim of the other part may be within the range of an edge of the polytope of side s.
bool isRimNearEdge(const ConvexPair& pair, int s) {
  const ConvexPart& other = pair.part(1 - s);
  const ConicalSide side = pair.sideIn(s);
  const Polytope& polytope = pair.part(s).polytope;
  for (const Polytope::Edge& edge : polytope.edges) {
    if (!edge.onSurface) continue;
    const Vector3d half = 0.5 * (polytope.vertices[edge.b] - polytope.vertices[edge.a]);
    const Vector3d r = polytope.vertices[edge.a] + half - side.center;
    const double z = r.dot(side.axis);
    const double rho = (r - z * side.axis).norm();
    const double radius = half.norm() + pair.range;
    for (int rim : {0, 1}) {
      const double up = z - (rim ? side.halfLength : -side.halfLength);
      const double out = rho - other.radius[rim];
      if (up * up + out * out <= radius * radius) return true;
    }
  }
  return false;
}

// Direction of minimum penetration of overlapping or touching parts: through a face or a curved side.
SeparatingAxes::Axis penetrationOf(const ConvexPair& pair, const SeparatingAxes& axes,
                                   const Candidates::Closest& closest) {
  const double separation = axes.edgesSeparateMost() ? axes.crossing().separation : axes.face().separation;
  if (axes.face().separation >= 0 || closest.n.isZero() || !axes.isClosest(closest.side, closest.n))
    return {separation, axes.face().n};
  return {std::max(pair.separationAlong(closest.side, closest.n), separation),
          pair.towardsOther(closest.side, closest.n)};
}

// What the features of two parts show.
enum class FeatureResult {
  separated,  // farther apart than the range: no other contacts exist
  closest,  // one of the contacts is proven to be the closest, by a separating axis of equal distance, or all
            // feature pairs of these kinds were evaluated
  unproven,
};

bool isClosestProven(const ConvexPair& pair, const SeparatingAxes& axes, const Candidates::Closest& closest,
                     bool isFlush) {
  const ConvexPartKind a = pair.part(0).kind, b = pair.part(1).kind;
  if (a == ConvexPartKind::halfSpace || b == ConvexPartKind::halfSpace) return true;
  if (pair.areBoth(ConvexPartKind::sphereSwept)) return true;
  if (closest.separation >= -pair.shallow &&
      pair.separationAlong(closest.side, closest.n) >= closest.separation - kProofTolerance)
    return true;
  // Flush faces: all corners of their common area are listed.
  if (isFlush && axes.face().separation >= -pair.shallow && !axes.edgesSeparateMost()) return true;
  if (axes.face().separation <= 0) return false;
  // Separated, and all feature pairs of these kinds were evaluated.
  if ((a == ConvexPartKind::polytope) == (b == ConvexPartKind::polytope)) return false;
  const int s = a == ConvexPartKind::polytope ? 0 : 1;
  return pair.part(1 - s).kind != ConvexPartKind::cylinderOrCone || !isRimNearEdge(pair, s);
}

FeatureResult addFeatureContacts(const ConvexPair& pair, SeparatingAxes& axes, Candidates& candidates) {
  if (!axes.measureFaces()) return FeatureResult::separated;
  for (int s : {0, 1}) SideContacts(pair, axes, candidates, s).add();
  addCrossingAxes(pair, axes, candidates);
  addCores(pair, candidates);
  if (!axes.measurePenetration()) return FeatureResult::separated;
  const SeparatingAxes::Axis penetration = penetrationOf(pair, axes, candidates.closest());
  // The free space at such an edge is a union of two half-spaces: the parts may slide past either face, so
  // neither face constrains them, and the selected face would change from one iteration to the next.
  if (axes.touchAlongEdges()) candidates.stopListing();
  bool isFlush = false;
  for (int s : {0, 1}) isFlush |= FaceContacts(pair, axes, penetration, candidates, s).add();
  if (isClosestProven(pair, axes, candidates.closest(), isFlush)) return FeatureResult::closest;
  return axes.measureCrossings() ? FeatureResult::unproven : FeatureResult::separated;
}

}  // namespace

bool isSeparatedBeyondRange(const ConvexPair& pair) {
  SeparatingAxes axes(pair);
  return !axes.measureFaces() || !axes.measureCrossings();
}

std::optional<Contact> addConvexContacts(const ConvexPair& pair, BodyId i, BodyId j, DirectionGuess& guess,
                                         ContactSet& contacts) {
  SeparatingAxes axes(pair);
  Candidates candidates(pair, i, j, contacts);
  if (addFeatureContacts(pair, axes, candidates) != FeatureResult::unproven) return std::nullopt;
  const std::optional<Vector3d> n = axes.separatingNormal();
  return addSearchedContact(pair, axes, n ? *n : guess(pair.part(0), pair.part(1), pair.X_SO(0)), candidates);
}

void sortAndMerge(ContactSet& contacts, std::size_t first) {
  const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, contacts.end(), [](const Contact& a, const Contact& b) { return a.feature < b.feature; });
  // Keep the closer of two, so that a larger range removes no contact; the first of equal ones.
  const auto same = [](const Contact& a, const Contact& b) {
    return std::abs(a.p.x() - b.p.x()) <= kSamePoint && (a.p - b.p).norm() <= kSamePoint &&
           (a.n - b.n).norm() <= kSameNormal;
  };
  std::size_t kept = first;
  for (std::size_t k = first; k < contacts.size(); ++k) {
    std::size_t twin = first;
    while (twin < kept && !same(contacts[twin], contacts[k])) ++twin;
    if (twin == kept) {
      contacts[kept++] = contacts[k];
    } else if (contacts[k].separation < contacts[twin].separation - kProofTolerance) {
      contacts[twin] = contacts[k];
    }
  }
  contacts.resize(kept);
  std::sort(contacts.begin() + static_cast<std::ptrdiff_t>(first), contacts.end(),
            [](const Contact& a, const Contact& b) { return a.feature < b.feature; });
}

}  // namespace tenon::physics
