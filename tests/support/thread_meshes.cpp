// See thread_meshes.h.
#include "tests/support/thread_meshes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <vector>

namespace tenon::tests {
namespace {

using physics::Vector3d;
constexpr double kTurn = 2 * std::numbers::pi;

using Loop = std::vector<int>;

class Maker {
 public:
  explicit Maker(const ThreadMeshOptions& options) : o_(options) {}

  physics::BoundarySolid make() {
    makeColumns();
    o_.isInternal ? makeNut() : makeBolt();
    weld();
    std::mt19937 random(o_.seed);
    std::normal_distribution<double> noise(0, 1);
    const double across = 0.25 * (o_.majorDiameter + o_.across);
    for (Vector3d& p : mesh_.vertices) {
      const double x = noise(random), y = noise(random), z = noise(random);
      // Of the scanned thread only: large flat triangles would cross each other.
      const bool isOnThread = p.z() > 0 && p.z() < o_.length && p.head<2>().norm() < across;
      p = o_.X * (p + (isOnThread ? o_.noise : 0) * Vector3d(x, y, z));
    }
    return std::move(mesh_);
  }

 private:
  double half(double r) const {
    const double narrowing = std::tan(o_.halfAngle) * (r - o_.pitchDiameter / 2);
    return o_.pitch / 4 + (o_.isInternal ? narrowing : -narrowing);
  }

  /// Radius of the surface at a height and a distance from the middle of the nearest tooth.
  double radius(double z, double away) const {
    const double crest = (o_.isInternal ? o_.minorDiameter : o_.majorDiameter) / 2;
    const double root = (o_.isInternal ? o_.majorDiameter : o_.minorDiameter) / 2;
    // On the flank away = P/4 ∓ tan β (r − r_p).
    const double flank = o_.pitchDiameter / 2 +
                         (o_.isInternal ? 1 : -1) * (std::abs(away) - o_.pitch / 4) / std::tan(o_.halfAngle);
    double r = std::clamp(flank, std::min(crest, root), std::max(crest, root));
    const double end = o_.isInternal ? z : o_.length - z;
    if (o_.runOut > 0 && end < o_.runOut) {
      const double left = std::abs(root - crest) * end / o_.runOut;
      r = o_.isInternal ? std::min(r, crest + left) : std::max(r, crest - left);
    }
    if (o_.chamfer > 0 && !o_.isInternal) r = std::min(r, crest - o_.chamfer + o_.chamferSlope * z);
    if (o_.chamfer > 0 && o_.isInternal) {
      r = std::max(r, crest + o_.chamfer - o_.chamferSlope * (o_.length - z));
      if (o_.floor == 0) r = std::max(r, crest + o_.chamfer - o_.chamferSlope * z);
    }
    return r + o_.taper * z;
  }

  /// Vertices on lines along the axis, at the same places of the teeth; what is beyond the ends lies on them.
  void makeColumns() {
    const double crest = (o_.isInternal ? o_.minorDiameter : o_.majorDiameter) / 2;
    const double root = (o_.isInternal ? o_.majorDiameter : o_.minorDiameter) / 2;
    const double top = half(crest), bottom = half(root);
    std::vector<double> places;  // in a tooth, from its middle
    const std::vector<double> corners{-top, top, bottom, o_.pitch - bottom, o_.pitch - top};
    for (std::size_t c = 0; c + 1 < corners.size(); ++c)
      for (int k = 0; k < o_.rows; ++k)
        places.push_back(corners[c] + (corners[c + 1] - corners[c]) * k / o_.rows);
    perTooth_ = static_cast<int>(places.size());
    if (o_.isScan) return makeGrid();
    const double lead = o_.starts * o_.pitch;
    const int first = -o_.starts - 2;
    const int last = static_cast<int>(std::ceil((o_.length + lead) / o_.pitch)) + 2;
    const double sign = o_.isLeftHanded ? -1 : 1;
    rowCount_ = (last - first + 1) * perTooth_;
    for (int j = 0; j < o_.facets; ++j) {
      const double theta = kTurn * j / o_.facets, middle = sign * lead * (theta - o_.phase) / kTurn;
      for (int tooth = first; tooth <= last; ++tooth)
        for (const double place : places) {
          const double z = std::clamp(middle + tooth * o_.pitch + place, 0.0, o_.length);
          const double away = std::remainder(z - middle, o_.pitch), r = radius(z, away);
          add({r * std::cos(theta), r * std::sin(theta), z});
        }
    }
  }

  /// Instead: vertices at the same heights in all columns.
  void makeGrid() {
    const double sign = o_.isLeftHanded ? -1 : 1;
    rowCount_ = static_cast<int>(std::lround(o_.length / o_.pitch * perTooth_)) + 1;
    for (int j = 0; j < o_.facets; ++j)
      for (int i = 0; i < rowCount_; ++i) {
        const double theta = kTurn * j / o_.facets, z = o_.length * i / (rowCount_ - 1);
        const double middle = sign * o_.starts * o_.pitch * (theta - o_.phase) / kTurn;
        const double r = radius(z, std::remainder(z - middle, o_.pitch));
        add({r * std::cos(theta), r * std::sin(theta), z});
      }
  }

  /// Vertices at one place become one.
  void weld() {
    std::map<std::array<double, 3>, int> indices;
    std::vector<Vector3d> vertices;
    for (auto& t : mesh_.triangles)
      for (int& v : t) {
        const Vector3d& p = mesh_.vertices[static_cast<std::size_t>(v)];
        const auto [at, isNew] =
            indices.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(vertices.size()));
        if (isNew) vertices.push_back(p);
        v = at->second;
      }
    mesh_.vertices = std::move(vertices);
  }

  int add(const Vector3d& p) {
    mesh_.vertices.push_back(p);
    return static_cast<int>(mesh_.vertices.size()) - 1;
  }

  /// Row i of the column at the angle of facet j; after a turn, rows continue a lead higher.
  int vertex(int j, int i) const {
    if (j == o_.facets) {
      j = 0;
      if (!o_.isScan) i += (o_.isLeftHanded ? -1 : 1) * o_.starts * perTooth_;
    }
    return j * rowCount_ + std::clamp(i, 0, rowCount_ - 1);
  }

  /// The surface of the thread, facing outwards of a bolt and inwards of a nut.
  void makeWall() {
    const int margin = o_.starts * perTooth_;
    for (int j = 0; j < o_.facets; ++j)
      for (int i = -margin; i + 1 < rowCount_ + margin; ++i) {
        const int a = vertex(j, i), b = vertex(j + 1, i), c = vertex(j + 1, i + 1), d = vertex(j, i + 1);
        const auto isSame = [&](int p, int q) {
          return mesh_.vertices[static_cast<std::size_t>(p)] == mesh_.vertices[static_cast<std::size_t>(q)];
        };
        if (!isSame(a, b) && !isSame(b, c) && !isSame(a, c)) mesh_.triangles.push_back(oriented(a, b, c));
        if (!isSame(a, c) && !isSame(c, d) && !isSame(a, d)) mesh_.triangles.push_back(oriented(a, c, d));
      }
  }
  std::array<int, 3> oriented(int a, int b, int c) const {
    return o_.isInternal ? std::array{a, c, b} : std::array{a, b, c};
  }

  Loop rim(bool upper) const {
    Loop loop;
    for (int j = 0; j < o_.facets; ++j) loop.push_back(vertex(j, upper ? rowCount_ - 1 : 0));
    return loop;
  }
  Loop hexagon(double z) {
    Loop loop;
    const double r = o_.across / std::sqrt(3.0);
    for (int k = 0; k < 6; ++k)
      loop.push_back(add({r * std::cos(kTurn * k / 6), r * std::sin(kTurn * k / 6), z}));
    return loop;
  }

  /// Between two loops about the axis: facing up where `a` is inside of `b`.
  void between(const Loop& a, const Loop& b, bool up) {
    const std::size_t n = a.size(), m = b.size();
    std::size_t i = 0, j = 0;
    while (i < n || j < m) {
      const bool alongA = j == m || (i < n && (i + 1) * m <= (j + 1) * n);
      const int p = a[i % n], q = b[j % m], next = alongA ? a[(i + 1) % n] : b[(j + 1) % m];
      mesh_.triangles.push_back(up ? std::array{p, q, next} : std::array{p, next, q});
      ++(alongA ? i : j);
    }
  }
  /// A face from the thread's end to a hexagon, with a circle in between: a section of a thread is no convex
  /// polygon.
  void faceAround(bool upper, const Loop& outline, double z, bool up) {
    Loop circle;
    const double r = 0.25 * o_.majorDiameter + 0.25 * o_.across + 0.5 * o_.chamfer;
    for (int j = 0; j < o_.facets; ++j)
      circle.push_back(add({r * std::cos(kTurn * j / o_.facets), r * std::sin(kTurn * j / o_.facets), z}));
    between(rim(upper), circle, up);
    between(circle, outline, up);
  }
  void lid(const Loop& loop, double z, bool up) {
    const int middle = add({0, 0, z});
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int a = loop[k], b = loop[(k + 1) % loop.size()];
      mesh_.triangles.push_back(up ? std::array{middle, a, b} : std::array{middle, b, a});
    }
  }
  void sides(const Loop& low, const Loop& high) {
    for (std::size_t k = 0; k < low.size(); ++k) {
      const std::size_t next = (k + 1) % low.size();
      mesh_.triangles.push_back({low[k], low[next], high[next]});
      mesh_.triangles.push_back({low[k], high[next], high[k]});
    }
  }

  void makeBolt() {
    makeWall();
    lid(rim(false), 0, false);
    if (o_.head == 0) return lid(rim(true), o_.length, true);
    const Loop low = hexagon(o_.length), high = hexagon(o_.length + o_.head);
    faceAround(true, low, o_.length, false);
    sides(low, high);
    lid(high, o_.length + o_.head, true);
  }

  void makeNut() {
    makeWall();
    const Loop low = hexagon(-o_.floor), high = hexagon(o_.length);
    faceAround(true, high, o_.length, true);
    sides(low, high);
    if (o_.floor == 0) return faceAround(false, low, 0, false);
    lid(rim(false), 0, true);
    lid(low, -o_.floor, false);
  }

  ThreadMeshOptions o_;
  physics::BoundarySolid mesh_;
  int perTooth_ = 0, rowCount_ = 0;
};

}  // namespace

physics::BoundarySolid threadMesh(const ThreadMeshOptions& options) {
  return Maker(options).make();
}

}  // namespace tenon::tests
