// Mouths and profiles of holes, from both ends.
#include <gtest/gtest.h>

#include "content/model/hole_sites.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Vector3d;

void expectProfile(const HoleSite& site, const std::vector<Vector2d>& wanted) {
  ASSERT_EQ(site.profile.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_LT((site.profile[k] - wanted[k]).norm(), 1e-15) << k;
}

TEST(HoleSites, AThroughHoleOpensOnBothSides) {
  // Through along x, at y = 2 mm, with a counterbore at its mouth on the +x side.
  physics::Cavity cavity{"bore", {}, {{0, 0.006}, {-0.005, 0.006}, {-0.005, 0.004}, {-0.03, 0.004}}, true};
  cavity.X_BH.q = physics::shortestRotation(Vector3d::UnitZ(), Vector3d::UnitX());
  cavity.X_BH.p = {0.015, 0.002, 0};
  const physics::Shape block = physics::BlockWithHoles{{0.015, 0.02, 0.02}, {cavity}};
  EXPECT_EQ(holesOf(block).size(), 1U);
  const auto mouths = mouthsOf(block);
  ASSERT_EQ(mouths.size(), 2U);
  EXPECT_EQ(mouths[0].hole(), "bore");
  EXPECT_EQ(mouths[1].hole(), "bore");
  EXPECT_EQ(mouths[1].name, "bore far side");
  EXPECT_LT((mouths[1].X_PH.p - Vector3d(-0.015, 0.002, 0)).norm(), 1e-15);
  EXPECT_LT((mouths[1].X_PH.q * Vector3d::UnitZ() + Vector3d::UnitX()).norm(), 1e-15);
  expectProfile(mouths[1], {{0, 0.004}, {-0.025, 0.004}, {-0.025, 0.006}, {-0.03, 0.006}});
  EXPECT_EQ(mouthOf(block, "bore far side").value().X_PH.p, mouths[1].X_PH.p);
  EXPECT_FALSE(mouthOf(block, "another"));
}

TEST(HoleSites, ABlindHoleOpensOnOneSide) {
  const physics::SolidOfRevolution cup{
      {{0, 0}, {0, 0.01}, {0.04, 0.01}, {0.04, 0.005}, {0.02, 0.004}, {0.02, 0}}, "cup"};
  const auto mouths = mouthsOf(cup);
  ASSERT_EQ(mouths.size(), 1U);
  EXPECT_EQ(mouths[0].name, "cup");
  EXPECT_FALSE(mouths[0].through);
  expectProfile(mouths[0], {{0, 0.005}, {-0.02, 0.004}, {-0.02, 0}});
}

TEST(HoleSites, GroovesAndSlightlyDishedFacesAreNotHoles) {
  // A groove in the upper face about a post, and a lower face dished by half a micrometer.
  const physics::SolidOfRevolution post{{{5e-7, 0},
                                         {0, 0.01},
                                         {0.04, 0.01},
                                         {0.04, 0.008},
                                         {0.03, 0.008},
                                         {0.03, 0.004},
                                         {0.04, 0.004},
                                         {0.04, 0}}};
  EXPECT_TRUE(holesOf(post).empty());
}

TEST(HoleSites, ARingsHoleHasItsMouthAtTheTop) {
  const physics::SolidOfRevolution ring{
      {{0, 0.004}, {0, 0.01}, {0.02, 0.01}, {0.02, 0.005}, {0.019, 0.004}, {0, 0.004}}, "eye"};
  const auto mouths = mouthsOf(ring);
  ASSERT_EQ(mouths.size(), 2U);
  EXPECT_TRUE(mouths[0].through);
  expectProfile(mouths[0], {{0, 0.005}, {-0.001, 0.004}, {-0.02, 0.004}});
  expectProfile(mouths[1], {{0, 0.004}, {-0.019, 0.004}, {-0.02, 0.005}});
  EXPECT_LT((mouths[1].X_PH.q * Vector3d::UnitZ() + Vector3d::UnitZ()).norm(), 1e-15);
}

}  // namespace
}  // namespace tenon::content
