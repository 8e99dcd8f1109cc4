// What a person sees in the headset: the parts at the start, what a hand could take, where an arc comes down.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "content/parts/glb_writer.h"
#include "tests/runtime/vr_layer_person.h"
#include "tests/support/png_picture.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

class VrView : public VrLayerPerson {
 protected:
  /// A place of the room in the left eye: tangents to the right and up; the eye's frame.
  Vector3d inEye(const Json& eye, const Vector3d& p_S) const {
    return poseOf(eye["in_room"]).inverse() * p_S;
  }
  /// Its pixel in the left eye's half of a picture, and how far that is from the edge at least.
  std::array<int, 2> pixelOf(const Json& eye, const Vector3d& p_S, const PngPicture& picture) const {
    const Vector3d p = inEye(eye, p_S);
    const Json& t = eye["tangents"];
    const double x = (p.x() / -p.z() - t[0].get<double>()) / (t[1].get<double>() - t[0].get<double>());
    const double y = (t[3].get<double>() - p.y() / -p.z()) / (t[3].get<double>() - t[2].get<double>());
    return {static_cast<int>(0.5 * picture.width * x), static_cast<int>(picture.height * y)};
  }
  bool sees(const Json& eye, const Vector3d& p_S) const {
    const Vector3d p = inEye(eye, p_S);
    if (p.z() >= 0) return false;
    const double x = p.x() / -p.z(), y = p.y() / -p.z();
    const Json& t = eye["tangents"];
    return x > t[0].get<double>() && x < t[1].get<double>() && y > t[2].get<double>() &&
           y < t[3].get<double>();
  }
};

/// The mean of red, green and blue around a pixel.
Vector3d colourAt(const PngPicture& picture, const std::array<int, 2>& pixel, int radius) {
  Vector3d sum = Vector3d::Zero();
  int count = 0;
  for (int y = std::max(0, pixel[1] - radius); y <= std::min(picture.height - 1, pixel[1] + radius); ++y)
    for (int x = std::max(0, pixel[0] - radius); x <= std::min(picture.width - 1, pixel[0] + radius); ++x) {
      const std::size_t at = 3 * (static_cast<std::size_t>(y) * picture.width + x);
      sum += Vector3d(picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]);
      ++count;
    }
  return sum / std::max(count, 1);
}

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

/// A vertical plate of 0.3 m x 0.3 m as binary glTF; the writer turns z up into y up.
void writePlate(const std::string& file) {
  content::GlbWriter writer;
  const int mesh = writer.addMesh(content::displayMeshOf(physics::Box{{0.15, 0.002, 0.15}}), "plate",
                                  content::GlbMaterial());
  writer.addPart("plate", mesh, Pose());
  std::ofstream(file, std::ios::binary) << writer.bytes();
}

TEST_F(VrView, ModelOfTheControllerIsTheRuntimes) {
  writePlate(folder_ / "plate.glb");
  std::array<Vector3d, 3> colours;
  constexpr std::array kOffers{"", "models fb\n", "models msft\n"};
  for (std::size_t k = 0; k < kOffers.size(); ++k) {
    SCOPED_TRACE(kOffers[k]);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    const std::string file = folder_ / ("hand" + std::to_string(k) + ".png");
    monado_->hands[kLeft].active = false;
    wish(kOffers[k]);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--screenshot", file}));
    // Upright before the head, beside the parts; the controller is connected later than the session begins.
    RemoteHand& hand = monado_->hands[kRight];
    hand.X_SH = Pose::at(monado_->X_SHead.p + Vector3d(0.1, 0, -0.6));
    monado_->send();
    ASSERT_TRUE(waitForHand(kRight, [&](const Json& one) {
      return !one["in_room"].is_null() && (poseOf(one["in_room"]).p - hand.X_SH.p).norm() < 1e-4;
    })) << said();
    wish(std::string(kOffers[k]) + "model " + (folder_ / "plate.glb") + "\n");
    const auto from = now()["frame"].get<std::int64_t>();
    ASSERT_TRUE(waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + 60; }))
        << said();
    const Json eye = now()["eyes"][0];
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(frames()["wrong"], "");
    const PngPicture picture = readPng(file);
    colours[k] = colourAt(picture, pixelOf(eye, hand.X_SH.p + Vector3d(0.08, 0.1, 0), picture), 2);
  }
  EXPECT_GT((colours[1] - colours[0]).norm(), 30)
      << colours[0].transpose() << " is " << colours[1].transpose();
  EXPECT_GT((colours[2] - colours[0]).norm(), 30)
      << colours[0].transpose() << " is " << colours[2].transpose();
}

TEST_F(VrView, ModelThatFailsIsReportedOnceAndTheSessionGoesOn) {
  std::ofstream(folder_ / "broken.glb") << "no glTF";
  struct Case {
    std::string lines;
    const char* says;
  };
  const std::string broken = "models fb\nmodel " + (folder_ / "broken.glb") + "\n";
  for (const Case& one :
       {Case{broken, "without the controller's model: "},
        Case{broken + fault("always", "LoadRenderModelFB", XR_ERROR_RUNTIME_FAILURE) + "\n",
             "without the controllers' models: xrLoadRenderModelFB returned"},
        Case{broken + fault("always", "EnumerateRenderModelPathsFB", XR_ERROR_RUNTIME_FAILURE) + "\n",
             "without the controllers' models: xrEnumerateRenderModelPathsFB returned"}}) {
    SCOPED_TRACE(one.says);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    wish(one.lines);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    const auto from = now()["frame"].get<std::int64_t>();
    ASSERT_TRUE(waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + 60; }))
        << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(one.says), one.lines == broken ? 2 : 1) << said();  // once for each hand
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
