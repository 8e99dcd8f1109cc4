// The distance of a point from the boundary of a solid against closed forms, and samples that cover faces.
#include "physics/collision/brep/boundary_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "physics/collision/brep/solid_of_shape.h"

namespace tenon::physics {
namespace {

Vector3d anyPoint(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> one(-reach, reach);
  return {one(random), one(random), one(random)};
}

double fromBox(const Vector3d& p, const Vector3d& half) {
  const Vector3d d = p.cwiseAbs() - half;
  return d.maxCoeff() > 0 ? d.cwiseMax(0).norm() : -d.maxCoeff();
}

double fromCylinder(const Vector3d& p, double radius, double halfLength) {
  const double r = p.head<2>().norm() - radius, z = std::abs(p.z()) - halfLength;
  if (r > 0 || z > 0) return std::hypot(std::max(r, 0.0), std::max(z, 0.0));
  return -std::max(r, z);
}

TEST(BoundaryDistance, OfBoxesCylindersAndSpheresIsTheClosedForm) {
  std::mt19937 random(3);
  const Vector3d half(0.01, 0.02, 0.005);
  const brep::Solid box = brep::solidOf(Box{half}), cylinder = brep::solidOf(Cylinder{0.01, 0.02}),
                    ball = brep::solidOf(Sphere{0.01});
  for (int k = 0; k < 3000; ++k) {
    const Vector3d p = anyPoint(random, 0.03);
    for (const double guess : {1e-6, 1.0}) {
      const double wanted = fromBox(p, half);
      EXPECT_NEAR(brep::distanceFromBoundary(box, p, guess).distance, wanted, 1e-9 + 1e-6 * wanted);
      EXPECT_NEAR(brep::distanceFromBoundary(cylinder, p, guess).distance, fromCylinder(p, 0.01, 0.02), 1e-9);
      EXPECT_NEAR(brep::distanceFromBoundary(ball, p, guess).distance, std::abs(p.norm() - 0.01), 1e-12);
    }
  }
}

// Inside the material beside the corner of an L, which is no edge that touches anything, the corner is
// nearest.
TEST(BoundaryDistance, ConcaveEdgesCount) {
  const std::vector<Eigen::Vector2d> outline{{0, 0},       {0.02, 0},    {0.02, 0.01},
                                             {0.01, 0.01}, {0.01, 0.02}, {0, 0.02}};
  BoundarySolid prism;
  const auto count = static_cast<int>(outline.size());
  for (const double z : {-0.05, 0.05})
    for (const auto& p : outline) prism.vertices.emplace_back(p.x(), p.y(), z);
  for (int k = 0; k < count; ++k) {
    const int next = (k + 1) % count;
    prism.triangles.push_back({k, next, count + next});
    prism.triangles.push_back({k, count + next, count + k});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    prism.triangles.push_back({a, c, b});
    prism.triangles.push_back({count + a, count + b, count + c});
  }
  const brep::Solid solid = brep::solidOf(prism);
  std::mt19937 random(5);
  for (int k = 0; k < 3000; ++k) {
    Vector3d p = anyPoint(random, 0.03);
    p.z() *= 0.3;
    double wanted = HUGE_VAL;
    for (std::size_t e = 0; e < outline.size(); ++e) {
      const Eigen::Vector2d a = outline[e], d = outline[(e + 1) % outline.size()] - a;
      const double t = std::clamp((p.head<2>() - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
      wanted = std::min(wanted, (p.head<2>() - a - t * d).norm());
    }
    EXPECT_NEAR(brep::distanceFromBoundary(solid, p, 1e-6).distance, wanted, 1e-9 + 1e-3 * wanted);
  }
}

TEST(BoundaryDistance, SamplesLieOnTheFacesAndStandForTheirArea) {
  for (const Shape& shape : {Shape(Box{{0.01, 0.02, 0.005}}), Shape(Cylinder{0.01, 0.02}),
                             Shape(Sphere{0.01}), Shape(Frustum{0.01, 0.004, 0.01})}) {
    const brep::Solid solid = brep::solidOf(shape);
    double area = 0;
    for (const brep::Face& face : solid.faces)
      brep::sampleFace(face, 2e-4, 1'000'000, [&](const brep::FaceSample& sample) {
        EXPECT_LE(brep::distanceFromBoundary(solid, sample.p, 1e-6).distance, 1e-9);
        EXPECT_NEAR(sample.n.norm(), 1, 1e-12);
        area += sample.area;
      });
    double wanted = 0;
    if (std::holds_alternative<Box>(shape)) wanted = 8 * (0.01 * 0.02 + 0.02 * 0.005 + 0.005 * 0.01);
    if (std::holds_alternative<Cylinder>(shape)) wanted = 2 * std::numbers::pi * 0.01 * (0.01 + 0.04);
    if (std::holds_alternative<Sphere>(shape)) wanted = 4 * std::numbers::pi * 1e-4;
    if (std::holds_alternative<Frustum>(shape))
      wanted = std::numbers::pi * (1e-4 + 1.6e-5 + 0.014 * std::hypot(0.006, 0.02));
    EXPECT_NEAR(area, wanted, 0.01 * wanted);
  }
}

}  // namespace
}  // namespace tenon::physics
