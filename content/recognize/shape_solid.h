// The collision shape that a mesh became, as one solid: how far a point lies outside it.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <variant>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "physics/collision/geometry/shape.h"
#include "physics/collision/revolved/revolved_geometry.h"

namespace tenon::content {

class ShapeSolid {
 public:
  /// Of the kinds that meshes become: SolidOfRevolution, BlockWithHoles, Box, Hull and a Compound of these.
  /// Others count as absent.
  explicit ShapeSolid(const physics::Shape& shape);

  /// Signed distance of p to the solid [m]: exact outside; inside it is negative and no larger in size than
  /// the depth (a wall between two pieces counts as surface).
  double distance(const Vector3d& p) const;

  /// Whether one convex piece holds all of a triangle, but for `within` [m].
  bool isInOneConvexPart(const TriangleCorners& triangle, double within) const;

  /// Faces of the convex pieces, as triangles.
  const std::vector<TriangleCorners>& faces() const { return faces_; }
  /// Points of its round surfaces: corners of the profile and the middles between, at kPhases azimuths, and a
  /// block's corners.
  const std::vector<Vector3d>& roundPoints() const { return roundPoints_; }
  /// Whether it is one exact shape, without hulls.
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
