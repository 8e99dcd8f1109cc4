// Holes and ends of round faces that are no full circles, of parts drawn in CAD: where they are, and their
// sizes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/reader/part_file.h"
#include "content/recognize/recognized_part.h"
#include "content/step/read_step.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::content {
namespace {

constexpr double kExact = 1e-9;  // [m]

class RoundSites : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = tests::stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  }

  std::shared_ptr<const MeshShape> partOf(const std::string& kind, const std::vector<double>& sizes) {
    const std::string file = folder_ / (kind + ".step");
    EXPECT_TRUE(tests::makeStep(kind, file, sizes));
    const std::vector<FilePart> parts = readPartFile(file, {});
    EXPECT_EQ(parts.size(), 1U);
    EXPECT_EQ(parts.front().problem, "");
    return parts.front().shape;
  }

  static std::optional<HoleSite> holeOf(const MeshShape& mesh, const std::string& name) {
    for (HoleSite& site : holesOf(mesh.part.shape))
      if (site.name == name) return std::move(site);
    return std::nullopt;
  }

  static void expectHole(const MeshShape& mesh, const std::string& name, const Vector3d& mouth,
                         const Vector3d& out, double diameter, double depth, bool through) {
    const auto hole = holeOf(mesh, name);
    ASSERT_TRUE(hole) << name;
    EXPECT_LT((hole->X_PH.p - mouth).norm(), kExact) << name;
    EXPECT_LT((hole->X_PH.q * Vector3d::UnitZ() - out).norm(), kExact) << name;
    EXPECT_NEAR(hole->diameter(), diameter, kExact) << name;
    EXPECT_NEAR(hole->depth(), depth, kExact) << name;
    EXPECT_EQ(hole->through, through) << name;
    EXPECT_TRUE(hole->isInterrupted) << name;
  }

  static void expectEnd(const MeshShape& mesh, const std::string& name, const Vector3d& tip,
                        const Vector3d& out) {
    for (const AxisFeature& end : mesh.part.features) {
      if (end.name != name) continue;
      EXPECT_LT((end.origin - tip).norm(), kExact) << name;
      EXPECT_LT((end.direction - out).norm(), kExact) << name;
      return;
    }
    ADD_FAILURE() << name << " is missing";
  }

  const Vector3d up_ = Vector3d::UnitZ(), down_ = -Vector3d::UnitZ();
  tests::TemporaryFolder folder_;
};

TEST_F(RoundSites, ABoreWithAFlatIsABlindHole) {
  const auto knob = partOf("d-knob", {6.02, 2.01, 10});
  EXPECT_EQ(holesOf(knob->part.shape).size(), 1U);
  expectHole(*knob, "hole +z", {0, 0, 0}, up_, 6.02e-3, 10e-3, false);
}

TEST_F(RoundSites, AShaftWithAFlatHasBothEnds) {
  const auto shaft = partOf("d-shaft", {6, 2, 25, 0.5});
  EXPECT_EQ(shaft->part.features.size(), 2U);
  expectEnd(*shaft, "end -z", {0, 0, 0}, down_);
  expectEnd(*shaft, "end +z", {0, 0, 25e-3}, up_);
}

TEST_F(RoundSites, ABoreWithAKeywayIsAThroughHole) {
  const auto hub = partOf("keyed-hub", {10.02, 3.02, 6.2});
  EXPECT_EQ(holesOf(hub->part.shape).size(), 1U);
  expectHole(*hub, "hole +z", {0, 0, 0}, up_, 10.02e-3, 20e-3, true);
}

// The shaft is round all around below its key.
TEST_F(RoundSites, AShaftWithAKeyHasItsTip) {
  const auto shaft = partOf("keyed-shaft", {10, 40, 0.5, 3, 6});
  expectEnd(*shaft, "end -z", {0, 0, 0}, down_);
}

TEST_F(RoundSites, ASplineHubHasTheHolesOfItsTeethAndOfItsGrooves) {
  const auto hub = partOf("spline-hub", {7.1, 9.02, 6, 4.02, 20});
  EXPECT_EQ(holesOf(hub->part.shape).size(), 2U);
  expectHole(*hub, "hole +z", {0, 0, 0}, up_, 14.2e-3, 20e-3, true);
  expectHole(*hub, "hole +z 2", {0, 0, 0}, up_, 18.04e-3, 20e-3, true);
}

TEST_F(RoundSites, ASplineShaftHasOneEndOnEachSide) {
  const auto shaft = partOf("spline-shaft", {7, 9, 6, 4, 30});
  EXPECT_EQ(shaft->part.features.size(), 2U);
  expectEnd(*shaft, "end -z", {0, 0, 0}, down_);
  expectEnd(*shaft, "end +z", {0, 0, 30e-3}, up_);
}

// Its rims are curves on the pin: its ends are the outermost points of these.
TEST_F(RoundSites, AHoleAcrossAPinIsAHole) {
  const auto pin = partOf("clevis-pin", {8, 40, 1, 3});
  const auto hole = holeOf(*pin, "hole +x");
  ASSERT_TRUE(hole);
  EXPECT_NEAR(hole->diameter(), 3e-3, kExact);
  EXPECT_NEAR(hole->depth(), 8e-3, 1e-6);
  EXPECT_TRUE(hole->through);
}

TEST_F(RoundSites, TheRoundEndsOfASlotAreHoles) {
  const auto blind = partOf("slot", {8, 20, 6});
  EXPECT_EQ(holesOf(blind->part.shape).size(), 2U);
  expectHole(*blind, "hole +z", {-10e-3, 0, 0}, up_, 8e-3, 6e-3, false);
  expectHole(*blind, "hole +z 2", {10e-3, 0, 0}, up_, 8e-3, 6e-3, false);
}

// The hole across its wall does not end the bore, whose mouth is the start of its rounding.
TEST_F(RoundSites, ABoreWithARoundedMouthAndAHoleAcrossIsAHole) {
  const auto clevis = partOf("clevis", {8.02, 1.5, 4});
  expectHole(*clevis, "hole +z", {0, 0, 0}, up_, 8.02e-3, 20e-3, true);
  const auto hole = holeOf(*clevis, "hole +z");
  ASSERT_TRUE(hole);
  EXPECT_NEAR(hole->profile.front().y(), (4.01 + 1.5) * 1e-3, 1e-8);
  for (const Eigen::Vector2d& zr : hole->profile)
    if (zr.x() > -1.5e-3 + kExact) {
      EXPECT_NEAR((zr - Eigen::Vector2d(-1.5e-3, 5.51e-3)).norm(), 1.5e-3, 1e-8);
    }
}

// The plane between bore and rounding is the mouth: the rounding does not belong to the hole.
TEST_F(RoundSites, ABossWithRoundedEdgesHasAThroughHole) {
  const auto lever = partOf("lever", {18, 10.02, 2});
  const std::vector<HoleSite> holes = holesOf(lever->part.shape);
  ASSERT_EQ(holes.size(), 1U);
  EXPECT_LT((holes[0].X_PH.p - Vector3d(0, 0, 12e-3)).norm(), kExact);
  EXPECT_NEAR(holes[0].diameter(), 10.02e-3, kExact);
  EXPECT_NEAR(holes[0].depth(), 12e-3, kExact);
  EXPECT_TRUE(holes[0].through);
  EXPECT_EQ(holes[0].profile.size(), 2U);
}

TEST_F(RoundSites, StudsOfAPlateAreEnds) {
  const auto studs = partOf("studs", {4, 12, 0.5});
  EXPECT_EQ(studs->part.features.size(), 4U);
  expectEnd(*studs, "end +z", {-13e-3, -13e-3, 12e-3}, up_);
}

// Rounded corners hold nothing: a quarter of a circle is neither a hole nor an end.
TEST_F(RoundSites, RoundedCornersAreNone) {
  const auto casting = partOf("casting", {4.1, 3});
  EXPECT_EQ(holesOf(casting->part.shape).size(), 4U);  // its bores
  EXPECT_TRUE(casting->part.features.empty());
}

}  // namespace
}  // namespace tenon::content
