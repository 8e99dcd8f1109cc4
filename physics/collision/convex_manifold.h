// Contacts of two convex parts from their features: points of one part's vertices, edges and rims
// against the other's faces and curved sides, in closed form. What is left for an iterative search
// (edge against edge, rim against edge, deep overlap) is told by needsSearch().
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

class ConvexManifold {
 public:
  /// Side 0 belongs to body i, side 1 to body j. Contacts with δ ≤ `range` [m] are appended to
  /// `contacts`, which together with the sides must outlive this.
  ConvexManifold(const QuerySide& i, const QuerySide& j, BodyId bodyI, BodyId bodyJ, double range,
                 ContactSet& contacts);

  /// True where a plane of a face, or along an edge of each, proves that the convex parts are farther apart
  /// than the range, which may be negative. Instead of all that follows.
  bool isSeparatedBeyondRange() { return !measureFaces() || !measureCrossings(); }

  /// Appends the contacts that follow from features. False where a plane proves that the convex parts are
  /// farther apart than the range: then there is nothing more to ask.
  bool addFeatures();

  /// After addFeatures(): true unless one of the contacts is proven to be the closest, by a plane that
  /// separates the convex parts by its distance, or all ways of touching have been looked at.
  bool needsSearch() const;

  /// After needsSearch(): measures the planes along an edge of each, of polytopes with few directions of
  /// edges. False where one of them proves that the convex parts are farther apart than the range.
  bool measureCrossings();

  /// After measureCrossings(): a direction along which a face, or two edges, show the cores to be apart, from
  /// which a search surely leads to the closest points; or, where all such planes were measured, the way out
  /// of the overlap. Unit, in the frame of side 0, towards side 1.
  std::optional<Vector3d> separatingNormal() const;

  /// Appends the contact to which the search for the widest separation leads from `start` (as
  /// separatingNormal(), or a guess), unless its normal belongs to a seam between convex parts.
  void addSearched(const Vector3d& start);

  /// After addSearched(): where the convex parts overlap but no contact says so (the shortest way out leads
  /// into a neighbor), out through the nearest face of the true surface. Deeper than the truth; for
  /// pairs of parts of which no contact tells the overlap.
  const std::optional<Contact>& exitContact() const { return exitContact_; }

  /// Lower bound on the distance of the convex parts [m]: their separation along unit `n`, given in the
  /// frame of side `s` and pointing to the other side. Exact along the right direction.
  double separationAlong(int s, const Vector3d& n) const;

 private:
  struct FaceView;
  /// What meets, in a contact's feature.
  enum FeatureKind : std::uint64_t {
    kVertexOnFace = 0,  // + side that has the face
    kEdgeOnFace = 2,
    kEdgeOnSide = 4,  // + side that has the edge
    kCoreOnSide = 6,
    kRimOnSide = 8,  // + side that has the curved side
    kCrossingAxes = 10,
    kCores = 11,
    kSearched = 12,
    kNearestFace = 13,
    kVertexOnSide = 14,  // + side that has the vertex
  };
  struct Id {
    std::uint64_t kind = 0;
    int u = 0, v = 0;
  };
  struct Best {
    double separation = std::numeric_limits<double>::infinity();
    int side = 0;
    Vector3d n = Vector3d::Zero();
  };

  bool measureFaces();
  bool measureBoxFaces(int s);
  bool recordFaceSeparation(int s, int face, const Vector3d& normal, bool internal, double apart);
  /// True of polytopes that two faces, not nearly parallel and each along a face of the other, both show to
  /// touch: they share a line or a point.
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
  bool addPoint(int s, const FaceView& face, const Vector3d& p, bool overlapAllowed, const Id& id, bool emit);
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
  Contact contactAt(int s, const Vector3d& p, const Vector3d& n, double separation, const Id& id) const;
  bool rimNearEdge(int s) const;
  bool measureBoxCrossings();
  bool addCrossedEdges();
  const Vector3d& otherVertex(int s, int v);
  Vector3d towardsOther(int s, const Vector3d& n) const;
  bool isClosestCandidate(int s, const Vector3d& n) const;
  void addCandidate(int s, const Vector3d& p, const Vector3d& n, double separation, const Id& id, bool emit);

  const ConvexPart& convexPart(int s) const { return sides_[s].convexPart(); }
  ConicalSide sideIn(int s) const;  // the curved side of the other convex part, in the frame of s

  std::array<QuerySide, 2> sides_;
  // Corners of the other polytope in the frame of s, once one was asked for; more than these are not kept.
  static constexpr std::size_t kCachedCorners = 8;
  std::array<std::array<Vector3d, kCachedCorners>, 2> corners_;
  std::array<bool, 2> hasCorners_{false, false};
  Vector3d corner_;
  // What measureFaces() found of the faces of each; of more than these nothing is kept.
  static constexpr int kCachedFaces = 8;
  std::array<std::array<double, kCachedFaces>, 2> faceSeparation_;
  BodyId bodyI_, bodyJ_;
  double range_;
  ContactSet& contacts_;
  double shallow_ = 0;
  bool flush_ = false;  // two faces lie on each other, with points listed
  bool touchAlongEdge_ = false;
  std::optional<Contact> exitContact_;
  Best best_;  // the least distance offered
  double faceSeparationMax_ =
      -std::numeric_limits<double>::infinity();  // separation by a face of the surface
  Vector3d faceNormalMax_ = Vector3d::Zero();    // in the frame of side 0, from 0 to 1
  bool crossingsMeasured_ = false;
  double crossing_ = -std::numeric_limits<double>::infinity();  // separation along an edge of each
  Vector3d crossingNormal_ = Vector3d::Zero();                  // as faceNormalMax_
  std::array<int, 2> crossingEdges_{-1, -1};                    // of two boxes: their directions
  Vector3d facing_ = Vector3d::Zero();                          // as faceNormalMax_: the way out of overlap
  double facingWidth_ = 0;                                      // the separation along it
};

/// Orders `contacts` from `first` on by feature and keeps one of those that are the same point.
void sortAndMerge(ContactSet& contacts, std::size_t first);

}  // namespace tenon::physics
