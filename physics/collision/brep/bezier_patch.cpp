// See bezier_patch.h.
#include "physics/collision/brep/bezier_patch.h"

#include <Eigen/LU>
#include <array>
#include <cstddef>

namespace tenon::physics::brep {
namespace {

constexpr int kMostPoints = BezierPatch::kMaxDegree + 1;

/// Bernstein polynomials of a degree, with two derivatives.
struct Basis {
  // Not initialized beyond the degree: that would take longer than all the rest.
  std::array<double, kMostPoints> value, first, second;

  // By b_i^n = (1 − t) b_i^(n−1) + t b_(i−1)^(n−1); derivatives are differences of those of lower degrees.
  Basis(int degree, double t) {
    const auto n = static_cast<std::size_t>(degree);
    auto& b = value;
    b[0] = 1;
    const auto raiseTo = [&](std::size_t m) {
      b[m] = t * b[m - 1];
      for (std::size_t i = m - 1; i > 0; --i) b[i] = (1 - t) * b[i] + t * b[i - 1];
      b[0] *= 1 - t;
    };
    const auto at = [&](std::size_t i, std::size_t m) { return i <= m ? b[i] : 0; };  // also for i = −1
    for (std::size_t m = 1; m + 1 < n; ++m) raiseTo(m);
    if (n == 1) {
      second[0] = second[1] = 0;
    } else {
      for (std::size_t i = 0; i <= n; ++i)
        second[i] = degree * (degree - 1) * (at(i - 2, n - 2) - 2 * at(i - 1, n - 2) + at(i, n - 2));
      raiseTo(n - 1);
    }
    for (std::size_t i = 0; i <= n; ++i) first[i] = degree * (at(i - 1, n - 1) - at(i, n - 1));
    raiseTo(n);
  }
};

}  // namespace

FreeformPoint patchPoint(const BezierPatch& patch, double s, double t) {
  using Eigen::Vector4d;
  const Basis bs(patch.degree[0], s), bt(patch.degree[1], t);
  const auto columns = static_cast<std::size_t>(patch.degree[1]) + 1;
  Vector4d h = Vector4d::Zero(), hs = h, ht = h, hss = h, hst = h, htt = h;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(patch.degree[0]); ++i) {
    Vector4d row = Vector4d::Zero(), rowT = row, rowTt = row;
    for (std::size_t k = 0; k < columns; ++k) {
      const Vector4d& q = patch.points[i * columns + k];
      row += bt.value[k] * q;
      rowT += bt.first[k] * q;
      rowTt += bt.second[k] * q;
    }
    h += bs.value[i] * row;
    hs += bs.first[i] * row;
    hss += bs.second[i] * row;
    ht += bs.value[i] * rowT;
    hst += bs.first[i] * rowT;
    htt += bs.value[i] * rowTt;
  }
  FreeformPoint at;
  const double w = h[3];
  at.p = h.head<3>() / w;
  at.u = (hs.head<3>() - hs[3] * at.p) / w;
  at.v = (ht.head<3>() - ht[3] * at.p) / w;
  at.uu = (hss.head<3>() - 2 * hs[3] * at.u - hss[3] * at.p) / w;
  at.uv = (hst.head<3>() - hs[3] * at.v - ht[3] * at.u - hst[3] * at.p) / w;
  at.vv = (htt.head<3>() - 2 * ht[3] * at.v - htt[3] * at.p) / w;
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
  std::array<BezierPatch, 2> both{patch, patch};
  const double middle = 0.5 * (patch.low[direction] + patch.high[direction]);
  both[0].high[direction] = both[1].low[direction] = middle;
  const std::size_t columns = static_cast<std::size_t>(patch.degree[1]) + 1;
  const std::size_t rows = static_cast<std::size_t>(patch.degree[0]) + 1;
  const std::size_t length = direction == 0 ? rows : columns, lines = direction == 0 ? columns : rows;
  for (std::size_t line = 0; line < lines; ++line) {
    const auto index = [&](std::size_t k) {
      return direction == 0 ? k * columns + line : line * columns + k;
    };
    std::array<Eigen::Vector4d, kMostPoints> q;
    for (std::size_t k = 0; k < length; ++k) q[k] = patch.points[index(k)];
    for (std::size_t left = length; left > 0; --left) {
      both[0].points[index(length - left)] = q[0];
      both[1].points[index(left - 1)] = q[left - 1];
      for (std::size_t k = 0; k + 1 < left; ++k) q[k] = 0.5 * (q[k] + q[k + 1]);
    }
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
