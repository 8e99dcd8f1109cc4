// A solid from a closed triangle mesh: triangles of one surface, and coplanar ones, become one face.
#pragma once

#include <memory>
#include <vector>

#include "physics/collision/brep/solid.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics::brep {

/// Triangles whose corners deviate from a plane by at most this form one planar face [m]; below the nanometer
/// to which contacts are solved.
inline constexpr double kCoplanar = 5e-10;

/// The solid of solidOfTriangles(), whose faces and edges are found, before it is finished.
class TrimmedTriangles {
 public:
  /// `boundary` must live as long. Throws as solidOfTriangles().
  explicit TrimmedTriangles(const BoundarySolid& boundary);
  TrimmedTriangles(TrimmedTriangles&&) noexcept;
  TrimmedTriangles& operator=(TrimmedTriangles&&) noexcept;
  ~TrimmedTriangles();

  /// Surfaces whose triangles stay flat: the solid is that of the boundary without these surfaces.
  const std::vector<int>& flat() const;
  /// By triangle, its face in the solid; of a free-form surface the first of its patches.
  const std::vector<int>& faceOf() const;
  /// Once. `depthLimit`: see Solid::finish().
  Solid finish(double depthLimit) &&;

 private:
  struct Builder;
  std::unique_ptr<Builder> builder_;
};

/// The solid of a closed surface. Triangles with a surface form faces on it; their corners at the borders
/// move onto the surfaces that meet there, and edges are the curves in which these meet. The others stay
/// flat, to kCoplanar; among them, facets of a curved surface follow the corners that they share with such
/// faces. Where borders cannot be found (a corner too far away, surfaces that are tangent along another curve
/// than a line or circle), the triangles of the surface with the least area there stay flat, too: such
/// surfaces are appended to `flat`, unless it is null; around a facet whose corners moved too far, all of
/// them. `depthLimit`: see Solid::finish(). Throws std::invalid_argument where an edge is not shared by two
/// triangles in opposite directions, and for a triangle without area that no face includes.
Solid solidOfTriangles(const BoundarySolid& boundary, double depthLimit, std::vector<int>* flat = nullptr);

/// The surfaces that solidOfTriangles() appends to `flat`, in half its time. Throws likewise.
std::vector<int> flatSurfacesOf(const BoundarySolid& boundary);

}  // namespace tenon::physics::brep
