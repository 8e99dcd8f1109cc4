// Models of the controllers that the runtime does not have, by the lines `models`, `model`, `model-at` and
// `node` of fault_list.h. Those of XR_EXT_interaction_render_model are one for each hand, in the frame of its
// grip.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <optional>
#include <string>

namespace tenon::faults {

/// The function of that name of the offered extension; null: it has none.
PFN_xrVoidFunction modelFunction(const std::string& name);
/// Number of models that the program has not destroyed.
int openModels();

/// Models are listed from the first call of xrSyncActions on.
void rememberSync();
/// Remembers the spaces of the grip poses; `hand`: its user path.
void rememberAction(const XrActionCreateInfo& info, XrAction action);
void rememberActionSpace(const XrActionSpaceCreateInfo& info, XrSpace space, const std::string& hand);
/// The space of a grip that a model's space stands beside; none: it is no such space.
std::optional<XrSpace> gripOf(XrSpace space);
/// Moves a located grip to the model.
void moveToModel(XrSpaceLocation& location);

}  // namespace tenon::faults
