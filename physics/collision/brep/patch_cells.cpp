// See patch_cells.h.
#include "physics/collision/brep/patch_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/surface.h"

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

void setTilt(PatchCell& cell, double tilt) {
  cell.tilt = std::min(std::numbers::pi, tilt);
  cell.chord = 2 * std::sin(0.5 * cell.tilt.value);
  cell.tangent = tilt < 0.5 * std::numbers::pi ? std::tan(tilt) : HUGE_VAL;
}

void setParameters(PatchCell& cell, const BezierPatch& part) {
  const Vector2d low(part.low[0], part.low[1]), high(part.high[0], part.high[1]);
  cell.uv = 0.5 * (low + high);
  cell.halfUv = 0.5 * (high - low);
}

/// Without bounds of its normals and curvatures.
PatchCell boxOf(const BezierPatch& part) {
  constexpr double kBeyond = 2e-6;  // by which a face may be longer than what bounds it [m]
  PatchCell cell;
  setParameters(cell, part);
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
  return cell;
}

/// The least curvature, positive where the cell bulges out of its solid [1/m].
double bendOf(const PatchCell& cell, double side) {
  return side > 0 ? -cell.curvature[1] : cell.curvature[0];
}

/// True if the distance of a cell's points to a surface with such curvatures is convex, up to what is no
/// minimum of its own. `size2`: sum of the squared half sides of what lies opposite [m²].
bool isConvexWith(double a, double b, double size2) {
  constexpr double kHidden = 1e-9;  // prominence of another minimum [m]
  constexpr double kFacing = 0.5;   // cosine between normals that are opposed at contacts
  return (a > 0 ? kFacing * a : a) + (b > 0 ? kFacing * b : b) >= -kHidden / size2;
}

class CellPairs {
 public:
  CellPairs(const PatchCells& a, double sideA, const PatchCells& b, double sideB, const RigidTransform& X,
            double range)
      : a_(a), b_(b), sideA_(sideA), sideB_(sideB), X_(X), range_(range) {}

  /// Calls visit(k, l) for pairs of leaves that may be in contact, or of cells for which isWhole(k, l), until
  /// it returns true; returns whether it did.
  template <class IsWhole, class Visit>
  bool search(int k, int l, const IsWhole& isWhole, const Visit& visit) const {
    if (!mayTouch(k, l)) return false;
    if ((PatchCells::isLeaf(k) && PatchCells::isLeaf(l)) || isWhole(k, l)) return visit(k, l);
    // The larger one is divided.
    const bool isA = PatchCells::isLeaf(l) ||
                     (!PatchCells::isLeaf(k) && a_[k].half.squaredNorm() >= b_[l].half.squaredNorm());
    for (int c = 0; c < 4; ++c)
      if (isA ? search(PatchCells::firstChild(k) + c, l, isWhole, visit)
              : search(k, PatchCells::firstChild(l) + c, isWhole, visit))
        return true;
    return false;
  }

  /// True if the distance of the two cells along normals is convex, up to what is no minimum of its own.
  bool isConvex(int k, int l) const {
    const double a = bendOf(a_[k], sideA_), b = bendOf(b_[l], sideB_);
    // That of a hollow is larger on its parallel surface.
    const double out = std::max(0.0, range_), parallel = 1 + (b > 0 ? b * out : std::min(0.0, b) * out);
    return parallel > 0 && isConvexWith(a, b / parallel, a_[k].half.squaredNorm() + b_[l].half.squaredNorm());
  }

 private:
  bool mayTouch(int k, int l) const {
    const PatchCell &a = a_[k], &b = b_[l];
    const Matrix3d axes = X_.R * a.axes;
    if (!b.mayHaveNormal(sideB_, -sideA_ * axes.col(2), a.tilt)) return false;
    const Vector3d between = b.center - X_.point(a.center);
    const Matrix3d turn = axes.transpose() * b.axes, sizes = turn.cwiseAbs();
    return a.mayReach(sideA_, axes.transpose() * between, sizes * b.half, range_) &&
           b.mayReach(sideB_, b.axes.transpose() * -between, sizes.transpose() * a.half, range_);
  }

  const PatchCells &a_, &b_;
  double sideA_, sideB_;
  const RigidTransform& X_;
  double range_;
};

/// Bounds over a box, with half diagonal r, of the signed distance d to a surface that is no free form, from
/// its value and gradient g at the middle c. |∇d| = 1: d ≥ d(c) − r. Around material d is convex, of a torus
/// where ρ ≥ R: d(x) ≥ d(c) + g·(x − c). In a hollow, from q = c + a g towards the center or axis, d is d(c)
/// + a there: d(x) ≥ d(c) + a − |x − q|. |∇∇d| ≤ 1/m with the distance m from the nearest center of
/// curvature, which changes at most as the place does: normals turn by at most ∫ ds/(m − s) = −ln(1 − r/m).
struct SurfaceAround {
  double least = 0;  ///< distance [m]
  Vector3d outward;  ///< of the middle
  double tilt = 0;   ///< by which normals may turn from that [rad]
  double bend = 0;   ///< least curvature of a parallel surface at up to `range`, positive as bendOf() [1/m]

  /// `center` and `axes` of the box, with these half sides, in the frame of the surface.
  SurfaceAround(const Surface& s, const Vector3d& center, const Matrix3d& axes, const Vector3d& half,
                double range) {
    const SurfaceDistance d = distanceTo(s, center);
    outward = d.gradient;
    const double along = (axes.transpose() * outward).cwiseAbs().dot(half), radius = half.norm();
    least = d.value - along;
    if (s.kind == SurfaceKind::plane) return;
    const double rho = center.head<2>().norm();
    double toCenter = rho, focal = rho;  // a and m
    double leastRadius = s.kind == SurfaceKind::cone ? 0 : s.radius;
    if (s.kind == SurfaceKind::sphere) {
      toCenter = focal = center.norm();
    } else if (s.kind == SurfaceKind::torus) {
      toCenter = std::hypot(rho - s.radius, center.z());
      focal = std::min(rho, toCenter);
      leastRadius = s.minor;
    }
    const double turn = radius / focal;
    tilt = turn < 1 ? std::min(std::numbers::pi, -std::log1p(-turn)) : std::numbers::pi;
    if (s.side > 0 && s.kind == SurfaceKind::torus) {
      const double closest = rho - radius;  // to the axis
      if (closest >= s.radius) return;
      bend = closest > 0 ? -1 / closest : -HUGE_VAL;
      least = std::max(d.value - radius, least + 0.5 * bend * radius * radius);
    }
    if (s.side > 0) return;
    const double farthest = std::sqrt(toCenter * toCenter + 2 * toCenter * along + radius * radius);
    least = std::max(d.value - radius, d.value + toCenter - farthest);
    const double closest = std::max(focal - radius, leastRadius - std::max(0.0, range));
    bend = closest > 0 ? -1 / closest : -HUGE_VAL;
  }
};

}  // namespace

PatchCells::PatchCells(const BezierPatch& patch, const Vector2d& low, const Vector2d& high) {
  BezierPatch whole = patch;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const auto axis = static_cast<Eigen::Index>(k);
    if (high[axis] != 1) whole = partOf(whole, k, high[axis], false);
    if (low[axis] != 0) whole = partOf(whole, k, low[axis] / high[axis], true);
    const double size = patch.high[k] - patch.low[k];
    whole.low[k] = patch.low[k] + low[axis] * size;
    whole.high[k] = patch.low[k] + high[axis] * size;
  }
  for (PatchCell& cell : cells_) setParameters(cell, whole);
  if (std::all_of(whole.points.begin(), whole.points.end(), [](const auto& q) { return q[3] > 0; }))
    divide(whole, derivativesOf(whole), 0);
}

// Bounds of the leaves are those of the cells above them, too.
void PatchCells::divide(const BezierPatch& part, const PatchDerivatives& derivatives, int cell) {
  constexpr double kBeyond = 0.01;  // more than normals turn where a face is longer than what bounds it [rad]
  PatchCell& own = cells_[static_cast<std::size_t>(cell)];
  own = boxOf(part);
  if (isLeaf(cell)) {
    const PatchBounds bounds = boundsOf(derivatives, part);
    setTilt(own, bounds.tilt + kBeyond);
    own.curvature = bounds.curvature;
    return;
  }
  int child = firstChild(cell);
  const auto partHalves = halves(part, 0);
  const auto derivativeHalves = halves(derivatives, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto partQuarters = halves(partHalves[i], 1);
    const auto derivativeQuarters = halves(derivativeHalves[i], 1);
    for (std::size_t k = 0; k < 2; ++k) divide(partQuarters[k], derivativeQuarters[k], child++);
  }
  const Vector3d n = own.axes.col(2);
  double tilt = 0;
  own.curvature = {HUGE_VAL, -HUGE_VAL};
  for (int k = firstChild(cell); k < child; ++k) {
    const PatchCell& quarter = (*this)[k];
    const Vector3d m = quarter.axes.col(2);
    tilt = std::max(tilt, std::atan2(n.cross(m).norm(), n.dot(m)) + quarter.tilt.value);
    own.curvature = {std::min(own.curvature[0], quarter.curvature[0]),
                     std::max(own.curvature[1], quarter.curvature[1])};
  }
  setTilt(own, tilt);
}

bool mayBeInContact(const PatchCells& a, double sideA, const PatchCells& b, double sideB,
                    const RigidTransform& X_BA, double range) {
  return CellPairs(a, sideA, b, sideB, X_BA, range)
      .search(
          0, 0, [](int, int) { return false; }, [](int, int) { return true; });
}

void findNearCells(const PatchCells& a, double sideA, const PatchCells& b, double sideB,
                   const RigidTransform& X_BA, double range, std::vector<int>& cells) {
  const CellPairs pairs(a, sideA, b, sideB, X_BA, range);
  constexpr int kNone = -1, kSeveral = -2;
  std::array<int, PatchCells::kCount> partner;  // by cell of the first patch
  partner.fill(kNone);
  pairs.search(
      0, 0, [&](int k, int l) { return pairs.isConvex(k, l); },
      [&](int k, int l) {
        int& other = partner[static_cast<std::size_t>(k)];
        other = other == kNone || other == l ? l : kSeveral;
        return false;
      });
  const std::size_t first = cells.size();
  const auto add = [&](int k) {
    if (std::find(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end(), k) == cells.end())
      cells.push_back(k);
  };
  // One minimum for each of several cells of the other patch: they are sought from all leaves.
  const auto addLeaves = [&](int k, const auto& self) -> void {
    if (PatchCells::isLeaf(k)) return add(k);
    for (int c = 0; c < 4; ++c) self(PatchCells::firstChild(k) + c, self);
  };
  for (int k = 0; k < PatchCells::kCount; ++k)
    if (const int other = partner[static_cast<std::size_t>(k)]; other == kSeveral)
      addLeaves(k, addLeaves);
    else if (other != kNone)
      add(k);
}

void findNearCells(const PatchCells& a, double sideA, const Surface& surface, const RigidTransform& X_SA,
                   double range, std::vector<int>& cells) {
  const auto visit = [&](int k, const auto& self) -> void {
    const PatchCell& cell = a[k];
    const SurfaceAround around(surface, X_SA.point(cell.center), X_SA.R * cell.axes, cell.half, range);
    const Vector3d inward = -(X_SA.R.transpose() * around.outward);
    if (around.least > range || !cell.mayHaveNormal(sideA, inward, around.tilt)) return;
    if (PatchCells::isLeaf(k) || isConvexWith(bendOf(cell, sideA), around.bend, cell.half.squaredNorm())) {
      cells.push_back(k);
      return;
    }
    for (int c = 0; c < 4; ++c) self(PatchCells::firstChild(k) + c, self);
  };
  visit(0, visit);
}

}  // namespace tenon::physics::brep
