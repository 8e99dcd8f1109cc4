// The interaction profiles of OpenXR that have bindings, as one table. Without OpenXR's headers.
#pragma once

#include <array>
#include <span>

#include "xr/hands/controller.h"

namespace tenon::xr {

/// The actions of a hand that have bindings, in the columns of the table.
enum class HandAction { squeeze, trigger, stick, stickPress, select, menu };
inline constexpr std::size_t kHandActionCount = 6;
inline constexpr std::array kHandActions{HandAction::squeeze,    HandAction::trigger, HandAction::stick,
                                         HandAction::stickPress, HandAction::select,  HandAction::menu};

/// An input path of the left and of the right hand, relative to /user/hand/SIDE/input/; null: none.
struct InputPair {
  const char* left = nullptr;
  const char* right = nullptr;
};

struct InteractionProfile {
  const char* path;
  const char* extension;  ///< that has the profile; null: none
  int coreSince;          ///< OpenXR 1.N has the profile without an extension; kNeverCore: none has
  HandOrigin origin;      ///< the tracked device
  /// By HandAction. A squeeze may have two inputs: the larger value counts.
  std::array<InputPair, kHandActionCount> inputs;
  InputPair secondSqueeze = {};
  const char* position = nullptr;  ///< pose whose position replaces that of the grip; null: none
  bool haptics = true;
};
inline constexpr int kNeverCore = 99;

/// All profiles. A runtime chooses one of those that it supports for the connected device.
std::span<const InteractionProfile> interactionProfiles();

}  // namespace tenon::xr
