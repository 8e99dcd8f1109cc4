// Measures how far a part that collides on its own faces is from the given mesh or CAD surfaces, in both
// directions.
#pragma once

#include <vector>

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

/// Samples of the given surface against the faces that contacts use (physics::brep), and samples of these
/// faces against the given triangles. Triangles and faces have samples, large ones on a grid of `spacing` (at
/// least 0.2 mm, some 50,000 points in all); facets that collide as themselves, away from faces on surfaces,
/// need none. Of an open mesh only its triangles are measured.
/// With `cad`, the given surfaces are those of the file, see GivenSurfaces. Distances are beyond the sagitta
/// of the chords of its borders and the gap of the file there.
///
/// DirectedDeviation of a mesh holds the distances as they are. Facets of a round face leave its surface by
/// their sagitta, which is meant: `outside` and `missing` are the distances beyond that of the facet and of
/// its neighbors. `alongFlats`: by triangle, 1 where the middle of its facet lies on the surface, as in bores
/// along their flats, 0 where its vertices do.
BoundaryDeviation measureBoundary(const Facets& facets, const physics::Shape& shape,
                                  const std::vector<char>& alongFlats, const CadFaces* cad, double tolerance);

}  // namespace tenon::content
