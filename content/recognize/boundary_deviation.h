// Measures how far a part that collides on its own faces is from the given mesh or CAD surfaces, in both
// directions.
#pragma once

#include <optional>
#include <vector>

#include "content/mesh/triangle_bvh.h"
#include "content/recognize/cad_surfaces.h"
#include "content/recognize/revolved_groups.h"
#include "content/recognize/shape_deviation.h"

namespace tenon::content {

struct BoundaryDeviation {
  ShapeDeviation deviation;
  /// Triangles of the repaired mesh whose face collides more than the tolerance away, or a plane, cylinder or
  /// cone of a mesh more than a tenth of it; sorted.
  std::vector<int> offending;
  /// Of each place where that was seen the nearest corner of its triangle; sorted vertices of the mesh.
  std::vector<int> corners;
};

/// The nearest triangles of the samples of colliding faces, from one measurement of a mesh to the next: faces
/// that are sampled at the same points need no further search.
struct NearestTriangles {
  struct Sample {
    Vector3d p = Vector3d::Zero();  ///< [m]
    int triangle = -1;
  };
  std::optional<TriangleBvh> tree;           ///< of the mesh
  std::vector<std::vector<Sample>> samples;  ///< by the first triangle of the face
};

/// Samples of the given surface against the faces that contacts use (physics::brep), and samples of these
/// faces against the given triangles. Triangles and faces have samples, large ones on a grid of `spacing` (at
/// least 0.2 mm, some 50,000 points in all); facets that collide as themselves, away from faces on surfaces,
/// need none.
/// With `cad`, the given surfaces are those of the file, see GivenSurfaces. Distances are beyond the sagitta
/// of the chords of its borders and the gap of the file there.
///
/// DirectedDeviation of a mesh holds the distances as they are. Facets of a round face leave its surface by
/// their sagitta, which is meant: `outside` and `missing` are the distances beyond that of the facet and of
/// its neighbors. `alongFlats`: by triangle, 1 where the middle of its facet lies on the surface, as in bores
/// along their flats, 0 where its vertices do. `nearest`: of measurements of the same mesh; null: none.
BoundaryDeviation measureBoundary(const Facets& facets, const physics::Shape& shape,
                                  const std::vector<char>& alongFlats, const CadFaces* cad, double tolerance,
                                  NearestTriangles* nearest = nullptr);

}  // namespace tenon::content
