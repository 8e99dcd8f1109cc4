// Planes of the room that the runtime does not find, by the lines `planes` and `plane` of fault_list.h.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <string>

namespace tenon::faults {

/// True while there is a line `planes`.
bool givesPlanes();
/// Adds to the chain of properties that planes are found.
void addPlaneAbility(XrSystemProperties& properties);
/// The function of that name of XR_EXT_plane_detection; null: it has none, or there is no line `planes`.
PFN_xrVoidFunction planeFunction(const std::string& name);

}  // namespace tenon::faults
