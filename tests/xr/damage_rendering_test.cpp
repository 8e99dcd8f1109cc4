// Frames that redraw only their damage, compared pixel by pixel with frames that are redrawn in full.
#include <gtest/gtest.h>

#include <optional>

#include "content/reader/load_scene.h"
#include "tests/support/live_pictures.h"
#include "tests/support/program_run.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/fit_view.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests {
namespace {

using physics::Vector3d;

constexpr int kTolerance = 2;     ///< of 255
constexpr int kConspicuous = 48;  ///< of 255: more than deferred, faint shadows differ

class DamageRenderingTest : public testing::Test {
 protected:
  void SetUp() override {
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    for (const content::Part& part : scene_.parts) poses_.push_back(part.X_WP);
    pictures_.emplace();
    lookFrom("iso", 1);
    pictures_->draw(view_, now());
  }

  /// Shows this fraction of the scene around its center.
  void lookFrom(const char* from, double part) {
    const double r = 0.05 * part;
    const std::vector<Vector3d> corners = {{-r, -r, -0.4 * r}, {r, r, 1.6 * r}};
    view_ = xr::fitView(corners, *xr::viewDirection(from), 1.5);
  }
  xr::RenderScene now() {
    xr::RenderScene out = xr::compose(scene_, meshes_, poses_);
    if (!ground_) ground_ = out.ground;
    out.ground = ground_;
    out.arrows = arrows_;
    out.section = section_;
    return out;
  }
  /// Moves the part in some frames, each of which is right except for faint shadows. If the range of the
  /// lights grows, one frame is redrawn in full.
  void carry(std::size_t part, const Vector3d& to, int steps = 6) {
    const Vector3d from = poses_[part].p;
    int whole = 0;
    for (int k = 1; k <= steps; ++k) {
      poses_[part].p = from + (to - from) * k / steps;
      whole += pictures_->draw(view_, now()) == 1 ? 1 : 0;
      EXPECT_LT(pictures_->wrongPixels(view_, now(), kConspicuous), 20) << "step " << k;
    }
    EXPECT_LT(whole, steps / 2) << "all of them are drawn whole";
  }
  void expectRight() {
    ASSERT_TRUE(pictures_->settle(view_, now()));
    EXPECT_EQ(pictures_->wrongPixels(view_, now(), kTolerance), 0);
  }

  const content::Scene scene_ = content::loadScene(scenePath("bolt-in-plate"));
  const xr::PartMeshes meshes_{scene_};
  std::vector<physics::Pose> poses_;
  std::vector<xr::Arrow> arrows_;
  std::optional<xr::Ground> ground_;
  std::optional<xr::SectionPlane> section_;
  xr::View view_;
  std::optional<LivePictures> pictures_;
};

TEST_F(DamageRenderingTest, StaticSceneHasNoDamage) {
  expectRight();
  EXPECT_EQ(pictures_->draw(view_, now()), 0);
}

TEST_F(DamageRenderingTest, MovingPartLeavesNoTrace) {
  const std::vector<std::uint8_t> before = pictures_->picture();
  carry(1, {0.0, 0.0, 0.03});
  carry(1, {0.02, 0.02, 0.006});
  expectRight();
  EXPECT_GT(LivePictures::differing(before, pictures_->picture(), 15), 500) << "nothing moved";
}

TEST_F(DamageRenderingTest, PartMayLeaveTheViewAndComeBack) {
  lookFrom("iso", 0.4);
  pictures_->draw(view_, now());
  const Vector3d home = poses_[1].p;
  carry(1, {-0.04, -0.03, 0.01}, 8);
  expectRight();
  carry(1, home, 8);
  expectRight();
  poses_[1].p = {0, 0, 5};  // so far that lights have to reach further
  pictures_->draw(view_, now());
  expectRight();
}

TEST_F(DamageRenderingTest, SmallMotionsAddUp) {
  for (int k = 0; k < 400; ++k) {
    poses_[1].p += Vector3d(2e-6, 0, 1e-6);  // a hundredth of a pixel
    pictures_->draw(view_, now());
  }
  expectRight();
}

TEST_F(DamageRenderingTest, AnotherViewOrSizeIsRedrawnInFull) {
  lookFrom("front", 1);
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
  EXPECT_EQ(pictures_->wrongPixels(view_, now(), 0), 0);
  pictures_->resize(333, 251);
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
  EXPECT_EQ(pictures_->wrongPixels(view_, now(), 0), 0);
  carry(1, {0.01, 0.0, 0.02});
  expectRight();
}

TEST_F(DamageRenderingTest, ArrowsThatAppearTurnAndVanishAreRedrawnAtOnce) {
  const auto expectNow = [&] {
    EXPECT_LT(pictures_->draw(view_, now()), 0.5);
    EXPECT_EQ(pictures_->wrongPixels(view_, now(), kTolerance), 0);
  };
  arrows_ = {{{0.01, 0, 0.01}, {0, 0, 0.03}, 0.0008, {0.8, 0.1, 0}},
             {{-0.02, 0.01, -0.01}, {0, 0.01, 0.02}, 0.0008, {0, 0.2, 0.8}}};  // behind the plate's face
  expectNow();
  arrows_[0].vector = {0.02, 0, 0.01};
  expectNow();
  arrows_.erase(arrows_.begin());
  expectNow();
  arrows_.clear();
  expectNow();
}

TEST_F(DamageRenderingTest, ColorsAndTransparentPartsAreRedrawn) {
  xr::RenderScene touched = now();
  touched.instances[1].surface.color = {0.1, 0.3, 0.8};
  EXPECT_LT(pictures_->draw(view_, touched), 0.5);
  EXPECT_EQ(pictures_->wrongPixels(view_, touched, kTolerance), 0);
  touched.instances.push_back(touched.instances[1]);
  touched.instances.back().surface.opacity = 0.2;
  touched.instances.back().affectsBounds = false;
  touched.instances.back().X_WM.p += Vector3d(0.02, 0, 0.01);
  EXPECT_LT(pictures_->draw(view_, touched), 0.5);
  EXPECT_EQ(pictures_->wrongPixels(view_, touched, kTolerance), 0);
}

// A hand, or a piece of a controller's model: its mesh stays in the buffers.
TEST_F(DamageRenderingTest, WhatDoesNotAffectBoundsAppearsAndVanishesWithoutARedrawInFull) {
  const xr::RenderScene without = now();
  xr::RenderScene with = without;
  xr::Instance hand = with.instances[1];
  hand.mesh = std::make_shared<const xr::Mesh>(*hand.mesh);
  hand.affectsBounds = false;
  hand.surface.opacity = 0.5;  // without a shadow, which would be redrawn in full
  hand.X_WM.p += Vector3d(0.02, 0, 0.01);
  with.instances.push_back(hand);
  EXPECT_EQ(pictures_->draw(view_, with), 1) << "a new mesh";
  for (const bool shown : {false, true, false}) {
    EXPECT_LT(pictures_->draw(view_, shown ? with : without), 1);
    EXPECT_EQ(pictures_->wrongPixels(view_, shown ? with : without, kTolerance), 0);
  }
}

TEST_F(DamageRenderingTest, SectionIsRightAndAnotherSectionIsRedrawnInFull) {
  section_ = xr::SectionPlane{-Vector3d::UnitY(), 0};
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
  carry(1, {0.0, 0.0, 0.012});
  expectRight();
  section_->offset = 0.002;
  EXPECT_EQ(pictures_->draw(view_, now()), 1);
}

}  // namespace
}  // namespace tenon::tests
