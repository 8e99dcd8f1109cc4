// Shapes of parts: a closed set of plain values. Mass properties are in body/mass_properties.h, bounds and
// contacts in collision/.
//
// All lengths in meters, in the frame of the shape. The axis of round shapes is z.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "physics/collision/geometry/revolved_shapes.h"
#include "physics/collision/geometry/surface.h"
#include "physics/math/pose.h"

namespace tenon::physics {

namespace brep {
struct PreparedSolid;
}

/// Cuboid centered on the origin.
struct Box {
  Vector3d halfExtents = Vector3d::Zero();  ///< [m], each > 0
};

/// Sphere centered on the origin.
struct Sphere {
  double radius = 0;  ///< [m]
};

/// Solid cylinder about z, centered on the origin.
struct Cylinder {
  double radius = 0;      ///< [m]
  double halfLength = 0;  ///< along z [m]
};

/// Cylinder about z closed by two half spheres.
struct Capsule {
  double radius = 0;      ///< [m]
  double halfLength = 0;  ///< of the cylindrical part, along z [m]
};

/// Truncated cone about z between z = −halfLength and z = +halfLength. One radius may be 0 (a cone).
struct Frustum {
  double bottomRadius = 0;  ///< at z = −halfLength [m]
  double topRadius = 0;     ///< at z = +halfLength [m]
  double halfLength = 0;    ///< along z [m]
};

/// Convex hull of its vertices; at least four, not in one plane.
struct Hull {
  std::vector<Vector3d> vertices;  ///< [m]
};

/// Everything at z ≤ 0: an unbounded floor. Only for fixed bodies.
struct HalfSpace {};

/// A round hole of a FacetedBlock: a bore along z that opens on the block's +z face, with a conical
/// lead-in (chamfer) at its mouth.
struct RoundHole {
  std::string name;              ///< unique within the block
  Eigen::Vector2d center{0, 0};  ///< on the +z face [m]
  double radius = 0;             ///< of the bore [m]
  double chamferWidth = 0;       ///< radial width of the lead-in at the mouth [m], 0: none
  double chamferDepth = 0;       ///< axial depth of the lead-in [m], 0: none
  double depth = 0;              ///< from the +z face [m]; ≥ block height: a through hole
};

/// A cuboid with faceted round holes, for comparison with the exact BlockWithHoles. Each hole has `sectors`
/// planes tangent to the true circle from outside, so it is never narrower than specified; its corners lie
/// radius · (1/cos(π/sectors) − 1) further out. One plane's normal is +x.
struct FacetedBlock {
  Vector3d halfExtents = Vector3d::Zero();  ///< [m]
  std::vector<RoundHole> holes;             ///< on the +z face
  int sectors = 128;                        ///< facets per hole, a multiple of 4, at least 8
};

/// The solid inside a closed surface of triangles, convex or not, whose faces may be curved: triangles with
/// the same surface stand for a face on it, trimmed where it meets the surfaces of its neighbors.
struct BoundarySolid {
  std::vector<Vector3d> vertices;             ///< [m]
  std::vector<std::array<int, 3>> triangles;  ///< indices of vertices, counter-clockwise seen from outside
  /// Curved and planar surfaces in the frame of the shape. Their `side` has no meaning: that of the triangles
  /// counts.
  std::vector<Surface> surfaces{};
  /// For each triangle the index of its surface, −1: the plane of the triangle. Empty: all of them −1.
  std::vector<int> surfaceOf{};
  /// Round holes by name, for goals and messages: frames and profiles as in BlockWithHoles. Contacts do not
  /// depend on them.
  std::vector<Cavity> holes{};
  /// Its faces, edges and vertices, if they have been made: for brep::preparedSolidOf(), which makes new ones
  /// where the surface has been changed since.
  std::shared_ptr<const brep::PreparedSolid> prepared{};
};

struct PlacedShape;

/// Several rigidly connected shapes. They must not overlap: their masses are summed.
struct Compound {
  std::vector<PlacedShape> children;  ///< each in its place
};

/// SolidOfRevolution and BlockWithHoles are declared in revolved_shapes.h.
using Shape = std::variant<Box, Sphere, Cylinder, Capsule, Frustum, Hull, HalfSpace, FacetedBlock,
                           SolidOfRevolution, BlockWithHoles, BoundarySolid, Compound>;

/// A shape and the pose of its frame S in the frame P of the part.
struct PlacedShape {
  Shape shape;  ///< in its own frame S
  Pose X_PS;    ///< of S in P
};

}  // namespace tenon::physics
