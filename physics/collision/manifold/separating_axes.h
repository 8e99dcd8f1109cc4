// Separating axes of two convex parts: face normals and cross products of two edges. They prove a distance,
// and give the direction of minimum penetration of parts that overlap. (Gottschalk, Lin, Manocha: OBBTree,
// SIGGRAPH 96; Gregorius: The Separating Axis Test between Convex Polyhedra, GDC 2013.)
#pragma once

#include <array>
#include <limits>
#include <optional>

#include "physics/collision/manifold/convex_pair.h"
#include "physics/collision/manifold/planar_face.h"

namespace tenon::physics {

class SeparatingAxes {
 public:
  struct Axis {
    double separation = -std::numeric_limits<double>::infinity();  ///< along it [m]
    Vector3d n = Vector3d::Zero();  ///< in the frame of side 0, from side 0 to 1
  };

  /// `pair` must outlive this.
  explicit SeparatingAxes(const ConvexPair& pair) : pair_(pair) {}

  /// Evaluates the face normals of both parts. False if one proves that the parts are farther apart than the
  /// range.
  bool measureFaces();
  /// Evaluates the cross products of edges of two polytopes with few edge directions, once. False as
  /// measureFaces().
  bool measureCrossings();
  /// For parts that overlap along all face normals: measureCrossings(), and for polytopes with many edge
  /// directions maximumSeparation(). False as measureFaces().
  bool measurePenetration();

  /// The face normal of largest separation; faces inside the body do not count.
  const Axis& face() const { return face_; }
  /// The axis of two edges of largest separation.
  const Axis& crossing() const { return crossing_; }
  /// Of two boxes: indices of the edge directions of crossing(); -1: none.
  const std::array<int, 2>& crossingEdges() const { return crossingEdges_; }
  /// Separation along the normal of face `k` of side `s` [m].
  double faceSeparation(int s, int k) const;

  /// True if the overlap along the normal of two edges is smaller than along any face normal, in another
  /// direction. Nearly flush faces provide their own contacts.
  bool edgesSeparateMost() const;
  /// True if the separation along `n` is at least that of any face: the direction of minimum penetration.
  bool isClosest(int s, const Vector3d& n) const;
  /// True for polytopes that touch along two of their faces which are not parallel and each flush with a face
  /// of the other: they share only a line or a point.
  bool touchAlongEdges() const;
  /// A separating axis of the cores, from which the search converges to the closest points; or, if all axes
  /// were evaluated, the direction of minimum penetration.
  std::optional<Vector3d> separatingNormal() const;

 private:
  bool areBoxes() const { return pair_.part(0).polytope.isBox && pair_.part(1).polytope.isBox; }
  bool measureBoxFaces(int s);
  bool measureBoxCrossings();
  bool recordFaceSeparation(int s, int face, const Vector3d& normal, bool internal, double apart);
  double separationBy(int s, const PlanarFace& face) const;
  bool liesOnFace(int s, const Vector3d& normal) const;

  const ConvexPair& pair_;
  static constexpr int kCachedFaces = 8;
  std::array<std::array<double, kCachedFaces>, 2> faceSeparation_;
  Axis face_, crossing_;
  bool crossingsMeasured_ = false;
  std::array<int, 2> crossingEdges_{-1, -1};
};

}  // namespace tenon::physics
