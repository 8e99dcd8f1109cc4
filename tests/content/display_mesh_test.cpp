// Display meshes are closed and face outwards, with the normals and the volume of the exact shape.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "content/parts/display_mesh.h"
#include "physics/body/mass_properties.h"

namespace tenon::content {
namespace {

using physics::Shape;

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = [] {
    physics::SolidOfRevolution screw{
        {{-0.03, 0}, {-0.03, 0.003}, {-0.029, 0.004}, {0, 0.004}, {0, 0.0065}, {0.008, 0.0065}, {0.008, 0}}};
    physics::BlockWithHoles bored{{0.04, 0.03, 0.01}, {}};
    physics::Cavity cavity;
    cavity.X_BH = Pose::at({0.01, 0, 0.01});
    cavity.profile = {{0, 0.005}, {-0.001, 0.004}, {-0.02, 0.004}};
    cavity.through = true;
    bored.cavities.push_back(cavity);
    physics::Compound pair;
    pair.children.push_back({physics::Box{{0.01, 0.02, 0.03}}, Pose::at({0.1, 0, 0})});
    pair.children.push_back({physics::Sphere{0.01}, Pose::at({-0.1, 0, 0})});
    return std::vector<Shape>{screw,
                              bored,
                              pair,
                              physics::Box{{0.01, 0.02, 0.03}},
                              physics::Sphere{0.02},
                              physics::Capsule{0.01, 0.03},
                              physics::Cylinder{0.01, 0.02},
                              physics::Frustum{0.01, 0, 0.02},
                              physics::BoundarySolid{{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}},
                                                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
                              physics::Hull{{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}}};
  }();
  return all;
}

TEST(DisplayMesh, EveryEdgeHasATriangleOnEachSide) {
  for (const Shape& shape : shapes()) {
    const DisplayMesh mesh = displayMeshOf(shape);
    using Point = std::tuple<long, long, long>;
    const auto point = [&](std::uint32_t k) {
      const Vector3d p = 1e8 * mesh.positions[k];
      return Point(std::lround(p.x()), std::lround(p.y()), std::lround(p.z()));
    };
    std::map<std::pair<Point, Point>, int> edges;
    for (const auto& t : mesh.triangles)
      for (int k = 0; k < 3; ++k) {
        ++edges[{point(t[k]), point(t[(k + 1) % 3])}];
        --edges[{point(t[(k + 1) % 3]), point(t[k])}];
      }
    for (const auto& [edge, balance] : edges) ASSERT_EQ(balance, 0) << "shape " << shape.index();
  }
}

TEST(DisplayMesh, NormalsAreUnitAndOnTheSideOfTheirTriangle) {
  for (const Shape& shape : shapes()) {
    const DisplayMesh mesh = displayMeshOf(shape);
    ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
    for (const auto& t : mesh.triangles) {
      const Vector3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
      const Vector3d flat = (b - a).cross(c - a).normalized();
      for (const std::uint32_t k : t) {
        EXPECT_NEAR(mesh.normals[k].norm(), 1, 1e-12);
        ASSERT_GT(mesh.normals[k].dot(flat), 0.98) << "shape " << shape.index();
      }
    }
  }
}

TEST(DisplayMesh, HasTheVolumeOfTheExactShape) {
  for (const Shape& shape : shapes()) {
    const double exact = physics::massProperties(shape, 1).mass;
    EXPECT_NEAR(volumeOf(displayMeshOf(shape)) / exact, 1, 0.008) << "shape " << shape.index();
  }
}

TEST(DisplayMesh, SphereHasExactNormals) {
  const DisplayMesh mesh = displayMeshOf(physics::Sphere{0.02});
  for (std::size_t k = 0; k < mesh.positions.size(); ++k)
    EXPECT_LT((mesh.positions[k] - 0.02 * mesh.normals[k]).norm(), 1e-15);
}

TEST(DisplayMesh, FacetsOfARoundPartDeviateByAtMostTwentyMicrometers) {
  for (const double radius : {1e-3, 4e-3, 20e-3, 70e-3})
    EXPECT_LE(radius * (1 - std::cos(std::numbers::pi / circleFacetCount(radius))), 20e-6) << radius;
}

}  // namespace
}  // namespace tenon::content
