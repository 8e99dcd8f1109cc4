// What a person sees in the headset: the parts at the start, what a hand could take, where an arc comes down.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/runtime/vr_view_person.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

class VrView : public VrViewPerson {};

TEST_F(VrView, PartsAreInViewAtTheStartStandingAndSeated) {
  for (const double height : {1.15, 1.65})
    for (const char* const scene : {"bolt-in-plate", "flange"}) {
      SCOPED_TRACE(std::string(scene) + " at " + std::to_string(height));
      std::filesystem::remove(folder_ / "trace.jsonl");
      monado_->X_SHead.p = {0.2, height, 0.1};
      monado_->send();
      ASSERT_NO_FATAL_FAILURE(start({unhurried(scene)}));
      const Json line = now();
      ASSERT_NEAR(poseOf(line["head"]).p.y(), height, 1e-3);
      for (const auto& [part, pose] : line["poses"].items()) {
        if (part == "bench" || part == "floor") continue;
        const Vector3d p_S = X_SW() * poseOf(pose).p;
        for (const Json& eye : line["eyes"]) EXPECT_TRUE(sees(eye, p_S)) << part << " at " << p_S.transpose();
        EXPECT_NEAR(height - p_S.y(), 0.4, 0.2) << part << " is on a table";
      }
      const Vector3d middle = X_SW() * Vector3d(0, 0, 0) - poseOf(line["head"]).p;
      EXPECT_NEAR(std::hypot(middle.x(), middle.z()), 0.55, 0.15) << "at arm's length";
      EXPECT_EQ(stop(), 130) << said();
    }
}

TEST_F(VrView, PartsAreInViewAtOtherRatesAndFieldsOfView) {
  struct Case {
    int rate;                        ///< [Hz]
    std::array<double, 4> tangents;  ///< of the left eye: left, right, down, up
  };
  for (const Case& one : {Case{72, {-1.4, 0.9, -1.2, 0.8}}, Case{120, {-0.8, 0.7, -0.9, 0.9}}}) {
    SCOPED_TRACE(one.rate);
    std::filesystem::remove(folder_ / "trace.jsonl");
    std::string lines = "display 320 240 " + std::to_string(one.rate) + "\nfov";
    for (const double tangent : one.tangents) lines += " " + std::to_string(tangent);
    wish(lines + "\n");
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    const Json line = now();
    EXPECT_NEAR(line["period_ms"].get<double>(), 1e3 / one.rate, 1e-5);
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(line["eyes"][0]["tangents"][k].get<double>(), one.tangents[k], 1e-5);
    EXPECT_NEAR(line["eyes"][1]["tangents"][0].get<double>(), -one.tangents[1], 1e-5);
    for (const auto& [part, pose] : line["poses"].items()) {
      if (part == "bench" || part == "floor") continue;
      for (const Json& eye : line["eyes"]) EXPECT_TRUE(sees(eye, X_SW() * poseOf(pose).p)) << part;
    }
    ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
    ASSERT_TRUE(letGo(kRight)) << said();
    EXPECT_EQ(stop(), 130) << said();
  }
}

TEST_F(VrView, PartWithinReachOfAnOpenHandIsHighlighted) {
  std::array<Vector3d, 2> colours;
  for (const bool near : {false, true}) {
    std::filesystem::remove(folder_ / "trace.jsonl");
    const std::string file = folder_ / (near ? "near.png" : "far.png");
    monado_->hands[kLeft].active = false;
    monado_->send();
    ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--screenshot", file}));
    // Close before the screw, which stands on its head; the hand is behind it, or away.
    monado_->X_SHead = Pose::at(X_SW() * Vector3d(-0.028, -0.1, 0.02));
    ASSERT_TRUE(moveHand(kRight, Pose::at(near ? Vector3d(-0.028, 0.05, 0.02) : Vector3d(0.3, 0.3, 0.3))));
    ASSERT_TRUE(waitForHand(kRight, [&](const Json& hand) {
      return near ? hand["reaches"] == "screw" : hand["reaches"].is_null();
    })) << said();
    ASSERT_TRUE(waitFor([&](const Json& line) {
      return !line["head"].is_null() && (poseOf(line["head"]).p - monado_->X_SHead.p).norm() < 1e-4;
    })) << said();
    const Json eye = now()["eyes"][0];
    const Vector3d head = X_SW() * Vector3d(-0.0235, -0.0047, 0.004);  // of the screw
    EXPECT_EQ(stop(), 130) << said();
    const PngPicture picture = readPng(file);
    ASSERT_GT(picture.width, 0);
    colours[near ? 1 : 0] = colourAt(picture, pixelOf(eye, head, picture), 1);
  }
  const auto blueness = [](const Vector3d& c) { return c.z() / std::max(c.x(), 1.0); };
  EXPECT_GT(blueness(colours[1]), 1.1 * blueness(colours[0]))
      << colours[0].transpose() << " becomes " << colours[1].transpose();
}

TEST_F(VrView, CardWithTheNextGoalIsInViewAtTheStart) {
  for (const double height : {1.15, 1.65})
    for (const char* const scene : {"bolt-in-plate", "flange"}) {
      SCOPED_TRACE(std::string(scene) + " at " + std::to_string(height));
      std::filesystem::remove(folder_ / "trace.jsonl");
      monado_->X_SHead.p = {0.2, height, 0.1};
      monado_->send();
      ASSERT_NO_FATAL_FAILURE(start({unhurried(scene)}));
      ASSERT_TRUE(waitFor([](const Json& line) {
        return !line["card"].is_null() && line["card"]["device"] != "No controller";
      })) << said();
      const Json card = now()["card"];
      const Pose X_SP = poseOf(card["in_room"]);
      for (const double x : {-0.15, 0.15})
        for (const double y : {-0.06, 0.06})
          for (const Json& eye : now()["eyes"]) EXPECT_TRUE(sees(eye, X_SP * Vector3d(x, y, 0))) << x << y;
      EXPECT_NE(card["task"].get<std::string>().find("Next: "), std::string::npos) << card;
      EXPECT_GT(card["hints"].size(), 4U) << card;
      EXPECT_EQ(card["hints"][0][0], "Grasp and hold");
      EXPECT_NE(card["hints"][0][1], "") << card;
      EXPECT_NE(card["advice"], "") << "320 pixels show no clearance";
      EXPECT_EQ(stop(), 130) << said();
    }
}

TEST_F(VrView, PartAroundTheHeadFades) {
  for (const bool inside : {false, true}) {
    std::filesystem::remove(folder_ / "trace.jsonl");
    const std::string file = folder_ / (inside ? "inside.png" : "above.png");
    ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--scale", "10", "--screenshot", file}));
    // The plate is displayed 200 mm thick.
    const double scale = now()["scale"].get<double>();
    const Pose X_SW = poseOf(now()["world_in_room"]);
    monado_->X_SHead.p = scale * (X_SW * Vector3d(0.02, -0.012, inside ? -0.012 : 0.05));
    monado_->send();
    EXPECT_TRUE(waitFor([&](const Json& line) {
      return line["faded"].size() == (inside ? 1 : 0) && !line["head"].is_null() &&
             (poseOf(line["head"]).p - monado_->X_SHead.p).norm() < 1e-4;
    })) << now()["faded"]
        << said();
    EXPECT_EQ(stop(), 130) << said();
    // An opaque plate around the head would darken the ground, whose light its faces keep off.
    const PngPicture picture = readPng(file);
    ASSERT_GT(picture.width, 0);
    EXPECT_GT(colourAt(picture, {picture.width / 4, picture.height * 17 / 20}, 10).mean(), 150);
  }
}

TEST_F(VrView, TeleportTargetIsNotHiddenByTheGround) {
  const std::string file = folder_ / "arc.png";
  ASSERT_NO_FATAL_FAILURE(start({unhurried("flange"), "--screenshot", file}));
  // The hand points down ahead, to the right of the scene; the person looks there.
  monado_->hands[kLeft].active = false;
  monado_->hands[kRight].X_SH.p = {0.35, 1.35, -0.2};
  monado_->hands[kRight].X_SH.q = Quaterniond(Eigen::AngleAxisd(-0.9, Vector3d::UnitX()));
  monado_->hands[kRight].thumbstickY = 1;
  monado_->X_SHead.p = {0.35, 1.65, 0.1};
  monado_->X_SHead.q = Quaterniond(Eigen::AngleAxisd(-0.5, Vector3d::UnitX()));
  monado_->send();
  ASSERT_TRUE(waitFor([&](const Json& line) {
    return !line["landing"].is_null() && !line["head"].is_null() &&
           (poseOf(line["head"]).p - monado_->X_SHead.p).norm() < 1e-4;
  })) << said();
  const Json eye = now()["eyes"][0], landing = now()["landing"];
  EXPECT_EQ(stop(), 130) << said();
  const PngPicture picture = readPng(file);
  ASSERT_GT(picture.width, 0);
  const Vector3d p(landing[0].get<double>(), landing[1].get<double>(), landing[2].get<double>());
  ASSERT_TRUE(sees(eye, p)) << p.transpose();
  const std::array<int, 2> at = pixelOf(eye, p, picture);
  int blue = 0;
  for (int y = std::max(0, at[1] - 40); y < std::min(picture.height, at[1] + 40); ++y)
    for (int x = std::max(0, at[0] - 40); x < std::min(picture.width / 2, at[0] + 40); ++x) {
      const std::uint8_t* const rgb = &picture.rgb[3 * (static_cast<std::size_t>(y) * picture.width + x)];
      blue += rgb[2] > 100 && rgb[2] > 1.2 * rgb[0];  // smoothed edges are mixed with the gray ground
    }
  EXPECT_GT(blue, 16) << "the ring around " << p.transpose();
}

}  // namespace
}  // namespace tenon::tests
