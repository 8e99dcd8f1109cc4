// Paths and versions as in OpenXR's registry (xr.xml, 1.1.47) and in XR_KHR_generic_controller.
#include "xr/openxr/interaction_profiles.h"

namespace tenon::xr {

namespace {

constexpr InputPair both(const char* input) {
  return {input, input};
}

constexpr InputPair kNoInput, kMenu = both("menu/click"), kLowerButtons{"x/click", "a/click"},
                              kUpperButtons{"y/click", "b/click"};
constexpr auto kController = HandOrigin::controller;

/// A grip with a value, a trigger, a thumbstick and two buttons, as of most controllers.
constexpr std::array kTouch{both("squeeze/value"), both("trigger/value"), both("thumbstick"), kNoInput,
                            kLowerButtons,         kUpperButtons};

// Columns of the inputs: squeeze, trigger, stick, press of the stick, select, menu.
constexpr std::array kProfiles{
    // Its one button grasps parts, and selects while the hand points at the menu.
    InteractionProfile{"/interaction_profiles/khr/simple_controller",
                       nullptr,
                       0,
                       kController,
                       {both("select/click"), kNoInput, kNoInput, kNoInput, both("select/click"), kMenu}},
    InteractionProfile{"/interaction_profiles/khr/generic_controller",
                       "XR_KHR_generic_controller",
                       kNeverCore,
                       kController,
                       {both("squeeze/value"), both("trigger/value"), both("thumbstick"), kNoInput,
                        both("primary/click"), both("secondary/click")}},
    InteractionProfile{"/interaction_profiles/oculus/touch_controller", nullptr, 0, kController, kTouch},
    // The controllers of Meta have other names since OpenXR 1.1.
    InteractionProfile{"/interaction_profiles/facebook/touch_controller_pro", "XR_FB_touch_controller_pro",
                       kNeverCore, kController, kTouch},
    InteractionProfile{"/interaction_profiles/meta/touch_pro_controller", nullptr, 1, kController, kTouch},
    InteractionProfile{"/interaction_profiles/meta/touch_controller_plus", "XR_META_touch_controller_plus",
                       kNeverCore, kController, kTouch},
    InteractionProfile{"/interaction_profiles/meta/touch_plus_controller", nullptr, 1, kController, kTouch},
    InteractionProfile{"/interaction_profiles/bytedance/pico_neo3_controller", "XR_BD_controller_interaction",
                       1, kController, kTouch},
    InteractionProfile{"/interaction_profiles/bytedance/pico4_controller", "XR_BD_controller_interaction", 1,
                       kController, kTouch},
    InteractionProfile{"/interaction_profiles/valve/index_controller",
                       nullptr,
                       0,
                       kController,
                       {both("squeeze/value"), both("trigger/value"), both("thumbstick"), kNoInput,
                        both("a/click"), both("b/click")}},
    // A thumb may rest on the trackpad: it counts while it is pressed.
    InteractionProfile{"/interaction_profiles/htc/vive_controller",
                       nullptr,
                       0,
                       kController,
                       {both("squeeze/click"), both("trigger/value"), both("trackpad"),
                        both("trackpad/click"), kNoInput, kMenu}},
    InteractionProfile{"/interaction_profiles/htc/vive_cosmos_controller",
                       "XR_HTC_vive_cosmos_controller_interaction",
                       1,
                       kController,
                       {both("squeeze/click"), both("trigger/value"), both("thumbstick"), kNoInput,
                        kLowerButtons, kUpperButtons}},
    InteractionProfile{"/interaction_profiles/htc/vive_focus3_controller",
                       "XR_HTC_vive_focus3_controller_interaction", 1, kController, kTouch},
    InteractionProfile{
        "/interaction_profiles/microsoft/motion_controller",
        nullptr,
        0,
        kController,
        {both("squeeze/click"), both("trigger/value"), both("thumbstick"), kNoInput, kNoInput, kMenu}},
    InteractionProfile{"/interaction_profiles/hp/mixed_reality_controller",
                       "XR_EXT_hp_mixed_reality_controller", 1, kController, kTouch},
    // A bare hand holds parts where thumb and index finger meet.
    InteractionProfile{.path = "/interaction_profiles/ext/hand_interaction_ext",
                       .extension = "XR_EXT_hand_interaction",
                       .coreSince = kNeverCore,
                       .origin = HandOrigin::bareHand,
                       .inputs = {both("grasp_ext/value"), kNoInput, kNoInput, kNoInput,
                                  both("aim_activate_ext/value"), kNoInput},
                       .secondSqueeze = both("pinch_ext/value"),
                       .position = "pinch_ext/pose",
                       .haptics = false},
};

}  // namespace

std::span<const InteractionProfile> interactionProfiles() {
  return kProfiles;
}

}  // namespace tenon::xr
