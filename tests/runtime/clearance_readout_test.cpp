// Distances between picked features, against closed forms.
#include "runtime/report/clearance_readout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;
using runtime::ClearanceReadout;
using xr::PickedFeature;
using Kind = PickedFeature::Kind;

/// The plate and the screw of bolt-in-plate.json.
struct Bench {
  content::Scene scene = content::loadScene(scenePath("bolt-in-plate"));
  ClearanceReadout readout{scene};
  std::vector<Pose> X_WP = {scene.parts[0].X_WP, scene.parts[1].X_WP};
  PickedFeature hole, tip, screw;

  Bench() {
    const content::HoleSite site = content::holesOf(scene.parts[0].shape).at(0);
    hole = {Kind::hole, 0, site.name, 0, site.X_PH};
    const content::AxisFeature& axis = scene.parts[1].features.at(0);
    tip = {Kind::axis,
           1,
           axis.name,
           0,
           {physics::shortestRotation(Vector3d::UnitZ(), axis.direction), axis.origin}};
    screw = {Kind::part, 1, "", -1, Pose()};
  }
  /// The screw's tip `depth` in the hole, `beside` its axis, tilted about it.
  void insert(double depth, double beside, double tilt = 0) {
    const Quaterniond q(Eigen::AngleAxisd(tilt, Vector3d::UnitY()));
    X_WP[1] = {q, Vector3d(beside, 0, -depth) - q * Vector3d(0, 0, -0.03)};
  }
};

TEST(ClearanceReadout, PartsApartAreAsFarAsTheirNearestPoints) {
  Bench bench;
  bench.X_WP[1] = Pose::at({0.02, 0.01, 0.05});  // shank down, its tip 20 mm above the plate's face
  const auto gap = bench.readout.gapBetween(0, 1, bench.X_WP);
  ASSERT_TRUE(gap);
  EXPECT_NEAR(gap->distance, 0.02, 1e-12);
  EXPECT_NEAR(gap->p_WA.z(), 0, 1e-9);
  EXPECT_NEAR(gap->p_WB.z(), 0.02, 1e-9);
}

TEST(ClearanceReadout, FarPartsAreMeasuredToo) {
  Bench bench;
  bench.X_WP[1] = Pose::at({0.02, 0.01, 3});
  const auto gap = bench.readout.gapBetween(0, 1, bench.X_WP);
  ASSERT_TRUE(gap);
  EXPECT_NEAR(gap->distance, 2.97, 1e-9);
}

TEST(ClearanceReadout, InTheHoleTheWallIsNearest) {
  Bench bench;
  bench.insert(0.015, 0.00015);
  const auto gap = bench.readout.gapBetween(0, 1, bench.X_WP);
  ASSERT_TRUE(gap);
  EXPECT_NEAR(gap->distance, 0.0002 - 0.00015, 1e-12) << "radii 4.2 and 4 mm";
}

TEST(ClearanceReadout, OverlapIsNegative) {
  Bench bench;
  bench.insert(0.015, 0.00025);
  EXPECT_NEAR(bench.readout.gapBetween(0, 1, bench.X_WP)->distance, -0.00005, 1e-9);
}

TEST(ClearanceReadout, APinInABoreIsReadInEitherOrder) {
  Bench bench;
  bench.insert(0.012, 0.0001, 0.005);
  const auto reading = bench.readout.read(bench.tip, bench.hole, bench.X_WP);
  ASSERT_TRUE(reading.axes);
  ASSERT_TRUE(reading.axes->clearance);
  EXPECT_NEAR(*reading.axes->clearance, 0.0004, 1e-12);
  EXPECT_NEAR(reading.axes->offset, 0.0001, 1e-12);
  EXPECT_NEAR(reading.axes->depth, 0.012, 1e-12);
  EXPECT_NEAR(reading.axes->tilt, 0.005, 1e-12);
  EXPECT_EQ(reading.text, bench.readout.read(bench.hole, bench.tip, bench.X_WP).text);
  EXPECT_NE(reading.text.find("plate/hole to screw/tip:"), std::string::npos) << reading.text;
  EXPECT_NE(reading.text.find("400 µm of diametral clearance"), std::string::npos) << reading.text;
  EXPECT_NE(reading.text.find("12 mm below the mouth"), std::string::npos) << reading.text;
}

TEST(ClearanceReadout, OnePartAloneHasNoGap) {
  Bench bench;
  const auto reading = bench.readout.read(bench.tip, bench.screw, bench.X_WP);
  EXPECT_FALSE(reading.gap);
  EXPECT_FALSE(reading.axes);
  EXPECT_NE(reading.text.find("the same part"), std::string::npos) << reading.text;
}

TEST(ClearanceReadout, ItFollowsThePartsAsTheyMove) {
  Bench bench;
  for (const double beside : {0.0, 0.0001, 0.0002}) {
    bench.insert(0.015, beside);
    EXPECT_NEAR(bench.readout.gapBetween(0, 1, bench.X_WP)->distance, 0.0002 - beside, 1e-12);
  }
}

}  // namespace
}  // namespace tenon::tests
