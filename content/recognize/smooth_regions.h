// Segments the surface of a mesh into regions without sharp edges: planes and possibly round surfaces.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "content/mesh/repair_mesh.h"
#include "content/recognize/cad_surfaces.h"

namespace tenon::content {

/// A mesh with precomputed normals, areas and bounds.
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
  std::vector<Vector3d> normals;  ///< unit; zero for triangles too thin to have one
  std::vector<double> areas;      ///< [m²]
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds [m]
  double extent = 0;                                         ///< largest side of the bounds [m]
  double tolerance = 0;  ///< of the distance of a vertex from its surface [m]
  /// Scratch indices for functions that work on some of the triangles; reset to −1 after use. Allocating them
  /// for each of thousands of regions would be slow.
  mutable std::vector<int> indexOfTriangle, indexOfVertex;
};

/// Minimum of Facets::tolerance [m]: five times the noise of a mesh accurate to 2 µm. For parts above 5 m the
/// rounding of a float is larger.
inline constexpr double kSurfaceTolerance = 10e-6;
/// Facets::tolerance of a mesh whose largest side is `extent` [m].
inline double surfaceTolerance(double extent) {
  return std::max(kSurfaceTolerance, 2e-6 * extent);
}

/// Largest distance of the vertices and facets of a mesh from a plane that collides instead of them, over
/// Facets::tolerance: 1 µm [-].
inline constexpr double kPlaneRatio = 0.1;

struct Region {
  std::vector<int> triangles;
  bool planar = false;
  Vector3d normal = Vector3d::Zero();  ///< unit normal of a plane, out of the material
  double offset = 0;                   ///< normal · p on the plane [m]
  double area = 0;                     ///< [m²]
  double maxDeviation = 0;             ///< of the vertices from the plane [m]
  /// The surface in the CAD file; empty: only the triangles are available.
  std::optional<CadSurface> surface;
};

/// The plane of these triangles, by least squares through their vertices.
Region planeThrough(const Facets& facets, std::vector<int> triangles);

/// Joins triangles across edges with an angle below 26°: facets of a circle of 16 stay together (22.5°),
/// chamfers and hexagons (30°, 45°, 60°) are separated. In the order of their first triangles. O(n). With
/// `cadFaces`, joins the triangles on one surface instead, also of different faces.
std::vector<Region> smoothRegions(const Facets& facets, const CadFaces* cadFaces = nullptr);

}  // namespace tenon::content
