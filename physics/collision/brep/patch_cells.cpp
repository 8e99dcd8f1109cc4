// See patch_cells.h.
#include "physics/collision/brep/patch_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tenon::physics::brep {
namespace {

/// The part of a patch beyond (isAbove) or below a parameter, which may lie outside of 0 … 1, by de
/// Casteljau's scheme.
BezierPatch partOf(const BezierPatch& patch, std::size_t direction, double at, bool isAbove) {
  BezierPatch part = patch;
  const std::size_t columns = static_cast<std::size_t>(patch.degree[1]) + 1;
  const std::size_t rows = static_cast<std::size_t>(patch.degree[0]) + 1;
  const std::size_t length = direction == 0 ? rows : columns, lines = direction == 0 ? columns : rows;
  for (std::size_t line = 0; line < lines; ++line) {
    const auto point = [&](std::size_t k) -> Eigen::Vector4d& {
      return part.points[direction == 0 ? k * columns + line : line * columns + k];
    };
    for (std::size_t left = length - 1; left > 0; --left)
      for (std::size_t k = 0; k < left; ++k) {
        const std::size_t m = isAbove ? k : length - 1 - k, from = isAbove ? k + 1 : m - 1;
        const double share = isAbove ? at : 1 - at;
        point(m) = (1 - share) * point(m) + share * point(from);
      }
  }
  return part;
}

/// By which the normals of a part tilt from `n` [rad]: more between the samples than at these; π if one of
/// them is undefined.
double tiltOf(const BezierPatch& part, const Vector3d& n) {
  constexpr int kSamples = 3;
  constexpr double kBetweenSamples = 1.3, kLeastTilt = 0.01, kNoArea = 1e-9;
  double tilt = 0;
  for (int i = 0; i < kSamples; ++i)
    for (int k = 0; k < kSamples; ++k) {
      const FreeformPoint at = patchPoint(part, 0.5 * i, 0.5 * k);
      const Vector3d across = at.u.cross(at.v);
      if (!(across.norm() > kNoArea * at.u.norm() * at.v.norm())) return std::numbers::pi;
      tilt = std::max(tilt, std::atan2(n.cross(across).norm(), n.dot(across)));
    }
  return kBetweenSamples * tilt + kLeastTilt;
}

void setTilt(PatchCell& cell, double tilt) {
  cell.tilt = std::min(std::numbers::pi, tilt);
  cell.tangent = tilt < 0.5 * std::numbers::pi ? std::tan(tilt) : HUGE_VAL;
}

PatchCell cellOf(const BezierPatch& part) {
  constexpr double kBeyond = 2e-6;  // by which a face may be longer than what bounds it [m]
  PatchCell cell;
  const FreeformPoint middle = patchPoint(part, 0.5, 0.5);
  const Vector3d n = middle.normal();
  if (!n.allFinite() || !(n.squaredNorm() > 0.5)) return cell;
  const Vector3d x = middle.u.normalized();
  cell.axes << x, n.cross(x), n;
  Vector3d low = Vector3d::Constant(HUGE_VAL), high = -low;
  for (const Eigen::Vector4d& q : part.points) {
    const Vector3d p = cell.axes.transpose() * (q.head<3>() / q[3]);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  cell.center = cell.axes * (0.5 * (low + high));
  cell.half = (0.5 * (high - low)).array() + kBeyond;
  setTilt(cell, tiltOf(part, n));
  return cell;
}

class CellPairs {
 public:
  CellPairs(const PatchCells& a, double sideA, const PatchCells& b, double sideB, const RigidTransform& X,
            double range)
      : a_(a), b_(b), sideA_(sideA), sideB_(sideB), X_(X), range_(range) {}

  bool test(int k, int l) const {
    const PatchCell &a = a_[k], &b = b_[l];
    const Matrix3d axes = X_.R * a.axes;
    if (!b.mayHaveNormal(sideB_, -sideA_ * axes.col(2), a.tilt)) return false;
    const Vector3d between = b.center - X_.point(a.center);
    const Matrix3d turn = axes.transpose() * b.axes, sizes = turn.cwiseAbs();
    if (!a.mayReach(sideA_, axes.transpose() * between, sizes * b.half, range_) ||
        !b.mayReach(sideB_, b.axes.transpose() * -between, sizes.transpose() * a.half, range_))
      return false;
    if (PatchCells::isLeaf(k) && PatchCells::isLeaf(l)) return true;
    // The larger one is divided.
    const bool isA =
        PatchCells::isLeaf(l) || (!PatchCells::isLeaf(k) && a.half.squaredNorm() >= b.half.squaredNorm());
    for (int c = 0; c < 4; ++c)
      if (isA ? test(PatchCells::firstChild(k) + c, l) : test(k, PatchCells::firstChild(l) + c)) return true;
    return false;
  }

 private:
  const PatchCells &a_, &b_;
  double sideA_, sideB_;
  const RigidTransform& X_;
  double range_;
};

}  // namespace

PatchCells::PatchCells(const BezierPatch& patch, const Vector2d& low, const Vector2d& high) {
  BezierPatch whole = patch;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const auto axis = static_cast<Eigen::Index>(k);
    if (high[axis] != 1) whole = partOf(whole, k, high[axis], false);
    if (low[axis] != 0) whole = partOf(whole, k, low[axis] / high[axis], true);
  }
  if (std::all_of(whole.points.begin(), whole.points.end(), [](const auto& q) { return q[3] > 0; }))
    divide(whole, 0);
}

// The tilt is at least that of the quarters, which have more samples.
void PatchCells::divide(const BezierPatch& part, int cell) {
  PatchCell& own = cells_[static_cast<std::size_t>(cell)];
  own = cellOf(part);
  if (isLeaf(cell)) return;
  int child = firstChild(cell);
  for (const BezierPatch& half : halves(part, 0))
    for (const BezierPatch& quarter : halves(half, 1)) divide(quarter, child++);
  const Vector3d n = own.axes.col(2);
  for (int k = firstChild(cell); k < child; ++k) {
    const PatchCell& quarter = (*this)[k];
    const Vector3d m = quarter.axes.col(2);
    setTilt(own, std::max(own.tilt, std::atan2(n.cross(m).norm(), n.dot(m)) + quarter.tilt));
  }
}

bool mayBeInContact(const PatchCells& a, double sideA, const PatchCells& b, double sideB,
                    const RigidTransform& X_BA, double range) {
  return CellPairs(a, sideA, b, sideB, X_BA, range).test(0, 0);
}

}  // namespace tenon::physics::brep
