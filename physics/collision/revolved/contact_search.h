// Contact search for edge circles, axes and flanks of surfaces of revolution.
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
  Vector2d before = Vector2d::Zero(),
           after = Vector2d::Zero();  ///< normals of its faces, in the meridian half-plane
  int feature = 0;
};
EdgeCircle edgeCircle(const PlacedMeridian& part, std::size_t vertex);

EdgePoint pointOf(const EdgeCircle& edge, double phase);

/// Contacts of an edge circle with the other solid. The constructor adds the points at the fixed phases.
class EdgeSearch {
 public:
  EdgeSearch(const PairSearch& pair, Owner owner, const EdgeCircle& edge);
  /// False if no point of the circle can be within range.
  bool inRange() const { return lowest_ - betweenPhasesMargin_ <= pair_.range; }
  /// Adds minima of the distance to faces of the other solid.
  void againstSegments(const PlacedMeridian& other);
  void againstFaces(const FlatView& other);
  /// Adds minima of the distance to edges and corners of the other solid. For two circles call it only for
  /// A's, so that each pair of edges counts once.
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

/// Adds contacts between convex flanks of both solids, away from their edges.
void flanksAgainstFlanks(const PairSearch& pair, const PlacedMeridian& a, const PlacedMeridian& b);

/// Adds the deepest point of the axis of `part` inside the other solid, if no contact from `first` on has δ <
/// 0. It detects a shaft through a wall with both ends outside, where no edge of either is inside the other.
void axisAgainst(const PairSearch& pair, Owner owner, const PlacedMeridian& part, std::size_t first);

/// Searches edge circles and tips of `part`. `others` runs the EdgeSearch against features of the other
/// solid.
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
