// Converts a mesh to a collision shape with named ends and holes, exact where round faces are recognized.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "content/mesh/repair_mesh.h"
#include "content/model/scene.h"
#include "content/recognize/recognized_thread.h"
#include "content/recognize/revolved_groups.h"
#include "content/recognize/shape_deviation.h"

namespace tenon::content {

/// A recognized cylinder or cone.
struct RecognizedFace {
  std::string holeOrEnd;  ///< name of its hole or end, or "" if it belongs to none
  bool inner = false, cone = false;
  double diameterLow = 0, diameterHigh = 0;  ///< of the exact surface at both ends [m]
  double vertexDiameter = 0,
         flatDiameter = 0;           ///< at the middle, through the vertices and tangent to the facets [m]
  double length = 0;                 ///< along the axis [m]
  double rms = 0, maxDeviation = 0;  ///< distance of the vertices from the fitted surface [m]
  int facets = 0;
  double coverage = 0;  ///< fraction of the full circle
  FacetRule rule = FacetRule::regular;
  bool exact = false;  ///< collides as the exact surface, not as facets
};

struct RecognizedPart {
  physics::Shape shape;                   ///< in the frame of the file [m]
  std::vector<AxisFeature> features;      ///< ends of round outer faces
  std::vector<std::string> facetedSites;  ///< names of holes and ends whose walls collide as facets
  std::vector<RecognizedFace> faces;      ///< the largest group of coaxial faces first
  std::vector<RecognizedThread> threads;  ///< used ones are children of `shape`; others say why not
  int unsearchedAxes = 0;  ///< possible axes of threads that were not searched, because there are too many
  MeshReport report;
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds [m]
  physics::MassProperties solid;                             ///< at 1 kg/m³; mass 0 if the mesh is open
  double shapeVolume = 0;  ///< of a BoundarySolid that of its triangles [m³]
  /// Deviation of the shape from the mesh, beyond that of exact round faces from their facets.
  ShapeDeviation meshDeviation;
  /// Largest distance of colliding facets from the exact surfaces in a CAD file [m].
  double deviation = 0;
  /// Share of the area that collides on surfaces, planes included, instead of as facets [-].
  double exactArea = 0;
  std::string unit;                            ///< defined by the file; "" if the scene defines it
  std::optional<std::array<double, 3>> color;  ///< defined by the file, sRGB

  /// True for a hole or end of `facetedSites`.
  bool isFaceted(const std::string& site) const {
    return std::find(facetedSites.begin(), facetedSites.end(), site) != facetedSites.end();
  }
};

/// Thrown if a mesh cannot be converted to a shape.
struct RecognitionError {
  std::string problem, remedy;
};

/// Converts a mesh in meters: to one solid of revolution, or a cuboid with round holes; any other closed mesh
/// to a BoundarySolid of its own faces, on planes and round surfaces where these are recognized, else as
/// triangles. A part with threads becomes a compound of these and of its other faces. With `cadFaces`,
/// surfaces are those of the CAD file; only other round faces are fitted. `mesh` must have a triangle with an
/// area. Threads of an open mesh are listed, but not used. Throws RecognitionError for a mesh whose faces
/// cross, or that no shape within the tolerances replaces.
RecognizedPart recognize(const RepairedMesh& mesh, BoreRule rule, const CadFaces* cadFaces = nullptr,
                         ThreadRule threads = ThreadRule::exact);

}  // namespace tenon::content
