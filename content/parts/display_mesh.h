// What a part looks like: triangles with normals, for pictures and glTF. Physics never reads it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

using physics::Pose;
using physics::Vector3d;

/// Triangles over vertices, counter-clockwise seen from outside. A vertex has one normal, so that vertices on
/// a sharp edge are there once for each face.
struct DisplayMesh {
  std::vector<Vector3d> positions;  ///< in the part's frame [m]
  std::vector<Vector3d> normals;    ///< unit, one for each position
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A closed polygon in a plane [m].
using Polygon = std::vector<Eigen::Vector2d>;

/// Facets round a circle of radius r [m]: chords of at most 20 µm sagitta, 48 to 192.
int circleFacetCount(double radius);

/// Circle about `centre`, counter-clockwise.
Polygon circle(const Eigen::Vector2d& center, double radius, int facets);

/// Draws onto a mesh, in frames P of the part.
class MeshBuilder {
 public:
  explicit MeshBuilder(DisplayMesh& mesh) : mesh_(mesh) {}

  /// The surface of revolution about z of X of a polyline (z, r) [m], material on its left in (r, z) as a
  /// SolidOfRevolution's profile has it; smooth round the axis, with an edge at each point.
  void revolve(std::span<const Eigen::Vector2d> profile, const Pose& X);
  /// The same with a given number of facets.
  void revolve(std::span<const Eigen::Vector2d> profile, const Pose& X, int facets);
  /// The ball of radius r [m], its upper half lifted and its lower one lowered by `h` [m] with a cylinder
  /// between them; normals are those of the true surface.
  void capsule(double r, double h, const Pose& X);
  /// The region inside `outer` (counter-clockwise) and outside `holes` (counter-clockwise, apart from each
  /// other and from the border) in the plane z = 0 of X, facing +z.
  void face(const Polygon& outer, std::span<const Polygon> holes, const Pose& X);
  /// Walls of a prism over `outline` (counter-clockwise) between two heights [m], seen from outside it, or
  /// from inside.
  void prismWalls(const Polygon& outline, double z0, double z1, const Pose& X, bool inside);
  void shape(const physics::Shape& shape, const Pose& X);

 private:
  std::uint32_t vertex(const Vector3d& p, const Vector3d& n);
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
  void block(const physics::BlockWithHoles& block, const Pose& X);
  void hull(const physics::Hull& hull, const Pose& X);

  DisplayMesh& mesh_;
};

/// Of a shape as collision sees it; a half-space as nothing.
DisplayMesh displayMeshOf(const physics::Shape& shape);

/// Enclosed volume [m³] by the divergence theorem; that of a closed mesh.
double volumeOf(const DisplayMesh& mesh);

}  // namespace tenon::content
