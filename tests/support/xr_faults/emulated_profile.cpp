// See emulated_profile.h.
#include "tests/support/xr_faults/emulated_profile.h"

#include <cstring>
#include <map>
#include <sstream>

#include "tests/support/xr_faults/fault_list.h"

namespace tenon::faults {

namespace {

std::map<XrPath, std::string> paths;
std::map<std::string, std::vector<XrActionSuggestedBinding>> suggested;  ///< by profile

}  // namespace

std::string emulatedProfile() {
  return valueOf("profile");
}

void rememberPath(const char* text, XrPath path) {
  paths[path] = text;
}

std::string textOf(XrPath path) {
  const auto found = paths.find(path);
  return found == paths.end() ? "" : found->second;
}

void rememberBindings(const XrInteractionProfileSuggestedBinding& bindings) {
  suggested[textOf(bindings.interactionProfile)] = {
      bindings.suggestedBindings, bindings.suggestedBindings + bindings.countSuggestedBindings};
}

std::vector<XrPath> sourcesOf(XrAction action, XrPath hand) {
  std::vector<XrPath> sources;
  for (const XrActionSuggestedBinding& one : suggested[emulatedProfile()])
    if (one.action == action && textOf(one.binding).starts_with(textOf(hand))) sources.push_back(one.binding);
  return sources;
}

EmulatedState stateOf(const XrActionStateGetInfo& info) {
  EmulatedState state;
  for (const XrPath source : sourcesOf(info.action, info.subactionPath)) {
    std::array<float, 2> value{};
    std::istringstream(valueOf("input " + textOf(source))) >> value[0] >> value[1];
    if (!state.active || value[0] > state.value[0]) state.value = value;
    state.active = true;
  }
  return state;
}

XrResult giveText(const std::string& text, std::uint32_t most, std::uint32_t* count, char* to) {
  *count = static_cast<std::uint32_t>(text.size() + 1);
  if (most == 0) return XR_SUCCESS;
  if (most < *count) return XR_ERROR_SIZE_INSUFFICIENT;
  std::memcpy(to, text.c_str(), *count);
  return XR_SUCCESS;
}

}  // namespace tenon::faults
