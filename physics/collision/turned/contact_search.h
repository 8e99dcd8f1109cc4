// The parts of contact finding that all pairs of turned solids share.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "physics/collision/turned/circle.h"
#include "physics/collision/turned/turned_contacts.h"

namespace tenon::physics {

/// A solid in the common frame C of a query.
class PlacedSolid {
 public:
  virtual SurfaceHit nearest(const Vector3d& p_C) const = 0;

 protected:
  ~PlacedSolid() = default;
};

/// A surface of revolution in C: a turned solid, or one cavity of a block.
struct PlacedMeridian {
  const Meridian* meridian = nullptr;
  Matrix3d R_CM = Matrix3d::Identity();
  Vector3d p_CM = Vector3d::Zero();      ///< [m]
  Vector3d centre_C = Vector3d::Zero();  ///< bounding sphere [m]
  double reach = 0;                      ///< its radius [m]
  int firstFeature = 0;

  int segmentFeature(std::size_t i) const { return firstFeature + static_cast<int>(i); }
  int vertexFeature(std::size_t i) const { return segmentFeature(meridian->segments.size() + i); }
  /// Edge circle of vertex i, in C.
  Circle circle(std::size_t i) const;
};

class PlacedTurned final : public PlacedSolid {
 public:
  PlacedTurned(const TurnedGeometry& turned, const Pose& X_CT);
  SurfaceHit nearest(const Vector3d& p_C) const override;

  PlacedMeridian surface;

 private:
  const TurnedGeometry& turned_;
};

/// The block in its own frame C = B, as far as it can meet a ball.
class PlacedBlock final : public PlacedSolid {
 public:
  PlacedBlock(const BoredBlockGeometry& block, const Vector3d& centre, double radius);
  SurfaceHit nearest(const Vector3d& p_C) const override;
  /// Cavities that meet the ball; of more than kNear only nearest() is told (it then asks all).
  template <class Use>
  void forEachNear(Use use) const {
    for (std::size_t i = 0; i < block_.cavities.size(); ++i)
      if (isNear(block_.cavities[i])) use(place(block_.cavities[i]));
  }

 private:
  static constexpr int kNear = 32;
  bool isNear(const CavityGeometry& cavity) const;
  static PlacedMeridian place(const CavityGeometry& cavity);

  const BoredBlockGeometry& block_;
  Vector3d centre_;
  double radius_;
  std::array<int, kNear> near_{};
  int count_ = 0;
};

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

/// One sharp edge circle of a solid.
struct EdgeCircle {
  Circle circle;
  Vector2d before = Vector2d::Zero(), after = Vector2d::Zero();  ///< normals of its faces, in its meridian
  int feature = 0;
};
EdgeCircle edgeCircle(const PlacedMeridian& part, std::size_t vertex);

/// A point of a sharp edge.
struct EdgePoint {
  Vector3d p = Vector3d::Zero();                                 ///< [m]
  Vector3d tangent = Vector3d::Zero();                           ///< unit
  Vector3d before = Vector3d::Zero(), after = Vector3d::Zero();  ///< normals of the edge's faces here
  Vector3d arm = Vector3d::Zero();  ///< from a circle's centre [m], zero: straight
  double behind = 0, ahead = 0;     ///< how far a straight edge goes on [m]
};
EdgePoint pointOf(const EdgeCircle& edge, double phase);

/// An edge circle against the other solid's surface: begun with the points at the fixed phases.
class EdgeSearch {
 public:
  EdgeSearch(const PairSearch& pair, Owner owner, const EdgeCircle& edge);
  /// False: nothing of this circle can be in range.
  bool inRange() const { return lowest_ - reachBetween_ <= pair_.range; }
  /// Minima against the faces of the other solid.
  void againstSegments(const PlacedMeridian& other);
  void againstFaces(const FlatFeatures& other);
  /// Minima against the edges and corners of the other solid. Of two solids only A's circles are to ask, so
  /// that each pair of edges counts once.
  void againstCircles(const PlacedMeridian& other);
  void againstEdges(const FlatFeatures& other);
  void againstCorners(const FlatFeatures& other);

 private:
  struct Minima;
  const PlacedSolid& own() const { return owner_ == Owner::kA ? pair_.a : pair_.b; }
  const PlacedSolid& other() const { return owner_ == Owner::kA ? pair_.b : pair_.a; }
  void addFixedPhases();
  bool isFacing(double c, double s, const Vector3d& otherNormal) const;
  bool atFixedPhase(int sector, int feature, double delta) const;
  void takeFace(double phase, const Vector3d& normal, double distance, int feature, Minima& minima) const;
  void takeEdges(const Vector3d& pA, const EdgePoint& b, Minima& minima) const;
  void takePoint(const Vector3d& p, int feature);
  void flush(const Minima& minima, int feature, bool edges);
  void segment(const PlacedMeridian& part, std::size_t i, const CirclePoints& points);
  void circlePair(const PlacedMeridian& part, std::size_t vertex);
  void edgeLine(const FlatFeatures::Edge& line);

  const PairSearch& pair_;
  const Owner owner_;
  const EdgeCircle& edge_;
  std::array<SurfaceHit, kPhases> fixed_;
  std::array<bool, kPhases> listed_{};
  double lowest_ = 0;        ///< least distance at the fixed phases [m]
  double reachBetween_ = 0;  ///< how much less it can be between them [m]
};

/// A tip, corner or other point of `owner` against the other solid.
void pointAgainst(const PairSearch& pair, Owner owner, const Vector3d& p, int feature, bool alsoEdges);

/// Straight edges of B against the faces of turned A.
void edgesAgainstSegments(const PairSearch& pair, const FlatFeatures& b, const PlacedMeridian& a);

/// At the end of a search, `first` being where its contacts begin: makes sure that overlap is told, and
/// orders the contacts by feature.
void finish(const PairSearch& pair, std::size_t first);

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
      pointAgainst(pair, owner, edge.circle.centre, edge.feature, owner == Owner::kA);
      continue;
    }
    EdgeSearch search(pair, owner, edge);
    if (search.inRange()) others(search);
  }
}

}  // namespace tenon::physics
