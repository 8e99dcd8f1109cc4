// Contacts of two convex parts from their features: vertices, edges and rims of one part against faces and
// curved sides of the other, in closed form. needsSearch() is true for cases that need the iterative search
// (edge against edge, rim against edge, deep overlap).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "physics/collision/contact.h"
#include "physics/collision/convex_part.h"
#include "physics/collision/geometry/closest_points.h"
#include "physics/collision/maximum_separation.h"

namespace tenon::physics {

/// One of the two convex parts of a query.
struct QuerySide {
  const std::vector<ConvexPart>* convexParts = nullptr;  ///< of its body
  int index = 0;                                         ///< of the convex part among them
  RigidTransform X_WS;                                   ///< its body's frame in the world
  RigidTransform X_SO;                                   ///< the other body's frame in its own
  const ConvexPart& convexPart() const { return (*convexParts)[static_cast<std::size_t>(index)]; }
};

/// Which kinds of features are in contact. Kinds with a side count from side 0: see onSide().
enum FeatureKind : std::uint64_t {
  kVertexOnFace = 0,  ///< + side that has the face
  kEdgeOnFace = 2,    ///< + side that has the face
  kEdgeOnSide = 4,    ///< + side that has the edge
  kCoreOnSide = 6,    ///< + side that has the core
  kRimOnSide = 8,     ///< + side that has the curved side
  kCrossingAxes = 10,
  kCores = 11,
  kSearched = 12,
  kNearestFace = 13,
  kVertexOnSide = 14,  ///< + side that has the vertex
};

/// `kind` for side 0 or 1.
constexpr FeatureKind onSide(FeatureKind kind, int side) {
  return static_cast<FeatureKind>(kind + static_cast<std::uint64_t>(side));
}

/// The feature pair of a contact between two convex parts; `first` and `second` are indices or slots by kind.
struct FeatureId {
  FeatureKind kind = kVertexOnFace;
  int first = 0, second = 0;
  /// Contact::feature for the parts of these indices: 14 bits each for the parts, 4 for the kind, 16 for each
  /// index.
  std::uint64_t bits(int part0, int part1) const {
    return static_cast<std::uint64_t>(part0) << 50 | static_cast<std::uint64_t>(part1) << 36 |
           static_cast<std::uint64_t>(kind) << 32 | static_cast<std::uint64_t>(first) << 16 |
           static_cast<std::uint64_t>(second);
  }
};

class ConvexManifold {
 public:
  /// Side 0 belongs to body i, side 1 to body j. Contacts with δ ≤ `range` [m] are appended to
  /// `contacts`, which together with the sides must outlive this.
  ConvexManifold(const QuerySide& i, const QuerySide& j, BodyId bodyI, BodyId bodyJ, double range,
                 ContactSet& contacts);

  /// True if a separating axis (face normal or cross product of two edges) proves that the parts are farther
  /// apart than the range, which may be negative. Independent of the members below.
  bool isSeparatedBeyondRange() { return !measureFaces() || !measureCrossings(); }

  /// Appends the contacts between features. False if a separating axis proves that the parts are farther
  /// apart than the range: then no other contacts exist.
  bool addFeatures();

  /// After addFeatures(): false if one of the contacts is proven to be the closest, by a separating axis of
  /// equal distance, or if all feature pairs of these kinds were evaluated.
  bool needsSearch() const;

  /// After needsSearch(): evaluates the separating axes of pairs of edges, for polytopes with few edge
  /// directions. False if one of them proves that the parts are farther apart than the range.
  bool measureCrossings();

  /// After measureCrossings(): a separating axis of the cores, from which the search converges to the closest
  /// points; or, if all axes were evaluated, the direction of minimum penetration. Unit, in the frame of side
  /// 0, towards side 1.
  std::optional<Vector3d> separatingNormal() const;

  /// Appends the contact found by maximumSeparation() from `start` (separatingNormal() or a guess), unless
  /// its normal belongs to a seam between convex parts.
  void addSearched(const Vector3d& start);

  /// After addSearched(): for overlapping parts without a contact of δ < 0 (the minimum penetration points
  /// into a neighbor), the contact with the nearest face of the true surface. It overestimates the depth; use
  /// it only if no other contact of the bodies shows the overlap.
  const std::optional<Contact>& exitContact() const { return exitContact_; }

  /// Lower bound on the distance of the convex parts [m]: their separation along unit `n`, given in the
  /// frame of side `s` and pointing to the other side. Exact along the right direction.
  double separationAlong(int s, const Vector3d& n) const;

 private:
  struct FaceView;
  struct Best {
    double separation = std::numeric_limits<double>::infinity();
    int side = 0;
    Vector3d n = Vector3d::Zero();
  };

  bool measureFaces();
  bool measureBoxFaces(int s);
  bool recordFaceSeparation(int s, int face, const Vector3d& normal, bool internal, double apart);
  /// True for polytopes that touch along two of their faces which are not parallel and each flush with a face
  /// of the other: they share only a line or a point.
  bool touchAlongEdge() const;
  bool facesFlat(int s, const Vector3d& normal) const;
  bool measureExitDirections();
  bool isEdgePairWidest() const;
  void chooseFacing();
  FaceView faceOf(const ConvexPart& convexPart, int k) const;
  double faceSeparation(int s, const FaceView& face) const;
  double separationByFace(int s, int face) const;
  void addFaces(int s);
  void addFace(int s, const FaceView& face, bool overlapAllowed);
  bool surfacesElsewhere(int s, const FaceView& face, const Vector3d& p) const;
  void addPolytopeAgainst(int s, const FaceView& face, bool overlapAllowed);
  void addRoundAgainst(int s, const FaceView& face, bool overlapAllowed);
  bool addRim(int s, const FaceView& face, int rim, bool overlapAllowed);
  void addRimCrossings(int s, const FaceView& face, int rim);
  void addSweptAgainst(int s, const FaceView& face);
  bool addPoint(int s, const FaceView& face, const Vector3d& p, bool overlapAllowed, const FeatureId& id,
                bool emit);
  bool addClipped(int s, const FaceView& face, const Vector3d& p, const Vector3d& q, bool overlapAllowed,
                  int edge, bool emit);
  void addEdges(int s);
  void addEdgeAgainstSide(int s, int edge, const ConicalSide& side, double grown);
  void addEdgeAgainstEnd(int s, int edge, int end);
  void addEdgePoint(int s, int edge, double t, const Vector3d& p, const Vector3d& n, double separation,
                    int slot, double slack);
  bool edgeFaces(int s, int edge, double t, const Vector3d& p, const Vector3d& n, double slack) const;
  void addCoreAgainstSide(int s);
  void addRimsAgainstSide(int s);
  void addRimPoint(int s, const ConicalSide& side, const Vector3d& p, int rim, int ordinal);
  void addCrossingAxes();
  void addCores();
  CorePoints searchMaximumSeparation(const Vector3d& start) const;
  void setExitContact();
  Contact contactAt(int s, const Vector3d& p, const Vector3d& n, double separation,
                    const FeatureId& id) const;
  bool rimNearEdge(int s) const;
  bool measureBoxCrossings();
  bool addCrossedEdges();
  const Vector3d& otherVertex(int s, int v);
  Vector3d towardsOther(int s, const Vector3d& n) const;
  bool isClosestCandidate(int s, const Vector3d& n) const;
  void addCandidate(int s, const Vector3d& p, const Vector3d& n, double separation, const FeatureId& id,
                    bool emit);

  const ConvexPart& convexPart(int s) const { return sides_[s].convexPart(); }
  ConicalSide sideIn(int s) const;  // the curved side of the other convex part, in the frame of s

  std::array<QuerySide, 2> sides_;
  // Cache of the other polytope's corners in the frame of s; filled on first use.
  static constexpr std::size_t kCachedCorners = 8;
  std::array<std::array<Vector3d, kCachedCorners>, 2> corners_;
  std::array<bool, 2> hasCorners_{false, false};
  Vector3d corner_;
  // Cache of the separations from measureFaces().
  static constexpr int kCachedFaces = 8;
  std::array<std::array<double, kCachedFaces>, 2> faceSeparation_;
  BodyId bodyI_, bodyJ_;
  double range_;
  ContactSet& contacts_;
  double shallow_ = 0;
  bool flush_ = false;  // two faces are in contact over an area, with points listed
  bool touchAlongEdge_ = false;
  std::optional<Contact> exitContact_;
  Best best_;  // the candidate of smallest separation
  double faceSeparationMax_ =
      -std::numeric_limits<double>::infinity();  // separation by a face of the surface
  Vector3d faceNormalMax_ = Vector3d::Zero();    // in the frame of side 0, from 0 to 1
  bool crossingsMeasured_ = false;
  double crossing_ = -std::numeric_limits<double>::infinity();  // separation along an edge of each
  Vector3d crossingNormal_ = Vector3d::Zero();                  // as faceNormalMax_
  std::array<int, 2> crossingEdges_{-1, -1};                    // of two boxes: their directions
  Vector3d facing_ = Vector3d::Zero();  // as faceNormalMax_: direction of minimum penetration
  double facingWidth_ = 0;              // the separation along it
};

/// Sorts `contacts` from `first` on by feature and merges duplicates of the same point.
void sortAndMerge(ContactSet& contacts, std::size_t first);

}  // namespace tenon::physics
