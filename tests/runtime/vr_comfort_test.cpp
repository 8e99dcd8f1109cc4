// What a person in a headset does without a keyboard: a menu above the wrist pressed by hand alone, going
// about, a scene that looks larger. With a real OpenXR runtime.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

#include "tests/runtime/vr_person.h"
#include "tests/support/png_picture.h"

namespace tenon::tests::vr_comfort_test {
namespace {

using Json = TracedProgram::Json;
using physics::Pose;
using physics::Vector3d;

class VrComfort : public VrPerson {
 protected:
  void start(std::vector<std::string> arguments) {
    const std::string trace = folder_ / "trace.jsonl";
    arguments.insert(arguments.begin(), {TENON_PROGRAM, "vr"});
    arguments.insert(arguments.end(), {"--trace", trace});
    program_.emplace(monado_->with(arguments), monado_->environment(), folder_.path(), trace);
    ASSERT_TRUE(waitFor([](const Json& line) { return line["state"] == "focused" && line["drawn"] == true; }))
        << program_->said();
  }
  /// Where a place of the world is in the room.
  Vector3d inRoom(const Vector3d& p_W) {
    return now()["scale"].get<double>() * (poseOf(now()["world_in_room"]) * p_W);
  }
};

/// The share of the pixels that have the panels' colour.
double shareOfPanel(const PngPicture& picture) {
  std::size_t count = 0;
  for (std::size_t k = 0; k + 2 < picture.rgb.size(); k += 3)
    if (picture.rgb[k] < 45 && picture.rgb[k + 1] < 50 && picture.rgb[k + 2] > picture.rgb[k] + 5 &&
        picture.rgb[k + 2] < 60)
      ++count;
  return 3.0 * static_cast<double>(count) / static_cast<double>(picture.rgb.size());
}

TEST_F(VrComfort, MenuPausesResetsRecordsAndQuitsByHandAlone) {
  const std::string picture = folder_ / "menu.png";
  ASSERT_NO_FATAL_FAILURE(start({scenePath("bolt-in-plate"), "--screenshot", picture}));
  EXPECT_EQ(now()["menu"]["shown"], false);
  ASSERT_TRUE(openMenu()) << program_->said();
  ASSERT_TRUE(touch("pause")) << now()["menu"].dump();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["paused"] == true; }));
  EXPECT_GT(now()["time_s"].get<double>(), 0);
  ASSERT_TRUE(shoot("reset"));
  EXPECT_TRUE(waitFor([](const Json& line) { return line["time_s"] == 0; })) << "it is paused still";
  ASSERT_TRUE(shoot("pause"));
  EXPECT_TRUE(waitFor([](const Json& line) { return line["time_s"].get<double>() > 0.05; }));
  EXPECT_EQ(handOf(now(), kRight)["closed"], false) << "input of the menu is not input of the scene";
  // A record begins with the scene, and ends on request.
  ASSERT_TRUE(touch("record"));
  EXPECT_TRUE(waitFor([](const Json& line) { return line["recording"] == true; })) << now()["menu"].dump();
  EXPECT_TRUE(waitFor([](const Json& line) { return line["time_s"].get<double>() > 0.3; }));
  ASSERT_TRUE(touch("record"));
  EXPECT_TRUE(waitFor([](const Json& line) { return line["recording"] == false; }));
  std::string session;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    if (entry.path().extension() == ".tenon") session = entry.path().string();
  ASSERT_FALSE(session.empty());
  ASSERT_TRUE(touch("scenes"));
  ASSERT_TRUE(waitFor([](const Json& line) { return line["menu"]["page"] == "scenes"; }));
  ASSERT_TRUE(touch("back"));
  ASSERT_TRUE(waitFor([](const Json& line) { return line["menu"]["page"] == "main"; }));
  ASSERT_TRUE(touch("quit"));
  EXPECT_EQ(program_->exitCode(), 0) << program_->said();

  const PngPicture eyes = readPng(picture);
  EXPECT_GT(shareOfPanel(eyes), 0.03) << "both eyes see the panel";
  TracedProgram replay(monado_->with({TENON_PROGRAM, "replay", session, "--verify"}), monado_->environment(),
                       folder_.path(), folder_ / "none");
  EXPECT_EQ(replay.exitCode(), 0) << replay.said();
}

TEST_F(VrComfort, ScaledSceneIsGraspedWhereItIsShown) {
  ASSERT_NO_FATAL_FAILURE(start({scenePath("bolt-in-plate"), "--scale", "5"}));
  EXPECT_EQ(now()["scale"], 5.0);
  ASSERT_TRUE(openMenu() && touch("values")) << now().dump();
  monado_->hands[kLeft].X_SH.q.setIdentity();
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["menu"]["shown"] == false; }));
  const Vector3d grip(-0.028, 0, 0.004), lifted(-0.028, 0, 0.030);
  RemoteHand& hand = monado_->hands[kRight];
  hand.X_SH = Pose::at(inRoom(grip));
  monado_->send();
  const auto isAt = [&](const Vector3d& p_W) {
    return waitFor(
        [&](const Json& line) { return (vectorOf(handOf(line, kRight)["target"]) - p_W).norm() < 2e-5; });
  };
  ASSERT_TRUE(isAt(grip)) << now().dump();
  hand.squeeze = 1;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return handOf(line, kRight)["holds"] == "screw"; }))
      << now().dump();
  const Vector3d before = vectorOf(now()["poses"]["screw"]);
  hand.X_SH = Pose::at(inRoom(lifted));
  EXPECT_NEAR(hand.X_SH.p.y() - inRoom(grip).y(), 5 * 0.026, 1e-9) << "five times as far in the room";
  monado_->send();
  EXPECT_TRUE(isAt(lifted));
  EXPECT_TRUE(waitFor([&](const Json& line) {
    return std::abs(vectorOf(line["poses"]["screw"]).z() - before.z() - 0.026) < 2e-3;
  })) << now()["poses"].dump();
  // Pressed onto the plate it pushes back, and arrows and hand have labels in newtons.
  EXPECT_EQ(now()["panels"], 1) << "the card";
  hand.X_SH = Pose::at(inRoom(grip - Vector3d(0, 0, 0.01)));
  monado_->send();
  EXPECT_TRUE(waitFor([](const Json& line) { return line["panels"].get<int>() > 1; })) << now().dump();
}

TEST_F(VrComfort, SticksTurnSmoothlyTeleportAndMoveTheTable) {
  ASSERT_NO_FATAL_FAILURE(start({scenePath("bolt-in-plate"), "--turn", "smooth"}));
  const Pose room = poseOf(now()["world_in_room"]);
  monado_->hands[kRight].thumbstickX = 1;
  monado_->send();
  ASSERT_TRUE(waitFor([&](const Json& line) {
    const double turned = poseOf(line["world_in_room"]).q.angularDistance(room.q);
    return turned > 0.2 && line["veil"]["rim"].get<double>() > 0.5;
  })) << now().dump();
  monado_->hands[kRight].thumbstickX = 0;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["veil"]["rim"] == 0; }));
  const Pose turned = poseOf(now()["world_in_room"]);

  monado_->hands[kLeft].thumbstickY = -1;
  monado_->send();
  ASSERT_TRUE(
      waitFor([&](const Json& line) { return poseOf(line["world_in_room"]).p.y() < turned.p.y() - 0.02; }));
  monado_->hands[kLeft].thumbstickY = 0;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["veil"]["rim"] == 0; }));
  const Pose lowered = poseOf(now()["world_in_room"]);
  EXPECT_LT(lowered.q.angularDistance(turned.q), 1e-9);

  monado_->hands[kRight].thumbstickY = 1;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return !line["landing"].is_null(); }));
  const Vector3d landing = vectorOf(now()["landing"]), head = vectorOf(now()["head"]);
  // On what is drawn as the ground, which hides the floor below it: 10 mm and a gap below the plate.
  EXPECT_NEAR(landing.y(), (poseOf(now()["world_in_room"]) * Vector3d(0, 0, -0.03)).y(), 1e-3);
  monado_->hands[kRight].thumbstickY = 0;
  monado_->send();
  ASSERT_TRUE(waitFor([&](const Json& line) {
    return line["veil"]["all"] == 0 && (poseOf(line["world_in_room"]).p - lowered.p).norm() > 0.1;
  }));
  // The world comes to the person: by the distance that the person goes, level.
  Vector3d step = landing - head;
  step.y() = 0;
  EXPECT_LT((lowered.p - poseOf(now()["world_in_room"]).p - step).norm(), 1e-3);
}

TEST_F(VrComfort, HandHeldPlaneSectionsTheScene) {
  ASSERT_NO_FATAL_FAILURE(start({scenePath("bolt-in-plate"), "--left-handed"}));
  // The menu is on the right hand now, and the left one points.
  RemoteHand& menu = monado_->hands[kRight];
  menu.b = true;  // the button opens it too
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["menu"]["shown"] == true; })) << program_->said();
  menu.b = false;
  monado_->send();
  const auto pointLeft = [&](double before) {
    const Pose X_SP = poseOf(now()["menu"]["in_room"]);
    monado_->hands[kLeft].X_SH = {
        X_SP.q, vectorOf(now()["menu"]["at"]["section"]) + (before + 0.07) * (X_SP.q * Vector3d::UnitZ())};
    monado_->send();
  };
  EXPECT_TRUE(now()["section"].is_null());
  pointLeft(0.3);
  ASSERT_TRUE(waitFor([](const Json& line) { return handOf(line, kLeft)["tracked"] == true; }));
  monado_->hands[kLeft].a = true;
  for (int k = 0; k < 2 && now()["section"].is_null(); ++k) {
    monado_->hands[kLeft].a = k == 0;
    monado_->send();
    ASSERT_TRUE(waitForPressed(k == 0));
  }
  ASSERT_TRUE(waitFor([](const Json& line) { return !line["section"].is_null(); })) << now()["menu"].dump();
  // Shut the menu: the plane goes through the free right hand's finger.
  menu.b = true;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["menu"]["shown"] == false; }));
  menu.X_SH = Pose::at({0.05, 0.9, -0.4});
  monado_->send();
  ASSERT_TRUE(waitFor([&](const Json& line) {
    if (line["section"].is_null()) return false;
    const Pose X_WS = poseOf(line["world_in_room"]).inverse();
    const Vector3d tip = X_WS * (menu.X_SH * Vector3d(0, 0, -0.07));
    const Vector3d normal = vectorOf(line["section"]["normal"]);
    return std::abs(normal.dot(tip) - line["section"]["offset_m"].get<double>()) < 1e-4 &&
           std::abs(std::abs(normal.dot(X_WS.q * Vector3d::UnitX())) - 1) < 1e-6;
  })) << now().dump();
}

TEST(VrComfortOptions, InvalidValuesAreRejected) {
  for (const auto& [flag, value] :
       {std::pair("--turn", "around"), std::pair("--turn", "200"), std::pair("--scale", "20"),
        std::pair("--resolution", "3"), std::pair("--views", "mono"), std::pair("--resolution", "fast")}) {
    const Outcome outcome = runTenon({"vr", scenePath("bolt-in-plate"), flag, value});
    EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(flag), std::string::npos) << outcome.err;
  }
}

TEST(VrTrainingOptions, PlanThatIsNoneIsOneLineAndExit2) {
  const TemporaryFolder folder;
  std::ofstream(folder / "other.json") << R"({"tenon": 1})";
  std::ofstream(folder / "broken.json") << "{";
  std::ofstream(folder / "plan.json")
      << R"({"tenon_plan": 1, "unit": "mm", "duration_s": 1, "hands": [], "steps": [{"parts": ["gear"]}]})";
  for (const auto& [file, problem] :
       {std::pair("missing.json", "missing.json"), std::pair("other.json", "is not a plan"),
        std::pair("broken.json", "broken.json"), std::pair("plan.json", "/steps/0/parts")}) {
    SCOPED_TRACE(file);
    const Outcome outcome = runTenon({"vr", scenePath("bolt-in-plate"), "--plan", folder / file});
    EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(problem), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace tenon::tests::vr_comfort_test
