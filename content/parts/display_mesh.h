// Builds display meshes of shapes.
#pragma once

#include <span>

#include "content/model/display_mesh.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

using physics::Pose;
using physics::Vector3d;

/// A closed polygon in a plane [m].
using Polygon = std::vector<Eigen::Vector2d>;

/// Number of facets of a circle of radius r [m]: sagitta of at most 20 µm, 48 to 192 facets.
int circleFacetCount(double radius);

/// Regular polygon inscribed in a circle about `center`, counter-clockwise.
Polygon circle(const Eigen::Vector2d& center, double radius, int facets);

/// Appends surfaces to a display mesh; X is a pose in the frame of the part.
class MeshBuilder {
 public:
  explicit MeshBuilder(DisplayMesh& mesh) : mesh_(mesh) {}

  /// The surface of revolution about z of a polyline (z, r) [m], with the material on its left in (r, z) as
  /// in SolidOfRevolution::profile. Normals are smooth about the axis, with a sharp edge at each point.
  void revolve(std::span<const Eigen::Vector2d> profile, const Pose& X);
  /// The same with a given number of facets.
  void revolve(std::span<const Eigen::Vector2d> profile, const Pose& X, int facets);
  /// A capsule of radius r [m] and half length h [m] of its cylinder, with exact normals; a sphere for h = 0.
  void capsule(double r, double h, const Pose& X);
  /// The region inside `outer` and outside `holes` (all counter-clockwise and disjoint) in the plane z = 0,
  /// facing +z.
  void face(const Polygon& outer, std::span<const Polygon> holes, const Pose& X);
  /// Walls of a prism over `outline` (counter-clockwise) between two heights [m], facing outwards, or inwards
  /// if `inside`.
  void prismWalls(const Polygon& outline, double z0, double z1, const Pose& X, bool inside);
  /// The surface of a thread as it collides; of an internal one without its roots, which are the wall of the
  /// hole around it. If `isInHole`, without the outer wall of its teeth, too. In thread_mesh.cpp.
  void thread(const physics::Thread& thread, const Pose& X, bool isInHole);
  void shape(const physics::Shape& shape, const Pose& X);

 private:
  std::uint32_t vertex(const Vector3d& p, const Vector3d& n);
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
  void block(const physics::BlockWithHoles& block, const Pose& X);
  void hull(const physics::Hull& hull, const Pose& X);
  void boundary(const physics::BoundarySolid& solid, const Pose& X);

  DisplayMesh& mesh_;
};

/// The display mesh of a collision shape; empty for a half-space.
DisplayMesh displayMeshOf(const physics::Shape& shape);

/// Volume of a closed mesh by the divergence theorem [m³].
double volumeOf(const DisplayMesh& mesh);

}  // namespace tenon::content
