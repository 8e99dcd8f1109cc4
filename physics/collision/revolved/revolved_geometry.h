// Shapes of revolution prepared for contact detection, with exact signed distances of points.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "physics/collision/geometry/revolved_shapes.h"
#include "physics/collision/revolved/meridian.h"

namespace tenon::physics {

/// The point of a solid's surface closest to a query point.
struct SurfaceHit {
  double distance = 0;                 ///< [m], negative in the material
  Vector3d normal = Vector3d::Zero();  ///< unit, out of the material: the gradient of the distance
  int feature = 0;                     ///< index of the face, edge or corner within the solid
  bool edge = false;                   ///< the feature is an edge or corner
  /// Distance to a sharp edge of its round face [m]; infinite on other features.
  double edgeDistance = std::numeric_limits<double>::infinity();
};

/// Flat faces, straight edges and corners of a solid.
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

/// Non-owning view of FlatFeatures.
struct FlatView {
  // NOLINTNEXTLINE(google-explicit-constructor): a view, like std::span of a vector
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
  double center = 0;          ///< z of the center of the bounding sphere [m]
  double boundingRadius = 0;  ///< its radius [m]
};

struct CavityGeometry {
  Meridian meridian;
  Matrix3d R_BH = Matrix3d::Identity();
  Vector3d p_BH = Vector3d::Zero();  ///< [m]
  int mouthFace = 0;                 ///< 2·axis + (1 where the normal is positive)
  int firstFeature = 0;              ///< of segment 0; that of vertex 0 is firstFeature + number of segments
  Vector3d center_H = Vector3d::Zero();
  double boundingRadius = 0;  ///< radius of the bounding sphere about center_H [m]
};

/// Features: kBoxFeatures of the box, then segments and vertices of each cavity. Box feature (a, b, c), each
/// in {0, 1, 2}, is 9a + 3b + c: 0 and 2 are the negative and positive ends of x, y, z; 1 is between.
struct BlockGeometry {
  Vector3d halfExtents = Vector3d::Zero();  ///< [m]
  std::vector<CavityGeometry> cavities;
  FlatFeatures box;
};
inline constexpr int kBoxFeatures = 27;

/// Throw std::invalid_argument with the text of problemWith().
RevolvedGeometry prepare(const SolidOfRevolution& solid);
BlockGeometry prepare(const BlockWithHoles& block);

/// Signed distance of `p` (in the part's frame) to the part's surface, exact to rounding. Allocates nothing.
SurfaceHit nearestOn(const RevolvedGeometry& solid, const Vector3d& p);
SurfaceHit nearestOn(const BlockGeometry& block, const Vector3d& p);

/// The same for a subset of the cavities, by index. Valid for points closer to these (or to the box outside
/// the mouths of the others) than to the other cavities.
SurfaceHit nearestOn(const BlockGeometry& block, std::span<const int> cavities, const Vector3d& p);

}  // namespace tenon::physics
