// Parts of a patch with oriented boxes and cones of normals: bounds that exclude contacts with it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/bezier_patch.h"

namespace tenon::physics::brep {

/// A part of a patch. At a contact the vector from the patch to the other surface is a normal of the patch
/// times the signed distance: along the normal in the middle it is as long as the distance, but for the tilt,
/// and across that it is short.
struct PatchCell {
  Vector3d center = Vector3d::Zero();    ///< of the box [m]
  Matrix3d axes = Matrix3d::Identity();  ///< of the box; the last one is the unit normal of the middle, u × v
  Vector3d half = Vector3d::Constant(1e6);  ///< half sides of the box [m]
  double tilt = std::numbers::pi;           ///< by which normals may tilt from that of the middle [rad]
  double tangent = HUGE_VAL;                ///< of the tilt; infinite from π/2 on

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

  /// True if a normal may be within `angle` [rad] of the unit direction `d`.
  bool mayHaveNormal(double side, const Vector3d& d, double angle) const {
    const double sum = tilt + angle;
    return sum >= std::numbers::pi || side * axes.col(2).dot(d) >= std::cos(sum);
  }

  /// True if a normal may be across the unit direction `d`, or tilt from that by `lean` [rad].
  bool mayBeAcross(const Vector3d& d, double lean) const {
    return std::abs(axes.col(2).dot(d)) <= std::sin(std::min(0.5 * std::numbers::pi, tilt + lean));
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
  void divide(const BezierPatch& part, int cell);

  std::array<PatchCell, kCount> cells_;
};

/// False if two patches, of sides 1 or −1 and with X_BA from the frame of the first one into that of the
/// second, have no opposite normals at whose ends the other one is at a signed distance of at most `range`
/// [m].
bool mayBeInContact(const PatchCells& a, double sideA, const PatchCells& b, double sideB,
                    const RigidTransform& X_BA, double range);

}  // namespace tenon::physics::brep
