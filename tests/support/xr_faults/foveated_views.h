// A foveated inset for each eye, which the runtime does not have, by the lines `inset` and `gaze` of
// fault_list.h. The runtime gets the two views of the eyes.
#pragma once

#define XR_NO_PROTOTYPES 1
#include <openxr/openxr.h>

#include <cstdint>
#include <vector>

namespace tenon::faults {

constexpr auto kFoveatedViews = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_QUAD_VARJO;

/// True while there is a line `inset`.
bool offersInset();
/// The runtime's configurations with the foveated one, in the wanted order.
std::vector<XrViewConfigurationType> withFoveated(std::vector<XrViewConfigurationType> all);
/// The type that the runtime has in the place of `type`.
XrViewConfigurationType knownTo(XrViewConfigurationType type);
/// How many views are reported for it.
std::uint32_t foveatedViewCount();
/// Sets the sizes of insets by the views of the eyes before them; `views`: four.
void setInsetSizes(XrViewConfigurationView* views);
/// Locates the insets by the located eyes before them; `views`: four.
void locateInsets(const XrViewLocateInfo& info, XrView* views);
/// Adds to the chain of properties whether insets follow the gaze.
void addGazeAbility(XrSystemProperties& properties);
/// The gaze's location by the lines.
void locateGaze(XrSpaceLocation& location);
/// What breaks the rules in a layer of a session with insets; "": nothing.
const char* faultOf(const XrCompositionLayerProjection& layer);

}  // namespace tenon::faults
