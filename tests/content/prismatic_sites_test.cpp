// Openings and ends of parts that are not round: found, measured and named without a partner.
#include "content/recognize/prismatic_sites.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/content/prism_pairs.h"

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
  EXPECT_EQ(names(found.ends), (Names{"end +x", "end +y", "end -x", "end -y"}));
}

TEST(PrismaticSites, EndsOfABarAreLongerThanTheyAreNarrow) {
  const auto found = prismaticSites(withPlanes(Prism(rectangle(0, 0.02, 0, 0.006), -0.01, 0.02).solid), {});
  EXPECT_TRUE(found.sockets.empty());
  EXPECT_EQ(names(found.ends), (Names{"end +x", "end +z", "end -x", "end -z"}));
  EXPECT_NEAR(found.ends[1].width, 0.02, kNanometer);
  EXPECT_NEAR(found.ends[1].depth, 0.03, kNanometer);
  EXPECT_LT((found.ends[3].X.p - Vector3d(0.01, 0.003, -0.01)).norm(), kNanometer);

  const std::vector<AxisFeature> given{{"end +z", {0, 0, 0.1}},
                                       {"tip", {0.01, 0.003, -0.01}, -Vector3d::UnitZ()}};
  const auto others =
      prismaticSites(withPlanes(Prism(rectangle(0, 0.02, 0, 0.006), -0.01, 0.02).solid), given);
  EXPECT_EQ(names(others.ends), (Names{"end +x", "end +z 2", "end -x"})) << "the tip has a name";
}

TEST(PrismaticSites, CuboidOfAFile) {
  const Pose X_PS = Pose::at({0.1, 0, 0});
  const auto found = prismaticSites(physics::Compound{{{physics::Box{{0.005, 0.005, 0.015}}, X_PS}}}, {});
  EXPECT_EQ(names(found.ends), (Names{"end -z", "end +z"}));
  EXPECT_LT((found.ends.back().X.p - Vector3d(0.1, 0, 0.015)).norm(), kNanometer);
  EXPECT_NEAR(found.ends.back().depth, 0.03, kNanometer);
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

TEST(PrismaticSites, AnAngleIsNoSlot) {
  const Outline angle{{{0, 0}}, {{0.02, 0}}, {{0.02, 0.005}}, {{0.005, 0.005}}, {{0.005, 0.02}}, {{0, 0.02}}};
  EXPECT_TRUE(prismaticSites(withPlanes(Prism(angle, 0, 0.03).solid), {}).sockets.empty());
}

}  // namespace
}  // namespace tenon::content::prismatic_sites_test
