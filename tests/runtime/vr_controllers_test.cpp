// Controllers of several makers, and bare hands as the runtime sees them: the API layer stands in for devices
// that Monado's driver does not have.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "tests/runtime/vr_layer_person.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

class VrControllers : public VrLayerPerson {
 protected:
  /// What the person sees turned by so much about the vertical axis since `X_SW` [°].
  double turnedSince(const Pose& before) {
    const Quaterniond turn = X_SW().q * before.q.conjugate();
    return std::abs(physics::logarithm(turn).y()) * 180 / std::numbers::pi;
  }
  std::string emulate(const std::string& profile, const std::string& inputs) const {
    return "profile /interaction_profiles/" + profile + "\n" + inputs;
  }
};

TEST_F(VrControllers, InstanceIsOfVersion11AndOf10WhereThatIsAllThereIs) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  EXPECT_EQ(timesSaid("(OpenXR 1.1)"), 1) << said();
  EXPECT_EQ(stop(), 130) << said();
  std::filesystem::remove(folder_ / "trace.jsonl");
  // The second instance is the session's, the first one's that looks for a headset.
  wish(fault("fail", "CreateInstance", XR_ERROR_API_VERSION_UNSUPPORTED) + " 1\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  EXPECT_EQ(timesSaid("(OpenXR 1.0)"), 1) << said();
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  EXPECT_EQ(stop(), 130) << said();
}

TEST_F(VrControllers, RuntimeAcceptsTheBindingsOfAllProfilesThatItHas) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  EXPECT_EQ(stop(), 130) << said();
  std::set<std::string> accepted;
  for (const std::string& line : noted("suggest ")) {
    std::istringstream in(line);
    std::string word, profile;
    int result = -1;
    in >> word >> profile >> result;
    if (result == XR_SUCCESS) accepted.insert(profile.substr(std::string("/interaction_profiles/").size()));
  }
  // What Monado 25 offers; it has neither Khronos' generic controller nor the names of OpenXR 1.1.
  for (const char* const name :
       {"khr/simple_controller", "oculus/touch_controller", "valve/index_controller", "htc/vive_controller",
        "microsoft/motion_controller", "facebook/touch_controller_pro", "meta/touch_controller_plus",
        "bytedance/pico_neo3_controller", "bytedance/pico4_controller", "htc/vive_cosmos_controller",
        "htc/vive_focus3_controller", "hp/mixed_reality_controller", "ext/hand_interaction_ext"})
    EXPECT_TRUE(accepted.contains(name)) << name;
}

TEST_F(VrControllers, NamesOfTheControlsComeFromTheRuntime) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["profile"] != ""; })) << said();
  EXPECT_NE(handNow(kRight)["device"], "") << handNow(kRight);
  EXPECT_NE(handNow(kRight)["inputs"][0], "") << handNow(kRight);
}

TEST_F(VrControllers, NamesChangeWithTheController) {
  wish(emulate("oculus/touch_controller", ""));
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) {
    return hand["device"] == "oculus/touch_controller";
  })) << said();
  const Json touch{"squeeze/value", "trigger/value", "thumbstick", "", "a/click", "b/click"};
  EXPECT_EQ(handNow(kRight)["inputs"], touch);
  EXPECT_EQ(handNow(kLeft)["inputs"][4], "x/click");
  wish(emulate("htc/vive_controller", "event 103\n"));
  ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["device"] == "htc/vive_controller"; }))
      << said();
  const Json wand{"squeeze/click", "trigger/value", "trackpad", "trackpad/click", "", "menu/click"};
  EXPECT_EQ(handNow(kRight)["inputs"], wand);
}

TEST_F(VrControllers, TrackpadTurnsAndTeleportsWhileItIsPressed) {
  const std::string pad = "input /user/hand/right/input/trackpad", press = pad + "/click 1\n";
  wish(emulate("htc/vive_controller", pad + " 0.9 0\n"));
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  const Pose start = X_SW();
  ASSERT_TRUE(waitSeconds(0.3)) << said();
  EXPECT_LT(turnedSince(start), 0.01) << "by a thumb that rests on it";
  wish(emulate("htc/vive_controller", pad + " 0.9 0\n" + press));
  ASSERT_TRUE(waitFor([&](const Json&) { return turnedSince(start) > 29; })) << said();
  ASSERT_TRUE(waitSeconds(0.3)) << said();
  EXPECT_NEAR(turnedSince(start), 30, 0.01) << "once a press";
  wish(emulate("htc/vive_controller", pad + " 0 0.9\n"));
  ASSERT_TRUE(waitSeconds(0.2)) << said();
  EXPECT_TRUE(now()["landing"].is_null());
  monado_->hands[kRight].X_SH.p = {0.35, 1.35, -0.2};  // above the drawn ground
  monado_->hands[kRight].X_SH.q = Quaterniond(Eigen::AngleAxisd(-0.9, Vector3d::UnitX()));
  monado_->send();
  wish(emulate("htc/vive_controller", pad + " 0 0.9\n" + press));
  ASSERT_TRUE(waitFor([](const Json& line) { return !line["landing"].is_null(); })) << said();
  const Pose before = X_SW();
  wish(emulate("htc/vive_controller", ""));
  EXPECT_TRUE(waitFor([&](const Json&) { return (X_SW().p - before.p).norm() > 0.1; })) << said();
}

TEST_F(VrControllers, PinchAndGraspOfTheRuntimeHoldParts) {
  const std::string hand = "input /user/hand/right/input/";
  wish(emulate("ext/hand_interaction_ext", ""));
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitForHand(kRight, [](const Json& one) { return one["bare"] == true; })) << said();
  ASSERT_TRUE(moveHand(kRight, Pose::at({-0.028, 0, 0.004}))) << said();
  for (const char* const input : {"pinch_ext/value", "grasp_ext/value"}) {
    SCOPED_TRACE(input);
    wish(emulate("ext/hand_interaction_ext", hand + input + " 0.9\n"));
    ASSERT_TRUE(waitForHand(kRight, [](const Json& one) { return one["holds"] == "screw"; })) << said();
    wish(emulate("ext/hand_interaction_ext", ""));
    ASSERT_TRUE(waitForHand(kRight, [](const Json& one) { return one["holds"].is_null(); })) << said();
  }
}

}  // namespace
}  // namespace tenon::tests
