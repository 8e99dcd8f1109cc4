// The axis about which regions of a mesh are turned, and the straight lines of their profile.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "content/recognize/smooth_regions.h"

namespace tenon::content {

/// A line in space with a frame across it.
struct Axis {
  Vector3d origin = Vector3d::Zero();  ///< [m]
  Vector3d z = Vector3d::UnitZ();      ///< unit
  Vector3d x = Vector3d::UnitX();      ///< unit, ⟂ z
  Vector3d y = Vector3d::UnitY();

  void setDirection(const Vector3d& direction);
  /// (r, z) of a point [m].
  Eigen::Vector2d meridian(const Vector3d& p) const {
    const Vector3d w = p - origin;
    const double h = w.dot(z);
    return {(w - h * z).norm(), h};
  }
  double azimuth(const Vector3d& p) const { return std::atan2((p - origin).dot(y), (p - origin).dot(x)); }
};

/// A vertex where two facets of a round face meet: it lies on the face's circle.
struct RimPoint {
  int vertex = 0;
  double azimuth = 0;  ///< [rad]
};

/// Which circle the facets of a round face are laid to.
enum class FacetRule {
  regular,  ///< all facets alike: vertices lie on one circle, facets touch another, and neither is told apart
  vertices,  ///< the corners lie on the circle, the facets at different depths within
  flats,     ///< the facets touch the circle, the corners lie at different heights outside
  exact,     ///< the circle is that of the file, whatever its facets
};

/// One straight line of a profile: a cylinder, a cone or a plane across the axis, as the mesh has it.
struct ProfileLine {
  std::vector<int> triangles;
  std::vector<RimPoint> rim;         ///< see rimPoints(); empty for a plane
  double step = 0;                   ///< of a facet about the axis [rad]
  Eigen::Vector2d n{1, 0};           ///< unit, in (r, z), out of the material
  double d = 0;                      ///< n · (r, z) of the vertices' circles [m]
  double low = 0, high = 0;          ///< along the axis [m]
  double rms = 0, maxDeviation = 0;  ///< how far vertices lie off it [m]
  /// Radius of the circles that the facets touch over that of the circles through their vertices.
  double flatRatio = 1;
  int facets = 0;
  double coverage = 0;  ///< of the full turn, 0…1
  FacetRule rule = FacetRule::regular;

  bool isPlane() const { return n.x() == 0; }
  bool isCylinder() const { return n.y() == 0; }
  /// The material is outside: a bore.
  bool isInner() const { return n.x() < 0; }
  /// Radius through the vertices at height z [m].
  double radiusAt(double z) const { return (d - n.y() * z) / n.x(); }
};

struct AxisFit {
  Axis axis;
  std::vector<ProfileLine> lines;
};

/// The axis of least squares of a region that is no plane, or nothing where it is not turned: first the
/// linear complex nearest to the facets' normals (Pottmann & Randrup, Rotational and helical surface
/// approximation, 1998), or the axis with which all normals make one angle, then Gauss-Newton on the
/// vertices' distances to straight profile lines. Facets wider than 23° are no circle, and vertices must lie
/// within facets.tolerance and a hundredth of the radius.
std::optional<AxisFit> fitAxis(const Facets& facets, const Region& region);

/// The same for several regions about one axis near `start`, planes across it included.
std::optional<AxisFit> fitAxis(const Facets& facets, std::span<const Region* const> regions,
                               const Axis& start);

}  // namespace tenon::content
