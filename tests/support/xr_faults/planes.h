// Planes of the room that the runtime does not find, by the lines `planes` and `plane` of fault_list.h.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <vector>

#include "xr/openxr/later_names.h"

namespace tenon::faults {

/// True while there is a line `planes`.
bool givesPlanes();
/// The state of a search now.
XrPlaneDetectionStateEXT planesState();
std::vector<XrPlaneDetectorLocationEXT> wantedPlanes();

/// What breaks the rules in the parameters of a search; "": nothing.
const char* faultOf(const XrPlaneDetectorBeginInfoEXT& begin);
/// Copies the planes as OpenXR's calls return arrays.
XrResult givePlanes(XrPlaneDetectorLocationsEXT& to);
/// Adds to the chain of properties that planes are found.
void addPlaneAbility(XrSystemProperties& properties);

}  // namespace tenon::faults
