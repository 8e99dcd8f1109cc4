// See view_configuration.h.
#include "xr/openxr/view_configuration.h"

#include <algorithm>

namespace tenon::xr {

namespace {

constexpr auto kStereo = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
/// Since OpenXR 1.1 of the name PRIMARY_STEREO_WITH_FOVEATED_INSET.
constexpr auto kFoveated = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_QUAD_VARJO;
constexpr std::uint32_t kFoveatedViews = 4;

std::uint32_t viewCountOf(const XrCalls& xr, XrSystemId system, XrViewConfigurationType type) {
  std::uint32_t count = 0;
  xr.check(xr.EnumerateViewConfigurationViews(xr.instance, system, type, 0, &count, nullptr),
           "xrEnumerateViewConfigurationViews");
  return count;
}

bool supportsGaze(const XrCalls& xr, XrSystemId system) {
  if (!xr.has(XR_VARJO_FOVEATED_RENDERING_EXTENSION_NAME)) return false;
  XrSystemFoveatedRenderingPropertiesVARJO foveated{};
  foveated.type = XR_TYPE_SYSTEM_FOVEATED_RENDERING_PROPERTIES_VARJO;
  XrSystemProperties properties{};
  properties.type = XR_TYPE_SYSTEM_PROPERTIES;
  properties.next = &foveated;
  xr.check(xr.GetSystemProperties(xr.instance, system, &properties), "xrGetSystemProperties");
  return foveated.supportsFoveatedRendering == XR_TRUE;
}

}  // namespace

ViewConfiguration::ViewConfiguration(const XrCalls& xr, XrSystemId system, EyeViews wanted)
    : xr_(xr), system_(system) {
  if (wanted == EyeViews::stereo) return;
  // In the order of the runtime's preference.
  const auto offered =
      enumerated(xr, "xrEnumerateViewConfigurations", kStereo,
                 [&](std::uint32_t capacity, std::uint32_t* count, XrViewConfigurationType* types) {
                   return xr.EnumerateViewConfigurations(xr.instance, system, capacity, count, types);
                 });
  const auto foveated = std::find(offered.begin(), offered.end(), kFoveated);
  const bool isPreferred = foveated < std::find(offered.begin(), offered.end(), kStereo);
  if (foveated == offered.end() || (wanted == EyeViews::preferred && !isPreferred)) return;
  if (viewCountOf(xr, system, kFoveated) != kFoveatedViews) return;
  type_ = kFoveated;
  followsGaze_ = supportsGaze(xr, system);
}

std::vector<XrViewConfigurationView> ViewConfiguration::views(bool followsGaze) const {
  XrFoveatedViewConfigurationViewVARJO gaze{};
  gaze.type = XR_TYPE_FOVEATED_VIEW_CONFIGURATION_VIEW_VARJO;
  gaze.foveatedRenderingActive = XR_TRUE;
  std::vector<XrFoveatedViewConfigurationViewVARJO> ofViews(viewCount(), gaze);
  XrViewConfigurationView empty{};
  empty.type = XR_TYPE_VIEW_CONFIGURATION_VIEW;
  std::vector<XrViewConfigurationView> views(viewCount(), empty);
  for (std::size_t k = 0; followsGaze && k < views.size(); ++k) views[k].next = &ofViews[k];
  std::uint32_t count = 0;
  xr_.check(
      xr_.EnumerateViewConfigurationViews(xr_.instance, system_, type_, viewCount(), &count, views.data()),
      "xrEnumerateViewConfigurationViews");
  for (XrViewConfigurationView& view : views) view.next = nullptr;
  views.resize(count, empty);
  return views;
}

}  // namespace tenon::xr
