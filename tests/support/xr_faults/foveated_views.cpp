// See foveated_views.h.
#include "tests/support/xr_faults/foveated_views.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

#include "tests/support/xr_faults/fault_list.h"

namespace tenon::faults {

namespace {

/// A line `inset` or `gaze`, without its first word.
struct Inset {
  std::uint32_t width = 0, height = 0;          ///< recommended [pixels]
  float left = 0, right = 0, down = 0, up = 0;  ///< tangents
  bool isKnown() const { return width > 0; }
};

Inset insetOf(std::istream& in) {
  Inset inset;
  in >> inset.width >> inset.height >> inset.left >> inset.right >> inset.down >> inset.up;
  return inset;
}

Inset fixedInset() {
  std::istringstream in(valueOf("inset"));
  std::string order;
  in >> order;
  return insetOf(in);
}

Inset gazeInset() {
  std::istringstream in(valueOf("gaze"));
  return insetOf(in);
}

template <class Extension>
const Extension* extensionOf(const void* chain, XrStructureType type) {
  for (auto* next = static_cast<const XrBaseInStructure*>(chain); next != nullptr; next = next->next)
    if (next->type == type) return reinterpret_cast<const Extension*>(next);
  return nullptr;
}

}  // namespace

bool offersInset() {
  return fixedInset().isKnown();
}

std::vector<XrViewConfigurationType> withFoveated(std::vector<XrViewConfigurationType> all) {
  const bool first = valueOf("inset").starts_with("first");
  all.insert(first ? all.begin() : all.end(), kFoveatedViews);
  return all;
}

XrViewConfigurationType knownTo(XrViewConfigurationType type) {
  return type == kFoveatedViews ? XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO : type;
}

std::uint32_t foveatedViewCount() {
  const std::string count = valueOf("views");
  return count.empty() ? 4U : static_cast<std::uint32_t>(std::stoul(count));
}

void setInsetSizes(XrViewConfigurationView* views) {
  for (int k = 2; k < 4; ++k) {
    const auto* const gaze = extensionOf<XrFoveatedViewConfigurationViewVARJO>(
        views[k].next, XR_TYPE_FOVEATED_VIEW_CONFIGURATION_VIEW_VARJO);
    const bool follows = gaze != nullptr && gaze->foveatedRenderingActive == XR_TRUE;
    const Inset inset = follows ? gazeInset() : fixedInset();
    views[k].recommendedImageRectWidth = inset.width;
    views[k].recommendedImageRectHeight = inset.height;
    views[k].maxImageRectWidth = std::max(views[k - 2].maxImageRectWidth, inset.width);
    views[k].maxImageRectHeight = std::max(views[k - 2].maxImageRectHeight, inset.height);
    views[k].recommendedSwapchainSampleCount = views[k].maxSwapchainSampleCount = 1;
  }
}

void locateInsets(const XrViewLocateInfo& info, XrView* views) {
  const auto* const gaze = extensionOf<XrViewLocateFoveatedRenderingVARJO>(
      info.next, XR_TYPE_VIEW_LOCATE_FOVEATED_RENDERING_VARJO);
  const bool follows = gaze != nullptr && gaze->foveatedRenderingActive == XR_TRUE;
  const Inset inset = follows ? gazeInset() : fixedInset();
  for (int k = 2; k < 4; ++k) {
    views[k].pose = views[k - 2].pose;
    views[k].fov = {std::atan(inset.left), std::atan(inset.right), std::atan(inset.up),
                    std::atan(inset.down)};
    if (holds("spoil inset nan")) views[k].fov.angleLeft = std::numeric_limits<float>::quiet_NaN();
    if (holds("spoil inset zero")) views[k].fov = {0, 0, 0, 0};
  }
}

void addGazeAbility(XrSystemProperties& properties) {
  for (auto* next = static_cast<XrBaseOutStructure*>(properties.next); next != nullptr; next = next->next)
    if (next->type == XR_TYPE_SYSTEM_FOVEATED_RENDERING_PROPERTIES_VARJO)
      reinterpret_cast<XrSystemFoveatedRenderingPropertiesVARJO*>(next)->supportsFoveatedRendering =
          gazeInset().isKnown() ? XR_TRUE : XR_FALSE;
}

void locateGaze(XrSpaceLocation& location) {
  location.locationFlags =
      gazeInset().isKnown() && !holds("gazeless")
          ? XR_SPACE_LOCATION_ORIENTATION_VALID_BIT | XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT
          : 0;
  location.pose = {{0, 0, 0, 1}, {0, 0, 0}};
}

const char* faultOf(const XrCompositionLayerProjection& layer) {
  if (layer.viewCount != 4) return "a layer without insets";
  for (int k = 2; k < 4; ++k) {
    const XrCompositionLayerProjectionView &inset = layer.views[k], &eye = layer.views[k - 2];
    if (std::memcmp(&inset.pose, &eye.pose, sizeof eye.pose) != 0) return "an inset at another place";
    const bool isWithin =
        inset.fov.angleLeft >= eye.fov.angleLeft && inset.fov.angleRight <= eye.fov.angleRight;
    if (!isWithin)  // or its field of view is not finite
      return "an inset beyond its eye";
    if (inset.subImage.swapchain == eye.subImage.swapchain) return "an inset in the image of its eye";
  }
  return "";
}

}  // namespace tenon::faults
