// SolidOfRevolution parts prepared for contact finding, and the exact signed distance of a point to each.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "physics/collision/geometry/revolved_shapes.h"
#include "physics/collision/revolved/meridian.h"

namespace tenon::physics {

/// The closest point of a solid's surface to a point asked for.
struct SurfaceHit {
  double distance = 0;                 ///< [m], negative in the material
  Vector3d normal = Vector3d::Zero();  ///< unit, out of the material: the gradient of the distance
  int feature = 0;                     ///< number of the face, edge or corner, by the solid
  bool edge = false;                   ///< an edge or corner, no face
  /// How far it lies from a sharp edge of its round face [m], across the edge; infinite elsewhere.
  double edgeDistance = std::numeric_limits<double>::infinity();
};

/// What of a solid's surface is flat, straight or a point.
struct FlatFeatures {
  struct Face {
    Vector3d normal = Vector3d::Zero();  ///< unit, outward
    double offset = 0;                   ///< normal · p on the face [m]
    int feature = 0;
  };
  struct Edge {
    Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();           ///< ends [m]
    Vector3d before = Vector3d::Zero(), after = Vector3d::Zero();  ///< normals of its faces
    int feature = 0;
  };
  struct Corner {
    Vector3d p = Vector3d::Zero();  ///< [m]
    int feature = 0;
  };
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Corner> corners;
};

/// FlatFeatures that are kept somewhere.
struct FlatView {
  // NOLINTNEXTLINE(google-explicit-constructor): a view of it, as std::span is of a vector
  FlatView(const FlatFeatures& flat) : faces(flat.faces), edges(flat.edges), corners(flat.corners) {}
  FlatView(std::span<const FlatFeatures::Face> f, std::span<const FlatFeatures::Edge> e,
           std::span<const FlatFeatures::Corner> c)
      : faces(f), edges(e), corners(c) {}
  std::span<const FlatFeatures::Face> faces;
  std::span<const FlatFeatures::Edge> edges;
  std::span<const FlatFeatures::Corner> corners;
};

/// Features: segment i of the profile is i, its vertex i is segments + i.
struct RevolvedGeometry {
  Meridian meridian;
  double center = 0;          ///< z of the middle of the bounding sphere [m]
  double boundingRadius = 0;  ///< its radius [m]
};

struct CavityGeometry {
  Meridian meridian;
  Matrix3d R_BH = Matrix3d::Identity();
  Vector3d p_BH = Vector3d::Zero();  ///< [m]
  int mouthFace = 0;                 ///< 2·axis + (1 where the normal is positive)
  int firstFeature = 0;              ///< of segment 0; vertex 0 is firstFeature + segments
  Vector3d center_H = Vector3d::Zero();
  double boundingRadius = 0;  ///< radius of the bounding sphere about center_H [m]
};

/// Features: kBoxFeatures of the box, then segments and vertices cavity by cavity. Box feature (a, b, c),
/// each in {0, 1, 2}, is 9a + 3b + c: 0 and 2 are at the negative and positive end of x, y, z, 1 between.
struct BlockGeometry {
  Vector3d halfExtents = Vector3d::Zero();  ///< [m]
  std::vector<CavityGeometry> cavities;
  FlatFeatures box;
};
inline constexpr int kBoxFeatures = 27;

/// Throw std::invalid_argument with the words of problemWith().
RevolvedGeometry prepare(const SolidOfRevolution& turned);
BlockGeometry prepare(const BlockWithHoles& block);

/// Signed distance of `p` (in the part's frame) to the part's surface, exact to rounding. Allocates nothing.
SurfaceHit nearestOn(const RevolvedGeometry& turned, const Vector3d& p);
SurfaceHit nearestOn(const BlockGeometry& block, const Vector3d& p);

/// The same with only some of the cavities, by index: for points nearer to the surface of these (or to the
/// box away from the mouths of the others) than to the others.
SurfaceHit nearestOn(const BlockGeometry& block, std::span<const int> cavities, const Vector3d& p);

}  // namespace tenon::physics
