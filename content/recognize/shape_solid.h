// Signed distance to the collision shape of a mesh.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <variant>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "physics/collision/geometry/shape.h"
#include "physics/collision/revolved/revolved_geometry.h"

namespace tenon::content {

/// The union of the shapes of a recognized mesh.
class ShapeSolid {
 public:
  /// Accepts the kinds that recognize() returns: SolidOfRevolution, BlockWithHoles, Box, Hull and a Compound
  /// of these. Other kinds are ignored.
  explicit ShapeSolid(const physics::Shape& shape);

  /// Signed distance of p from the solid [m]: exact outside; inside negative, with at most the magnitude of
  /// the depth (walls between convex parts count as surface).
  double distance(const Vector3d& p) const;

  /// True if one convex part contains the whole triangle, to within `tolerance` [m].
  bool isInOneConvexPart(const TriangleCorners& triangle, double tolerance) const;

  /// Faces of the convex parts as triangles.
  const std::vector<TriangleCorners>& faces() const { return faces_; }
  /// Sample points of the exact shapes: corners and midpoints of the profile at kAzimuths angles, and the
  /// corners of blocks.
  const std::vector<Vector3d>& roundPoints() const { return roundPoints_; }
  /// True for a single exact shape without hulls.
  bool isExact() const { return convex_.empty() && round_.size() == 1; }

 private:
  struct Convex {
    Eigen::AlignedBox3d box;
    std::vector<std::pair<Vector3d, double>> planes;  ///< unit normal outwards, offset [m]
  };
  struct Round {
    physics::Pose X;  ///< in the part
    std::variant<physics::RevolvedGeometry, physics::BlockGeometry> geometry;
  };

  void add(const physics::Shape& shape, const physics::Pose& X);
  void addBlock(const physics::BlockWithHoles& block, const physics::Pose& X);
  void addHull(std::vector<Vector3d> vertices, const physics::Pose& X);
  void addProfile(const std::vector<Eigen::Vector2d>& profile, const physics::Pose& X);

  std::vector<Convex> convex_;
  std::vector<Round> round_;
  std::vector<TriangleCorners> faces_;
  std::vector<Vector3d> roundPoints_;
  std::unique_ptr<const TriangleBvh> tree_;  ///< of faces_
};

}  // namespace tenon::content
