// Swept volumes against closed forms: the surface has the true volume inside, and is nowhere farther from it
// than stated. The referees call nothing of the engine.
#include "runtime/sweep/swept_volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "runtime/sweep/swept_distance.h"

namespace tenon::tests {
namespace {

using content::TriangleMesh;
using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::PartPath;
using runtime::SweptVolume;

constexpr double kError = 1e-4;
/// Rounding of distances of the engine, for points on the surface of the true volume [m].
constexpr double kRounding = 1e-8;

PartPath pathOf(const std::vector<Pose>& poses) {
  PartPath path;
  for (std::size_t k = 0; k < poses.size(); ++k) path.add(static_cast<double>(k), poses[k]);
  return path;
}

SweptVolume sweptOf(const physics::Shape& shape, const PartPath& path, double error = kError) {
  runtime::SweptVolumeSettings settings;
  settings.error = error;
  settings.threads = 2;
  return runtime::sweptVolume(shape, path, settings);
}

Vector3d corner(const TriangleMesh& mesh, std::size_t triangle, std::size_t k) {
  return mesh.vertices[static_cast<std::size_t>(mesh.triangles[triangle][k])];
}

/// Crossings of a ray from p with the surface, counted with their sides: 1 from inside.
int windingOf(const TriangleMesh& mesh, const Vector3d& p) {
  const Vector3d d = Vector3d(0.3217, 0.8831, 0.3419).normalized();
  int winding = 0;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const Vector3d a = corner(mesh, k, 0) - p, b = corner(mesh, k, 1) - p, c = corner(mesh, k, 2) - p;
    const double u = d.dot(b.cross(c)), v = d.dot(c.cross(a)), w = d.dot(a.cross(b));
    if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) continue;
    if ((u * a + v * b + w * c).dot(d) / (u + v + w) > 0) winding += u > 0 ? 1 : -1;
  }
  return winding;
}

/// Each edge belongs to as many triangles in one direction as in the other.
void expectClosed(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> balance;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  for (const auto& [edge, sum] : balance) ASSERT_EQ(sum, 0) << edge.first << ", " << edge.second;
}

/// `outside`: the distance of a point from the true volume, 0 inside. `points`: on the border of the true
/// volume or in it.
void expectEncloses(const SweptVolume& swept, const std::function<double(const Vector3d&)>& outside,
                    const std::vector<Vector3d>& points, double error = kError) {
  ASSERT_TRUE(swept.isComplete);
  const TriangleMesh& mesh = swept.mesh;
  ASSERT_FALSE(mesh.triangles.empty());
  expectClosed(mesh);
  for (const Vector3d& p : points) ASSERT_EQ(windingOf(mesh, p), 1) << p.transpose() * 1e3;
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> share(0, 1);
  double nearest = 1, farthest = 0;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    for (int sample = 0; sample < 3; ++sample) {
      double u = share(generator), v = share(generator);
      if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
      }
      const Vector3d p = (1 - u - v) * corner(mesh, k, 0) + u * corner(mesh, k, 1) + v * corner(mesh, k, 2);
      const double distance = outside(p);
      nearest = std::min(nearest, distance);
      farthest = std::max(farthest, distance);
    }
  EXPECT_GT(nearest, 0);
  EXPECT_LT(farthest, error + kRounding);
}

double boxDistance(const Vector3d& p, const Vector3d& half) {
  return (p.cwiseAbs() - half).cwiseMax(0).norm();
}

std::vector<Vector3d> randomPoints(int count, const std::function<Vector3d(const Vector3d&)>& map) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> share(-1, 1);
  std::vector<Vector3d> points;
  for (int k = 0; k < count; ++k) {
    const double x = share(generator), y = share(generator), z = share(generator);
    points.push_back(map(Vector3d(x, y, z)));
  }
  return points;
}

TEST(SweptVolume, ofASphereThatTranslatesIsACapsule) {
  const Vector3d from(0.01, 0, 0.002), to(0.03, 0.015, -0.004);
  const double radius = 0.005;
  const SweptVolume swept = sweptOf(physics::Sphere{radius}, pathOf({Pose::at(from), Pose::at(to)}));
  const auto outside = [&](const Vector3d& p) {
    const double t = std::clamp((p - from).dot(to - from) / (to - from).squaredNorm(), 0.0, 1.0);
    return std::max(0.0, (p - from - t * (to - from)).norm() - radius);
  };
  expectEncloses(swept, outside, randomPoints(60, [&](const Vector3d& r) -> Vector3d {
                   return from + 0.5 * (1 + r.x()) * (to - from) + radius * r.normalized();
                 }));
  const double length = (to - from).norm();
  const auto volume = [&](double r) { return std::numbers::pi * r * r * (length + 4 * r / 3); };
  EXPECT_GT(swept.volume, volume(radius));
  EXPECT_LT(swept.volume, volume(radius + kError));
}

TEST(SweptVolume, ofABoxAlongItsEdgeIsABoxOfFewTriangles) {
  const Vector3d half(0.01, 0.006, 0.004);
  const SweptVolume swept = sweptOf(physics::Box{half}, pathOf({Pose(), Pose::at({0.02, 0, 0})}));
  const Vector3d center(0.01, 0, 0), all(0.02, 0.006, 0.004);
  expectEncloses(
      swept, [&](const Vector3d& p) { return boxDistance(p - center, all); },
      randomPoints(60, [&](const Vector3d& r) -> Vector3d {
        return center + (r / r.cwiseAbs().maxCoeff()).cwiseProduct(all);
      }));
  EXPECT_LT(swept.mesh.triangles.size(), 30000u);
}

TEST(SweptVolume, ofABoxThatTurnedAboutItsAxisIsACylinder) {
  // A full turn in eight poses: the corners sweep a cylinder, through which nothing else goes.
  const Vector3d half(0.008, 0.006, 0.003);
  std::vector<Pose> poses;
  for (int k = 0; k <= 8; ++k)
    poses.push_back(
        {Quaterniond(Eigen::AngleAxisd(k * std::numbers::pi / 4, Vector3d::UnitZ())), Vector3d::Zero()});
  const SweptVolume swept = sweptOf(physics::Box{half}, pathOf(poses), 2e-4);
  const auto outside = [&](const Vector3d& p) {
    const double r = std::max(0.0, p.head<2>().norm() - 0.01), z = std::max(0.0, std::abs(p.z()) - 0.003);
    return std::hypot(r, z);
  };
  expectEncloses(swept, outside,
                 randomPoints(60,
                              [](const Vector3d& r) -> Vector3d {
                                const Eigen::Vector2d round = 0.01 * r.head<2>().normalized();
                                return {round.x(), round.y(), 0.003 * r.z()};
                              }),
                 2e-4);
}

TEST(SweptVolume, ofASphereOnAHelixKeepsTheError) {
  // The center of the sphere is 12 mm from the axis of a screw motion of two turns with a pitch of 15 mm.
  const double radius = 0.003, arm = 0.012, pitch = 0.015, turns = 2;
  physics::Compound shape;
  shape.children.push_back({physics::Sphere{radius}, Pose::at({arm, 0, 0})});
  std::vector<Pose> poses;
  for (int k = 0; k <= 16; ++k) {
    const double turn = turns * k / 16;
    poses.push_back({Quaterniond(Eigen::AngleAxisd(2 * std::numbers::pi * turn, Vector3d::UnitZ())),
                     Vector3d(0, 0, pitch * turn)});
  }
  const SweptVolume swept = sweptOf(shape, pathOf(poses), 2e-4);
  const auto center = [&](double turn) {
    const double angle = 2 * std::numbers::pi * turn;
    return Vector3d(arm * std::cos(angle), arm * std::sin(angle), pitch * turn);
  };
  // The nearest point of the helix by a fine scan and a golden section: 1e-9 m.
  const auto outside = [&](const Vector3d& p) {
    double best = 0;
    for (int k = 0; k <= 100; ++k)
      if ((center(turns * k / 100) - p).norm() < (center(best) - p).norm()) best = turns * k / 100;
    double a = std::max(0.0, best - turns / 100), b = std::min(turns, best + turns / 100);
    for (int k = 0; k < 60; ++k) {
      const double u = a + 0.382 * (b - a), v = a + 0.618 * (b - a);
      ((center(u) - p).norm() < (center(v) - p).norm() ? b : a) =
          (center(u) - p).norm() < (center(v) - p).norm() ? v : u;
    }
    return std::max(0.0, (center(0.5 * (a + b)) - p).norm() - radius);
  };
  expectEncloses(swept, outside,
                 randomPoints(60,
                              [&](const Vector3d& r) -> Vector3d {
                                return center(0.5 * turns * (1 + r.x())) + radius * r.normalized();
                              }),
                 2e-4);
}

TEST(SweptVolume, ofARingKeepsItsHole) {
  // Along its axis a ring sweeps a tube: the hole stays, and its wall is within the error.
  physics::SolidOfRevolution ring;
  ring.profile = {{-0.002, 0.004}, {-0.002, 0.008}, {0.002, 0.008}, {0.002, 0.004}, {-0.002, 0.004}};
  const SweptVolume swept = sweptOf(ring, pathOf({Pose(), Pose::at({0, 0, 0.01})}), 2e-4);
  const auto outside = [](const Vector3d& p) {
    const double radius = p.head<2>().norm();
    const double r = std::max({0.0, radius - 0.008, 0.004 - radius});
    return std::hypot(r, std::max({0.0, -0.002 - p.z(), p.z() - 0.012}));
  };
  expectEncloses(swept, outside,
                 randomPoints(100,
                              [](const Vector3d& r) -> Vector3d {
                                const double radius = 0.006 + 0.002 * r.z();
                                const Eigen::Vector2d round = radius * r.head<2>().normalized();
                                return {round.x(), round.y(), 0.005 + 0.007 * r.x()};
                              }),
                 2e-4);
  EXPECT_EQ(windingOf(swept.mesh, {0, 0, 0.005}), 0);
}

TEST(SweptVolume, findsThinAndSmallPieces) {
  // A sheet of 0.2 mm, and far from it a small sphere, as one part.
  physics::Compound shape;
  shape.children.push_back({physics::Box{{0.02, 0.02, 0.0001}}, Pose()});
  shape.children.push_back({physics::Sphere{0.0005}, Pose::at({0, 0, 0.03})});
  const Vector3d shift(0, 0, 0.005);
  const SweptVolume swept = sweptOf(shape, pathOf({Pose(), Pose::at(shift)}), 3e-4);
  const auto outside = [&](const Vector3d& p) {
    const double sheet = boxDistance(p - 0.5 * shift, {0.02, 0.02, 0.0026});
    const double t = std::clamp(p.z() - 0.03, 0.0, 0.005);
    return std::min(sheet, std::max(0.0, (p - Vector3d(0, 0, 0.03 + t)).norm() - 0.0005));
  };
  expectEncloses(swept, outside,
                 {{0.02, 0.02, -0.0001}, {-0.02, 0.02, 0.0051}, {0, 0, 0.0295}, {0.0005, 0, 0.034}}, 3e-4);
}

TEST(SweptVolume, doesNotSpanAJump) {
  PartPath path;
  path.add(0, Pose());
  path.add(1, Pose::at({0.01, 0, 0}));
  path.add(2, Pose::at({0, 0.05, 0}), true);
  const SweptVolume swept = sweptOf(physics::Sphere{0.004}, path);
  const auto outside = [](const Vector3d& p) {
    const double t = std::clamp(p.x(), 0.0, 0.01);
    return std::max(0.0, std::min((p - Vector3d(t, 0, 0)).norm(), (p - Vector3d(0, 0.05, 0)).norm()) - 0.004);
  };
  expectEncloses(swept, outside, {{0, 0, 0.004}, {0.014, 0, 0}, {0, 0.046, 0}, {0, 0.05, -0.004}});
  EXPECT_EQ(windingOf(swept.mesh, {0, 0.025, 0}), 0);
}

TEST(SweptVolume, stopsOnRequest) {
  runtime::SweptVolumeSettings settings;
  settings.stop = [] { return true; };
  EXPECT_FALSE(runtime::sweptVolume(physics::Sphere{0.01}, pathOf({Pose()}), settings).isComplete);
}

TEST(SweptDistance, isThatOfTheCurveOfAPoint) {
  // A box that turns by 2 rad and moves: the distance of random points by a fine scan of the motion.
  const Vector3d half(0.01, 0.006, 0.004);
  const Pose from{Quaterniond(Eigen::AngleAxisd(0.3, Vector3d(1, 2, 3).normalized())), Vector3d(0.01, 0, 0)};
  const Pose to{Quaterniond(Eigen::AngleAxisd(1.8, Vector3d(1, -1, 0.5).normalized())),
                Vector3d(-0.01, 0.02, 0.01)};
  const double tolerance = 1e-5;
  runtime::SweptDistance distance(physics::Box{half}, pathOf({from, to}), tolerance);
  for (const Vector3d& p : randomPoints(300, [](const Vector3d& r) -> Vector3d { return 0.03 * r; })) {
    double expected = 1;
    for (int k = 0; k <= 4000; ++k) {
      const double s = k / 4000.0;
      const Pose X{from.q.slerp(s, to.q), from.p + s * (to.p - from.p)};
      expected = std::min(expected, boxDistance(X.inverse() * p, half));
    }
    const double found = distance.nearest(p, 1).distance;
    EXPECT_NEAR(found, expected, distance.toleranceAt(expected) + 1e-5) << p.transpose();
    EXPECT_NEAR(distance.nearest(p, 0.5 * found).distance, 0.5 * found, 1e-12);
  }
}

}  // namespace
}  // namespace tenon::tests
