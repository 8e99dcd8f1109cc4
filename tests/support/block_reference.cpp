// Edges as curves, and the least distance along each by bounds on how fast it can change.
#include "tests/support/block_reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "tests/support/golden_section.h"
#include "tests/support/revolved_reference.h"
#include "tests/support/solid.h"

namespace tenon::test {
namespace {

using physics::BlockWithHoles;
using physics::Pose;
using physics::SolidOfRevolution;
using physics::Vector3d;
using std::numbers::pi;

using Field = std::function<double(const Vector3d&)>;

// A curve over [0, 1] on which points move by at most `length` per unit.
struct Curve {
  std::function<Vector3d(double)> at;
  double length;
};

Curve line(const Vector3d& a, const Vector3d& b) {
  return {[a, b](double t) { return Vector3d(a + t * (b - a)); }, (b - a).norm()};
}

Curve circle(const Pose& X, double z, double r) {
  return {[=](double t) { return X * Vector3d(r * std::cos(2 * pi * t), r * std::sin(2 * pi * t), z); },
          2 * pi * r};
}

std::vector<Curve> edgesOf(const ConvexSolid& solid, const Pose& X) {
  std::vector<std::pair<Vector3d, Vector3d>> sides;
  for (const auto& t : solid.triangles())
    for (std::size_t k = 0; k < 3; ++k) {
      const std::pair<Vector3d, Vector3d> side{t[k], t[(k + 1) % 3]}, back{side.second, side.first};
      const bool known = std::any_of(sides.begin(), sides.end(),
                                     [&](const auto& other) { return other == side || other == back; });
      if (!known) sides.push_back(side);
    }
  std::vector<Curve> curves;
  for (const auto& [a, b] : sides) curves.push_back(line(X * a, X * b));
  return curves;
}

void addRims(const std::vector<Eigen::Vector2d>& profile, const Pose& X, std::vector<Curve>& curves) {
  for (const Eigen::Vector2d& zr : profile) curves.push_back(circle(X, zr.x(), zr.y()));
}

std::vector<Curve> edgesOf(const BlockWithHoles& block, const Pose& X) {
  std::vector<Curve> curves;
  for (const auto& [a, b] : tests::boxEdges(block.halfExtents)) curves.push_back(line(X * a, X * b));
  for (const physics::Cavity& c : block.cavities) addRims(c.profile, X * c.X_BH, curves);
  return curves;
}

// Lowers `best` to the least of the field along the curve: halves whatever may still hold something lower,
// and looks into what is left by golden sections.
void lower(const Curve& curve, const Field& field, double& best) {
  constexpr int kHalvings = 11;
  std::vector<double> left{0.5};  // middles of intervals
  double half = 0.5;
  for (int k = 0; k < kHalvings; ++k) {
    std::vector<std::pair<double, double>> values;
    for (const double t : left) values.emplace_back(t, field(curve.at(t)));
    for (const auto& [t, value] : values) best = std::min(best, value);
    left.clear();
    half /= 2;
    for (const auto& [t, value] : values)
      if (value - 2 * half * curve.length < best) left.insert(left.end(), {t - half, t + half});
  }
  for (const double t : left)
    if (field(curve.at(t)) - half * curve.length < best)
      best = std::min(
          best, leastBetween(std::max(0.0, t - 2 * half), std::min(1.0, t + 2 * half), 1e-10, [&](double x) {
                  return field(curve.at(x));
                }).value);
}

double leastOn(const std::vector<Curve>& curves, const Field& field) {
  double best = std::numeric_limits<double>::infinity();
  for (const Curve& curve : curves) lower(curve, field, best);
  return best;
}

double squareToSegment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - t * (b - a)).squaredNorm();
}

Curve coreOf(const CapsuleSolid& capsule, const Pose& X) {
  return line(X * Vector3d(0, 0, -capsule.halfLength), X * Vector3d(0, 0, capsule.halfLength));
}

}  // namespace

ConvexSolid::ConvexSolid(const std::vector<Vector3d>& v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = i + 1; j < v.size(); ++j)
      for (std::size_t k = j + 1; k < v.size(); ++k) {
        Vector3d n = (v[j] - v[i]).cross(v[k] - v[i]);
        if (n.norm() < 1e-12) continue;
        n.normalize();
        double low = 0, high = 0;
        for (const Vector3d& p : v) {
          low = std::min(low, n.dot(p - v[i]));
          high = std::max(high, n.dot(p - v[i]));
        }
        if (std::min(-low, high) > 1e-12) continue;
        triangles_.push_back({v[i], v[j], v[k]});
        normals_.push_back(high > 1e-12 ? Vector3d(-n) : n);
      }
}

double ConvexSolid::distance(const Vector3d& p) const {
  double inside = -std::numeric_limits<double>::infinity(), square = -inside;
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const auto& t = triangles_[i];
    const double height = normals_[i].dot(p - t[0]);
    inside = std::max(inside, height);
    bool over = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d &a = t[k], &b = t[(k + 1) % 3], &c = t[(k + 2) % 3];
      const Vector3d in = normals_[i].cross(b - a);
      over = over && in.dot(p - a) * in.dot(c - a) >= 0;
      square = std::min(square, squareToSegment(p, a, b));
    }
    if (over) square = std::min(square, height * height);
  }
  return inside <= 0 ? inside : std::sqrt(square);
}

double CapsuleSolid::distance(const Vector3d& p) const {
  return std::sqrt(squareToSegment(p, Vector3d(0, 0, -halfLength), Vector3d(0, 0, halfLength))) - radius;
}

double referenceSeparation(const ConvexSolid& a, const BlockWithHoles& b, const Pose& X_BA) {
  const BlockDistance block = distanceTo(b);
  return std::min(leastOn(edgesOf(a, X_BA), [&](const Vector3d& p) { return block(p); }),
                  leastOn(edgesOf(b, X_BA.inverse()), [&](const Vector3d& p) { return a.distance(p); }));
}

double referenceSeparation(const CapsuleSolid& a, const BlockWithHoles& b, const Pose& X_BA) {
  const BlockDistance block = distanceTo(b);
  return std::min(leastOn({coreOf(a, X_BA)}, [&](const Vector3d& p) { return block(p); }) - a.radius,
                  leastOn(edgesOf(b, X_BA.inverse()), [&](const Vector3d& p) { return a.distance(p); }));
}

double referenceSeparation(const CapsuleSolid& a, const SolidOfRevolution& b, const Pose& X_BA) {
  std::vector<Curve> rims;
  addRims(b.profile, X_BA.inverse(), rims);
  return std::min(
      leastOn({coreOf(a, X_BA)}, [&](const Vector3d& p) { return referenceDistance(b, p); }) - a.radius,
      leastOn(rims, [&](const Vector3d& p) { return a.distance(p); }));
}

double referenceSeparation(const BlockWithHoles& a, const BlockWithHoles& b, const Pose& X_BA) {
  const BlockDistance one = distanceTo(a), two = distanceTo(b);
  return std::min(leastOn(edgesOf(a, X_BA), [&](const Vector3d& p) { return two(p); }),
                  leastOn(edgesOf(b, X_BA.inverse()), [&](const Vector3d& p) { return one(p); }));
}

}  // namespace tenon::test
