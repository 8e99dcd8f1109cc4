// The surface of a mesh in regions without sharp edges: planes, and what may be round.
#pragma once

#include <optional>
#include <vector>

#include "content/mesh/repair_mesh.h"
#include "content/recognize/cad_surfaces.h"

namespace tenon::content {

/// Triangles as they are asked for again and again.
struct Facets {
  explicit Facets(const RepairedMesh& repairedMesh);

  const Vector3d& point(int triangle, int corner) const {
    return mesh->mesh.vertices[static_cast<std::size_t>(vertex(triangle, corner))];
  }
  int vertex(int triangle, int corner) const {
    return mesh->mesh.triangles[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(corner)];
  }
  int neighbor(int triangle, int side) const {
    return mesh->neighbors[static_cast<std::size_t>(triangle)][static_cast<std::size_t>(side)];
  }
  int count() const { return static_cast<int>(mesh->mesh.triangles.size()); }

  const RepairedMesh* mesh;
  std::vector<Vector3d> normals;  ///< unit; zero where a triangle is too thin to have one
  std::vector<double> areas;      ///< [m²]
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds [m]
  double extent = 0;                                         ///< largest side of the bounds [m]
  double tolerance = 0;  ///< how far a vertex may lie off the surface it belongs to [m]
  /// Places in a list of whoever works on some of the triangles, who leaves -1 behind: searching would take
  /// longer, and marks of their own for each of thousands of regions longer still.
  mutable std::vector<int> indexOfTriangle, indexOfVertex;
};

/// How far vertices may lie off a recognised surface [m]: five times the noise of a mesh that is good to
/// 2 µm; for parts above 5 m a float's rounding.
inline constexpr double kSurfaceTolerance = 10e-6;

struct Region {
  std::vector<int> triangles;
  bool planar = false;
  Vector3d normal = Vector3d::Zero();  ///< of a plane, unit, out of the material
  double offset = 0;                   ///< normal · p on the plane [m]
  double area = 0;                     ///< [m²]
  double maxDeviation = 0;             ///< how far a plane's vertices lie off it [m]
  /// What the file says it is; none: nothing, so that it is known by its triangles alone.
  std::optional<CadSurface> surface;
};

/// Triangles joined across edges flatter than 26°: facets of a circle of 16 stay together (22.5°), chamfers
/// and hexagons (30°, 45°, 60°) come apart. In the order of their first triangles. O(n). Where surfaces are
/// `known`, triangles stay together on one surface instead, whichever of the file's faces they are of.
std::vector<Region> smoothRegions(const Facets& facets, const CadFaces* known = nullptr);

}  // namespace tenon::content
