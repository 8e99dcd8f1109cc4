// See reference_solid.h.
#include "tests/support/reference_solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/freeform_surfaces.h"

namespace tenon::tests {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using physics::BoundarySolid;
using physics::Surface;
using physics::SurfaceKind;

constexpr double kFullTurn = 2 * std::numbers::pi;
constexpr int kMeshFacets = 24;
/// Closer to the axis than this, a point of an outline lies on it [m].
constexpr double kOnTheAxis = 1e-12;

double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

double angleOf(const Side& side) {
  const Vector2d a = side.a - side.center, b = side.b - side.center;
  return std::atan2(cross(a, b), a.dot(b));
}

int partsOf(const Side& side, int ofTurn) {
  return side.isArc ? std::max(2, static_cast<int>(std::ceil(std::abs(angleOf(side)) / kFullTurn * ofTurn)))
                    : 1;
}

/// Crossings of the ray from p along its second coordinate.
int crossingsAbove(const Side& side, const Vector2d& p) {
  if (!side.isArc) {
    const bool isLeft = side.a.x() <= p.x(), isOtherLeft = side.b.x() <= p.x();
    if (isLeft == isOtherLeft) return 0;
    const double share = (p.x() - side.a.x()) / (side.b.x() - side.a.x());
    return side.a.y() + share * (side.b.y() - side.a.y()) > p.y() ? 1 : 0;
  }
  // Halves that run to one side.
  const double turn = angleOf(side),
               from = std::atan2(side.a.y() - side.center.y(), side.a.x() - side.center.x());
  const double radius = (side.a - side.center).norm();
  std::vector<double> ends{0};
  for (int k = -3; k <= 3; ++k) {
    const double share = (k * kFullTurn / 2 - from) / turn;
    if (share > 0 && share < 1) ends.push_back(share);
  }
  ends.push_back(1);
  std::sort(ends.begin(), ends.end());
  int count = 0;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const Vector2d a = k == 0 ? side.a : side.at(ends[k]),
                   b = k + 2 == ends.size() ? side.b : side.at(ends[k + 1]);
    if ((a.x() <= p.x()) == (b.x() <= p.x())) continue;
    const double x = p.x() - side.center.x(), up = std::sqrt(std::max(0.0, radius * radius - x * x));
    const bool isUpper = side.at(0.5 * (ends[k] + ends[k + 1])).y() > side.center.y();
    count += side.center.y() + (isUpper ? up : -up) > p.y() ? 1 : 0;
  }
  return count;
}

int addSurface(BoundarySolid& solid, const Surface& s) {
  solid.surfaces.push_back(s);
  return static_cast<int>(solid.surfaces.size()) - 1;
}

void addTriangle(BoundarySolid& solid, int a, int b, int c, int surface) {
  solid.triangles.push_back({a, b, c});
  solid.surfaceOf.push_back(surface);
}

/// The surface that a side sweeps about z; −1: a plane.
int sweptBy(const Side& side, bool isFreeform, BoundarySolid& solid) {
  Surface s;
  if (!side.isArc) {
    const Vector2d d = side.b - side.a;
    if (std::abs(d.x()) < kOnTheAxis) return -1;
    s.slope = d.y() / d.x();
    s.kind = s.slope == 0 ? SurfaceKind::cylinder : SurfaceKind::cone;
    s.radius = side.a.y() - s.slope * side.a.x();
    const bool hasTip = std::min(side.a.y(), side.b.y()) < kOnTheAxis;
    if (isFreeform && !hasTip)
      s = freeformTwin(s, std::min(side.a.x(), side.b.x()), std::max(side.a.x(), side.b.x()));
    return addSurface(solid, s);
  }
  const double radius = (side.a - side.center).norm();
  s.X_BS.p = Vector3d(0, 0, side.center.x());
  if (std::abs(side.center.y()) < kOnTheAxis) {
    s.kind = SurfaceKind::sphere;
    s.radius = radius;
  } else {
    s.kind = SurfaceKind::torus;
    s.radius = side.center.y();
    s.minor = radius;
    const auto angle = [&](const Vector2d& p) {
      return std::atan2(p.x() - side.center.x(), p.y() - side.center.y());
    };
    const double a = angle(side.a), b = a + std::remainder(angle(side.b) - a, kFullTurn);
    if (isFreeform) s = freeformTwin(s, std::min(a, b), std::max(a, b));
  }
  return addSurface(solid, s);
}

}  // namespace

Vector2d Side::at(double share) const {
  if (!isArc) return a + share * (b - a);
  const double angle = share * angleOf(*this);
  return center + Eigen::Rotation2Dd(angle) * (a - center);
}

Vector2d Side::closest(const Vector2d& p) const {
  if (!isArc) {
    const Vector2d d = b - a;
    return a + std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0) * d;
  }
  const Vector2d from = a - center, to = b - center, q = p - center;
  const double sign = cross(from, to) > 0 ? 1 : -1;
  const double norm = q.norm();
  if (sign * cross(from, q) >= 0 && sign * cross(q, to) >= 0 && norm > 0)
    return center + from.norm() / norm * q;
  return (p - a).squaredNorm() < (p - b).squaredNorm() ? a : b;
}

double Side::length() const {
  return isArc ? std::abs(angleOf(*this)) * (a - center).norm() : (b - a).norm();
}

Vector3d TurnedSolid::closest(const Vector3d& p) const {
  const double rho = std::hypot(p.x(), p.y());
  const Vector2d q(p.z(), rho);
  Vector2d best = outline_.front().a;
  double least = HUGE_VAL;
  for (const Side& side : outline_) {
    const Vector2d c = side.closest(q);
    if (const double d = (c - q).squaredNorm(); d < least) {
      least = d;
      best = c;
    }
  }
  const double x = rho > 0 ? p.x() / rho : 1, y = rho > 0 ? p.y() / rho : 0;
  return {best.y() * x, best.y() * y, best.x()};
}

bool TurnedSolid::contains(const Vector3d& p) const {
  const Vector2d q(p.z(), std::hypot(p.x(), p.y()));
  int count = 0;
  for (const Side& side : outline_) count += crossingsAbove(side, q);
  return count % 2 == 1;
}

std::vector<Vector3d> TurnedSolid::samples(double spacing) const {
  std::vector<Vector3d> all;
  for (const Side& side : outline_) {
    const int along = std::max(1, static_cast<int>(std::ceil(side.length() / spacing)));
    for (int k = 0; k <= along; ++k) {
      const Vector2d q = side.at(static_cast<double>(k) / along);
      const int around = std::max(1, static_cast<int>(std::ceil(kFullTurn * q.y() / spacing)));
      for (int i = 0; i < around; ++i) {
        const double angle = kFullTurn * (i + 0.5 * (k % 2)) / around;
        all.emplace_back(q.y() * std::cos(angle), q.y() * std::sin(angle), q.x());
      }
    }
  }
  return all;
}

BoundarySolid TurnedSolid::mesh(bool isFreeform) const {
  BoundarySolid solid;
  const auto ring = [&](const Vector2d& q) {
    const auto first = static_cast<int>(solid.vertices.size());
    if (q.y() < kOnTheAxis) {
      solid.vertices.emplace_back(0, 0, q.x());
      return first;
    }
    for (int k = 0; k < kMeshFacets; ++k) {
      const double angle = kFullTurn * k / kMeshFacets;
      solid.vertices.emplace_back(q.y() * std::cos(angle), q.y() * std::sin(angle), q.x());
    }
    return first;
  };
  const bool isClosed = (outline_.front().a - outline_.back().b).norm() < kOnTheAxis;
  const int start = ring(outline_.front().a);
  int below = start;
  for (std::size_t k = 0; k < outline_.size(); ++k) {
    const Side& side = outline_[k];
    const int surface = sweptBy(side, isFreeform, solid), parts = partsOf(side, kMeshFacets);
    for (int part = 1; part <= parts; ++part) {
      const Vector2d from = side.at(static_cast<double>(part - 1) / parts),
                     to = part == parts ? side.b : side.at(static_cast<double>(part) / parts);
      const bool isLast = k + 1 == outline_.size() && part == parts;
      const int above = isLast && isClosed ? start : ring(to);
      for (int i = 0; i < kMeshFacets; ++i) {
        const int n = (i + 1) % kMeshFacets;
        if (from.y() < kOnTheAxis) {
          addTriangle(solid, below, above + n, above + i, surface);
        } else if (to.y() < kOnTheAxis) {
          addTriangle(solid, below + i, below + n, above, surface);
        } else {
          addTriangle(solid, below + i, below + n, above + n, surface);
          addTriangle(solid, below + i, above + n, above + i, surface);
        }
      }
      below = above;
    }
  }
  return solid;
}

bool Prism::isInside(const Vector2d& p) const {
  int count = 0;
  for (const Side& side : outline_) count += crossingsAbove(side, p);
  return outer_ > 0 ? count % 2 == 0 && p.norm() <= outer_ : count % 2 == 1;
}

Vector2d Prism::closestOnOutline(const Vector2d& p) const {
  Vector2d best = outline_.front().a;
  double least = HUGE_VAL;
  const auto add = [&](const Vector2d& c) {
    const double d = (c - p).squaredNorm();
    if (d >= least) return;
    least = d;
    best = c;
  };
  for (const Side& side : outline_) add(side.closest(p));
  if (outer_ > 0) add(p.norm() > 0 ? Vector2d(outer_ / p.norm() * p) : Vector2d(outer_, 0));
  return best;
}

Vector3d Prism::closest(const Vector3d& p) const {
  const Vector2d q = p.head<2>(), wall = closestOnOutline(q);
  const double cap = p.z() > 0 ? half_ : -half_;
  const Vector3d onWall(wall.x(), wall.y(), std::clamp(p.z(), -half_, half_)), onCap(q.x(), q.y(), cap);
  if (!isInside(q)) return onWall;
  return (onCap - p).squaredNorm() < (onWall - p).squaredNorm() ? onCap : onWall;
}

bool Prism::contains(const Vector3d& p) const {
  return std::abs(p.z()) < half_ && isInside(p.head<2>());
}

std::vector<Vector3d> Prism::samples(double spacing) const {
  std::vector<Vector3d> all;
  const int up = static_cast<int>(std::ceil(2 * half_ / spacing));
  const auto wall = [&](const Vector2d& q) {
    for (int i = 0; i <= up; ++i) all.emplace_back(q.x(), q.y(), -half_ + 2 * half_ * i / up);
  };
  double reach = outer_;
  for (const Side& side : outline_) {
    const int along = std::max(1, static_cast<int>(std::ceil(side.length() / spacing)));
    for (int k = 0; k < along; ++k) wall(side.at(static_cast<double>(k) / along));
    reach = std::max({reach, side.a.norm(), side.at(0.5).norm()});
  }
  for (int k = 0; outer_ > 0 && k < kFullTurn * outer_ / spacing; ++k)
    wall(outer_ * Vector2d(std::cos(k * spacing / outer_), std::sin(k * spacing / outer_)));
  for (double x = -reach; x <= reach; x += spacing)
    for (double y = -reach; y <= reach; y += spacing)
      if (isInside({x, y}))
        for (const double z : {-half_, half_}) all.emplace_back(x, y, z);
  return all;
}

BoundarySolid Prism::mesh(bool isFreeform) const {
  BoundarySolid solid;
  std::vector<Vector2d> corners;
  std::vector<int> surfaces;
  double round = 0;
  for (const Side& side : outline_) {
    const int parts = partsOf(side, kMeshFacets);
    int surface = -1;
    if (side.isArc) {
      // Arcs about the axis that follow each other lie on one surface.
      const double radius = (side.a - side.center).norm();
      const bool isSame = round == radius && side.center.norm() == 0 && !solid.surfaces.empty();
      Surface s;
      s.kind = SurfaceKind::cylinder;
      s.radius = radius;
      s.X_BS.p = Vector3d(side.center.x(), side.center.y(), 0);
      if (isFreeform) s = freeformTwin(s, -half_, half_);
      surface = isSame ? static_cast<int>(solid.surfaces.size()) - 1 : addSurface(solid, s);
      round = side.center.norm() == 0 ? radius : 0;
    }
    for (int k = 0; k < parts; ++k) {
      corners.push_back(side.at(static_cast<double>(k) / parts));
      surfaces.push_back(surface);
    }
  }
  const auto n = static_cast<int>(corners.size());
  const auto layer = [&](double z, bool isOuter) {
    const auto first = static_cast<int>(solid.vertices.size());
    for (const Vector2d& c : corners) {
      const Vector2d q = isOuter ? Vector2d(outer_ / c.norm() * c) : c;
      solid.vertices.emplace_back(q.x(), q.y(), z);
    }
    return first;
  };
  const bool isHole = outer_ > 0;
  const int low = layer(-half_, false), high = layer(half_, false);
  const auto quad = [&](int a, int b, int c, int d, int surface, bool isTurned) {
    if (isTurned) std::swap(b, d);
    addTriangle(solid, a, b, c, surface);
    addTriangle(solid, a, c, d, surface);
  };
  for (int k = 0; k < n; ++k) {
    const int l = (k + 1) % n;
    quad(low + k, low + l, high + l, high + k, surfaces[static_cast<std::size_t>(k)], isHole);
  }
  if (!isHole) {
    const auto middle = static_cast<int>(solid.vertices.size());
    for (const double z : {-half_, half_}) solid.vertices.emplace_back(0, 0, z);
    for (int k = 0; k < n; ++k) {
      addTriangle(solid, middle, low + (k + 1) % n, low + k, -1);
      addTriangle(solid, middle + 1, high + k, high + (k + 1) % n, -1);
    }
    return solid;
  }
  Surface s;
  s.kind = SurfaceKind::cylinder;
  s.radius = outer_;
  const int outside = addSurface(solid, isFreeform ? freeformTwin(s, -half_, half_) : s);
  const int outLow = layer(-half_, true), outHigh = layer(half_, true);
  for (int k = 0; k < n; ++k) {
    const int l = (k + 1) % n;
    quad(outLow + k, outLow + l, outHigh + l, outHigh + k, outside, false);
    quad(low + k, outLow + k, outLow + l, low + l, -1, true);
    quad(high + k, outHigh + k, outHigh + l, high + l, -1, false);
  }
  return solid;
}

}  // namespace tenon::tests
