// See bezier_patch.h.
#include "physics/collision/brep/bezier_patch.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "physics/collision/brep/bernstein.h"

namespace tenon::physics::brep {
namespace {

constexpr std::size_t kMostPoints = BezierPatch::kMaxDegree + 1;

/// What reduces a polynomial of some degree to the quadratic one with the same value and derivatives at t:
/// the last three points of de Casteljau's scheme, as sums with the Bernstein polynomials of two degrees
/// less.
struct Reduction {
  std::size_t degree;
  // Not initialized beyond the degree: that would take longer than all the rest.
  std::array<double, kMostPoints> weights;

  Reduction(int n, double t) : degree(static_cast<std::size_t>(n)) {
    if (degree < 2) return;
    const std::size_t last = degree - 2;
    double power = 1;
    for (std::size_t i = 0; i <= last; ++i, power *= t) weights[i] = kBinomials[last][i] * power;
    power = 1;
    for (std::size_t i = last + 1; i-- > 0; power *= 1 - t) weights[i] *= power;
  }

  /// Of points at `points[k * stride]`, from 0 to the degree.
  std::array<Eigen::Vector4d, 3> of(const Eigen::Vector4d* points, std::size_t stride) const {
    if (degree == 1) return {points[0], 0.5 * (points[0] + points[stride]), points[stride]};
    std::array<Eigen::Vector4d, 3> q = {weights[0] * points[0], weights[0] * points[stride],
                                        weights[0] * points[2 * stride]};
    for (std::size_t i = 1; i + 1 < degree; ++i)
      for (std::size_t k = 0; k < 3; ++k) q[k] += weights[i] * points[(i + k) * stride];
    return q;
  }
};

/// A quadratic polynomial by its Bézier points, with derivatives: those of a polynomial of degree n.
struct Quadratic {
  Eigen::Vector4d value, first, second;

  Quadratic(const std::array<Eigen::Vector4d, 3>& q, int n, double t) {
    const double degree = std::max(n, 2);
    const Eigen::Vector4d d0 = q[1] - q[0], d1 = q[2] - q[1], d = d0 + t * (d1 - d0);
    const Eigen::Vector4d a = q[0] + t * d0;
    value = a + t * d;
    first = degree * d;
    second = degree * (degree - 1) * (d1 - d0);
  }
};

}  // namespace

FreeformPoint patchPoint(const BezierPatch& patch, double s, double t) {
  using Eigen::Vector4d;
  const auto [n, m] = patch.degree;
  const auto columns = static_cast<std::size_t>(m) + 1;
  const Reduction inS(n, s), inT(m, t);
  // For each column three points along s, then of each of the three rows three points along t.
  std::array<std::array<Vector4d, kMostPoints>, 3> rows;
  for (std::size_t k = 0; k < columns; ++k) {
    const std::array<Vector4d, 3> q = inS.of(patch.points.data() + k, columns);
    for (std::size_t i = 0; i < 3; ++i) rows[i][k] = q[i];
  }
  std::array<Vector4d, 3> value, alongT, alongTt;
  for (std::size_t i = 0; i < 3; ++i) {
    const Quadratic row(inT.of(rows[i].data(), 1), m, t);
    value[i] = row.value;
    alongT[i] = row.first;
    alongTt[i] = row.second;
  }
  const Quadratic h(value, n, s), ht(alongT, n, s);
  const Vector4d htt = Quadratic(alongTt, n, s).value;
  FreeformPoint at;
  const double w = h.value[3];
  at.p = h.value.head<3>() / w;
  at.u = (h.first.head<3>() - h.first[3] * at.p) / w;
  at.v = (ht.value.head<3>() - ht.value[3] * at.p) / w;
  at.uu = (h.second.head<3>() - 2 * h.first[3] * at.u - h.second[3] * at.p) / w;
  at.uv = (ht.first.head<3>() - h.first[3] * at.v - ht.value[3] * at.u - ht.first[3] * at.p) / w;
  at.vv = (htt.head<3>() - 2 * ht.value[3] * at.v - htt[3] * at.p) / w;
  return at;
}

FreeformPoint byParameters(FreeformPoint at, const Vector2d& size) {
  at.u /= size.x();
  at.v /= size.y();
  at.uu /= size.x() * size.x();
  at.uv /= size.x() * size.y();
  at.vv /= size.y() * size.y();
  return at;
}

std::array<BezierPatch, 2> halves(const BezierPatch& patch, std::size_t direction) {
  const std::array<std::size_t, 2> degree = {static_cast<std::size_t>(patch.degree[0]),
                                             static_cast<std::size_t>(patch.degree[1])};
  std::array<std::vector<Eigen::Vector4d>, 2> points = halvesOf(patch.points, degree, direction);
  const double middle = 0.5 * (patch.low[direction] + patch.high[direction]);
  std::array<BezierPatch, 2> both;
  for (std::size_t half = 0; half < 2; ++half) {
    both[half] = {patch.degree, patch.low, patch.high, std::move(points[half])};
    (half == 0 ? both[half].high : both[half].low)[direction] = middle;
  }
  return both;
}

Bounds hullBounds(const BezierPatch& patch) {
  Bounds box;
  for (const Eigen::Vector4d& q : patch.points) {
    const Vector3d p = q.head<3>() / q[3];
    include(box, Bounds{p, p});
  }
  return box;
}

Vector2d FreeformPoint::parametersAlong(const Vector3d& d) const {
  Eigen::Matrix2d I;
  I << u.squaredNorm(), u.dot(v), u.dot(v), v.squaredNorm();
  return I.inverse() * Vector2d(u.dot(d), v.dot(d));
}

Eigen::Matrix2d FreeformPoint::shapeOperator() const {
  const Vector3d n = normal();
  Eigen::Matrix2d I, II;
  I << u.squaredNorm(), u.dot(v), u.dot(v), v.squaredNorm();
  II << n.dot(uu), n.dot(uv), n.dot(uv), n.dot(vv);
  return I.inverse() * II;
}

}  // namespace tenon::physics::brep
