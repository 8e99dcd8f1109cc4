// Meshes to read: small files in memory, and seeded parts of revolution with facets.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "content/mesh/triangle_mesh.h"
#include "content/reader/load_scene.h"

namespace tenon::content::test {

/// The error of `read`, or "".
template <class Read>
std::string errorFrom(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A unit cube [0, 1]³ as OBJ, with quadrilateral faces that face outwards.
inline std::string cubeObj() {
  return "# a cube\nmtllib missing.mtl\no cube\n"
         "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
         "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
}

/// A cuboid [0, a] × [0, b] × [0, c], added to `mesh` with vertices of its own.
inline void addBox(const Eigen::Vector3d& size, const Eigen::Vector3d& at, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (int k = 0; k < 8; ++k)
    mesh.vertices.push_back(
        at + Eigen::Vector3d(k & 1 ? size.x() : 0, k & 2 ? size.y() : 0, k & 4 ? size.z() : 0));
  for (const auto& q :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}}) {
    mesh.triangles.push_back({first + q[0], first + q[1], first + q[2]});
    mesh.triangles.push_back({first + q[0], first + q[2], first + q[3]});
  }
}

/// A solid of revolution about z from its profile (z, r), bottom up, with N facets, vertices on the circle;
/// where the profile does not end on the axis it is closed to a ring by its own first point.
inline TriangleMesh turnedMesh(const std::vector<Eigen::Vector2d>& profile, int facets, double phase = 0) {
  TriangleMesh mesh;
  std::vector<std::vector<int>> rings;
  for (const auto& zr : profile) {
    auto& ring = rings.emplace_back();
    for (int k = 0; k < facets; ++k) {
      if (zr.y() == 0 && k > 0) {
        ring.push_back(ring.front());
        continue;
      }
      const double angle = phase + 2 * std::numbers::pi * k / facets;
      ring.push_back(static_cast<int>(mesh.vertices.size()));
      mesh.vertices.emplace_back(zr.y() * std::cos(angle), zr.y() * std::sin(angle), zr.x());
    }
  }
  for (std::size_t i = 0; i + 1 < rings.size(); ++i)
    for (int k = 0; k < facets; ++k) {
      const auto a = static_cast<std::size_t>(k), b = static_cast<std::size_t>((k + 1) % facets);
      const int p = rings[i][a], q = rings[i][b], r = rings[i + 1][b], s = rings[i + 1][a];
      if (p != q) mesh.triangles.push_back({p, q, r});
      if (r != s) mesh.triangles.push_back({p, r, s});
    }
  return mesh;
}

/// Vertices of `loop` points (x, y) at height z.
inline std::vector<int> addLoop(const std::vector<Eigen::Vector2d>& loop, double z, TriangleMesh& mesh) {
  std::vector<int> ids;
  for (const auto& p : loop) {
    ids.push_back(static_cast<int>(mesh.vertices.size()));
    mesh.vertices.emplace_back(p.x(), p.y(), z);
  }
  return ids;
}

/// A regular polygon around the origin; with `squash`, an ellipse's.
inline std::vector<Eigen::Vector2d> polygon(double radius, int corners, double phase = 0, double squash = 1) {
  std::vector<Eigen::Vector2d> loop;
  for (int k = 0; k < corners; ++k) {
    const double angle = phase + 2 * std::numbers::pi * k / corners;
    loop.emplace_back(radius * std::cos(angle), squash * radius * std::sin(angle));
  }
  return loop;
}

/// Triangles between two loops around the z axis, both counter-clockwise seen from above: facing up where `a`
/// is inside `b` at one height, outwards where `a` is above `b`.
inline void addBetween(const std::vector<int>& a, const std::vector<int>& b, TriangleMesh& mesh) {
  const auto azimuth = [&](int v) {
    const auto& p = mesh.vertices[static_cast<std::size_t>(v)];
    return std::atan2(p.y(), p.x());
  };
  const auto wrapped = [](double angle) { return std::remainder(angle, 2 * std::numbers::pi); };
  // Both loops start where they are closest, with increasing azimuths.
  std::size_t first = 0;
  for (std::size_t k = 1; k < b.size(); ++k)
    if (std::abs(wrapped(azimuth(b[k]) - azimuth(a[0]))) <
        std::abs(wrapped(azimuth(b[first]) - azimuth(a[0]))))
      first = k;
  const auto unrolled = [&](const std::vector<int>& loop, std::size_t from) {
    std::vector<std::pair<int, double>> list;
    double angle = azimuth(a[0]) + wrapped(azimuth(loop[from]) - azimuth(a[0]));
    for (std::size_t k = 0; k <= loop.size(); ++k) {
      const int v = loop[(from + k) % loop.size()];
      if (k > 0) angle += wrapped(azimuth(v) - angle);
      list.emplace_back(v, angle);
    }
    return list;
  };
  const auto p = unrolled(a, 0), q = unrolled(b, first);
  std::size_t i = 0, j = 0;
  while (i + 1 < p.size() || j + 1 < q.size()) {
    const bool alongA = j + 1 == q.size() ||
                        (i + 1 < p.size() && p[i].second + p[i + 1].second <= q[j].second + q[j + 1].second);
    mesh.triangles.push_back({p[i].first, q[j].first, alongA ? p[i + 1].first : q[j + 1].first});
    (alongA ? i : j) += 1;
  }
}

/// A flat lid of a loop, as a fan from its center, facing up or down.
inline void addLid(const std::vector<int>& loop, bool up, TriangleMesh& mesh) {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const int k : loop)
    middle += mesh.vertices[static_cast<std::size_t>(k)] / static_cast<double>(loop.size());
  const int center = static_cast<int>(mesh.vertices.size());
  mesh.vertices.push_back(middle);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const int p = loop[k], q = loop[(k + 1) % loop.size()];
    if (up)
      mesh.triangles.push_back({center, p, q});
    else
      mesh.triangles.push_back({center, q, p});
  }
}

/// A prism over an outline that is star-shaped about its center, from z = 0 up.
inline TriangleMesh prismMesh(const std::vector<Eigen::Vector2d>& outline, double height) {
  TriangleMesh mesh;
  const auto top = addLoop(outline, height, mesh), bottom = addLoop(outline, 0, mesh);
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const std::size_t next = (k + 1) % outline.size();
    mesh.triangles.push_back({top[k], bottom[k], bottom[next]});
    mesh.triangles.push_back({top[k], bottom[next], top[next]});
  }
  addLid(top, true, mesh);
  addLid(bottom, false, mesh);
  return mesh;
}

/// A cuboid of 20 × 10 × 10 mm with a fin 20 µm thick and `length` [m] long on its +x face, and a top that is
/// flat to 6 µm.
inline TriangleMesh finnedMesh(double length) {
  const std::vector<Eigen::Vector2d> outline{{0.02, 0.00502},
                                             {0.02, 0.01},
                                             {0, 0.01},
                                             {0, 0},
                                             {0.02, 0},
                                             {0.02, 0.005},
                                             {0.02 + length, 0.005},
                                             {0.02 + length, 0.00502}};
  TriangleMesh mesh = prismMesh(outline, 0.01);
  for (std::size_t k = 0; k < outline.size(); ++k) mesh.vertices[k].z() += k % 2 == 0 ? -6e-6 : 6e-6;
  return mesh;
}

/// A circle's polygon about the origin with a flat at azimuth 0, `half` wide to both sides, or a groove down
/// to `floor` [m].
inline std::vector<Eigen::Vector2d> cutPolygon(double radius, int corners, double half, double floor = 0) {
  const auto at = [&](double r, double angle) {
    return Eigen::Vector2d(r * std::cos(angle), r * std::sin(angle));
  };
  std::vector<Eigen::Vector2d> loop{at(radius, half)};
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * (k + 0.5) / corners;
    if (angle > half + 1e-3 && angle < 2 * std::numbers::pi - half - 1e-3) loop.push_back(at(radius, angle));
  }
  loop.push_back(at(radius, -half));
  if (floor > 0) loop.emplace_back(floor, 0);
  return loop;
}

/// A prism over an outline from z = −height to 0 with a round hole about z by its profile, as in
/// physics::Cavity: a last point on the axis ends a blind hole.
/// The hole's corners are at these azimuths [rad], and those of its last circle at `last`.
inline TriangleMesh holedMesh(const std::vector<Eigen::Vector2d>& outline, double height,
                              const std::vector<Eigen::Vector2d>& profile,
                              const std::vector<double>& azimuths, const std::vector<double>& last) {
  TriangleMesh mesh;
  const auto top = addLoop(outline, 0, mesh), bottom = addLoop(outline, -height, mesh);
  addBetween(top, bottom, mesh);
  const auto facingIn = [&](const std::vector<int>& upper, const std::vector<int>& lower) {
    const std::size_t first = mesh.triangles.size();
    addBetween(upper, lower, mesh);
    for (std::size_t k = first; k < mesh.triangles.size(); ++k)
      std::swap(mesh.triangles[k][1], mesh.triangles[k][2]);
  };
  const auto loopAt = [&](const Eigen::Vector2d& zr) {
    std::vector<Eigen::Vector2d> loop;
    for (const double a : zr == profile.back() ? last : azimuths)
      loop.emplace_back(zr.y() * std::cos(a), zr.y() * std::sin(a));
    return addLoop(loop, zr.x(), mesh);
  };
  std::vector<int> edge = loopAt(profile.front());
  addBetween(edge, top, mesh);
  for (std::size_t k = 1; k < profile.size(); ++k) {
    if (profile[k].y() == 0) {
      addLid(edge, true, mesh);
      mesh.vertices.back().z() = profile[k].x();
      addLid(bottom, false, mesh);
      return mesh;
    }
    const auto next = loopAt(profile[k]);
    facingIn(edge, next);
    edge = next;
  }
  facingIn(edge, bottom);
  return mesh;
}

/// The same with equal facets.
inline TriangleMesh holedMesh(const std::vector<Eigen::Vector2d>& outline, double height,
                              const std::vector<Eigen::Vector2d>& profile, int facets) {
  std::vector<double> azimuths;
  for (int k = 0; k < facets; ++k) azimuths.push_back(2 * std::numbers::pi * k / facets);
  return holedMesh(outline, height, profile, azimuths, azimuths);
}

/// The same with a bore and lead-in.
struct Drilled {
  std::vector<Eigen::Vector2d> outline;
  double height = 0, radius = 0, chamfer = 0, depth = 0;  ///< depth ≥ height: through [m]
  int facets = 48;
};

inline TriangleMesh drilledMesh(const Drilled& d) {
  const bool through = d.depth >= d.height;
  std::vector<Eigen::Vector2d> profile{{0, d.radius + d.chamfer}};
  if (d.chamfer > 0) profile.emplace_back(-d.chamfer, d.radius);
  profile.emplace_back(through ? -d.height : -d.depth, d.radius);
  if (!through) profile.emplace_back(-d.depth, 0);
  return holedMesh(d.outline, d.height, profile, d.facets);
}

/// The same cuboid with a fin, and beside it a drilled one: the hole has a name.
inline TriangleMesh finnedAndDrilledMesh(double length) {
  TriangleMesh mesh = finnedMesh(length);
  const std::vector<Eigen::Vector2d> square{{-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.02}, {-0.02, 0.02}};
  const TriangleMesh drilled = drilledMesh({square, 0.012, 0.004, 0, 1, 48});
  const auto first = static_cast<int>(mesh.vertices.size());
  for (const Eigen::Vector3d& p : drilled.vertices)
    mesh.vertices.emplace_back(p + Eigen::Vector3d(0.06, 0, 0));
  for (const auto& t : drilled.triangles)
    mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return mesh;
}

/// A bolt: a prism head from z = 0 to k, a shank below to −length with a 45° tip chamfer.
struct Bolt {
  std::vector<Eigen::Vector2d> head;
  double k = 0, radius = 0, length = 0, chamfer = 0;  ///< [m]
  int facets = 48;
};

inline TriangleMesh boltMesh(const Bolt& b) {
  TriangleMesh mesh;
  const auto top = addLoop(b.head, b.k, mesh), under = addLoop(b.head, 0, mesh);
  const auto neck = addLoop(polygon(b.radius, b.facets), 0, mesh);
  const auto edge = addLoop(polygon(b.radius, b.facets), -b.length + b.chamfer, mesh);
  const auto tip = addLoop(polygon(b.radius - b.chamfer, b.facets), -b.length, mesh);
  addLid(top, true, mesh);
  addBetween(top, under, mesh);
  const std::size_t first = mesh.triangles.size();
  addBetween(neck, under, mesh);
  for (std::size_t k = first; k < mesh.triangles.size(); ++k)
    std::swap(mesh.triangles[k][1], mesh.triangles[k][2]);
  addBetween(neck, edge, mesh);
  addBetween(edge, tip, mesh);
  addLid(tip, false, mesh);
  return mesh;
}

/// Moves every vertex by up to `noise` [m], then all of them by X.
inline void disturb(TriangleMesh& mesh, double noise, const physics::Pose& X, std::mt19937_64& random) {
  std::uniform_real_distribution<double> one(-1, 1);
  for (auto& p : mesh.vertices) {
    Eigen::Vector3d d;
    do d = {one(random), one(random), one(random)};
    while (d.norm() > 1);
    p = X * Eigen::Vector3d(p + noise * d);
  }
}

/// A random pose within a part's size of the origin.
inline physics::Pose anyPose(std::mt19937_64& random) {
  std::uniform_real_distribution<double> one(-1, 1);
  physics::Pose X;
  X.q = Eigen::Quaterniond(one(random), one(random), one(random), one(random)).normalized();
  X.p = 0.05 * Eigen::Vector3d(one(random), one(random), one(random));
  return X;
}

}  // namespace tenon::content::test
