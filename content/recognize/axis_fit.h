// Fits an axis of revolution and straight profile lines to regions of a mesh.
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "content/recognize/smooth_regions.h"

namespace tenon::content {

/// A line in space with two perpendicular directions.
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
  /// z of meridian() [m].
  double height(const Vector3d& p) const { return (p - origin).dot(z); }
  double azimuth(const Vector3d& p) const { return std::atan2((p - origin).dot(y), (p - origin).dot(x)); }
};

/// A vertex where two facets of a round face meet; it lies on the circle of the face.
struct RimPoint {
  int vertex = 0;
  double azimuth = 0;  ///< [rad]
};

/// Relation between the facets of a round face and its circle.
enum class FacetRule {
  regular,   ///< regular facets: vertices on one circle, facets tangent to another; the two cannot be
             ///< distinguished
  vertices,  ///< vertices on the circle, facets at different depths inside
  flats,     ///< facets tangent to the circle, vertices at different distances outside
  exact,     ///< the circle of the CAD file, independent of the facets
};

/// One straight line of a profile: a cylinder, a cone or a plane perpendicular to the axis.
struct ProfileLine {
  std::vector<int> triangles;
  std::vector<RimPoint> rim;         ///< see rimPoints(); empty for a plane
  double facetAngle = 0;             ///< of a typical facet about the axis [rad]
  Eigen::Vector2d n{1, 0};           ///< unit normal in (r, z), out of the material
  double d = 0;                      ///< n · (r, z) of the circles through the vertices [m]
  double low = 0, high = 0;          ///< range along the axis [m]
  double rms = 0, maxDeviation = 0;  ///< distance of the vertices from the line [m]
  /// Ratio of inscribed radius (tangent to the facets) to circumscribed radius (through the vertices) [-].
  double flatRatio = 1;
  int facets = 0;
  double coverage = 0;  ///< fraction of the full circle, 0…1
  FacetRule rule = FacetRule::regular;

  bool isPlane() const { return n.x() == 0; }
  bool isCylinder() const { return n.y() == 0; }
  /// True for a bore: the material is outside.
  bool isInner() const { return n.x() < 0; }
  /// Radius through the vertices at height z [m].
  double radiusAt(double z) const { return (d - n.y() * z) / n.x(); }
};

struct AxisFit {
  Axis axis;
  std::vector<ProfileLine> lines;
};

/// Axis of the helical motion (of a surface of revolution: the turn) that leaves a region as it is: the
/// linear line complex c̄ · n + c · (p × n) = 0, |c| = 1, closest to its normals. Empty where no such axis is
/// found, and where the normals spread less than `leastSpread` in a direction (the least eigenvalue of the
/// mean of n nᵀ [-]; 0: any do).
std::optional<Axis> axisOfNormals(const Facets& facets, const Region& region, double leastSpread = 0);

/// The least-squares axis of a region that is not a plane; empty if the region is not a surface of
/// revolution. Start value: the linear line complex closest to the normals (Pottmann & Randrup, Rotational
/// and helical surface approximation, 1998), or the axis at a constant angle to all normals. Then
/// Gauss-Newton on the distances of the vertices to straight profile lines. Facets wider than 26° do not
/// count as a circle, and vertices must lie within facets.tolerance and a hundredth of the radius.
std::optional<AxisFit> fitAxis(const Facets& facets, const Region& region);

/// The same for several regions about one axis near `start`, including planes perpendicular to it.
std::optional<AxisFit> fitAxis(const Facets& facets, std::span<const Region* const> regions,
                               const Axis& start);

}  // namespace tenon::content
