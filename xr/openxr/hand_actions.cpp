// See hand_actions.h.
#include "xr/openxr/hand_actions.h"

#include <cmath>
#include <cstring>

#include "xr/openxr/xr_values.h"

namespace tenon::xr {

HandActions::HandActions(const OpenXrSession& session) : session_(session) {
  const XrCalls& xr = session.calls();
  try {
    for (std::size_t k = 0; k < hands_.size(); ++k) hands_[k] = pathOf(xr, kHandPaths[k]);
    makeActions();
    suggestBindings(xr, actions_);
    attach();
    for (std::size_t k = 0; k < hands_.size(); ++k)
      spaces_[k] = {spaceOf(actions_.grip, k), spaceOf(actions_.aim, k), spaceOf(actions_.palm, k),
                    spaceOf(actions_.position, k)};
  } catch (...) {
    destroy();
    throw;
  }
}

HandActions::~HandActions() {
  destroy();
}

/// Also destroys the actions of the sets.
void HandActions::destroy() {
  for (const XrActionSet set : sets_)
    if (set != XR_NULL_HANDLE) session_.calls().DestroyActionSet(set);
}

XrActionSet HandActions::makeSet(const char* name, const char* localizedName) const {
  XrActionSetCreateInfo info{};
  info.type = XR_TYPE_ACTION_SET_CREATE_INFO;
  std::strncpy(info.actionSetName, name, XR_MAX_ACTION_SET_NAME_SIZE - 1);
  std::strncpy(info.localizedActionSetName, localizedName, XR_MAX_LOCALIZED_ACTION_SET_NAME_SIZE - 1);
  XrActionSet set = XR_NULL_HANDLE;
  session_.calls().check(session_.calls().CreateActionSet(session_.calls().instance, &info, &set),
                         "xrCreateActionSet");
  return set;
}

XrAction HandActions::make(XrActionSet set, const char* name, const char* localizedName,
                           XrActionType type) const {
  XrActionCreateInfo info{};
  info.type = XR_TYPE_ACTION_CREATE_INFO;
  info.actionType = type;
  std::strncpy(info.actionName, name, XR_MAX_ACTION_NAME_SIZE - 1);
  std::strncpy(info.localizedActionName, localizedName, XR_MAX_LOCALIZED_ACTION_NAME_SIZE - 1);
  info.countSubactionPaths = static_cast<std::uint32_t>(hands_.size());
  info.subactionPaths = hands_.data();
  XrAction action = XR_NULL_HANDLE;
  session_.calls().check(session_.calls().CreateAction(set, &info, &action), "xrCreateAction");
  return action;
}

/// The names are shown by the runtime where it lets the user change bindings.
void HandActions::makeActions() {
  auto& [hands, travel, menu] = sets_;
  hands = makeSet("hands", "Hands");
  travel = makeSet("travel", "Moving around");
  menu = makeSet("menu", "Menu");
  actions_.grip = make(hands, "grip", "Hand pose", XR_ACTION_TYPE_POSE_INPUT);
  actions_.aim = make(hands, "aim", "Point", XR_ACTION_TYPE_POSE_INPUT);
  actions_.palm = make(hands, "palm", "Palm pose", XR_ACTION_TYPE_POSE_INPUT);
  actions_.position = make(hands, "pinch", "Pinch position", XR_ACTION_TYPE_POSE_INPUT);
  actions_.haptics = make(hands, "touch", "Contact vibration", XR_ACTION_TYPE_VIBRATION_OUTPUT);
  actions_.inputs = {
      make(hands, "squeeze", "Grasp and hold", XR_ACTION_TYPE_FLOAT_INPUT),
      make(hands, "fine", "Fine motion", XR_ACTION_TYPE_FLOAT_INPUT),
      make(travel, "turn", "Turn and teleport", XR_ACTION_TYPE_VECTOR2F_INPUT),
      make(travel, "turn-press", "Press to turn and teleport", XR_ACTION_TYPE_BOOLEAN_INPUT),
      make(menu, "select", "Select", XR_ACTION_TYPE_BOOLEAN_INPUT),
      make(menu, "menu", "Menu", XR_ACTION_TYPE_BOOLEAN_INPUT),
  };
}

void HandActions::attach() {
  XrSessionActionSetsAttachInfo info{};
  info.type = XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO;
  info.countActionSets = static_cast<std::uint32_t>(sets_.size());
  info.actionSets = sets_.data();
  session_.calls().check(session_.calls().AttachSessionActionSets(session_.handle(), &info),
                         "xrAttachSessionActionSets");
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

void HandActions::updateControls() {
  for (std::size_t k = 0; k < hands_.size(); ++k) {
    controls_[k] = boundControls(session_.calls(), session_.handle(), actions_, k);
    origins_[k] = HandOrigin::controller;
    for (const InteractionProfile& profile : interactionProfiles())
      if (controls_[k].profile == profile.path) origins_[k] = profile.origin;
  }
}

std::array<Controller, 2> HandActions::sample(XrTime time, int& rejected) const {
  const XrCalls& xr = session_.calls();
  std::array<XrActiveActionSet, 3> active{};
  for (std::size_t k = 0; k < sets_.size(); ++k) active[k] = {sets_[k], XR_NULL_PATH};
  XrActionsSyncInfo info{};
  info.type = XR_TYPE_ACTIONS_SYNC_INFO;
  info.countActiveActionSets = static_cast<std::uint32_t>(active.size());
  info.activeActionSets = active.data();
  const XrResult result = xr.SyncActions(session_.handle(), &info);
  xr.check(result, "xrSyncActions");
  if (result == XR_SESSION_NOT_FOCUSED) return {};
  return {sample(0, time, rejected), sample(1, time, rejected)};
}

XrActionStateGetInfo HandActions::stateInfo(HandAction action, std::size_t hand) const {
  XrActionStateGetInfo get{};
  get.type = XR_TYPE_ACTION_STATE_GET_INFO;
  get.action = actions_.of(action);
  get.subactionPath = hands_[hand];
  return get;
}

XrActionStateFloat HandActions::valueOf(HandAction action, std::size_t hand) const {
  const XrActionStateGetInfo get = stateInfo(action, hand);
  XrActionStateFloat state{};
  state.type = XR_TYPE_ACTION_STATE_FLOAT;
  session_.calls().check(session_.calls().GetActionStateFloat(session_.handle(), &get, &state),
                         "xrGetActionStateFloat");
  return state;
}

XrActionStateBoolean HandActions::buttonOf(HandAction action, std::size_t hand) const {
  const XrActionStateGetInfo get = stateInfo(action, hand);
  XrActionStateBoolean state{};
  state.type = XR_TYPE_ACTION_STATE_BOOLEAN;
  session_.calls().check(session_.calls().GetActionStateBoolean(session_.handle(), &get, &state),
                         "xrGetActionStateBoolean");
  return state;
}

bool HandActions::isPressed(HandAction action, std::size_t hand) const {
  const XrActionStateBoolean state = buttonOf(action, hand);
  return state.isActive == XR_TRUE && state.currentState == XR_TRUE;
}

std::optional<physics::Pose> HandActions::locate(XrSpace space, XrTime time, int& rejected) const {
  XrSpaceLocation location{};
  location.type = XR_TYPE_SPACE_LOCATION;
  session_.calls().check(session_.calls().LocateSpace(space, session_.room(), time, &location),
                         "xrLocateSpace");
  if (!isTracked(location)) return std::nullopt;
  const auto X = poseOf(location.pose);
  if (!X) ++rejected;
  return X;
}

void HandActions::locatePoses(std::size_t hand, XrTime time, Controller& controller, int& rejected) const {
  const Spaces& spaces = spaces_[hand];
  const auto grip = locate(spaces.grip, time, rejected), aim = locate(spaces.aim, time, rejected),
             palm = locate(spaces.palm, time, rejected);
  controller.tracked = grip.has_value();
  if (!grip) return;
  controller.X_SH = *grip;
  const physics::Quaterniond q_HS = grip->q.conjugate();
  if (aim) controller.aimDirection = q_HS * (aim->q * -physics::Vector3d::UnitZ());
  // +x points out of the left palm and out of the back of the right hand.
  if (palm) controller.palmNormal = q_HS * (palm->q * physics::Vector3d(hand == 0 ? 1 : -1, 0, 0));
  if (const auto position = locate(spaces.position, time, rejected)) controller.X_SH.p = position->p;
}

Controller HandActions::sample(std::size_t hand, XrTime time, int& rejected) const {
  const XrCalls& xr = session_.calls();
  Controller controller;
  controller.origin = origins_[hand];
  locatePoses(hand, time, controller, rejected);
  const XrActionStateFloat squeeze = valueOf(HandAction::squeeze, hand);
  // A controller without a valid squeeze value counts as untracked, not as open.
  const bool isValid = std::isfinite(squeeze.currentState);
  if (!isValid) ++rejected;
  controller.tracked = controller.tracked && squeeze.isActive == XR_TRUE && isValid;
  controller.squeeze = axisOf(squeeze.currentState);
  controller.trigger = axisOf(valueOf(HandAction::trigger, hand).currentState);  // 0 if it has none
  const XrActionStateGetInfo get = stateInfo(HandAction::stick, hand);
  XrActionStateVector2f stick{};
  stick.type = XR_TYPE_ACTION_STATE_VECTOR2F;
  xr.check(xr.GetActionStateVector2f(session_.handle(), &get, &stick), "xrGetActionStateVector2f");
  const XrActionStateBoolean press = buttonOf(HandAction::stickPress, hand);
  if (press.isActive != XR_TRUE || press.currentState == XR_TRUE) {
    controller.thumbstickX = axisOf(stick.currentState.x);
    controller.thumbstickY = axisOf(stick.currentState.y);
  }
  controller.select = isPressed(HandAction::select, hand);
  controller.menu = isPressed(HandAction::menu, hand);
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
  info.action = actions_.haptics;
  info.subactionPath = hands_[hand];
  const XrResult result = xr.ApplyHapticFeedback(session_.handle(), &info,
                                                 reinterpret_cast<const XrHapticBaseHeader*>(&vibration));
  xr.check(result, "xrApplyHapticFeedback");
}

}  // namespace tenon::xr
