// Threads as polygons in half-planes.
#include "tests/support/thread_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/support/golden_section.h"

namespace tenon::test {
namespace {

using physics::Pose;
using physics::Thread;
using physics::Vector3d;
using Point2 = Eigen::Vector2d;  // (ρ, z)
constexpr double kFar = std::numeric_limits<double>::infinity();

// Corners of a convex polygon; side i goes from corner i to the next and belongs to border face[i].
struct Polygon {
  std::array<Point2, 12> corners;
  std::array<int, 12> face{};
  std::size_t size = 0;

  void add(const Point2& corner, int border) {
    corners[size] = corner;
    face[size++] = border;
  }
};

// Keeps what is at normal · x ≤ offset.
void cut(Polygon& polygon, const Point2& normal, double offset, int face) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Point2 &a = polygon.corners[i], &b = polygon.corners[(i + 1) % polygon.size];
    const double da = normal.dot(a) - offset, db = normal.dot(b) - offset;
    if (da <= 0) kept.add(a, polygon.face[i]);
    if ((da <= 0) != (db <= 0)) kept.add(a + (b - a) * (da / (da - db)), da <= 0 ? face : polygon.face[i]);
  }
  polygon = kept;
}

double polygonDistance(const Polygon& polygon, const Point2& x) {
  double best2 = kFar;
  bool inside = true;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Point2 &a = polygon.corners[i], &b = polygon.corners[(i + 1) % polygon.size];
    const Point2 side = b - a, w = x - a;
    const double length2 = side.squaredNorm();
    const double t = length2 > 0 ? std::clamp(w.dot(side) / length2, 0.0, 1.0) : 0;
    best2 = std::min(best2, (w - t * side).squaredNorm());
    inside = inside && side.x() * w.y() - side.y() * w.x() >= 0;
  }
  return inside && polygon.size > 2 ? 0 : std::sqrt(best2);
}

class Slices {
 public:
  explicit Slices(const Thread& thread) : t_(thread), tan_(std::tan(thread.halfAngle)), core_(core()) {}

  double crest() const { return (t_.isInternal ? t_.minorDiameter : t_.majorDiameter) / 2; }
  double root() const { return (t_.isInternal ? t_.majorDiameter : t_.minorDiameter) / 2; }
  const Thread& thread() const { return t_; }

  // The tooth whose middle is at z.
  Polygon toothAt(double middle) const {
    const double inner = t_.minorDiameter / 2, outer = t_.majorDiameter / 2, pitch = t_.pitchDiameter / 2;
    const double slope = t_.isInternal ? tan_ : -tan_;
    const double wi = t_.pitch / 4 + slope * (inner - pitch), wo = t_.pitch / 4 + slope * (outer - pitch);
    Polygon p;
    p.add({inner, middle - wi}, 0);
    p.add({outer, middle - wo}, 1);
    p.add({outer, middle + wo}, 2);
    p.add({inner, middle + wi}, 3);
    cutEnds(p);
    return p;
  }
  Polygon core() const {
    Polygon p;
    p.add({0, t_.low - 1e-3}, 0);
    p.add({root(), t_.low - 1e-3}, 1);
    p.add({root(), t_.high + 1e-3}, 2);
    p.add({0, t_.high + 1e-3}, 3);
    cutEnds(p);
    return p;
  }
  // Number of the first tooth whose middle is above z at angle θ, and middles of teeth by number.
  double firstAbove(double z, double theta) const { return std::ceil((z - middle(0, theta)) / t_.pitch); }
  double middle(double number, double theta) const {
    return t_.lead() * (theta - t_.phase) / (2 * std::numbers::pi) + number * t_.pitch;
  }

  double distanceInSlice(double theta, const Point2& x) const {
    double best = t_.isInternal ? kFar : polygonDistance(core_, x);
    const double nearest = firstAbove(x.y() - 0.5 * t_.pitch, theta);
    // Outwards from the nearest tooth, as long as teeth can be closer.
    for (int k = 0; k <= 2 * kMaxTeeth; ++k) {
      const int away = (k + 1) / 2;
      const double z = middle(nearest + (k % 2 == 1 ? away : -away), theta);
      if (std::abs(z - x.y()) > best + t_.pitch && k % 2 == 0) break;
      const Polygon tooth = toothAt(z);
      if (tooth.size > 2) best = std::min(best, polygonDistance(tooth, x));
    }
    return best;
  }

  double distance(const Vector3d& p, double ignoreAbove = kFar) const {
    const double r = std::hypot(p.x(), p.y()), theta = std::atan2(p.y(), p.x());
    const double outside = std::max({t_.low - p.z(), p.z() - t_.high, r - t_.majorDiameter / 2,
                                     t_.isInternal ? t_.minorDiameter / 2 - r : 0});
    if (outside > ignoreAbove) return outside;
    const auto at = [&](double psi) {
      const double d = distanceInSlice(theta + psi, {r * std::cos(psi), p.z()});
      return std::hypot(d, r * std::sin(psi));
    };
    const double here = at(0);
    if (!(here < ignoreAbove) || here == 0) return here;
    const double span = std::asin(std::min(0.999, here / r)) + 1e-12;
    constexpr int kSamples = 6;
    double best = here, where = 0;
    for (int k = -kSamples; k <= kSamples; ++k) {
      const double value = at(span * k / kSamples);
      if (value < best) best = value, where = span * k / kSamples;
    }
    return leastBetween(where - span / kSamples, where + span / kSamples, 1e-6 * span, at).value;
  }

 private:
  void cutEnds(Polygon& p) const {
    for (int which = 0; which < 2; ++which) {
      const double side = which == 0 ? -1 : 1, z = which == 0 ? t_.low : t_.high;
      cut(p, {0, side}, side * z, 4 + which);
      const physics::ThreadEnd& cone = t_.ends[static_cast<std::size_t>(which)];
      if (cone.length == 0) continue;
      // Through (radius, z) and (crest, z inside by the length); the material is on the side of the crest's
      // inside.
      const Point2 a(cone.radius, z), b(crest(), z - side * cone.length), d = b - a;
      Point2 normal(d.y(), -d.x());
      const Point2 within(t_.isInternal ? 1e3 : -1e3, 0);
      if (normal.dot(within - a) > 0) normal = -normal;
      cut(p, normal, normal.dot(a), 6 + which);
    }
  }

  static constexpr int kMaxTeeth = 40;
  Thread t_;
  double tan_;
  Polygon core_;
};

struct SurfacePoint {
  double value = kFar;
  double number = 0;  // of the tooth; NaN: the core
  int face = 0;
  double theta = 0, s = 0;
};

class Search {
 public:
  Search(const Thread& bolt, const Thread& nut, const Pose& X) : bolt_(bolt), nut_(nut), X_(X) {}

  double run() {
    const Thread& t = bolt_.thread();
    constexpr int kAround = 64;
    const double step = 2 * std::numbers::pi / kAround;
    std::vector<SurfacePoint> cells;
    for (int k = 0; k < kAround; ++k) {
      const double theta = k * step;
      add(bolt_.core(), std::nan(""), theta, cells);
      for (double n = bolt_.firstAbove(t.low - t.pitch, theta); bolt_.middle(n, theta) < t.high + t.pitch;
           ++n)
        add(bolt_.toothAt(bolt_.middle(n, theta)), n, theta, cells);
    }
    std::sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    double best = cells.front().value;
    std::vector<SurfacePoint> refinedCells;
    for (const SurfacePoint& cell : cells) {
      if (best == 0 || refinedCells.size() == 16) break;
      const bool isKnown =
          std::any_of(refinedCells.begin(), refinedCells.end(), [&](const SurfacePoint& other) {
            return std::abs(other.theta - cell.theta) < 1.5 * step && other.face == cell.face &&
                   !(std::abs(other.number - cell.number) > 0);
          });
      if (isKnown) continue;
      refinedCells.push_back(cell);
      best = std::min(best, refined(cell, step));
    }
    return best;
  }

 private:
  static constexpr int kAlong = 4;

  double at(const Polygon& p, int face, double theta, double s, double ignoreAbove) const {
    if (p.size < 3) return kFar;
    for (std::size_t i = 0; i < p.size; ++i) {
      if (p.face[i] != face) continue;
      const Point2 x = p.corners[i] + s * (p.corners[(i + 1) % p.size] - p.corners[i]);
      return nut_.distance(X_ * Vector3d(x.x() * std::cos(theta), x.x() * std::sin(theta), x.y()),
                           ignoreAbove);
    }
    return kFar;
  }

  void add(const Polygon& p, double number, double theta, std::vector<SurfacePoint>& cells) {
    for (std::size_t side = 0; side < p.size; ++side)
      for (int k = 0; k <= kAlong; ++k) {
        const int face = p.face[side];
        const double s = static_cast<double>(k) / kAlong, value = at(p, face, theta, s, 1.5 * least_ + 2e-5);
        least_ = std::min(least_, value);
        cells.push_back({value, number, face, theta, s});
      }
  }

  double refined(const SurfacePoint& from, double step) const {
    SurfacePoint best = from;
    double width = step, height = 1.0 / kAlong;
    const Polygon core = bolt_.core();
    for (int round = 0; round < 40; ++round) {
      const SurfacePoint center = best;
      for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j) {
          const double theta = center.theta + 0.5 * i * width,
                       s = std::clamp(center.s + 0.5 * j * height, 0.0, 1.0);
          const bool isCore = std::isnan(center.number);
          const double value = at(isCore ? core : bolt_.toothAt(bolt_.middle(center.number, theta)),
                                  center.face, theta, s, kFar);
          if (value < best.value) best = {value, center.number, center.face, theta, s};
        }
      width *= 0.6, height *= 0.6;
    }
    return best.value;
  }

  Slices bolt_, nut_;
  Pose X_;
  double least_ = 1e-3;  // points farther than 1.5 times it have only a lower bound
};

}  // namespace

double referenceThreadDistance(const Thread& bolt, const Thread& nut, const Pose& X_NB) {
  return Search(bolt, nut, X_NB).run();
}

double referenceThreadDistance(const Thread& thread, const Vector3d& p) {
  return Slices(thread).distance(p);
}

}  // namespace tenon::test
