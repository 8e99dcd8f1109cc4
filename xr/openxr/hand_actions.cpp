// See hand_actions.h.
#include "xr/openxr/hand_actions.h"

#include <cmath>
#include <cstring>

#include "xr/openxr/xr_values.h"

namespace tenon::xr {

namespace {

/// A button of the left and of the right hand, or null.
struct Button {
  const char *left, *right;
};
constexpr Button kNone{nullptr, nullptr};

/// An interaction profile and its input paths for squeeze, trigger and thumbstick, or null. For a button the
/// runtime reports the value 0 or 1.
struct Profile {
  const char *name, *squeeze, *trigger, *thumbstick;
  Button select, menu;
  const char* extension = nullptr;  ///< required extension
};
constexpr Button kMenu{"menu/click", "menu/click"};
constexpr std::array kProfiles{
    // Its one button grasps parts, and selects while the hand points at the menu.
    Profile{"/interaction_profiles/khr/simple_controller", "select/click", nullptr, nullptr,
            Button{"select/click", "select/click"}, kMenu},
    Profile{"/interaction_profiles/oculus/touch_controller", "squeeze/value", "trigger/value", "thumbstick",
            Button{"x/click", "a/click"}, Button{"y/click", "b/click"}},
    Profile{"/interaction_profiles/valve/index_controller", "squeeze/value", "trigger/value", "thumbstick",
            Button{"a/click", "a/click"}, Button{"b/click", "b/click"}},
    // No thumbstick: its trackpad reacts to a resting thumb.
    Profile{"/interaction_profiles/htc/vive_controller", "squeeze/click", "trigger/value", nullptr, kNone,
            kMenu},
    Profile{"/interaction_profiles/microsoft/motion_controller", "squeeze/click", "trigger/value",
            "thumbstick", kNone, kMenu},
    Profile{"/interaction_profiles/hp/mixed_reality_controller", "squeeze/value", "trigger/value",
            "thumbstick", Button{"x/click", "a/click"}, Button{"y/click", "b/click"},
            XR_EXT_HP_MIXED_REALITY_CONTROLLER_EXTENSION_NAME},
};
constexpr std::array kHands{"/user/hand/left", "/user/hand/right"};

}  // namespace

HandActions::HandActions(const OpenXrSession& session) : session_(session) {
  const XrCalls& xr = session.calls();
  XrActionSetCreateInfo info{};
  info.type = XR_TYPE_ACTION_SET_CREATE_INFO;
  std::strncpy(info.actionSetName, "hands", XR_MAX_ACTION_SET_NAME_SIZE - 1);
  std::strncpy(info.localizedActionSetName, "Hands", XR_MAX_LOCALIZED_ACTION_SET_NAME_SIZE - 1);
  xr.check(xr.CreateActionSet(xr.instance, &info, &set_), "xrCreateActionSet");
  try {
    for (std::size_t k = 0; k < hands_.size(); ++k) hands_[k] = path(kHands[k]);
    grip_ = make("grip", "Hand pose", XR_ACTION_TYPE_POSE_INPUT);
    aim_ = make("aim", "Point", XR_ACTION_TYPE_POSE_INPUT);
    squeeze_ = make("squeeze", "Grasp and hold", XR_ACTION_TYPE_FLOAT_INPUT);
    trigger_ = make("fine", "Fine motion", XR_ACTION_TYPE_FLOAT_INPUT);
    stick_ = make("turn", "Turn", XR_ACTION_TYPE_VECTOR2F_INPUT);
    select_ = make("select", "Select", XR_ACTION_TYPE_BOOLEAN_INPUT);
    menu_ = make("menu", "Menu", XR_ACTION_TYPE_BOOLEAN_INPUT);
    haptics_ = make("touch", "Contact vibration", XR_ACTION_TYPE_VIBRATION_OUTPUT);
    suggestBindings();
    XrSessionActionSetsAttachInfo attach{};
    attach.type = XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO;
    attach.countActionSets = 1;
    attach.actionSets = &set_;
    xr.check(xr.AttachSessionActionSets(session.handle(), &attach), "xrAttachSessionActionSets");
    for (std::size_t k = 0; k < hands_.size(); ++k) {
      spaces_[k] = spaceOf(grip_, k);
      aims_[k] = spaceOf(aim_, k);
    }
  } catch (...) {
    xr.DestroyActionSet(set_);
    throw;
  }
}

HandActions::~HandActions() {
  session_.calls().DestroyActionSet(set_);  // also destroys its actions
}

XrPath HandActions::path(const std::string& text) const {
  XrPath path = XR_NULL_PATH;
  session_.calls().check(session_.calls().StringToPath(session_.calls().instance, text.c_str(), &path),
                         "xrStringToPath");
  return path;
}

XrAction HandActions::make(const char* name, const char* localizedName, XrActionType type) const {
  XrActionCreateInfo info{};
  info.type = XR_TYPE_ACTION_CREATE_INFO;
  info.actionType = type;
  std::strncpy(info.actionName, name, XR_MAX_ACTION_NAME_SIZE - 1);
  std::strncpy(info.localizedActionName, localizedName, XR_MAX_LOCALIZED_ACTION_NAME_SIZE - 1);
  info.countSubactionPaths = static_cast<std::uint32_t>(hands_.size());
  info.subactionPaths = hands_.data();
  XrAction action = XR_NULL_HANDLE;
  session_.calls().check(session_.calls().CreateAction(set_, &info, &action), "xrCreateAction");
  return action;
}

XrSpace HandActions::spaceOf(XrAction action, std::size_t hand) const {
  XrActionSpaceCreateInfo info{};
  info.type = XR_TYPE_ACTION_SPACE_CREATE_INFO;
  info.action = action;
  info.subactionPath = hands_[hand];
  info.poseInActionSpace = poseOf(physics::Pose());
  XrSpace space = XR_NULL_HANDLE;
  session_.calls().check(session_.calls().CreateActionSpace(session_.handle(), &info, &space),
                         "xrCreateActionSpace");
  return space;
}

void HandActions::suggestBindings() const {
  const XrCalls& xr = session_.calls();
  for (const Profile& profile : kProfiles) {
    if (profile.extension != nullptr && !xr.has(profile.extension)) continue;
    std::vector<XrActionSuggestedBinding> bindings;
    for (std::size_t side = 0; side < kHands.size(); ++side) {
      const std::string hand = kHands[side];
      const auto add = [&](XrAction action, const Button& button) {
        const char* const name = side == 0 ? button.left : button.right;
        if (name != nullptr) bindings.push_back({action, path(hand + "/input/" + name)});
      };
      add(select_, profile.select);
      add(menu_, profile.menu);
      bindings.push_back({grip_, path(hand + "/input/grip/pose")});
      bindings.push_back({aim_, path(hand + "/input/aim/pose")});
      bindings.push_back({squeeze_, path(hand + "/input/" + profile.squeeze)});
      if (profile.trigger != nullptr)
        bindings.push_back({trigger_, path(hand + "/input/" + profile.trigger)});
      if (profile.thumbstick != nullptr)
        bindings.push_back({stick_, path(hand + "/input/" + profile.thumbstick)});
      bindings.push_back({haptics_, path(hand + "/output/haptic")});
    }
    XrInteractionProfileSuggestedBinding info{};
    info.type = XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING;
    info.interactionProfile = path(profile.name);
    info.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
    info.suggestedBindings = bindings.data();
    // A runtime that does not support this profile rejects the call; other profiles remain.
    const XrResult result = xr.SuggestInteractionProfileBindings(xr.instance, &info);
    if (XrCalls::isLoss(result)) xr.fail(result, "xrSuggestInteractionProfileBindings");
  }
}

std::array<Controller, 2> HandActions::sample(XrTime time, int& rejected) const {
  const XrCalls& xr = session_.calls();
  const XrActiveActionSet active{set_, XR_NULL_PATH};
  XrActionsSyncInfo info{};
  info.type = XR_TYPE_ACTIONS_SYNC_INFO;
  info.countActiveActionSets = 1;
  info.activeActionSets = &active;
  const XrResult result = xr.SyncActions(session_.handle(), &info);
  xr.check(result, "xrSyncActions");
  if (result == XR_SESSION_NOT_FOCUSED) return {};
  return {sample(0, time, rejected), sample(1, time, rejected)};
}

XrActionStateGetInfo HandActions::stateInfo(XrAction action, std::size_t hand) const {
  XrActionStateGetInfo get{};
  get.type = XR_TYPE_ACTION_STATE_GET_INFO;
  get.action = action;
  get.subactionPath = hands_[hand];
  return get;
}

XrActionStateFloat HandActions::valueOf(XrAction action, std::size_t hand) const {
  const XrActionStateGetInfo get = stateInfo(action, hand);
  XrActionStateFloat state{};
  state.type = XR_TYPE_ACTION_STATE_FLOAT;
  session_.calls().check(session_.calls().GetActionStateFloat(session_.handle(), &get, &state),
                         "xrGetActionStateFloat");
  return state;
}

bool HandActions::isPressed(XrAction action, std::size_t hand) const {
  const XrActionStateGetInfo get = stateInfo(action, hand);
  XrActionStateBoolean state{};
  state.type = XR_TYPE_ACTION_STATE_BOOLEAN;
  session_.calls().check(session_.calls().GetActionStateBoolean(session_.handle(), &get, &state),
                         "xrGetActionStateBoolean");
  return state.isActive == XR_TRUE && state.currentState == XR_TRUE;
}

std::optional<physics::Pose> HandActions::locate(XrSpace space, XrTime time, int& rejected) const {
  XrSpaceLocation location{};
  location.type = XR_TYPE_SPACE_LOCATION;
  session_.calls().check(session_.calls().LocateSpace(space, session_.room(), time, &location),
                         "xrLocateSpace");
  constexpr XrSpaceLocationFlags kRequired = XR_SPACE_LOCATION_ORIENTATION_VALID_BIT |
                                             XR_SPACE_LOCATION_POSITION_VALID_BIT |
                                             XR_SPACE_LOCATION_POSITION_TRACKED_BIT;
  if ((location.locationFlags & kRequired) != kRequired) return std::nullopt;
  const auto X = poseOf(location.pose);
  if (!X) ++rejected;
  return X;
}

Controller HandActions::sample(std::size_t hand, XrTime time, int& rejected) const {
  const XrCalls& xr = session_.calls();
  Controller controller;
  const auto grip = locate(spaces_[hand], time, rejected), aim = locate(aims_[hand], time, rejected);
  controller.tracked = grip.has_value();
  if (grip) controller.X_SH = *grip;
  if (grip && aim) controller.aimDirection = grip->q.conjugate() * (aim->q * -physics::Vector3d::UnitZ());
  const XrActionStateFloat squeeze = valueOf(squeeze_, hand);
  // A controller without a valid squeeze value counts as untracked, not as open.
  const bool isValid = std::isfinite(squeeze.currentState);
  if (!isValid) ++rejected;
  controller.tracked = controller.tracked && squeeze.isActive == XR_TRUE && isValid;
  controller.squeeze = axisOf(squeeze.currentState);
  controller.trigger = axisOf(valueOf(trigger_, hand).currentState);  // 0 if it has none
  const XrActionStateGetInfo get = stateInfo(stick_, hand);
  XrActionStateVector2f stick{};
  stick.type = XR_TYPE_ACTION_STATE_VECTOR2F;
  xr.check(xr.GetActionStateVector2f(session_.handle(), &get, &stick), "xrGetActionStateVector2f");
  controller.thumbstickX = axisOf(stick.currentState.x);
  controller.thumbstickY = axisOf(stick.currentState.y);
  controller.select = isPressed(select_, hand);
  controller.menu = isPressed(menu_, hand);
  return controller;
}

void HandActions::hapticPulse(std::size_t hand, double strength, XrDuration duration) const {
  const XrCalls& xr = session_.calls();
  XrHapticVibration vibration{};
  vibration.type = XR_TYPE_HAPTIC_VIBRATION;
  vibration.amplitude = static_cast<float>(strength);
  vibration.duration = duration;
  vibration.frequency = XR_FREQUENCY_UNSPECIFIED;
  XrHapticActionInfo info{};
  info.type = XR_TYPE_HAPTIC_ACTION_INFO;
  info.action = haptics_;
  info.subactionPath = hands_[hand];
  const XrResult result = xr.ApplyHapticFeedback(session_.handle(), &info,
                                                 reinterpret_cast<const XrHapticBaseHeader*>(&vibration));
  xr.check(result, "xrApplyHapticFeedback");
}

}  // namespace tenon::xr
