// Parts of a patch with oriented boxes and proven cones of normals (patch_bounds.h), that exclude contacts
// with it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "physics/collision/brep/bezier_patch.h"
#include "physics/collision/brep/patch_bounds.h"
#include "physics/collision/geometry/surface.h"

namespace tenon::physics::brep {

/// An angle [rad] whose sine and cosine are computed once.
struct Angle {
  double value, sine, cosine;
  // NOLINTNEXTLINE(google-explicit-constructor): a number
  Angle(double a) : value(a), sine(std::sin(a)), cosine(std::cos(a)) {}
};

/// A part of a patch. At a contact the vector from the patch to the other surface is a normal of the patch
/// times the signed distance: along the normal in the middle it is as long as the distance, but for the tilt,
/// and across that it is short.
struct PatchCell {
  Vector3d center = Vector3d::Zero();    ///< of the box [m]
  Matrix3d axes = Matrix3d::Identity();  ///< of the box; the last one is the unit normal of the middle, u × v
  Vector3d half = Vector3d::Constant(1e6);  ///< half sides of the box [m]
  Angle tilt = std::numbers::pi;            ///< by which normals may tilt from that of the middle
  double chord = 2;                         ///< length between unit vectors at that angle [-]
  double tangent = HUGE_VAL;                ///< of the tilt; infinite from π/2 on
  /// Bounds of the principal curvatures, positive where the surface bends towards u × v [1/m].
  std::array<double, 2> curvature{-HUGE_VAL, HUGE_VAL};
  /// Parameters of the middle, and their differences to the borders.
  Eigen::Vector2d uv = Eigen::Vector2d::Zero(), halfUv = Eigen::Vector2d::Zero();

  /// False if nothing in a box has a signed distance, along normals of this cell, from −depth to `range` [m].
  /// `offset`: center of that box less that of this one; `other`: its half sides, both along `axes` [m].
  /// `side`: 1 or −1, as in Surface.
  bool mayReach(double side, const Vector3d& offset, const Vector3d& other, double range,
                double depth = HUGE_VAL) const {
    if (!std::isfinite(tangent)) return true;  // normals to all sides
    const double z = side * offset.z(), thickness = half.z() + other.z();
    const double low = std::max(z - thickness, -depth);
    // Along the middle normal an overlap may be shorter than along its own.
    const double most = range >= 0 ? range : range / std::sqrt(1 + tangent * tangent);
    if (low > most || z + thickness < -depth) return false;
    const double x = std::max(0.0, std::abs(offset.x()) - half.x() - other.x()),
                 y = std::max(0.0, std::abs(offset.y()) - half.y() - other.y());
    const double across = tangent * std::max(std::min(z + thickness, most), -low);
    return !(x * x + y * y > across * across);
  }

  /// True if a normal may be within `angle` of the unit direction `d`.
  bool mayHaveNormal(double side, const Vector3d& d, const Angle& angle) const {
    return tilt.value + angle.value >= std::numbers::pi ||
           side * axes.col(2).dot(d) >= tilt.cosine * angle.cosine - tilt.sine * angle.sine;
  }

  /// True if a normal may be across the unit direction `d`, or tilt from that by `lean`.
  bool mayBeAcross(const Vector3d& d, const Angle& lean) const {
    return tilt.value + lean.value >= 0.5 * std::numbers::pi ||
           std::abs(axes.col(2).dot(d)) <= tilt.sine * lean.cosine + tilt.cosine * lean.sine;
  }
};

/// The cells of a patch: the whole, its quarters, and theirs. Those of a patch at a border of its surface
/// reach as far as FreeformSurface::reach().
class PatchCells {
 public:
  PatchCells() = default;
  /// From (s, t) = low to high of a patch; all of its cells are without bounds if its weights do not stay
  /// positive there.
  PatchCells(const BezierPatch& patch, const Vector2d& low, const Vector2d& high);

  static constexpr int kCount = 1 + 4 + 16;
  static constexpr int kFirstLeaf = 5;
  static constexpr int firstChild(int cell) { return 4 * cell + 1; }
  static constexpr bool isLeaf(int cell) { return cell >= kFirstLeaf; }

  const PatchCell& operator[](int cell) const { return cells_[static_cast<std::size_t>(cell)]; }

  /// Calls visit(cell) for the leaves that pass test(cell), as the cells above them do.
  template <class Test, class Visit>
  void forEachLeaf(const Test& test, const Visit& visit, int cell = 0) const {
    if (!test((*this)[cell])) return;
    if (isLeaf(cell)) return visit((*this)[cell]);
    for (int k = 0; k < 4; ++k) forEachLeaf(test, visit, firstChild(cell) + k);
  }
  template <class Test>
  bool hasLeaf(const Test& test, int cell = 0) const {
    if (!test((*this)[cell])) return false;
    for (int k = 0; !isLeaf(cell) && k < 4; ++k)
      if (hasLeaf(test, firstChild(cell) + k)) return true;
    return isLeaf(cell);
  }

 private:
  void divide(const BezierPatch& part, const PatchDerivatives& derivatives, int cell);

  std::array<PatchCell, kCount> cells_;
};

/// Appends the cells of the first one of two patches, as mayBeInContact(), each once, in which the signed
/// distance of a point to the second patch has at most one minimum: larger cells where the sums of curvatures
/// with the only cell near them show that, else leaves.
void findNearCells(const PatchCells& a, double sideA, const PatchCells& b, double sideB,
                   const RigidTransform& X_BA, double range, std::vector<int>& cells);

/// The same for a patch and a surface that is no free form, with X_SA from the frame of the patch into that
/// of the surface.
void findNearCells(const PatchCells& a, double sideA, const Surface& surface, const RigidTransform& X_SA,
                   double range, std::vector<int>& cells);

/// False if two patches, of sides 1 or −1 and with X_BA from the frame of the first one into that of the
/// second, have no opposite normals at whose ends the other one is at a signed distance of at most `range`
/// [m].
bool mayBeInContact(const PatchCells& a, double sideA, const PatchCells& b, double sideB,
                    const RigidTransform& X_BA, double range);

}  // namespace tenon::physics::brep
