// Free-form surfaces: their feet, curvatures and crossings are those of the simple surfaces that they equal.
#include "physics/collision/brep/freeform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <vector>

#include "physics/collision/brep/surface.h"
#include "tests/support/freeform_surfaces.h"

namespace tenon::physics::brep {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

Surface revolved(SurfaceKind kind, double radius, double slope, double minor, double side) {
  Surface s;
  s.kind = kind;
  s.radius = radius;
  s.slope = slope;
  s.minor = minor;
  s.side = side;
  return s;
}

struct Twin {
  Surface simple, form;
};

std::vector<Twin> twins() {
  std::vector<Twin> list;
  for (const double side : {1.0, -1.0}) {
    const Surface cylinder = revolved(SurfaceKind::cylinder, 5e-3, 0, 0, side),
                  cone = revolved(SurfaceKind::cone, 6e-3, 0.4, 0, side),
                  ring = revolved(SurfaceKind::torus, 8e-3, 0, 2e-3, side);
    list.push_back({cylinder, tests::freeformTwin(cylinder, -3e-3, 4e-3)});
    list.push_back({cone, tests::freeformTwin(cone, -3e-3, 4e-3)});
    list.push_back({ring, tests::freeformTwin(ring, -1, 2)});
  }
  return list;
}

/// A point of the simple surface inside of what the patches have.
Vector3d pointOn(const Surface& s, double around, double along) {
  const Vector3d out(std::cos(around), std::sin(around), 0);
  if (s.kind == SurfaceKind::torus) {
    const double angle = -1 + 3 * along;
    return (s.radius + s.minor * std::cos(angle)) * out + s.minor * std::sin(angle) * Vector3d::UnitZ();
  }
  const double z = -3e-3 + 7e-3 * along;
  return (s.radius + (s.kind == SurfaceKind::cone ? s.slope : 0) * z) * out + z * Vector3d::UnitZ();
}

TEST(Freeform, DistancesNormalsAndCurvaturesAreThoseOfTheSameSimpleSurface) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const Twin& twin : twins())
    for (int k = 0; k < 300; ++k) {
      const Vector3d on = pointOn(twin.simple, kTurn * unit(random), 0.05 + 0.9 * unit(random));
      const Vector3d p = on + 1e-3 * (2 * unit(random) - 1) * distanceTo(twin.simple, on).gradient;
      const SurfaceDistance expected = distanceTo(twin.simple, p), found = distanceTo(twin.form, p);
      EXPECT_NEAR(found.value, expected.value, 1e-15);
      EXPECT_LT((found.gradient - expected.gradient).norm(), 1e-11);
      EXPECT_LT((curvatureAt(twin.form, p) - curvatureAt(twin.simple, p)).norm(),
                1e-9 * curvatureAt(twin.simple, p).norm());
      EXPECT_EQ(distanceValue(twin.form, p), found.value);
    }
}

TEST(Freeform, RaysCrossItWhereTheyCrossTheSameSimpleSurface) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(0, 1);
  int crossed = 0;
  for (const Twin& twin : twins())
    for (int k = 0; k < 300; ++k) {
      const Vector3d p(0.02 * unit(random) - 0.01, 0.02 * unit(random) - 0.01, 0.02 * unit(random) - 0.01);
      const Vector3d d = Vector3d(unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5).normalized();
      std::array<double, 4> simple{}, form{};
      std::vector<double> expected, found;
      for (int n = crossings(twin.simple, p, d, simple) - 1; n >= 0; --n) {
        const Vector3d at = p + simple[static_cast<std::size_t>(n)] * d;
        const double along = twin.simple.kind == SurfaceKind::torus
                                 ? (parametersOf(twin.simple, at).y() + 1) / 3
                                 : (at.z() + 3e-3) / 7e-3;
        if (along > 0 && along < 1) expected.push_back(simple[static_cast<std::size_t>(n)]);
      }
      const FreeformSurface& patches = *twin.form.freeform;
      for (int patch = 0; patch < patches.patchCount(); ++patch) {
        Surface one = twin.form;
        one.patch = patch;
        for (int n = crossings(one, p, d, form) - 1; n >= 0; --n) {
          const double t = form[static_cast<std::size_t>(n)];
          if (patches.has(patch, parametersOf(one, p + t * d), Vector2d::Ones(), 0)) found.push_back(t);
        }
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found.size(), expected.size()) << p.transpose() << " along " << d.transpose();
      for (std::size_t n = 0; n < found.size(); ++n) EXPECT_NEAR(found[n], expected[n], 1e-12);
      crossed += static_cast<int>(found.size());
    }
  EXPECT_GT(crossed, 300);
}

TEST(Freeform, AHeightFieldHasItsHeights) {
  tests::HeightField field{5e-3, {}};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (auto& row : field.height)
    for (double& z : row) z = 1e-3 * unit(random);
  const Surface s = field.surface();
  for (int k = 0; k < 300; ++k) {
    const double x = 4.5e-3 * unit(random), y = 4.5e-3 * unit(random);
    EXPECT_NEAR(distanceValue(s, {x, y, field.at(x, y)}), 0, 1e-17);
    // The nearest of a grid of points around is no nearer.
    const Vector3d p(x, y, field.at(x, y) + 5e-4 * unit(random));
    const double distance = std::abs(distanceValue(s, p));
    const Vector3d foot = p - distanceValue(s, p) * distanceTo(s, p).gradient;
    EXPECT_NEAR(foot.z(), field.at(foot.x(), foot.y()), 1e-13);
    for (const double dx : {-1e-5, 0.0, 1e-5}) {
      for (const double dy : {-1e-5, 0.0, 1e-5}) {
        const double qx = foot.x() + dx, qy = foot.y() + dy;
        if (std::max(std::abs(qx), std::abs(qy)) >= field.half) continue;
        EXPECT_GE((Vector3d(qx, qy, field.at(qx, qy)) - p).norm(), distance - 1e-15);
      }
    }
  }
}

TEST(Freeform, PatchesThatAreNoSurfaceAreRefused) {
  const Surface cylinder = revolved(SurfaceKind::cylinder, 5e-3, 0, 0, 1);
  const std::vector<BezierPatch> good = tests::freeformTwin(cylinder, 0, 1e-3).freeform->given();
  EXPECT_NO_THROW(FreeformSurface(good, true));
  const auto expectRefused = [&](const std::function<void(std::vector<BezierPatch>&)>& spoil) {
    std::vector<BezierPatch> patches = good;
    spoil(patches);
    EXPECT_THROW(FreeformSurface(patches, true), std::invalid_argument);
  };
  expectRefused([](std::vector<BezierPatch>& patches) { patches.clear(); });
  expectRefused([](std::vector<BezierPatch>& patches) { patches[1].degree[0] = 0; });
  expectRefused(
      [](std::vector<BezierPatch>& patches) { patches[1].degree[1] = BezierPatch::kMaxDegree + 1; });
  expectRefused([](std::vector<BezierPatch>& patches) { patches[1].points.pop_back(); });
  expectRefused([](std::vector<BezierPatch>& patches) { patches[1].points[2][3] = 0; });
  expectRefused([](std::vector<BezierPatch>& patches) {
    patches[1].points[2][0] = std::numeric_limits<double>::quiet_NaN();
  });
  expectRefused([](std::vector<BezierPatch>& patches) { patches[1].high[0] = patches[1].low[0]; });
  // A pole: all points of a border are one.
  expectRefused([](std::vector<BezierPatch>& patches) {
    for (std::size_t k = 0; k < 6; k += 2) patches[1].points[k] = patches[1].points[0];
  });
  // A crease: its neighbor goes on in another direction.
  expectRefused([](std::vector<BezierPatch>& patches) {
    for (std::size_t k : {2U, 3U}) patches[1].points[k].head<2>() *= 1.01;
  });
}

}  // namespace
}  // namespace tenon::physics::brep
