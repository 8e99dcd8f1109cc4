// A query of two solids: their relative pose, tests that every candidate passes, and the contacts found.
#pragma once

#include <array>
#include <vector>

#include "physics/collision/brep/solid_contacts.h"

namespace tenon::physics::brep {

/// Largest deviation of a normal from the cone of an edge or vertex whose partner is not a face [rad]: flush
/// faces that tilt by less have their crossing edges in contact.
inline constexpr double kEdgeConeTolerance = 1e-3;

/// A point of a sharp edge: its normal cone lies between the normals of the edge's faces.
struct ConePoint {
  Vector3d p = Vector3d::Zero();                                 ///< [m]
  Vector3d tangent = Vector3d::Zero();                           ///< unit
  Vector3d before = Vector3d::Zero(), after = Vector3d::Zero();  ///< outward unit normals
};

/// R d and Rᵀ d without a call. Not the same bits as Eigen's products: only for what is rejected with a
/// tolerance.
inline Vector3d rotated(const Matrix3d& R, const Vector3d& d) {
  return {R(0, 0) * d.x() + R(0, 1) * d.y() + R(0, 2) * d.z(),
          R(1, 0) * d.x() + R(1, 1) * d.y() + R(1, 2) * d.z(),
          R(2, 0) * d.x() + R(2, 1) * d.y() + R(2, 2) * d.z()};
}
inline Vector3d rotatedBack(const Matrix3d& R, const Vector3d& d) {
  return {R(0, 0) * d.x() + R(1, 0) * d.y() + R(2, 0) * d.z(),
          R(0, 1) * d.x() + R(1, 1) * d.y() + R(2, 1) * d.z(),
          R(0, 2) * d.x() + R(1, 2) * d.y() + R(2, 2) * d.z()};
}

class ContactQuery {
 public:
  ContactQuery(const Solid& a, const Solid& b, const Pose& X_BA, double range,
               std::vector<SolidContact>& contacts);

  const Solid& solid(int side) const { return *solids_[static_cast<std::size_t>(side)]; }
  /// From the frame of `side` into that of the other one.
  const RigidTransform& toOther(int side) const { return toOther_[static_cast<std::size_t>(side)]; }
  double range() const { return range_; }
  double depthLimit() const { return depthLimit_; }
  /// Depth up to which points below a face are tested for being inside [m].
  double deepest() const { return kDeepest * depthLimit_; }
  void setDepthLimit(double limit) { depthLimit_ = limit; }
  bool isInRange(double separation) const { return separation <= range_ && separation >= -depthLimit_; }

  const Face& face(int side, int feature) const {
    return solid(side).faces[static_cast<std::size_t>(feature)];
  }
  const Edge& edge(int side, int feature) const {
    return solid(side).edges[static_cast<std::size_t>(feature - solid(side).firstEdge())];
  }
  const Vertex& vertex(int side, int feature) const {
    return solid(side).vertices[static_cast<std::size_t>(feature - solid(side).firstVertex())];
  }
  /// The frame of a face of the other side of `side`, from the frame of `side`.
  RigidTransform toSurface(int side, const Face& other) const;
  /// A point of an edge, in the frame of `side`.
  ConePoint conePoint(int side, const Edge& edge, const CurvePoint& at) const;

  /// True unless the overlap by `separation` is deep and the point `p` of `side` [m, frame of the other one]
  /// either lies outside of the other solid, since features may pass each other there, or is nearer to
  /// another face of it than 0.9 of the depth: a point 1 µm below one face may be millimeters
  /// behind others. Of a contact with an edge `of` the other solid its faces do not count: they may be nearer
  /// than the edge. (Of two edges both must lie so: a corner 1 µm below a rim may be millimeters beside it.)
  bool isOverlapReal(int side, const Vector3d& p, double separation, const Edge* of = nullptr);
  /// True if the foot of the point `p` of `side` [m, frame of the surface] lies on a face of the other side,
  /// or in one of its corners (Solid::isInConcaveCorner()), and isOverlapReal(). `distance`: of the point.
  bool isOnFace(int side, int faceIndex, const Vector3d& p, const SurfaceDistance& distance);

  /// A contact of features `own` of `side` and `other` of the other one: `p` midway and the unit `n` out of
  /// `side`, both in the frame of the other side. One that is deeper than the depth limit only shows that
  /// there is an overlap.
  void add(int side, int own, int other, int ordinal, const Vector3d& p, const Vector3d& n,
           double separation);

  /// Notes that an edge of `side` crosses a face of the other one: its end `p` (frame of the other side) lies
  /// `depth` > 0 [m] below the face, whose outward normal there is `outward`.
  void notePiercing(int side, int edge, int face, const Vector3d& p, const Vector3d& outward, double depth);

  /// Notes that the point `p` of `side` (frame of the other one) lies inside the other solid.
  void noteInside(int side, const Vector3d& p);

  /// The same of a point of `side` that is too deep below a face of the other one (frame of the surface, with
  /// its distance) for a contact, if its foot lies on the face and it is inside; false if not.
  bool noteDeep(int side, int faceIndex, const Vector3d& p, const SurfaceDistance& distance);

  /// Notes an edge that may cross a face, since it has points on both sides of its surface.
  void noteBelow(int side, int edge, int face) { below_.push_back({side, edge, face}); }
  /// Calls edgeAcrossFace() for those.
  void testBelow();

  /// True if an edge crosses a face, a contact is deeper than the depth limit, or a point lies inside, and no
  /// contact from `first` on shows the overlap. That of a point further inside than kProvenOverlap, or of a
  /// contact below the limit, is shown by a contact of more than kProvenOverlap.
  bool lacksOverlap(std::size_t first) const;

  /// True if a contact from `first` on is one of an overlap by more than `least` [m].
  bool showsOverlap(std::size_t first, double least = 0) const;

  /// Where no contact from `first` on shows an overlap, but an edge crosses a face or a point lies inside,
  /// adds the contact of that end, or of the point with the nearest face. Then sorts by feature, merges
  /// contacts of the same point and normal, and makes features unique.
  void finish(std::size_t first);

 private:
  struct Piercing {
    int side = 0, edge = -1, face = 0;
    Vector3d p = Vector3d::Zero(), outward = Vector3d::Zero();
    double depth = 0;
  };
  struct Below {
    int side = 0, edge = -1, face = 0;
  };
  static std::vector<Below>& bufferOfBelow();
  void append(int side, int own, int other, int ordinal, const Vector3d& p, const Vector3d& n,
              double separation);
  void addExit();
  bool addContainment(int side);
  bool addNearestFace(int side, const Vector3d& p);
  void merge(std::size_t first);

  struct Inside {
    int side = -1;
    Vector3d p = Vector3d::Zero();
    bool isDeep = false;  ///< no face is nearer than kProvenOverlap
  };

  /// Relative to the depth limit; what a step left inside is not deeper [-].
  static constexpr double kDeepest = 4;

  Piercing piercing_;      // of least depth
  Inside inside_;          // a deep one, and of these the first by its coordinates
  bool isDeeper_ = false;  // a contact was deeper than the depth limit
  std::array<const Solid*, 2> solids_;
  std::array<RigidTransform, 2> toOther_;
  double range_, depthLimit_;
  std::vector<SolidContact>& contacts_;
  std::vector<Below>& below_;  // a buffer of the thread
};

/// True if the unit direction `n` lies in the cone between the edge's normals, or outside by at most an angle
/// of the given sine [-].
bool isInCone(const ConePoint& at, const Vector3d& n, double sine);
/// True if `n` (unit, frame of the solid) leaves the vertex's tangent cone, to within an angle of this sine.
bool isInCone(const Vertex& vertex, const Vector3d& n, double sine);

// The kernels: each adds the contacts of one pair of features. `side` is that of the first feature.
void vertexWithFace(ContactQuery& query, int side, int vertex, int face);
void edgeWithFace(ContactQuery& query, int side, int edge, int face);
/// Notes where a curved edge crosses the face (ContactQuery::notePiercing()), and a point of any edge that
/// crosses it inside the other solid.
void edgeAcrossFace(ContactQuery& query, int side, int edge, int face);
void faceWithFace(ContactQuery& query, int faceA, int faceB);
/// `own`: a patch of a free-form surface.
void patchWithFace(ContactQuery& query, int side, int own, int other);
void edgeWithEdge(ContactQuery& query, int edgeA, int edgeB);
void vertexWithEdge(ContactQuery& query, int side, int vertex, int edge);
void vertexWithVertex(ContactQuery& query, int vertexA, int vertexB);

}  // namespace tenon::physics::brep
