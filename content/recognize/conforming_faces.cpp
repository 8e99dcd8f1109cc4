// See conforming_faces.h. Both faces are unrolled into the surface of A: x and y [m] of a plane, else the
// angle about the axis [rad] and the height [m]. What is common to two triangles there is cut out of one by
// the sides of the other (Sutherland and Hodgman).
#include "content/recognize/conforming_faces.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "physics/collision/brep/surface.h"
#include "physics/math/planar.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::cross;
using physics::RigidTransform;
using physics::Surface;
using physics::SurfaceKind;

constexpr double kWholeTurn = 2 * std::numbers::pi;
/// Common area of two faces that lie on one another, of the smaller one [-]: more than what the chords of a
/// circle that both have in common leave between them.
constexpr double kLeastShare = 0.01;
/// Largest angle between two of the normals of an arc [rad].
constexpr double kNormalStep = 5 * std::numbers::pi / 180;
/// Points this near to the axis lie on it [m].
constexpr double kOnAxis = 1e-9;

struct FlatTriangle {
  std::array<Vector2d, 3> p;  ///< counter-clockwise
  double sign = 1;
  Vector2d low, high;
};

using Polygon = std::vector<Vector2d>;

/// The part of a convex polygon left of the line from `a` to `b`.
Polygon leftOf(const Polygon& polygon, const Vector2d& a, const Vector2d& b) {
  Polygon kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector2d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double dp = cross(b - a, p - a), dq = cross(b - a, q - a);
    if (dp >= 0) kept.push_back(p);
    if ((dp > 0 && dq < 0) || (dp < 0 && dq > 0)) kept.push_back(p + dp / (dp - dq) * (q - p));
  }
  return kept;
}

Polygon commonOf(const FlatTriangle& a, const FlatTriangle& b) {
  Polygon polygon(a.p.begin(), a.p.end());
  for (std::size_t k = 0; k < 3 && !polygon.empty(); ++k) polygon = leftOf(polygon, b.p[k], b.p[(k + 1) % 3]);
  return polygon;
}

/// The area [unit of x times unit of y] and the middle of a polygon.
std::pair<double, Vector2d> areaOf(const Polygon& polygon) {
  double area = 0;
  Vector2d moment = Vector2d::Zero();
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    const double part = 0.5 * cross(polygon[k] - polygon[0], polygon[k + 1] - polygon[0]);
    area += part;
    moment += part / 3 * (polygon[0] + polygon[k] + polygon[k + 1]);
  }
  return {area, area > 0 ? Vector2d(moment / area) : Vector2d::Zero()};
}

/// Arcs about the axis [rad] that are united in the end.
class Arcs {
 public:
  void add(double from, double to) { arcs_.emplace_back(from, to); }

  /// Angles from one end of each united arc to the other.
  std::vector<double> angles() {
    std::vector<double> angles;
    std::sort(arcs_.begin(), arcs_.end());
    for (std::size_t k = 0; k < arcs_.size();) {
      auto [from, to] = arcs_[k];
      for (++k; k < arcs_.size() && arcs_[k].first <= to + kSeam; ++k) to = std::max(to, arcs_[k].second);
      to = std::min(to, from + kWholeTurn);
      const int steps = std::max(1, static_cast<int>(std::ceil((to - from) / kNormalStep)));
      for (int s = 0; s <= steps; ++s) angles.push_back(from + (to - from) * s / steps);
    }
    return angles;
  }

 private:
  static constexpr double kSeam = 1e-6;  ///< arcs this close are one [rad]
  std::vector<std::pair<double, double>> arcs_;
};

/// Compares faces in the surface of one of them.
class FacePair {
 public:
  FacePair(const SolidFace& a, const SolidFace& b, const RigidTransform& X_AB)
      : a_(a), b_(b), X_AB_(X_AB), surface_(a.surface), other_(placedSurface(X_AB, b.surface)) {}

  std::optional<ConformingFaces> compare(double tolerance) {
    if (surface_.kind != other_.kind) return std::nullopt;
    isFlat_ = surface_.kind == SurfaceKind::plane;
    if (!(isFlat_ ? areOpposite() : areAboutOneAxis(tolerance))) return std::nullopt;
    const RigidTransform X_SA = surface_.X_BS.inverse();
    const std::vector<FlatTriangle> a = unrolled(a_, X_SA);
    std::vector<FlatTriangle> b = unrolled(b_, {X_SA.R * X_AB_.R, X_SA.point(X_AB_.p)});
    ConformingFaces result;
    addCommon(a, b);
    if (!(area_ > kLeastShare * std::min(totalOf(a), totalOf(b)))) return std::nullopt;
    result.area = area_;
    result.gap = gapAt(moment_ / area_);
    if (widestGap_ > tolerance) return std::nullopt;
    result.normals = normals();
    return result;
  }

 private:
  Vector3d axis() const { return surface_.X_BS.R.col(2); }

  bool areOpposite() const {
    const Vector3d n = surface_.side * axis(), m = other_.side * other_.X_BS.R.col(2);
    return n.dot(m) < 0 && n.cross(m).norm() < kConformingSine;
  }

  bool areAboutOneAxis(double tolerance) const {
    const Vector3d z = axis(), w = other_.X_BS.R.col(2), between = other_.X_BS.p - surface_.X_BS.p;
    if (surface_.side == other_.side || z.cross(w).norm() > kSameAxisSine) return false;
    const double slope = z.dot(w) > 0 ? other_.slope : -other_.slope;
    if (surface_.kind == SurfaceKind::cone && std::abs(slope - surface_.slope) > kSameAxisSine) return false;
    return z.cross(between).norm() <= tolerance;
  }

  /// Radius of a surface at the height z in the frame of the surface of A [m].
  double radiusAt(const Surface& surface, double z) const {
    if (surface.kind == SurfaceKind::cylinder) return surface.radius;
    const Vector3d p = surface_.X_BS.p + z * axis() - surface.X_BS.p;
    return surface.radius + surface.slope * surface.X_BS.R.col(2).dot(p);
  }

  double cosine() const { return 1 / std::sqrt(1 + surface_.slope * surface_.slope); }

  /// At a point of the surface of A, in its coordinates.
  double gapAt(const Vector2d& at) const {
    if (!isFlat_) return surface_.side * cosine() * (radiusAt(other_, at.y()) - radiusAt(surface_, at.y()));
    const Vector3d p = surface_.X_BS.point({at.x(), at.y(), 0});
    return other_.side * other_.X_BS.R.col(2).dot(p - other_.X_BS.p);
  }

  std::vector<FlatTriangle> unrolled(const SolidFace& face, const RigidTransform& X_SP) const {
    std::vector<FlatTriangle> all;
    all.reserve(face.cover.size());
    for (const FaceTriangle& triangle : face.cover) {
      FlatTriangle flat;
      flat.sign = triangle.sign;
      for (std::size_t k = 0; k < 3; ++k) flat.p[k] = coordinatesOf(X_SP.point(triangle.corners[k]));
      if (!isFlat_) unwind(flat);
      if (cross(flat.p[1] - flat.p[0], flat.p[2] - flat.p[0]) < 0) std::swap(flat.p[1], flat.p[2]);
      flat.low = flat.p[0].cwiseMin(flat.p[1]).cwiseMin(flat.p[2]);
      flat.high = flat.p[0].cwiseMax(flat.p[1]).cwiseMax(flat.p[2]);
      all.push_back(flat);
    }
    return all;
  }

  /// The angle of a point on the axis is not a number.
  Vector2d coordinatesOf(const Vector3d& p) const {
    if (isFlat_) return p.head<2>();
    return {p.head<2>().norm() > kOnAxis ? std::atan2(p.y(), p.x()) : NAN, p.z()};
  }

  /// Makes the angles of the corners differ by less than half a turn; a corner on the axis, the tip of a
  /// cone, has that of another one.
  static void unwind(FlatTriangle& flat) {
    double first = 0;
    for (const Vector2d& p : flat.p)
      if (!std::isnan(p.x())) first = p.x();
    for (Vector2d& p : flat.p)
      p.x() = std::isnan(p.x()) ? first : first + std::remainder(p.x() - first, kWholeTurn);
  }

  /// Area on the surface of A of a polygon about the height z [m²].
  double scaled(double area, double z) const {
    return isFlat_ ? area : area * radiusAt(surface_, z) / cosine();
  }

  double totalOf(const std::vector<FlatTriangle>& triangles) const {
    double total = 0;
    for (const FlatTriangle& t : triangles)
      total += t.sign * scaled(0.5 * cross(t.p[1] - t.p[0], t.p[2] - t.p[0]),
                               (t.p[0].y() + t.p[1].y() + t.p[2].y()) / 3);
    return total;
  }

  void addCommon(const std::vector<FlatTriangle>& a, std::vector<FlatTriangle>& b) {
    std::stable_sort(b.begin(), b.end(),
                     [](const FlatTriangle& s, const FlatTriangle& t) { return s.low.y() < t.low.y(); });
    std::vector<double> highest;  // of the triangles up to each one
    for (const FlatTriangle& t : b)
      highest.push_back(highest.empty() ? t.high.y() : std::max(highest.back(), t.high.y()));
    for (const FlatTriangle& s : a)
      for (auto k = std::lower_bound(highest.begin(), highest.end(), s.low.y()) - highest.begin();
           k < std::ssize(b); ++k) {
        const FlatTriangle& t = b[static_cast<std::size_t>(k)];
        if (t.low.y() > s.high.y()) break;
        if (t.high.y() < s.low.y()) continue;
        for (const double turn : {0.0, -kWholeTurn, kWholeTurn}) {
          if (isFlat_ && turn != 0) break;
          addCommon(s, t, turn);
        }
      }
  }

  void addCommon(const FlatTriangle& s, FlatTriangle t, double turn) {
    if (t.low.x() + turn > s.high.x() || t.high.x() + turn < s.low.x()) return;
    for (Vector2d& p : t.p) p.x() += turn;
    const Polygon polygon = commonOf(s, t);
    if (polygon.size() < 3) return;
    const auto [area, middle] = areaOf(polygon);
    const double signedArea = s.sign * t.sign * scaled(area, middle.y());
    if (signedArea == 0) return;
    area_ += signedArea;
    moment_ += signedArea * middle;
    if (!(signedArea > 0)) return;
    for (const Vector2d& p : polygon) widestGap_ = std::max(widestGap_, std::abs(gapAt(p)));
    if (isFlat_) return;
    const auto [low, high] = std::minmax_element(
        polygon.begin(), polygon.end(), [](const Vector2d& p, const Vector2d& q) { return p.x() < q.x(); });
    arcs_.add(low->x(), high->x());
  }

  std::vector<Vector3d> normals() {
    if (isFlat_) return {surface_.side * axis()};
    std::vector<Vector3d> normals;
    for (const double angle : arcs_.angles())
      normals.push_back(surface_.X_BS.vector(surface_.side * cosine() *
                                             Vector3d(std::cos(angle), std::sin(angle), -surface_.slope)));
    return normals;
  }

  const SolidFace &a_, &b_;
  const RigidTransform& X_AB_;
  const Surface& surface_;  // of A, in the frame of A
  Surface other_;           // of B, in the frame of A
  bool isFlat_ = false;
  double widestGap_ = 0;                // in size [m]
  double area_ = 0;                     // common [m²]
  Vector2d moment_ = Vector2d::Zero();  // area times coordinates
  Arcs arcs_;                           // common, of round faces
};

/// Indices of the boxes, those with the least x first.
std::vector<std::size_t> byLow(const std::vector<physics::Bounds>& boxes) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return boxes[i].low.x() < boxes[j].low.x(); });
  return order;
}

/// Pairs of boxes at most `distance` apart along each axis, sorted.
std::vector<std::pair<int, int>> nearPairs(const std::vector<physics::Bounds>& a,
                                           const std::vector<physics::Bounds>& b, double distance) {
  std::vector<std::pair<int, int>> pairs;
  const auto order = byLow(b);
  double widest = 0;
  for (const physics::Bounds& box : b) widest = std::max(widest, box.high.x() - box.low.x());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double first = a[i].low.x() - distance - widest;
    auto j = std::lower_bound(order.begin(), order.end(), first,
                              [&](std::size_t k, double x) { return b[k].low.x() < x; });
    for (; j != order.end() && b[*j].low.x() <= a[i].high.x() + distance; ++j)
      if (areWithin(a[i], b[*j], distance)) pairs.emplace_back(static_cast<int>(i), static_cast<int>(*j));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

std::vector<ConformingFaces> conformingFaces(const std::vector<SolidFace>& a, const std::vector<SolidFace>& b,
                                             const physics::Pose& X_AB, double tolerance) {
  const RigidTransform X{X_AB.q.toRotationMatrix(), X_AB.p};
  std::vector<physics::Bounds> boxesA, boxesB;
  for (const SolidFace& face : a) boxesA.push_back(face.bounds);
  for (const SolidFace& face : b) boxesB.push_back(rotatedBounds(face.bounds, X));
  std::vector<ConformingFaces> found;
  for (const auto& [i, j] : nearPairs(boxesA, boxesB, tolerance)) {
    auto pair =
        FacePair(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(j)], X).compare(tolerance);
    if (!pair) continue;
    pair->a = i;
    pair->b = j;
    found.push_back(std::move(*pair));
  }
  return found;
}

}  // namespace tenon::content
