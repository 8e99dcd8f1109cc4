// Contacts on the planar faces of one convex part of a pair: vertices, edges, rims and swept cores of the
// other part above a face, or below it where the face is the way out of the overlap.
#pragma once

#include <array>

#include "physics/collision/manifold/candidates.h"
#include "physics/collision/manifold/planar_face.h"
#include "physics/collision/manifold/separating_axes.h"

namespace tenon::physics {

class FaceContacts {
 public:
  /// Of the faces of side `s`. `penetration`: direction of minimum penetration of overlapping or touching
  /// parts; only faces along it list overlaps, and only those not much deeper: a point 1 µm deep at an edge
  /// may be millimeters below a face. All references must outlive this; `axes` has measured the faces.
  FaceContacts(const ConvexPair& pair, const SeparatingAxes& axes, const SeparatingAxes::Axis& penetration,
               Candidates& candidates, int s)
      : pair_(pair), axes_(axes), penetration_(penetration), candidates_(candidates), s_(s) {}

  /// Adds the candidates. True if two faces are in contact over an area, of which all corners are candidates.
  bool add();

 private:
  void addFace(const PlanarFace& face, bool overlapAllowed);
  void addPolytope(const PlanarFace& face, bool overlapAllowed);
  void addNearestVertex(const PlanarFace& face, bool overlapAllowed);
  bool addVertex(const PlanarFace& face, bool overlapAllowed, int v);
  bool addEdge(const PlanarFace& face, bool overlapAllowed, int e);
  void addRound(const PlanarFace& face, bool overlapAllowed);
  bool addRim(const PlanarFace& face, int rim, bool overlapAllowed);
  void addRimCrossings(const PlanarFace& face, int rim);
  void addSphereSwept(const PlanarFace& face);
  bool addPoint(const PlanarFace& face, const Vector3d& p, bool overlapAllowed, const FeatureId& id,
                bool isContact = true);
  bool addClipped(const PlanarFace& face, const Vector3d& p, const Vector3d& q, bool overlapAllowed, int edge,
                  bool isContact);
  bool addCrossing(const PlanarFace& face, const Vector3d& p, const Vector3d& d, const PlanarFace::End& end,
                   bool overlapAllowed, const FeatureId& id, bool isContact);
  /// True if `p`, at `height` above the face, is on it and not in another place of the part.
  bool isListed(const PlanarFace& face, const Vector3d& p, double height, bool overlapAllowed) const;
  bool isDeepestElsewhere(const PlanarFace& face, const Vector3d& p) const;
  const Vector3d& otherVertex(int v);

  const ConvexPair& pair_;
  const SeparatingAxes& axes_;
  const SeparatingAxes::Axis& penetration_;
  Candidates& candidates_;
  int s_;
  bool isFlush_ = false;
  // The other polytope's corners in the frame of s_, transformed on first use.
  static constexpr std::size_t kCachedCorners = 8;
  std::array<Vector3d, kCachedCorners> corners_;
  bool hasCorners_ = false;
  Vector3d corner_;
};

}  // namespace tenon::physics
