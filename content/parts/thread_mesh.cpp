// Display mesh of a screw thread: MeshBuilder::thread().
//
// The surface of a thread is a function ρ(θ, z), linear on strips along the helix: roots, two flanks and
// crests; the cones of its ends cut it. In the plane (θ, z) a strip between two angles is a convex polygon,
// and so is the part of it where one of these functions is the least (of an external thread; of an internal
// one the largest). Each such polygon is drawn with the normals of its surface.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "content/parts/display_mesh.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Thread;
using std::numbers::pi;

/// Areas below this are not drawn [rad m].
constexpr double kNoArea = 1e-13;
/// Nor are triangles with twice an area of this [m²].
constexpr double kNoTriangle = 1e-18;

/// A linear function of (θ, z).
struct Linear {
  double c = 0, byTheta = 0, byZ = 0;
  double at(const Vector2d& p) const { return c + byTheta * p.x() + byZ * p.y(); }
  Linear operator-(const Linear& f) const { return {c - f.c, byTheta - f.byTheta, byZ - f.byZ}; }
};

/// The part of a convex polygon where f ≥ 0.
void clip(const Linear& f, Polygon& polygon) {
  Polygon kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector2d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double a = f.at(p), b = f.at(q);
    if (a >= 0) kept.push_back(p);
    if ((a < 0) != (b < 0))
      kept.emplace_back(a < 0 ? Vector2d(q + b / (b - a) * (p - q)) : Vector2d(p + a / (a - b) * (q - p)));
  }
  polygon = std::move(kept);
}

double area(const Polygon& polygon) {
  double sum = 0;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vector2d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    sum += 0.5 * (p.x() * q.y() - p.y() * q.x());
  }
  return sum;
}

/// A strip of the surface along the helix, bounded by lines z = h θ + const.
struct Strip {
  Linear rho, above, below;  // above ≥ 0 and below ≥ 0 in the strip
  bool isRoot = false;
};

class ThreadSurface {
 public:
  explicit ThreadSurface(const Thread& t)
      : thread(t),
        crest((t.isInternal ? t.minorDiameter : t.majorDiameter) / 2),
        root((t.isInternal ? t.majorDiameter : t.minorDiameter) / 2) {
    const double h = t.lead() / (2 * pi);
    // z over the middle of tooth 0.
    const Linear u{h * t.phase, -h, 1};
    const auto half = [&](double rho) {
      const double narrowing = std::tan(t.halfAngle) * (rho - t.pitchDiameter / 2);
      return t.pitch / 4 + (t.isInternal ? narrowing : -narrowing);
    };
    const double wide = half(root), narrow = half(crest), slope = (crest - root) / (wide - narrow);
    const double reach = std::abs(t.lead()) + t.pitch;
    const int first = static_cast<int>(std::floor((t.low - reach) / t.pitch)) - t.starts - 1,
              last = static_cast<int>(std::ceil((t.high + reach) / t.pitch)) + t.starts + 1;
    for (int n = first; n <= last; ++n) {
      const double middle = n * t.pitch;
      const auto add = [&](double from, double to, double at, double by, bool isRoot) {
        const double zero = middle + (from < 0 ? -wide : wide);  // where ρ is `at`
        const Linear rho{at + by * (u.c - zero), by * u.byTheta, by * u.byZ};
        strips.push_back(
            {rho, {u.c - middle - from, u.byTheta, u.byZ}, {middle + to - u.c, -u.byTheta, -u.byZ}, isRoot});
      };
      add(-wide, -narrow, root, slope, false);
      add(-narrow, narrow, crest, 0, false);
      add(narrow, wide, root, -slope, false);
      add(wide, t.pitch - wide, root, 0, true);
    }
    for (const std::size_t end : {0u, 1u}) {
      if (t.ends[end].length == 0) continue;
      const double by = (crest - t.ends[end].radius) / t.ends[end].length, inwards = end == 0 ? 1 : -1;
      const double z = end == 0 ? t.low : t.high;
      cones.push_back({t.ends[end].radius - inwards * by * z, 0, inwards * by});
    }
  }

  Thread thread;
  double crest, root;
  std::vector<Strip> strips;
  std::vector<Linear> cones;
};

/// Draws polygons of one thread.
class ThreadPainter {
 public:
  ThreadPainter(DisplayMesh& mesh, const ThreadSurface& surface, const Pose& X)
      : mesh_(mesh), surface_(surface), X_(X) {}

  /// A polygon of the surface ρ, facing away from the axis or, if `inwards`, towards it.
  void face(const Polygon& polygon, const Linear& rho, bool inwards) {
    const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
    for (const Vector2d& p : polygon) {
      const double r = rho.at(p), x = std::cos(p.x()), y = std::sin(p.x());
      const Vector3d radial(x, y, 0), tangential(-y, x, 0);
      const Vector3d n =
          (radial - rho.byTheta / std::max(r, 1e-9) * tangential - rho.byZ * Vector3d::UnitZ()).normalized();
      add(r, p, inwards ? Vector3d(-n) : n);
    }
    for (std::uint32_t k = 1; k + 1 < polygon.size(); ++k) {
      if (inwards)
        triangle(first, first + k + 1, first + k);
      else
        triangle(first, first + k, first + k + 1);
    }
  }

  /// The end faces at the edges of a polygon that lie on an end plane: to the axis, or from the teeth of an
  /// internal thread to its roots.
  void ends(const Polygon& polygon, const Linear& rho) {
    const Thread& t = surface_.thread;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Vector2d &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
      if (p.y() != q.y() || p.x() == q.x() || (p.y() != t.low && p.y() != t.high)) continue;
      const Vector3d n(0, 0, p.y() == t.low ? -1 : 1);
      const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
      add(rho.at(p), p, n);
      add(rho.at(q), q, n);
      add(t.isInternal ? surface_.root : 0, q, n);
      if (!t.isInternal) {
        triangle(first + 2, first + 1, first);
        continue;
      }
      add(surface_.root, p, n);
      triangle(first, first + 1, first + 2);
      triangle(first, first + 2, first + 3);
    }
  }

 private:
  void add(double r, const Vector2d& p, const Vector3d& n) {
    mesh_.positions.push_back(X_ * Vector3d(r * std::cos(p.x()), r * std::sin(p.x()), p.y()));
    mesh_.normals.push_back(X_.q * n);
  }

  /// Corners of a polygon may coincide.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const Vector3d &p = mesh_.positions[a], &q = mesh_.positions[b], &r = mesh_.positions[c];
    if ((q - p).cross(r - p).norm() > kNoTriangle) mesh_.triangles.push_back({a, b, c});
  }

  DisplayMesh& mesh_;
  const ThreadSurface& surface_;
  const Pose X_;
};

}  // namespace

void MeshBuilder::thread(const physics::Thread& thread, const Pose& X, bool isInHole) {
  const ThreadSurface surface(thread);
  ThreadPainter painter(mesh_, surface, X);
  const bool isInternal = thread.isInternal;
  const Linear root{surface.root, 0, 0};
  const int columns = circleFacetCount(std::max(surface.crest, surface.root));
  const auto within = [&](const Linear& f, const Linear& other, Polygon& polygon) {
    clip(isInternal ? f - other : other - f, polygon);
  };
  for (int k = 0; k < columns; ++k) {
    const double from = 2 * pi * k / columns, to = 2 * pi * (k + 1) / columns;
    const Polygon column{{from, thread.low}, {to, thread.low}, {to, thread.high}, {from, thread.high}};
    for (const Strip& strip : surface.strips) {
      Polygon inStrip = column;
      clip(strip.above, inStrip);
      clip(strip.below, inStrip);
      if (area(inStrip) < kNoArea) continue;
      for (std::size_t f = 0; f <= surface.cones.size(); ++f) {
        const bool isCone = f < surface.cones.size();
        const Linear& rho = isCone ? surface.cones[f] : strip.rho;
        Polygon polygon = inStrip;
        if (isCone) within(rho, strip.rho, polygon);
        for (const Linear& cone : surface.cones)
          if (&cone != &rho) within(rho, cone, polygon);
        if (isInternal && isCone) clip(root - rho, polygon);
        if ((isInternal && !isCone && strip.isRoot) || area(polygon) < kNoArea) continue;
        painter.face(polygon, rho, isInternal);
        painter.ends(polygon, rho);
        if (isInternal && !isInHole) painter.face(polygon, root, false);
      }
    }
  }
}

}  // namespace tenon::content
