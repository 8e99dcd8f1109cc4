// Mass properties against textbook values and against integrals taken without closed forms.
#include "physics/body/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace tenon::physics {
namespace {

using std::numbers::pi;

Matrix3d diagonal(double x, double y, double z) {
  return Vector3d(x, y, z).asDiagonal();
}

// Relative to the body's own mass, size and trace.
void expectSame(const MassProperties& m, const MassProperties& expected, double tolerance) {
  EXPECT_NEAR(m.mass, expected.mass, tolerance * expected.mass);
  const double size = std::sqrt(expected.inertia.trace() / expected.mass);
  EXPECT_LE((m.center - expected.center).norm(), tolerance * size)
      << m.center.transpose() << " instead of " << expected.center.transpose();
  EXPECT_LE((m.inertia - expected.inertia).norm(), tolerance * expected.inertia.trace())
      << m.inertia << "\ninstead of\n"
      << expected.inertia;
}

// Mass moments summed up one volume element after the other.
struct Moments {
  double mass = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();

  void add(double dm, const Vector3d& x) {
    mass += dm;
    first += dm * x;
    second += dm * x * x.transpose();
  }
  MassProperties properties() const {
    const Vector3d center = first / mass;
    const Matrix3d central = second - mass * center * center.transpose();
    return {mass, center, central.trace() * Matrix3d::Identity() - central};
  }
};

// Adds a solid of revolution about the line (x, y) parallel to z, radius r(z) for z in [z0, z1].
// Composite Simpson in z of the disc's own moments, which are exact for straight generators: each
// integrand is a polynomial of degree 4 at most, so the error falls with the fourth power of steps.
void addRevolved(Moments& sum, double density, const Eigen::Vector2d& xy, double z0, double z1,
                 const std::function<double(double)>& radius) {
  constexpr int kSteps = 2000;
  for (int k = 0; k <= kSteps; ++k) {
    const double z = z0 + (z1 - z0) * k / kSteps, r = radius(z);
    const double weight = (z1 - z0) / kSteps / 3 * (k == 0 || k == kSteps ? 1 : k % 2 == 1 ? 4 : 2);
    const double disc = weight * density * pi * r * r;
    sum.add(disc, {xy.x(), xy.y(), z});
    sum.second.diagonal().head<2>().array() += disc * r * r / 4;
  }
}

// Seeded Monte Carlo over a box, for anything with an inside test.
MassProperties sampled(const std::function<bool(const Vector3d&)>& inside, const Vector3d& low,
                       const Vector3d& high, double density, unsigned seed) {
  constexpr int kSamples = 400000;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  const double dm = density * (high - low).prod() / kSamples;
  Moments sum;
  for (int k = 0; k < kSamples; ++k) {
    const Vector3d at{unit(random), unit(random), unit(random)};
    const Vector3d x = low + at.cwiseProduct(high - low);
    if (inside(x)) sum.add(dm, x);
  }
  return sum.properties();
}

TEST(MassProperties, BoxOfSteelAsInTheTextbook) {
  const MassProperties m = massProperties(Box{{0.05, 0.1, 0.15}}, 7850);
  const double mass = 7850 * 0.1 * 0.2 * 0.3;
  expectSame(m, {mass, Vector3d::Zero(), diagonal(0.04 + 0.09, 0.01 + 0.09, 0.01 + 0.04) * mass / 12}, 1e-15);
}

TEST(MassProperties, BallCylinderAndConeAsInTheTextbook) {
  const double r = 0.03, h = 0.08;
  const double ball = 1000 * 4 * pi * r * r * r / 3;
  expectSame(massProperties(Sphere{r}, 1000),
             {ball, Vector3d::Zero(), Matrix3d::Identity() * 0.4 * ball * r * r}, 1e-15);

  const double rod = 1000 * pi * r * r * h;
  const double rodAcross = rod * (3 * r * r + h * h) / 12;
  expectSame(massProperties(Cylinder{r, h / 2}, 1000),
             {rod, Vector3d::Zero(), diagonal(rodAcross, rodAcross, rod * r * r / 2)}, 1e-15);

  // A right circular cone: center a quarter of the height above the base, 3/10 m r² about the axis,
  // 3/80 m (4 r² + h²) across.
  const double cone = rod / 3, across = 3 * cone * (4 * r * r + h * h) / 80;
  const Matrix3d inertia = diagonal(across, across, 0.3 * cone * r * r);
  expectSame(massProperties(Frustum{r, 0, h / 2}, 1000), {cone, {0, 0, -h / 4}, inertia}, 1e-14);
  expectSame(massProperties(Frustum{0, r, h / 2}, 1000), {cone, {0, 0, h / 4}, inertia}, 1e-14);
}

TEST(MassProperties, FrustumAndCapsuleAgreeWithQuadrature) {
  const double b = 0.02, t = 0.007, h = 0.015;
  Moments frustum;
  addRevolved(frustum, 2700, {0, 0}, -h, h, [=](double z) { return b + (t - b) * (z + h) / (2 * h); });
  expectSame(massProperties(Frustum{b, t, h}, 2700), frustum.properties(), 1e-12);

  const double r = 0.01;
  Moments capsule;
  const auto cap = [=](double z) { return std::sqrt(std::max(0.0, r * r - std::pow(std::abs(z) - h, 2))); };
  addRevolved(capsule, 2700, {0, 0}, -h - r, -h, cap);
  addRevolved(capsule, 2700, {0, 0}, -h, h, [=](double) { return r; });
  addRevolved(capsule, 2700, {0, 0}, h, h + r, cap);
  expectSame(massProperties(Capsule{r, h}, 2700), capsule.properties(), 1e-12);
}

TEST(MassProperties, FrustumOfEqualRadiiIsTheCylinder) {
  expectSame(massProperties(Frustum{0.004, 0.004, 0.01}, 7850), massProperties(Cylinder{0.004, 0.01}, 7850),
             1e-15);
}

TEST(MassProperties, ASolidOfRevolutionIsTheSumOfItsCylindersAndFrustums) {
  // A screw: head, shank, chamfered tip.
  const SolidOfRevolution screw{
      {{-0.03, 0}, {-0.03, 0.003}, {-0.029, 0.004}, {0, 0.004}, {0, 0.0065}, {0.008, 0.0065}, {0.008, 0}}};
  const Compound parts{{{Cylinder{0.0065, 0.004}, Pose::at({0, 0, 0.004})},
                        {Cylinder{0.004, 0.0145}, Pose::at({0, 0, -0.0145})},
                        {Frustum{0.003, 0.004, 0.0005}, Pose::at({0, 0, -0.0295})}}};
  expectSame(massProperties(screw, 7850), massProperties(parts, 7850), 1e-13);
}

TEST(MassProperties, AnUndercutOfASolidOfRevolutionIsMissing) {
  // A cylinder with a cup in its top, whose inner wall leans outwards: less a frustum.
  const SolidOfRevolution cup{{{0, 0}, {0, 0.01}, {0.02, 0.01}, {0.02, 0.008}, {0.005, 0.004}, {0.005, 0}}};
  const MassProperties whole = massProperties(Cylinder{0.01, 0.01}, 7850);
  const MassProperties hollow = massProperties(Frustum{0.004, 0.008, 0.0075}, -7850);
  expectSame(
      massProperties(cup, 7850),
      combined(transformed(whole, Pose::at({0, 0, 0.01})), transformed(hollow, Pose::at({0, 0, 0.0125}))),
      1e-13);
}

TEST(MassProperties, ABoredBlockIsTheHoledOneWithItsHolesExact) {
  FacetedBlock holed;
  holed.halfExtents = {0.04, 0.03, 0.01};
  holed.holes.push_back({"through", {-0.02, 0.01}, 0.0042, 0.001, 0.0012, 0.02});
  holed.holes.push_back({"blind", {0.02, -0.01}, 0.006, 0, 0, 0.008});
  const BlockWithHoles bored{
      holed.halfExtents,
      {{"through", Pose::at({-0.02, 0.01, 0.01}), {{0, 0.0052}, {-0.0012, 0.0042}, {-0.02, 0.0042}}, true},
       {"blind", Pose::at({0.02, -0.01, 0.01}), {{0, 0.006}, {-0.008, 0.006}, {-0.008, 0}}, false}}};
  expectSame(massProperties(bored, 2700), massProperties(holed, 2700), 1e-13);
  // From the side: the same as the block turned.
  const Quaterniond toX = exponential(Vector3d(0, std::numbers::pi / 2, 0));
  const BlockWithHoles side{{0.03, 0.02, 0.01},
                            {{"s", {toX, {0.03, 0, 0}}, {{0, 0.004}, {-0.01, 0.004}, {-0.01, 0}}, false}}};
  const BlockWithHoles top{{0.01, 0.02, 0.03},
                           {{"t", Pose::at({0, 0, 0.03}), {{0, 0.004}, {-0.01, 0.004}, {-0.01, 0}}, false}}};
  expectSame(massProperties(side, 2700), transformed(massProperties(top, 2700), {toX, Vector3d::Zero()}),
             1e-13);
}

TEST(MassProperties, HolesAreCutOutOfTheBlock) {
  FacetedBlock block;
  block.halfExtents = {0.04, 0.03, 0.01};
  block.holes.push_back({"through", {-0.02, 0.01}, 0.0042, 0.001, 0.0012, 1.0});
  block.holes.push_back({"blind", {0.02, -0.01}, 0.006, 0, 0, 0.008});
  block.holes.push_back({"blind with lead-in", {0.005, 0.005}, 0.003, 0.0015, 0.0015, 0.012});
  const double top = block.halfExtents.z();
  Moments sum;
  // The block by its eight octants' corners: a product rule of two Gauss points an axis is exact here.
  for (int k = 0; k < 8; ++k) {
    const Vector3d sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    sum.add(7850 * block.halfExtents.prod(), sign.cwiseProduct(block.halfExtents) / std::sqrt(3.0));
  }
  const auto chamfered = [top](double r, double width, double depth) {
    return [=](double z) { return r + width * (z - (top - depth)) / depth; };
  };
  const auto bored = [](double r) { return [r](double) { return r; }; };
  addRevolved(sum, -7850, {-0.02, 0.01}, top - 0.0012, top, chamfered(0.0042, 0.001, 0.0012));
  addRevolved(sum, -7850, {-0.02, 0.01}, -top, top - 0.0012, bored(0.0042));
  addRevolved(sum, -7850, {0.02, -0.01}, top - 0.008, top, bored(0.006));
  addRevolved(sum, -7850, {0.005, 0.005}, top - 0.0015, top, chamfered(0.003, 0.0015, 0.0015));
  addRevolved(sum, -7850, {0.005, 0.005}, top - 0.012, top - 0.0015, bored(0.003));
  const MassProperties m = massProperties(block, 7850);
  expectSame(m, sum.properties(), 1e-12);
  EXPECT_TRUE(isPhysicalInertia(m.inertia));
}

TEST(MassProperties, HoledBlockAgreesWithMonteCarlo) {
  SCOPED_TRACE("seed 3");
  FacetedBlock block;
  block.halfExtents = {0.5, 0.4, 0.3};
  block.holes.push_back({"a", {0.1, -0.05}, 0.15, 0.1, 0.2, 0.45});
  const auto inside = [](const Vector3d& p) {
    const double fromTop = 0.3 - p.z();
    const double radius = fromTop < 0.2 ? 0.25 - 0.5 * fromTop : 0.15;
    return fromTop > 0.45 || std::hypot(p.x() - 0.1, p.y() + 0.05) > radius;
  };
  expectSame(massProperties(block, 10), sampled(inside, -block.halfExtents, block.halfExtents, 10, 3), 3e-3);
}

TEST(MassProperties, ChamferNeedsWidthAndDepth) {
  FacetedBlock plain, flat;
  plain.halfExtents = flat.halfExtents = {0.02, 0.02, 0.01};
  plain.holes.push_back({"h", {0, 0}, 0.004, 0, 0, 1});
  flat.holes.push_back({"h", {0, 0}, 0.004, 0.001, 0, 1});
  expectSame(massProperties(flat, 7850), massProperties(plain, 7850), 1e-15);
  flat.holes[0].chamferWidth = 0;
  flat.holes[0].chamferDepth = 0.001;
  expectSame(massProperties(flat, 7850), massProperties(plain, 7850), 1e-15);
}

TEST(MassProperties, HullOfABoxIsTheBoxWhereverItStands) {
  SCOPED_TRACE("seed 8");
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(-1, 1);
  const Vector3d half(0.02, 0.03, 0.01);
  for (int round = 0; round < 50; ++round) {
    Pose X{Quaterniond{unit(random), unit(random), unit(random), unit(random)}.normalized(),
           Vector3d{unit(random), unit(random), unit(random)}};
    Hull hull;
    for (int k = 0; k < 8; ++k) {
      const Vector3d sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
      hull.vertices.push_back(X * sign.cwiseProduct(half));
      hull.vertices.push_back(X * (0.5 * unit(random) * half));
    }
    expectSame(massProperties(hull, 7850), transformed(massProperties(Box{half}, 7850), X), 1e-11);
  }
}

TEST(MassProperties, RegularTetrahedronAsInTheTextbook) {
  // Edge 2√2: volume 8/3, m s²/20 about any axis through the center.
  const Hull hull{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
  const double mass = 6.0 * 8 / 3;
  expectSame(massProperties(hull, 6), {mass, Vector3d::Zero(), Matrix3d::Identity() * mass * 8 / 20}, 1e-14);
}

TEST(MassProperties, IrregularHullAgreesWithMonteCarlo) {
  SCOPED_TRACE("seed 4");
  // An octahedron with unequal half axes: |x|/a + |y|/b + |z|/c ≤ 1 around an offset center, its top
  // corner cut down to another height.
  const Vector3d c(0.3, -0.2, 0.1);
  const auto at = [&](double x, double y, double z) { return Vector3d(c + Vector3d(x, y, z)); };
  const Hull hull{{at(1, 0, 0), at(-1, 0, 0), at(0, 0.7, 0), at(0, -0.7, 0), at(0, 0, 0.5), at(0, 0, -0.9)}};
  const auto inside = [&](const Vector3d& p) {
    const Vector3d d = p - c;
    return std::abs(d.x()) + std::abs(d.y()) / 0.7 + (d.z() > 0 ? d.z() / 0.5 : -d.z() / 0.9) <= 1;
  };
  const MassProperties m = massProperties(hull, 3);
  expectSame(m, sampled(inside, at(-1, -0.7, -0.9), at(1, 0.7, 0.5), 3, 4), 1e-2);
  EXPECT_TRUE(isPhysicalInertia(m.inertia));
}

TEST(MassProperties, CompoundOfHalvesIsTheWhole) {
  const Pose turned{exponential({0, 0, pi / 2}), {0.02, 0, 0}};
  const Compound halves{{{Box{{0.01, 0.02, 0.03}}, {Quaterniond::Identity(), {-0.01, 0, 0}}},
                         {Box{{0.02, 0.005, 0.03}}, {turned.q, {0.005, 0, 0}}},
                         {Box{{0.02, 0.005, 0.03}}, {turned.q, {0.015, 0, 0}}}}};
  expectSame(massProperties(halves, 500), massProperties(Box{{0.02, 0.02, 0.03}}, 500), 1e-14);

  const Compound sliced{
      {{Cylinder{0.004, 0.01}, {Quaterniond::Identity(), {0, 0, -0.01}}},
       {Compound{{{Cylinder{0.004, 0.01}, {exponential({pi, 0, 0}), {0, 0, 0.01}}}}}, Pose{}}}};
  expectSame(massProperties(sliced, 500), massProperties(Cylinder{0.004, 0.02}, 500), 1e-14);
}

TEST(MassProperties, TransformThereAndBackChangesNothing) {
  SCOPED_TRACE("seed 9");
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  const MassProperties m = massProperties(Frustum{0.02, 0.005, 0.03}, 7850);
  for (int round = 0; round < 100; ++round) {
    const Pose X{exponential(3 * Vector3d{unit(random), unit(random), unit(random)}),
                 Vector3d{unit(random), unit(random), unit(random)}};
    expectSame(transformed(transformed(m, X), X.inverse()), m, 1e-13);
    // Principal moments do not depend on the frame.
    EXPECT_NEAR(transformed(m, X).inertia.determinant(), m.inertia.determinant(),
                1e-13 * m.inertia.determinant());
  }
}

TEST(MassProperties, CombiningIsCommutativeAndAssociative) {
  const MassProperties a = massProperties(Sphere{0.01}, 7850);
  const MassProperties b = transformed(massProperties(Box{{0.01, 0.02, 0.03}}, 2700), Pose::at({0.1, 0, 0}));
  const MassProperties c = transformed(massProperties(Cylinder{0.01, 0.02}, 1000), Pose::at({0, -0.2, 0.1}));
  expectSame(combined(a, b), combined(b, a), 1e-15);
  expectSame(combined(combined(a, b), c), combined(a, combined(b, c)), 1e-14);
  expectSame(combined(MassProperties{}, b), b, 1e-15);
  // Two mass points on a line: the reduced mass at their distance.
  const MassProperties pair = combined({1, {0, 0, 0}, Matrix3d::Zero()}, {3, {0, 0.4, 0}, Matrix3d::Zero()});
  expectSame(pair, {4, {0, 0.3, 0}, diagonal(0.75 * 0.16, 0, 0.75 * 0.16)}, 1e-15);
}

TEST(MassProperties, ImpossibleInertiaIsDistinguishedFromPhysicalInertia) {
  EXPECT_TRUE(isPhysicalInertia(diagonal(1, 1, 1)));
  EXPECT_TRUE(isPhysicalInertia(diagonal(1, 1, 2)));  // a flat disc
  EXPECT_TRUE(isPhysicalInertia(diagonal(1, 1, 1e-6)));
  EXPECT_TRUE(isPhysicalInertia(1e-9 * diagonal(5, 5, 0.2)));
  EXPECT_FALSE(isPhysicalInertia(diagonal(1, 1, 2.001)));  // thinner than flat
  EXPECT_FALSE(isPhysicalInertia(diagonal(1, 1, 0)));
  EXPECT_FALSE(isPhysicalInertia(diagonal(1, 1, -0.1)));
  EXPECT_FALSE(isPhysicalInertia(Matrix3d::Zero()));
  EXPECT_FALSE(isPhysicalInertia(diagonal(1, std::nan(""), 1)));
  Matrix3d skewed = diagonal(1, 1, 1);
  skewed(0, 1) = 1e-6;
  EXPECT_FALSE(isPhysicalInertia(skewed));
  const Matrix3d R = exponential({0.3, -2, 1}).toRotationMatrix();
  EXPECT_TRUE(isPhysicalInertia(R * diagonal(1, 1, 2) * R.transpose()));
  EXPECT_FALSE(isPhysicalInertia(R * diagonal(1, 1, 2.001) * R.transpose()));
}

TEST(MassProperties, ScaleWithTheFifthPowerOfSize) {
  const FacetedBlock small{{0.02, 0.02, 0.01}, {{"h", {0.003, 0.001}, 0.004, 0.001, 0.001, 0.015}}, 128};
  const FacetedBlock large{{0.2, 0.2, 0.1}, {{"h", {0.03, 0.01}, 0.04, 0.01, 0.01, 0.15}}, 128};
  MassProperties m = massProperties(small, 7850);
  m.mass *= 1e3;
  m.center *= 10;
  m.inertia *= 1e5;
  expectSame(massProperties(large, 7850), m, 1e-13);
}

}  // namespace
}  // namespace tenon::physics
