// Edge circles, axes and flanks of surfaces of revolution against another solid.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/revolved/edge_contact.h"
#include "physics/collision/revolved/pair_search.h"
#include "physics/collision/revolved/straight_search.h"

namespace tenon::physics {

/// One sharp edge circle of a solid.
struct EdgeCircle {
  Circle circle;
  Vector2d before = Vector2d::Zero(), after = Vector2d::Zero();  ///< normals of its faces, in its meridian
  int feature = 0;
};
EdgeCircle edgeCircle(const PlacedMeridian& part, std::size_t vertex);

EdgePoint pointOf(const EdgeCircle& edge, double phase);

/// An edge circle against the other solid's surface: begun with the points at the fixed phases.
class EdgeSearch {
 public:
  EdgeSearch(const PairSearch& pair, Owner owner, const EdgeCircle& edge);
  /// False: nothing of this circle can be in range.
  bool inRange() const { return lowest_ - betweenPhasesMargin_ <= pair_.range; }
  /// Minima against the faces of the other solid.
  void againstSegments(const PlacedMeridian& other);
  void againstFaces(const FlatView& other);
  /// Minima against the edges and corners of the other solid. Of two circles only A's is to ask, so that each
  /// pair of edges counts once.
  void againstCircles(const PlacedMeridian& other);
  void againstEdges(const FlatView& other);
  void againstCorners(const FlatView& other);

 private:
  struct Minima;
  const PlacedSolid& other() const { return otherOf(pair_, owner_); }
  void addFixedPhases();
  bool isFacing(double c, double s, const Vector3d& otherNormal) const;
  bool atFixedPhase(int sector, int feature, double separation) const;
  void addFaceMinimum(double phase, const Vector3d& normal, double distance, int feature,
                      Minima& minima) const;
  void addEdgeMinimum(const Vector3d& p, const EdgePoint& theirs, Minima& minima) const;
  void addPointContact(const Vector3d& p, int feature);
  void flush(const Minima& minima, int feature, bool edges);
  void segment(const PlacedMeridian& part, std::size_t i, const CirclePoints& points);
  void circlePair(const PlacedMeridian& part, std::size_t vertex);
  void edgeLine(const FlatFeatures::Edge& line);

  const PairSearch& pair_;
  const Owner owner_;
  const EdgeCircle& edge_;
  std::array<SurfaceHit, kPhases> fixed_;
  std::array<bool, kPhases> listed_{};
  double lowest_ = 0;               ///< least distance at the fixed phases [m]
  double betweenPhasesMargin_ = 0;  ///< how much less it can be between them [m]
};

/// Where convex flanks of both touch away from their edges.
void flanksAgainstFlanks(const PairSearch& pair, const PlacedMeridian& a, const PlacedMeridian& b);

/// Where the axis of turned `part` runs through the other solid, if no contact from `first` on is negative: a
/// shaft that pierces a wall with both its ends outside has no edge in it, nor the wall one in the shaft.
void axisAgainst(const PairSearch& pair, Owner owner, const PlacedMeridian& part, std::size_t first);

/// Edge circles and tips of `part`. `others` calls the EdgeSearch for all that the circle may meet.
template <class Others>
void forEachEdge(const PairSearch& pair, Owner owner, const PlacedMeridian& part, Others others) {
  const auto& vertices = part.meridian->vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!vertices[i].convex) continue;
    const EdgeCircle edge = edgeCircle(part, i);
    if (edge.circle.radius <= 0) {
      pointAgainst(pair, owner, edge.circle.center, edge.feature, owner == Owner::kA);
      continue;
    }
    EdgeSearch search(pair, owner, edge);
    if (search.inRange()) others(search);
  }
}

}  // namespace tenon::physics
