// Free-form surfaces: their feet, curvatures and crossings are those of the simple surfaces that they equal,
// and the cells of their patches leave out no contact.
#include "physics/collision/brep/freeform.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "physics/collision/brep/bernstein.h"
#include "physics/collision/brep/patch_cells.h"
#include "physics/collision/brep/surface.h"
#include "physics/collision/brep/triangle_solid.h"
#include "tests/physics/boundary_meshes.h"
#include "tests/support/freeform_surfaces.h"
#include "tests/support/reference_solid.h"

namespace tenon::physics::brep {
namespace {

Surface turned(SurfaceKind kind, double radius, double slope, double minor, double side) {
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
    const Surface cylinder = turned(SurfaceKind::cylinder, 5e-3, 0, 0, side),
                  cone = turned(SurfaceKind::cone, 6e-3, 0.4, 0, side),
                  ring = turned(SurfaceKind::torus, 8e-3, 0, 2e-3, side);
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

// The foot of a curve that runs beside a curved surface is faster or slower than the curve.
TEST(Freeform, ParametersOfACurveBesideTheSurfaceHaveTheSlopeOfItsFeet) {
  constexpr double kStep = 1e-6;  // [m]
  for (const Twin& twin : twins())
    for (const double beside : {-2e-4, 3e-4}) {
      const Vector3d foot = pointOn(twin.simple, 0.7, 0.4);
      const Vector3d n = distanceTo(twin.simple, foot).gradient;
      const Vector3d p = foot + beside * n,
                     along = (n.unitOrthogonal() + n.cross(n.unitOrthogonal())).normalized();
      const Vector2d expected =
          (parametersOf(twin.form, p + kStep * along) - parametersOf(twin.form, p - kStep * along)) /
          (2 * kStep);
      const Vector2d slope = parameterSlope(twin.form, {p, along, Vector3d::Zero()});
      EXPECT_LT((slope - expected).norm(), 1e-6 * expected.norm()) << beside;
    }
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
          const Vector2d uv = parametersOf(one, p + t * d);
          // Beyond the borders of the surface the trims of faces decide.
          if (uv.y() < patches.given().front().low[1] || uv.y() > patches.given().back().high[1]) continue;
          if (patches.has(patch, uv, Vector2d::Ones(), 0)) found.push_back(t);
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
  const Surface cylinder = turned(SurfaceKind::cylinder, 5e-3, 0, 0, 1);
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

/// Of a patch, borders of the surface continued.
FreeformPoint drawnPoint(const FreeformSurface& form, int patch, std::mt19937& random) {
  std::uniform_real_distribution<double> share(0, 1);
  const auto& [low, high] = form.reach(patch);
  const double s = share(random), t = share(random);
  return form.at(patch, low + Vector2d(s, t).cwiseProduct(high - low));
}

std::vector<Surface> surfacesOfCells() {
  std::vector<Surface> surfaces;
  for (const Twin& twin : twins()) surfaces.push_back(twin.form);
  surfaces.push_back(cutRods().back().end);
  return surfaces;
}

TEST(Freeform, CellsLeaveOutWhatIsNotOnNormalsOfTheirPatch) {
  std::mt19937 random(31);
  std::uniform_real_distribution<double> distance(-1.5e-3, 1.5e-3);
  for (const Surface& surface : surfacesOfCells()) {
    const FreeformSurface& form = *surface.freeform;
    for (int patch = 0; patch < form.patchCount(); ++patch)
      for (int k = 0; k < 20; ++k) {
        const FreeformPoint at = drawnPoint(form, patch, random);
        const Vector3d n = surface.side * at.normal();
        const double d = distance(random);
        const auto mayReach = [&](const Vector3d& p, double range) {
          return form.cells(patch).hasLeaf([&](const PatchCell& cell) {
            return cell.mayHaveNormal(surface.side, n, 1e-9) &&
                   cell.mayReach(surface.side, cell.axes.transpose() * (p - cell.center), Vector3d::Zero(),
                                 range);
          });
        };
        constexpr double kMore = 1e-9, kFar = 0.02;  // [m]; far outside of the patch
        EXPECT_TRUE(mayReach(at.p + d * n, d + kMore)) << patch << ' ' << d;
        EXPECT_FALSE(mayReach(at.p + kFar * n, 0.5 * kFar)) << patch;
        EXPECT_FALSE(mayReach(at.p + kFar * n.unitOrthogonal() + d * n, std::abs(d))) << patch;
      }
  }
}

TEST(Freeform, PatchesWithOppositeNormalsMayBeInContact) {
  std::mt19937 random(37);
  std::uniform_real_distribution<double> distance(-2e-4, 1e-3), angle(0, kTurn);
  for (const Surface& a : surfacesOfCells())
    for (const Surface& b : surfacesOfCells())
      for (int k = 0; k < 100; ++k) {
        const int i = static_cast<int>(random() % static_cast<unsigned>(a.freeform->patchCount())),
                  j = static_cast<int>(random() % static_cast<unsigned>(b.freeform->patchCount()));
        const FreeformPoint onA = drawnPoint(*a.freeform, i, random),
                            onB = drawnPoint(*b.freeform, j, random);
        const Vector3d n = a.side * onA.normal(), m = -b.side * onB.normal();
        const double d = distance(random), turn = angle(random);
        // The point of A, moved by d along its normal, is that of B.
        RigidTransform X;
        X.R = (exponential(turn * m) * Quaterniond::FromTwoVectors(n, m)).toRotationMatrix();
        X.p = onB.p - X.R * (onA.p + d * n);
        const auto mayTouch = [&](double range) {
          return mayBeInContact(a.freeform->cells(i), a.side, b.freeform->cells(j), b.side, X, range);
        };
        EXPECT_TRUE(mayTouch(d + 1e-9)) << i << ' ' << j << ' ' << d;
        X.p -= 0.03 * m;
        EXPECT_FALSE(mayTouch(1e-3)) << i << ' ' << j;
      }
}

/// The solid with its cylinders, cones and tori as free forms.
BoundarySolid asFreeforms(BoundarySolid solid) {
  for (std::size_t s = 0; s < solid.surfaces.size(); ++s) {
    Surface& surface = solid.surfaces[s];
    if (surface.kind == SurfaceKind::plane || surface.kind == SurfaceKind::sphere) continue;
    std::vector<double> along;
    for (std::size_t t = 0; t < solid.triangles.size(); ++t)
      for (const int v : solid.triangles[t])
        if (solid.surfaceOf[t] == static_cast<int>(s))
          along.push_back(
              parametersOf(surface, surface.X_BS.inverse().point(solid.vertices[static_cast<std::size_t>(v)]))
                  .y());
    auto [low, high] = std::minmax_element(along.begin(), along.end());
    if (surface.kind == SurfaceKind::torus && *high - *low > std::numbers::pi) {
      for (double& angle : along)
        if (angle < 0) angle += kTurn;
      std::tie(low, high) = std::minmax_element(along.begin(), along.end());
    }
    surface = tests::freeformTwin(surface, *low, *high);
  }
  return solid;
}

// Faces that continue each other smoothly, too.
TEST(Freeform, ASolidOfThemHasTheContactsOfTheSameSurfaces) {
  std::vector<BoundarySolid> meshes{roundedCylinder(5e-3, 8e-3, 1.5e-3), FilletedFlange::mesh(24),
                                    blockMesh(24)};
  meshes.push_back(cutRods()[1].mesh(24));
  std::vector<Solid> simple, form;
  for (const BoundarySolid& mesh : meshes) {
    std::vector<int> flat;
    simple.push_back(solidOfTriangles(mesh, 2e-4, &flat));
    form.push_back(solidOfTriangles(asFreeforms(mesh), 2e-4, &flat));
    EXPECT_TRUE(flat.empty());
  }
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  int compared = 0;
  for (std::size_t a = 0; a < simple.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      for (int k = 0; k < 40; ++k) {
        std::array<double, 7> drawn{};  // one after the other: compilers order arguments differently
        for (double& one : drawn) one = normal(random);
        Pose X;
        X.q = Quaterniond(drawn[0], drawn[1], drawn[2], drawn[3]).normalized();
        const Vector3d along = Vector3d(drawn[4], drawn[5], drawn[6]).normalized();
        double at = 0.08, distance = HUGE_VAL;
        while (at > 0 && distance > 1.001e-5) {
          X.p = at * along;
          distance = leastSeparation(simple[a], simple[b], X, 0.1);
          at -= distance - 1e-5;
        }
        if (at < 0) continue;  // they passed each other
        ++compared;
        const auto expectSameLeast = [&](const char* where) {
          constexpr double kRange = 1e-4, kEdges = 5e-10;  // [m]: both have curves near their edges
          const double expected = leastSeparation(simple[a], simple[b], X, kRange);
          EXPECT_NEAR(leastSeparation(form[a], simple[b], X, kRange), expected, kEdges)
              << where << a << b << k;
          EXPECT_NEAR(leastSeparation(simple[a], form[b], X, kRange), expected, kEdges)
              << where << a << b << k;
          EXPECT_NEAR(leastSeparation(form[a], form[b], X, kRange), expected, kEdges) << where << a << b << k;
        };
        expectSameLeast("apart ");
        X.p -= 1.5e-5 * along;
        expectSameLeast("overlapping ");
      }
  EXPECT_GT(compared, 200);
}

constexpr double kDeepest = 2e-4;  ///< depth limit [m]

/// A block whose upper side has 4 × 4 bumps, all of one patch: z = −height (T₈(x / half) + T₈(y / half)), by
/// the Chebyshev polynomial, whose Bernstein coefficients over −1 … 1 are (−1)^k C(16, 2 k) / C(8, k).
struct BumpyBlock {
  static constexpr std::size_t kDegree = 8;
  static constexpr double kHalf = 8e-3, kHeight = 1.5e-5, kBottom = -4e-3;

  static double chebyshev(double x) { return std::cos(kDegree * std::acos(std::clamp(x, -1.0, 1.0))); }
  static Vector3d at(double x, double y) {
    return {x, y, -kHeight * (chebyshev(x / kHalf) + chebyshev(y / kHalf))};
  }

  static Surface top() {
    const auto coefficient = [](std::size_t k) {
      return (k % 2 == 0 ? 1 : -1) * kBinomials[2 * kDegree][2 * k] / kBinomials[kDegree][k];
    };
    const auto place = [](std::size_t k) { return kHalf * (0.25 * static_cast<double>(k) - 1); };
    BezierPatch patch;
    patch.degree = {kDegree, kDegree};
    for (std::size_t i = 0; i <= kDegree; ++i)
      for (std::size_t k = 0; k <= kDegree; ++k)
        patch.points.emplace_back(place(i), place(k), -kHeight * (coefficient(i) + coefficient(k)), 1);
    Surface s;
    s.kind = SurfaceKind::freeform;
    s.freeform = std::make_shared<const FreeformSurface>(std::vector{std::move(patch)}, false);
    return s;
  }

  static Solid solid() {
    constexpr int kSteps = 32, kRow = kSteps + 1, kLayer = kRow * kRow;
    BoundarySolid mesh;
    mesh.surfaces.push_back(top());
    const auto place = [](int k) { return kHalf * (2.0 * k / kSteps - 1); };
    for (const bool isTop : {true, false})
      for (int i = 0; i <= kSteps; ++i)
        for (int k = 0; k <= kSteps; ++k) {
          mesh.vertices.push_back(at(place(i), place(k)));
          if (!isTop) mesh.vertices.back().z() = kBottom;
        }
    const auto quad = [&](int a, int b, int c, int d, int surface) {
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
      mesh.surfaceOf.insert(mesh.surfaceOf.end(), 2, surface);
    };
    const auto index = [](int i, int k) { return i * kRow + k; };
    for (int i = 0; i < kSteps; ++i)
      for (int k = 0; k < kSteps; ++k) {
        const int a = index(i, k), b = index(i + 1, k), c = index(i + 1, k + 1), d = index(i, k + 1);
        quad(a, b, c, d, 0);
        quad(a + kLayer, d + kLayer, c + kLayer, b + kLayer, -1);
      }
    const auto wall = [&](int a, int b) { quad(a, a + kLayer, b + kLayer, b, -1); };
    for (int k = 0; k < kSteps; ++k) {
      wall(index(k, 0), index(k + 1, 0));
      wall(index(kSteps, k), index(kSteps, k + 1));
      wall(index(k + 1, kSteps), index(k, kSteps));
      wall(index(0, k + 1), index(0, k));
    }
    return solidOfTriangles(mesh, kDeepest);
  }
};

/// The least distance near a bump to a solid above the block [m].
double distanceAtBump(const tests::ReferenceSolid& above, double height, double x, double y) {
  const auto distance = [&](double u, double v) {
    return above.distance(BumpyBlock::at(u, v) - Vector3d(0, 0, height));
  };
  double best = distance(x, y);
  for (double step = 2e-4; step > 1e-10; step *= 0.5)
    for (bool isLower = true; isLower;) {
      isLower = false;
      for (const auto& [u, v] :
           {std::pair(x + step, y), std::pair(x - step, y), std::pair(x, y + step), std::pair(x, y - step)})
        if (const double d = distance(u, v); d < best) {
          best = d;
          x = u;
          y = v;
          isLower = true;
        }
    }
  return best;
}

// A grid of samples with fewer points than bumps would miss some.
TEST(Freeform, EachBumpOfOnePatchTouchesAPlaneABallAndHollows) {
  using tests::Side;
  constexpr double kOuter = 14e-3, kThick = 5e-3, kLarge = 2, kNear = 1e-3;
  constexpr double kHeight = 2 * BumpyBlock::kHeight + 4e-5, kRange = 1e-4;  // [m]
  const auto disc = [&](const Side& under) {
    return tests::TurnedSolid(
        {under, Side::line(under.b, {kThick, kOuter}), Side::line({kThick, kOuter}, {kThick, 0})});
  };
  const auto arcUnder = [&](double center) {
    const double height = center - std::copysign(std::sqrt(center * center - kOuter * kOuter), center);
    return Side::arc({0, 0}, {height, kOuter}, {center, 0});
  };
  const std::vector<std::pair<const char*, tests::TurnedSolid>> solids{
      {"plane", disc(Side::line({0, 0}, {0, kOuter}))},
      {"ball", disc(arcUnder(kLarge))},
      {"hollow sphere", disc(arcUnder(-kLarge))},
      {"hollow cone", disc(Side::line({0, 0}, {-1e-5, kOuter}))}};
  const Solid block = BumpyBlock::solid();
  for (const auto& [name, above] : solids) {
    const Solid engine = solidOfTriangles(above.mesh(false), kDeepest);
    std::vector<SolidContact> contacts;
    Pose X;
    X.p.z() = -kHeight;
    findSolidContacts(block, engine, X, kRange, contacts);
    for (const double i : {-3, -1, 1, 3})
      for (const double k : {-3, -1, 1, 3}) {
        const auto place = [](double n) { return BumpyBlock::kHalf * std::sin(n * std::numbers::pi / 8); };
        const Vector2d bump(place(i), place(k));
        double least = HUGE_VAL;
        for (const SolidContact& c : contacts)
          if ((c.p.head<2>() - bump).norm() < kNear) least = std::min(least, c.separation);
        EXPECT_NEAR(least, distanceAtBump(above, kHeight, bump.x(), bump.y()), 1e-9) << name << i << k;
      }
  }
}

/// A patch of 4 mm with random bumps, and its surface.
Surface randomBumps(std::mt19937& random, double height, double side) {
  std::uniform_real_distribution<double> unit(-1, 1);
  BezierPatch patch;
  patch.degree = {4, 3};
  for (int i = 0; i <= 4; ++i)
    for (int k = 0; k <= 3; ++k) {
      const double z = height * unit(random);
      patch.points.emplace_back(1e-3 * i - 2e-3, 4e-3 / 3 * k - 2e-3, z, 1);
    }
  Surface s;
  s.kind = SurfaceKind::freeform;
  s.side = side;
  s.freeform = std::make_shared<const FreeformSurface>(std::vector{std::move(patch)}, false);
  return s;
}

// Bounds of distances, normals and curvatures, each in turn, decide what is left out or searched as a whole.
TEST(Freeform, CellsNearSimpleSurfacesLeaveOutNoContactAndAreConvexWhereTheyAreWhole) {
  constexpr double kRange = 1e-3;
  std::mt19937 random(31);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto draw = [&](double low, double high) { return low + (high - low) * unit(random); };
  int whole = 0, left = 0;
  for (int n = 0; n < 4000; ++n) {
    const Surface bumps = randomBumps(random, n % 4 == 0 ? 0 : draw(0, 1.5e-4), n % 2 == 0 ? 1 : -1);
    using enum SurfaceKind;
    const std::array kinds{plane, cylinder, cone, sphere, torus};
    const double slope = draw(-1, 1), radius = draw(1e-3, 2e-2), minor = draw(1e-3, 2e-2);
    const Surface simple =
        turned(kinds[static_cast<std::size_t>(n) % 5], radius, slope, minor, n % 3 == 0 ? -1 : 1);
    const FreeformSurface& form = *bumps.freeform;
    const int patch = static_cast<int>(draw(0, form.patchCount() - 1e-9));
    const BezierPatch& shape = form.patch(patch);
    const Vector2d uv(draw(shape.low[0], shape.high[0]), draw(shape.low[1], shape.high[1]));
    // A point of the patch above one of the surface, with opposite normals.
    const double around = draw(0, kTurn), z = draw(-5e-3, 5e-3);
    const Vector3d start = pointOn(simple, around, draw(0, 1)) + Vector3d(0, 0, simple.kind == torus ? 0 : z);
    const SurfaceDistance at = distanceTo(simple, start);
    const FreeformPoint own = form.at(patch, uv);
    const Vector3d p = start + (draw(-kRange, kRange) - at.value) * at.gradient,
                   outward = bumps.side * own.normal();
    if ((distanceTo(simple, p).gradient - at.gradient).norm() > 1e-6) continue;  // beyond the center
    const Matrix3d R =
        (Eigen::AngleAxisd(draw(0, kTurn), at.gradient) * Quaterniond::FromTwoVectors(outward, -at.gradient))
            .toRotationMatrix();
    const RigidTransform X{R, p - R * own.p};
    std::vector<int> cells;
    findNearCells(form.cells(patch), bumps.side, simple, X, kRange, cells);
    const auto found = std::find_if(cells.begin(), cells.end(), [&](int k) {
      const PatchCell& cell = form.cells(patch)[k];
      return ((uv - cell.uv).cwiseAbs().array() <= cell.halfUv.array() + 1e-12).all();
    });
    ASSERT_NE(found, cells.end()) << n << ' ' << static_cast<int>(simple.kind) << ' ' << simple.side;
    if (PatchCells::isLeaf(*found)) {
      left += static_cast<int>(cells.size()) < 16;
      continue;
    }
    ++whole;
    const Matrix3d hessian = R * curvatureAt(bumps, own.p) * R.transpose() + curvatureAt(simple, p);
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(hessian);
    EXPECT_GT(solver.eigenvalues()[0], -1e-2)
        << n << ' ' << static_cast<int>(simple.kind) << ' ' << simple.side;
  }
  EXPECT_GT(whole, 300);
  EXPECT_GT(left, 300);
}

// Its center below them, no normals are opposed any more; the first point of the ball is outside.
TEST(Freeform, ABallHalfInsideAPatchOverlaps) {
  using tests::Side;
  const Solid block = BumpyBlock::solid();
  constexpr double r = 1e-3;
  const Solid ball = solidOfTriangles(
      tests::TurnedSolid({Side::arc({-r, 0}, {0, r}, {0, 0}), Side::arc({0, r}, {r, 0}, {0, 0})}).mesh(false),
      kDeepest);
  Pose X;
  X.q = Quaterniond::FromTwoVectors(ball.anchor(), Vector3d::UnitZ());
  for (const double height : {1e-6, -1e-6, -1e-4}) {
    X.p = BumpyBlock::at(1e-3, 1e-3) + Vector3d(0, 0, height);
    EXPECT_LT(leastSeparation(ball, block, X, 1e-4), 0) << height;
  }
}

}  // namespace
}  // namespace tenon::physics::brep
