// The table of interaction profiles against OpenXR's registry: one input of a wrong name or type would make a
// runtime reject all bindings of its controller.
#include "xr/openxr/interaction_profiles.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

namespace tenon::xr {
namespace {

/// Of a profile the components that the registry lists (xr.xml 1.1.47, and the specification of
/// XR_KHR_generic_controller), without those of no use here: b boolean, f float, v two axes, p pose,
/// h vibration; of the left and right hand alone, and of both.
struct RegistryEntry {
  const char *profile, *extension;
  int coreSince;
  const char *left, *right, *both;
};
constexpr const char *kXy = "b:x/click b:y/click", *kAb = "b:a/click b:b/click",
                     *kStick = " f:trigger/value v:thumbstick p:grip/pose p:aim/pose h:haptic";
const RegistryEntry kRegistry[] = {
    {"khr/simple_controller", "", 0, "", "", "b:select/click b:menu/click p:grip/pose p:aim/pose h:haptic"},
    {"khr/generic_controller", "XR_KHR_generic_controller", 99, "", "",
     "b:primary/click b:secondary/click f:squeeze/value f:trigger/value v:thumbstick p:grip/pose p:aim/pose "
     "h:haptic"},
    {"oculus/touch_controller", "", 0, kXy, kAb, "f:squeeze/value"},
    {"facebook/touch_controller_pro", "XR_FB_touch_controller_pro", 99, kXy, kAb, "f:squeeze/value"},
    {"meta/touch_pro_controller", "", 1, kXy, kAb, "f:squeeze/value"},
    {"meta/touch_controller_plus", "XR_META_touch_controller_plus", 99, kXy, kAb, "f:squeeze/value"},
    {"meta/touch_plus_controller", "", 1, kXy, kAb, "f:squeeze/value"},
    {"bytedance/pico_neo3_controller", "XR_BD_controller_interaction", 1, kXy, kAb,
     "b:menu/click b:squeeze/click f:squeeze/value"},
    {"bytedance/pico4_controller", "XR_BD_controller_interaction", 1, kXy, kAb,
     "b:squeeze/click f:squeeze/value"},
    {"valve/index_controller", "", 0, "", "", "b:a/click b:b/click f:squeeze/value v:trackpad"},
    {"htc/vive_controller", "", 0, "", "",
     "b:squeeze/click b:menu/click f:trigger/value v:trackpad b:trackpad/click p:grip/pose p:aim/pose "
     "h:haptic"},
    {"htc/vive_cosmos_controller", "XR_HTC_vive_cosmos_controller_interaction", 1, kXy, kAb,
     "b:squeeze/click"},
    {"htc/vive_focus3_controller", "XR_HTC_vive_focus3_controller_interaction", 1, kXy, kAb,
     "b:squeeze/click f:squeeze/value"},
    {"microsoft/motion_controller", "", 0, "", "",
     "b:menu/click b:squeeze/click v:trackpad b:trackpad/click"},
    {"hp/mixed_reality_controller", "XR_EXT_hp_mixed_reality_controller", 1, kXy, kAb,
     "b:menu/click f:squeeze/value"},
    {"ext/hand_interaction_ext", "XR_EXT_hand_interaction", 99, "", "",
     "f:pinch_ext/value f:grasp_ext/value f:aim_activate_ext/value p:pinch_ext/pose p:grip/pose p:aim/pose"},
};
const std::set<std::string> kWithoutStick{"khr/simple_controller", "khr/generic_controller",
                                          "htc/vive_controller", "ext/hand_interaction_ext"};

std::map<std::string, char> componentsOf(const RegistryEntry& entry, bool left) {
  std::istringstream in(std::string(left ? entry.left : entry.right) + " " + entry.both +
                        (kWithoutStick.contains(entry.profile) ? "" : kStick));
  std::map<std::string, char> all;
  for (std::string word; in >> word;) all[word.substr(2)] = word[0];
  return all;
}

/// The types of inputs that an action takes; OpenXR converts between boolean and float.
std::string typesOf(HandAction action) {
  return action == HandAction::stick ? "v" : "bf";
}

TEST(InteractionProfiles, BindOnlyInputsOfTheRegistryAndOfTheRightType) {
  std::set<std::string> seen;
  for (const InteractionProfile& profile : interactionProfiles()) {
    const std::string name = std::string(profile.path).substr(std::string("/interaction_profiles/").size());
    SCOPED_TRACE(name);
    const RegistryEntry* entry = nullptr;
    for (const RegistryEntry& one : kRegistry)
      if (one.profile == name) entry = &one;
    ASSERT_NE(entry, nullptr);
    EXPECT_TRUE(seen.insert(name).second) << "twice";
    EXPECT_EQ(std::string(profile.extension == nullptr ? "" : profile.extension), entry->extension);
    EXPECT_EQ(profile.coreSince, entry->coreSince);
    for (const bool left : {true, false}) {
      const std::map<std::string, char> known = componentsOf(*entry, left);
      const auto expectKnown = [&](const InputPair& pair, const std::string& types) {
        const char* const input = left ? pair.left : pair.right;
        if (input == nullptr) return;
        ASSERT_TRUE(known.contains(input)) << input;
        EXPECT_NE(types.find(known.at(input)), std::string::npos) << input;
      };
      for (const HandAction action : kHandActions)
        expectKnown(profile.inputs[static_cast<std::size_t>(action)], typesOf(action));
      expectKnown(profile.secondSqueeze, typesOf(HandAction::squeeze));
      expectKnown({profile.position, profile.position}, "p");
      EXPECT_EQ(profile.haptics, known.contains("haptic"));
      EXPECT_TRUE(known.contains("grip/pose") && known.contains("aim/pose"));
    }
  }
  EXPECT_EQ(seen.size(), std::size(kRegistry));
}

TEST(InteractionProfiles, EveryDeviceGraspsAndAllButBareHandsOpenTheMenu) {
  for (const InteractionProfile& profile : interactionProfiles()) {
    SCOPED_TRACE(profile.path);
    const auto isBound = [&](HandAction action) {
      const InputPair& pair = profile.inputs[static_cast<std::size_t>(action)];
      EXPECT_EQ(pair.left == nullptr, pair.right == nullptr);
      return pair.left != nullptr;
    };
    EXPECT_TRUE(isBound(HandAction::squeeze));
    EXPECT_EQ(isBound(HandAction::menu), profile.origin == HandOrigin::controller);
    EXPECT_TRUE(isBound(HandAction::stick) || !isBound(HandAction::stickPress));
  }
}

}  // namespace
}  // namespace tenon::xr
