// Openings and ends of parts that are not round: found, measured and named without a partner.
#include "content/recognize/prismatic_sites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/content/prism_pairs.h"
#include "tests/content/prism_solid.h"

namespace tenon::content::prismatic_sites_test {
namespace {

using namespace test;

constexpr double kNanometer = 1e-9;

/// All planes of a prism have surfaces, as those of a file.
Shape withPlanes(physics::BoundarySolid solid) {
  for (std::size_t t = 0; t < solid.triangles.size(); ++t) {
    if (solid.surfaceOf[t] >= 0) continue;
    const auto p = [&](std::size_t k) -> const Vector3d& {
      return solid.vertices[static_cast<std::size_t>(solid.triangles[t][k])];
    };
    const Vector3d n = (p(1) - p(0)).cross(p(2) - p(0)).normalized();
    const auto isSame = [&](const physics::Surface& s) {
      return s.kind == physics::SurfaceKind::plane && (s.X_BS.R.col(2) - n).norm() < 1e-9 &&
             std::abs(n.dot(s.X_BS.p - p(0))) < kNanometer;
    };
    auto found = std::find_if(solid.surfaces.begin(), solid.surfaces.end(), isSame);
    if (found == solid.surfaces.end()) {
      physics::Surface plane;
      plane.X_BS.R << n.unitOrthogonal(), n.cross(n.unitOrthogonal()), n;
      plane.X_BS.p = p(0);
      solid.surfaces.push_back(plane);
      found = solid.surfaces.end() - 1;
    }
    solid.surfaceOf[t] = static_cast<int>(found - solid.surfaces.begin());
  }
  return solid;
}

std::vector<std::string> names(const std::vector<PrismaticSite>& sites) {
  std::vector<std::string> all;
  for (const PrismaticSite& site : sites) all.push_back(site.name);
  return all;
}

using Names = std::vector<std::string>;

TEST(PrismaticSites, ThroughSlotOfAPlate) {
  const auto found = prismaticSites(
      withPlanes(
          Prism(rectangle(-0.03, 0.03, -0.03, 0.03), rectangle(-0.01, 0.012, -0.002, 0.004), 0, 0.005).solid),
      {});
  ASSERT_EQ(names(found.sockets), Names{"socket +z"});
  const PrismaticSite& site = found.sockets.front();
  EXPECT_NEAR(site.width, 0.022, kNanometer);
  EXPECT_NEAR(site.height, 0.006, kNanometer);
  EXPECT_NEAR(site.depth, 0.005, kNanometer);
  EXPECT_TRUE(site.through);
  EXPECT_LT((site.X.p - Vector3d(0.001, 0.001, 0.005)).norm(), kNanometer);
  EXPECT_LT((site.X.q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), kNanometer);
  EXPECT_TRUE(found.ends.empty()) << "a plate is no bar";
}

/// A block 40 × 40 × 20 below z = 0 with a pocket 10 × 10; its walls end at the depth `wall`, where a strip
/// of facets without a surface leads to the floor 1 mm below, 1 mm narrower on each side. Without a floor the
/// strip leads out of the block, wider by 1 mm.
physics::BoundarySolid roundedPocket(double wall, bool hasFloor) {
  const double half = 0.005, edge = 0.001, low = hasFloor ? half - edge : half + edge;
  offset_test::PrismBuilder builder;
  const auto outer = offset_test::rectangle(0.02, 0.02), pocket = offset_test::rectangle(half, half),
             end = offset_test::rectangle(low, low);
  builder.walls(outer, -0.02, 0, false);
  builder.cap(outer, {pocket}, 0, true);
  builder.walls(pocket, -wall, 0, true);
  const std::size_t strip = builder.solid.triangles.size();
  builder.walls(end, -wall - edge, -wall, true);
  builder.cap(outer, hasFloor ? std::vector<offset_test::Outline>{} : std::vector{end}, -0.02, false);
  if (hasFloor) builder.cap(end, {}, -wall - edge, true);
  // The upper corners of the strip are those of the walls.
  for (std::size_t t = strip; t < strip + 8; ++t) {
    builder.solid.surfaceOf[t] = -1;
    for (const int v : builder.solid.triangles[t]) {
      Vector3d& p = builder.solid.vertices[static_cast<std::size_t>(v)];
      if (std::abs(p.z() + wall) < kNanometer) p.head<2>() = half * p.head<2>().array().sign();
    }
  }
  builder.weld();
  return builder.solid;
}

TEST(PrismaticSites, APocketWithAFilletedFloorIsBlindAndAsDeepAsItsFloor) {
  const auto found = prismaticSites(roundedPocket(0.014, true), {});
  ASSERT_EQ(names(found.sockets), Names{"socket +z"});
  EXPECT_FALSE(found.sockets.front().through);
  EXPECT_NEAR(found.sockets.front().depth, 0.015, kNanometer);
}

TEST(PrismaticSites, AnOpeningThatWidensAtItsFarSideIsThrough) {
  const auto found = prismaticSites(roundedPocket(0.019, false), {});
  ASSERT_EQ(names(found.sockets), Names{"socket +z"});
  EXPECT_TRUE(found.sockets.front().through);
  EXPECT_NEAR(found.sockets.front().depth, 0.019, kNanometer);
}

TEST(PrismaticSites, APocketWithAPlaneFloorIsBlind) {
  const auto found =
      prismaticSites(offset_test::blockWithPocket(offset_test::rectangle(0.02, 0.02),
                                                  offset_test::rectangle(0.005, 0.004), 0.015, 0.02),
                     {});
  ASSERT_EQ(names(found.sockets), Names{"socket +z"});
  EXPECT_FALSE(found.sockets.front().through);
  EXPECT_NEAR(found.sockets.front().depth, 0.015, kNanometer);
}

TEST(PrismaticSites, ManyPocketsAreNumberedByTheirPlaces) {
  constexpr int kSide = 15;
  offset_test::PrismBuilder builder;
  std::vector<offset_test::Outline> pockets;
  for (int k = 0; k < kSide * kSide; ++k) {
    auto pocket = offset_test::rectangle(0.0005, 0.0005);
    for (auto& p : pocket.points) p += 0.002 * Eigen::Vector2d(k / kSide - 7, k % kSide - 7);
    builder.walls(pocket, -0.002, 0, true);
    builder.cap(pocket, {}, -0.002, true);
    pockets.push_back(pocket);
  }
  const auto outer = offset_test::rectangle(0.02, 0.02);
  builder.walls(outer, -0.005, 0, false);
  builder.cap(outer, pockets, 0, true);
  builder.cap(outer, {}, -0.005, false);
  builder.weld();
  const auto found = prismaticSites(builder.solid, {});
  ASSERT_EQ(found.sockets.size(), pockets.size());
  EXPECT_EQ(found.sockets.front().name, "socket +z");
  EXPECT_EQ(found.sockets.back().name, "socket +z 225");
  EXPECT_LT((found.sockets[kSide + 1].X.p - Vector3d(-0.012, -0.012, 0)).norm(), kNanometer)
      << "one step along x and one along y from the first";
}

TEST(PrismaticSites, EndsOfABarAreLongerThanBothSidesOfItsSection) {
  const auto found = prismaticSites(withPlanes(Prism(rectangle(0, 0.02, 0, 0.006), -0.01, 0.02).solid), {});
  EXPECT_TRUE(found.sockets.empty());
  ASSERT_EQ(names(found.ends), (Names{"end +z", "end -z"}));
  EXPECT_NEAR(found.ends[0].width, 0.02, kNanometer);
  EXPECT_NEAR(found.ends[0].depth, 0.03, kNanometer);
  EXPECT_LT((found.ends[1].X.p - Vector3d(0.01, 0.003, -0.01)).norm(), kNanometer);

  const std::vector<AxisFeature> given{{"end +z", {0, 0, 0.1}},
                                       {"tip", {0.01, 0.003, -0.01}, -Vector3d::UnitZ()}};
  const auto others =
      prismaticSites(withPlanes(Prism(rectangle(0, 0.02, 0, 0.006), -0.01, 0.02).solid), given);
  EXPECT_EQ(names(others.ends), Names{"end +z 2"}) << "the tip has a name";
}

TEST(PrismaticSites, CuboidOfAFile) {
  const Pose X_PS = Pose::at({0.1, 0, 0});
  const auto found = prismaticSites(physics::Compound{{{physics::Box{{0.005, 0.005, 0.015}}, X_PS}}}, {});
  EXPECT_EQ(names(found.ends), (Names{"end -z", "end +z"}));
  EXPECT_LT((found.ends.back().X.p - Vector3d(0.1, 0, 0.015)).norm(), kNanometer);
  EXPECT_NEAR(found.ends.back().depth, 0.03, kNanometer);
}

TEST(PrismaticSites, ABarWithAHoleAcrossKeepsItsEnds) {
  physics::Cavity hole;
  hole.X_BH = {physics::shortestRotation(Vector3d::UnitZ(), Vector3d::UnitX()), {0.005, 0, 0}};
  hole.profile = {{0, 0.002}, {-0.01, 0.002}};
  hole.through = true;
  const auto found = prismaticSites(physics::BlockWithHoles{{0.005, 0.004, 0.015}, {hole}}, {});
  ASSERT_EQ(names(found.ends), (Names{"end -z", "end +z"}));
  EXPECT_NEAR(found.ends.front().height, 0.008, kNanometer);
}

TEST(PrismaticSites, AThickPlateIsNoBar) {
  EXPECT_TRUE(prismaticSites(physics::Box{{0.02, 0.02, 0.01}}, {}).ends.empty());
  EXPECT_TRUE(prismaticSites(physics::Box{{0.01, 0.01, 0.01}}, {}).ends.empty()) << "nor a cube";
}

TEST(PrismaticSites, DovetailGrooveIsASlotOpenAtBothEnds) {
  const auto groove = std::get<physics::BoundarySolid>(dovetail(0).b);
  const auto found = prismaticSites(withPlanes(groove), {});
  ASSERT_EQ(names(found.sockets), Names{"slot +z"});
  EXPECT_NEAR(found.sockets.front().width, 0.02, kNanometer);
  EXPECT_NEAR(found.sockets.front().height, 0.006, kNanometer);
  EXPECT_NEAR(found.sockets.front().depth, 0.03, kNanometer);
  EXPECT_TRUE(found.sockets.front().through);
  const auto slide = prismaticSites(withPlanes(std::get<physics::BoundarySolid>(dovetail(0).a)), {});
  EXPECT_EQ(names(slide.ends), (Names{"end +z", "end -z"}));
  EXPECT_TRUE(slide.sockets.empty());
}

TEST(PrismaticSites, BoreWithAFlatIsRoundAndHasAnotherName) {
  const auto found =
      prismaticSites(withPlanes(Prism(dShape(0.01, 0.009), dShape(0.003, 0.002), -0.015, 0).solid), {});
  EXPECT_TRUE(found.sockets.empty());
  EXPECT_TRUE(found.ends.empty());
}

TEST(PrismaticSites, AnAngleWithAChamferedCornerIsNoSlot) {
  const Outline angle{{{0, 0}},         {{0.02, 0}},     {{0.02, 0.005}}, {{0.008, 0.005}},
                      {{0.005, 0.008}}, {{0.005, 0.02}}, {{0, 0.02}}};
  const auto found = prismaticSites(withPlanes(Prism(angle, 0, 0.03).solid), {});
  EXPECT_TRUE(found.sockets.empty()) << "the normals of three walls leave three quarters of a turn";
}

TEST(PrismaticSites, ThreeWallsThatFaceEachOtherAreASlot) {
  const Outline channel{{{0, 0}},         {{0.02, 0}},      {{0.02, 0.02}},  {{0.015, 0.02}},
                        {{0.015, 0.005}}, {{0.005, 0.005}}, {{0.005, 0.02}}, {{0, 0.02}}};
  EXPECT_EQ(names(prismaticSites(withPlanes(Prism(channel, 0, 0.03).solid), {}).sockets), Names{"slot +z"});
}

}  // namespace
}  // namespace tenon::content::prismatic_sites_test
