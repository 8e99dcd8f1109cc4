// What a mesh is for a simulation: an exact shape where one was found, its named ends and holes, and what has
// to be said of it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "content/mesh/repair_mesh.h"
#include "content/model/scene.h"
#include "content/recognize/revolved_groups.h"
#include "content/recognize/shape_deviation.h"

namespace tenon::content {

/// A cylinder or cone that was found.
struct RecognizedFace {
  std::string of;  ///< hole or end that it leads to, or "" where it is used as facets
  bool inner = false, cone = false;
  double diameterLow = 0, diameterHigh = 0;     ///< at both ends, of the exact surface [m]
  double vertexDiameter = 0, flatDiameter = 0;  ///< at its middle, through corners and along facets [m]
  double length = 0;                            ///< along the axis [m]
  double rms = 0, maxDeviation = 0;             ///< how far vertices lie off the mean surface [m]
  int facets = 0;
  double coverage = 0;  ///< of the full turn
  FacetRule rule = FacetRule::regular;
  bool exact = false;  ///< collides as this surface, not as its facets
};

struct RecognizedPart {
  physics::Shape shape;               ///< in the frame of the file [m]
  std::vector<AxisFeature> features;  ///< ends of round outer faces
  std::vector<RecognizedFace> faces;  ///< the largest axis first
  MeshReport report;
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  ///< bounds [m]
  physics::MassProperties solid;                             ///< at 1 kg/m³; mass 0 where the mesh is open
  double shapeVolume = 0;                                    ///< [m³]
  int convexParts = 0;        ///< of the shape, that stand in for what is not round
  double planeTolerance = 0;  ///< planes of pieces closer than this count as one [m]
  /// How far the shape lies off the mesh, beyond what exact round faces explain.
  ShapeDeviation meshDeviation;
  /// How far facets that collide may lie off the surfaces that the file gives them [m].
  double deviation = 0;
  std::string unit;                            ///< that the file says; "" where the scene says it
  std::optional<std::array<double, 3>> color;  ///< that the file gives it, sRGB
};

/// Convex pieces that one part may become.
inline constexpr int kMaxConvexPartsOfMesh = 500;

/// Why no shape can be made of a mesh.
struct RecognitionError {
  std::string problem, remedy;
};

/// The shape of a mesh in metres. Tried in this order: one turned solid; a cuboid with round holes; round
/// shafts and holes, each in a cuboid of its own, and convex pieces around them. What is round but cut by
/// something else collides by its facets. Throws RecognitionError, also where a shape with convex pieces lies
/// further off the mesh than kMaxDeviationRatio times what is stated. `mesh` has a triangle with an area.
/// With `known` faces, cylinders and cones are as the file has them, and nothing is fitted but what else is
/// round.
RecognizedPart recognize(const RepairedMesh& mesh, BoreRule rule, const CadFaces* known = nullptr);

}  // namespace tenon::content
