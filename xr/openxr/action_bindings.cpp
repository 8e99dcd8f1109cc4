// See action_bindings.h.
#include "xr/openxr/action_bindings.h"

#include <algorithm>
#include <optional>

namespace tenon::xr {

namespace {

/// The path of the palm's pose after /user/hand/SIDE, or null.
const char* palmPath(const XrCalls& xr) {
  if (xr.version >= kOpenXr11 || xr.has(kMaintenance1Extension)) return "/input/grip_surface/pose";
  return xr.has(kPalmPoseExtension) ? "/input/palm_ext/pose" : nullptr;
}

bool isAvailable(const InteractionProfile& profile, const XrCalls& xr) {
  if (profile.extension != nullptr && xr.has(profile.extension)) return true;
  return static_cast<int>(XR_VERSION_MINOR(xr.version)) >= profile.coreSince;
}

std::vector<XrActionSuggestedBinding> bindingsOf(const XrCalls& xr, const InteractionProfile& profile,
                                                 const HandActionHandles& actions, const char* palm) {
  std::vector<XrActionSuggestedBinding> bindings;
  for (std::size_t side = 0; side < kHandPaths.size(); ++side) {
    const std::string hand = kHandPaths[side], input = hand + "/input/";
    const auto addInput = [&](XrAction action, const InputPair& pair) {
      const char* const name = side == 0 ? pair.left : pair.right;
      if (name != nullptr) bindings.push_back({action, pathOf(xr, input + name)});
    };
    for (const HandAction action : kHandActions)
      addInput(actions.of(action), profile.inputs[static_cast<std::size_t>(action)]);
    addInput(actions.of(HandAction::squeeze), profile.secondSqueeze);
    bindings.push_back({actions.grip, pathOf(xr, input + "grip/pose")});
    bindings.push_back({actions.aim, pathOf(xr, input + "aim/pose")});
    if (profile.position != nullptr)
      bindings.push_back({actions.position, pathOf(xr, input + profile.position)});
    if (palm != nullptr) bindings.push_back({actions.palm, pathOf(xr, hand + palm)});
    if (profile.haptics) bindings.push_back({actions.haptics, pathOf(xr, hand + "/output/haptic")});
  }
  return bindings;
}

XrResult suggest(const XrCalls& xr, const InteractionProfile& profile, const HandActionHandles& actions,
                 const char* palm) {
  const std::vector<XrActionSuggestedBinding> bindings = bindingsOf(xr, profile, actions, palm);
  XrInteractionProfileSuggestedBinding info{};
  info.type = XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING;
  info.interactionProfile = pathOf(xr, profile.path);
  info.countSuggestedBindings = static_cast<std::uint32_t>(bindings.size());
  info.suggestedBindings = bindings.data();
  const XrResult result = xr.SuggestInteractionProfileBindings(xr.instance, &info);
  if (XrCalls::isLoss(result)) xr.fail(result, "xrSuggestInteractionProfileBindings");
  return result;
}

/// Calls a function that writes text, twice: for its size and for the text with its terminating zero.
template <class Write>
std::string textOf(const XrCalls& xr, const char* call, const Write& write) {
  const std::vector<char> text = enumerated(xr, call, '\0', write);
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

std::string textOf(const XrCalls& xr, XrPath path) {
  if (path == XR_NULL_PATH) return "";
  return textOf(xr, "xrPathToString", [&](std::uint32_t capacity, std::uint32_t* count, char* text) {
    return xr.PathToString(xr.instance, path, capacity, count, text);
  });
}

std::string localizedName(const XrCalls& xr, XrSession session, XrPath source,
                          XrInputSourceLocalizedNameFlags components) {
  XrInputSourceLocalizedNameGetInfo info{};
  info.type = XR_TYPE_INPUT_SOURCE_LOCALIZED_NAME_GET_INFO;
  info.sourcePath = source;
  info.whichComponents = components;
  return textOf(xr, "xrGetInputSourceLocalizedName",
                [&](std::uint32_t capacity, std::uint32_t* count, char* text) {
                  return xr.GetInputSourceLocalizedName(session, &info, capacity, count, text);
                });
}

/// The inputs of this hand that are bound to an action.
std::vector<XrPath> boundSources(const XrCalls& xr, XrSession session, XrAction action, std::size_t hand) {
  XrBoundSourcesForActionEnumerateInfo info{};
  info.type = XR_TYPE_BOUND_SOURCES_FOR_ACTION_ENUMERATE_INFO;
  info.action = action;
  std::vector<XrPath> sources =
      enumerated(xr, "xrEnumerateBoundSourcesForAction", XrPath(XR_NULL_PATH),
                 [&](std::uint32_t capacity, std::uint32_t* count, XrPath* found) {
                   return xr.EnumerateBoundSourcesForAction(session, &info, capacity, count, found);
                 });
  std::erase_if(sources, [&](XrPath source) { return !textOf(xr, source).starts_with(kHandPaths[hand]); });
  return sources;
}

}  // namespace

XrPath pathOf(const XrCalls& xr, const std::string& text) {
  XrPath path = XR_NULL_PATH;
  xr.check(xr.StringToPath(xr.instance, text.c_str(), &path), "xrStringToPath");
  return path;
}

void suggestBindings(const XrCalls& xr, const HandActionHandles& actions) {
  const char* const palm = palmPath(xr);
  for (const InteractionProfile& profile : interactionProfiles()) {
    if (!isAvailable(profile, xr)) continue;
    // Profiles of some extensions lack the palm's pose.
    if (XR_FAILED(suggest(xr, profile, actions, palm)) && palm != nullptr)
      suggest(xr, profile, actions, nullptr);
  }
}

ControlNames boundControls(const XrCalls& xr, XrSession session, const HandActionHandles& actions,
                           std::size_t hand) {
  ControlNames names;
  XrInteractionProfileState state{};
  state.type = XR_TYPE_INTERACTION_PROFILE_STATE;
  xr.check(xr.GetCurrentInteractionProfile(session, pathOf(xr, kHandPaths[hand]), &state),
           "xrGetCurrentInteractionProfile");
  names.profile = textOf(xr, state.interactionProfile);
  for (const HandAction action : kHandActions) {
    std::string& name = names.inputs[static_cast<std::size_t>(action)];
    for (const XrPath source : boundSources(xr, session, actions.of(action), hand)) {
      const std::string input =
          localizedName(xr, session, source, XR_INPUT_SOURCE_LOCALIZED_NAME_COMPONENT_BIT);
      name += (name.empty() ? "" : " / ") + input;
      if (names.device.empty())
        names.device =
            localizedName(xr, session, source, XR_INPUT_SOURCE_LOCALIZED_NAME_INTERACTION_PROFILE_BIT);
    }
  }
  return names;
}

}  // namespace tenon::xr
