// A controller that the runtime does not have, by the line `profile` of fault_list.h: the program's own
// bindings for its interaction profile decide what the inputs do that the lines `input` give.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <array>
#include <string>
#include <vector>

namespace tenon::faults {

/// The wanted profile; none: "".
std::string emulatedProfile();

/// Remembers what the program converts and suggests.
void rememberPath(const char* text, XrPath path);
std::string textOf(XrPath path);
void rememberBindings(const XrInteractionProfileSuggestedBinding& bindings);

/// The inputs that the program bound to this action for the emulated profile; `hand`: only those of this user
/// path, XR_NULL_PATH: all.
std::vector<XrPath> sourcesOf(XrAction action, XrPath hand);

/// An action's state by the lines `input`: x and y, of several inputs those of the larger x.
struct EmulatedState {
  bool active = false;  ///< an input is bound
  std::array<float, 2> value{};
};
EmulatedState stateOf(const XrActionStateGetInfo& info);

/// Copies text as OpenXR's calls return it.
XrResult giveText(const std::string& text, std::uint32_t most, std::uint32_t* count, char* to);

}  // namespace tenon::faults
