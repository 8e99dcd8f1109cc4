// Hands of tenon vr with a real OpenXR runtime: two on one part, one that points, one without a controller,
// one that is led.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/runtime/vr_person.h"
#include "tests/support/png_picture.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

class VrHands : public VrPerson {};

TEST_F(VrHands, ScrewGoesFromHandToHandIntoItsHole) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--record", session}));
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  ASSERT_TRUE(carry(kRight, tilted({-0.028, 0, 0.050}, std::numbers::pi), 4)) << said();
  ASSERT_TRUE(carry(kRight, tilted({0, 0, 0.065}, std::numbers::pi / 2), 6)) << said();
  const Pose held = partPose("screw");
  // The left hand takes it too, both pull a little against each other, the right one releases it.
  const Pose X_WPRight = X_WP_;
  ASSERT_TRUE(take(kLeft, "screw", Pose::at(held.p + Vector3d(0.01, 0, 0.01)))) << said();
  EXPECT_EQ(handNow(kRight)["holds"], "screw") << "both hold it";
  Pose apart = X_WPRight * X_PH_[kRight];
  apart.p.y() -= 0.01;
  ASSERT_TRUE(moveHand(kRight, apart)) << said();
  ASSERT_TRUE(waitSeconds(0.3));
  EXPECT_GT(handNow(kRight)["force_n"].get<double>(), 5);
  EXPECT_GT(handNow(kLeft)["force_n"].get<double>(), 5);
  const Pose before = partPose("screw");
  ASSERT_TRUE(letGo(kRight)) << said();
  ASSERT_TRUE(waitSeconds(0.3));
  EXPECT_EQ(handNow(kLeft)["holds"], "screw");
  EXPECT_LT((partPose("screw").p - before.p).norm(), 1e-4) << "it stays in the other hand";
  X_WP_ = partPose("screw");
  X_PH_[kLeft] = X_WP_.inverse() * poseOf(handNow(kLeft)["target"]);
  ASSERT_TRUE(carry(kLeft, tilted({0.001, 0, 0.033}, 0.02), 6)) << said();
  ASSERT_TRUE(carry(kLeft, tilted({0, 0, -0.0003}, 0), 24)) << said();
  EXPECT_TRUE(waitFor([](const Json& line) { return line["goals"][0]["verdict"] == "inserted"; }))
      << now()["goals"].dump() << said();
  ASSERT_TRUE(letGo(kLeft)) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(verify(session), 0) << last_;
}

TEST_F(VrHands, PointingHandGraspsFromAfar) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--record", session}));
  const Vector3d screw(-0.028, 0, 0.02);
  // Half a metre off, to the right and nearer: pointing is along the aim's −z.
  Pose away = Pose::at(screw + Vector3d(0.1, -0.4, 0.25));
  away.q = Quaterniond::FromTwoVectors(-Vector3d::UnitZ(), screw - away.p);
  ASSERT_TRUE(moveHand(kRight, away)) << said();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["points_at"] == "screw"; })) << said();
  ASSERT_TRUE(squeezeHand(kRight, 1)) << said();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["holds"] == "screw"; })) << said();
  EXPECT_EQ(handNow(kRight)["far"], true);
  ASSERT_TRUE(waitSeconds(0.2));
  EXPECT_LT((partPose("screw").p - Vector3d(-0.028, 0, 0.008)).norm(), 1e-4) << "taking it moves nothing";
  const auto sendHand = [&](const Pose& X_WH) {
    monado_->hands[kRight].X_SH = X_SW() * X_WH;
    monado_->send();
  };
  for (int k = 1; k <= 10; ++k) {  // up
    away.p.z() += 0.01;
    sendHand(away);
    ASSERT_TRUE(waitSeconds(0.06));
  }
  EXPECT_TRUE(waitFor([&](const Json&) { return partPose("screw").p.z() > 0.05; })) << said();
  const double far = (partPose("screw").p - away.p).norm();
  for (int k = 1; k <= 20; ++k) {  // the arm is drawn in
    away.p += 0.015 * (away.p - screw).normalized();
    sendHand(away);
    ASSERT_TRUE(waitSeconds(0.06));
  }
  EXPECT_TRUE(waitFor([&](const Json&) { return (partPose("screw").p - away.p).norm() < 0.4 * far; }))
      << said();
  EXPECT_EQ(handNow(kRight)["holds"], "screw");
  ASSERT_TRUE(letGo(kRight)) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(verify(session), 0) << last_;
}

TEST_F(VrHands, HandTrackedAgainElsewhereKeepsItsPart) {
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  ASSERT_TRUE(carry(kRight, tilted({-0.028, 0, 0.050}, std::numbers::pi), 4)) << said();
  RemoteHand& remote = monado_->hands[kRight];
  remote.active = false;
  monado_->send();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["tracked"] == false; })) << said();
  remote.active = true;
  remote.X_SH.p += Vector3d(0.3, 0.1, 0);  // further than its spring would bear
  monado_->send();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["tracked"] == true; })) << said();
  ASSERT_TRUE(waitSeconds(0.3));
  EXPECT_EQ(handNow(kRight)["holds"], "screw");
  EXPECT_NEAR(partPose("screw").p.z(), 0.050, 1e-3) << "it hangs where it was";
  remote.X_SH.p.y() += 0.02;
  monado_->send();
  EXPECT_TRUE(waitFor([&](const Json&) { return std::abs(partPose("screw").p.z() - 0.070) < 1e-3; }))
      << said();
}

TEST_F(VrHands, BareHandGraspsAndReleasesWithoutController) {
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate")}));
  RemoteHand& remote = monado_->hands[kRight];
  remote.X_SH = X_SW() * Pose::at({-0.028, 0, 0.004});
  remote.bare = true;
  monado_->send();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["tracked"] == true; })) << said();
  EXPECT_EQ(handNow(kRight)["bare"], false) << "a controller comes first";
  remote.active = false;
  monado_->send();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["bare"] == true; })) << said();
  EXPECT_EQ(handNow(kRight)["closed"], false) << handNow(kRight).dump();
  // The grip is between the fingers, not at the wrist: bring it to the screw.
  const Vector3d grip = poseOf(handNow(kRight)["in_room"]).p;
  remote.X_SH.p += X_SW() * Vector3d(-0.028, 0, 0.020) - grip;
  monado_->send();
  ASSERT_TRUE(waitSeconds(0.2));
  remote.curl = {1, 1, 1, 1, 1};
  monado_->send();
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["holds"] == "screw"; })) << said();
  const double low = partPose("screw").p.z();
  for (int k = 0; k < 10; ++k) {
    remote.X_SH.p.y() += 0.005;
    monado_->send();
    ASSERT_TRUE(waitSeconds(0.05));
  }
  EXPECT_TRUE(waitFor([&](const Json&) { return partPose("screw").p.z() > low + 0.045; })) << said();
  remote.curl = {};
  monado_->send();
  EXPECT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["holds"].is_null(); })) << said();
}

TEST_F(VrHands, GuidanceLeadsTheScrewAndIsRecorded) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--guidance", "--record", session}));
  EXPECT_EQ(now()["guidance"], true);
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  ASSERT_TRUE(carry(kRight, tilted({-0.028, 0, 0.050}, std::numbers::pi), 4)) << said();
  ASSERT_TRUE(carry(kRight, tilted({0, 0, 0.100}, std::numbers::pi / 2), 6)) << said();
  ASSERT_TRUE(carry(kRight, tilted({0, 0, 0.075}, 0), 6)) << said();
  // 4 mm beside the axis and 3 mm over the plate: the hand is there, the screw nearly over the hole.
  monado_->hands[kRight].X_SH = X_SW() * tilted({0.004, 0, 0.033}, 0) * X_PH_[kRight];
  monado_->send();
  EXPECT_TRUE(waitFor([&](const Json&) {
    const Vector3d p = partPose("screw").p;
    return std::abs(p.z() - 0.033) < 5e-4 && p.x() < 0.0015;
  })) << partPose("screw").p.transpose()
      << said();
  EXPECT_EQ(stop(), 130) << said();
  {
    const SQLite::Database record(session);
    SQLite::Statement row(record, "SELECT text, tick FROM event WHERE kind = 'guidance'");
    ASSERT_TRUE(row.executeStep());
    EXPECT_EQ(row.getColumn(0).getString(), "on");
    EXPECT_LE(row.getColumn(1).getInt(), 1) << "from the start";
  }
  EXPECT_EQ(verify(session), 0) << last_;
}

/// Pixels of one eye's half that are much redder than anything steel is.
int redPixels(const PngPicture& picture, int left, int width) {
  int count = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = left; x < left + width; ++x) {
      const unsigned char* const p = &picture.rgb[3 * (static_cast<std::size_t>(y) * picture.width + x)];
      count += p[0] > 120 && p[0] > 1.5 * p[1] && p[0] > 1.5 * p[2];
    }
  return count;
}

TEST_F(VrHands, TethersShowHandsThatThePartCannotFollow) {
  const std::string file = folder_ / "hands.png";
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--screenshot", file}));
  // Bowed over the plate.
  monado_->X_SHead.p = X_SW().p + Vector3d(0, 0.16, 0.16);
  monado_->X_SHead.q = Quaterniond(Eigen::AngleAxisd(-0.8, Vector3d::UnitX()));
  // Both hands hold the screw, over the plate, and pull it apart.
  const Vector3d right(-0.028, 0, 0.020), up(0.028, 0, 0.04), apart(0.055, 0, 0);
  ASSERT_TRUE(take(kRight, "screw", Pose::at(right))) << said();
  ASSERT_TRUE(moveHand(kRight, Pose::at(right + 0.5 * up))) << said();
  ASSERT_TRUE(moveHand(kRight, Pose::at(right + up))) << said();
  ASSERT_TRUE(take(kLeft, "screw", Pose::at(right + up))) << said();
  ASSERT_TRUE(moveHand(kLeft, Pose::at(right + up - apart))) << said();
  ASSERT_TRUE(moveHand(kRight, Pose::at(right + up + apart))) << said();
  ASSERT_TRUE(waitSeconds(0.3));
  EXPECT_NEAR(handNow(kRight)["force_n"].get<double>(), 110, 20) << said();
  EXPECT_EQ(handNow(kRight)["holds"], "screw") << "not torn off yet";
  EXPECT_EQ(stop(), 130) << said();
  const PngPicture picture = readPng(file);
  ASSERT_GT(picture.width, 0);
  for (const int left : {0, picture.width / 2})
    EXPECT_GT(redPixels(picture, left, picture.width / 2), 20) << "of the tether";
}

}  // namespace
}  // namespace tenon::tests
