// See view_configuration.h.
#include "xr/openxr/view_configuration.h"

#include <algorithm>

namespace tenon::xr {

namespace {

constexpr auto kStereo = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
/// Since OpenXR 1.1 of the name PRIMARY_STEREO_WITH_FOVEATED_INSET.
constexpr auto kFoveated = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_QUAD_VARJO;

/// The sizes of the images of a configuration. A number of views other than `expected` is a failure.
std::vector<XrViewConfigurationView> sizesOf(const XrCalls& xr, XrSystemId system,
                                             XrViewConfigurationType type, std::uint32_t expected,
                                             bool followsGaze) {
  constexpr const char* kCall = "xrEnumerateViewConfigurationViews";
  std::uint32_t count = 0;
  xr.check(xr.EnumerateViewConfigurationViews(xr.instance, system, type, 0, &count, nullptr), kCall);
  const auto requireExpected = [&] {
    if (count != expected)
      throw OpenXrError(XR_ERROR_VALIDATION_FAILURE,
                        fmt::format("{} returned {} views, not {}", kCall, count, expected));
  };
  requireExpected();
  XrFoveatedViewConfigurationViewVARJO gaze{};
  gaze.type = XR_TYPE_FOVEATED_VIEW_CONFIGURATION_VIEW_VARJO;
  gaze.foveatedRenderingActive = XR_TRUE;
  std::vector<XrFoveatedViewConfigurationViewVARJO> ofViews(expected, gaze);
  XrViewConfigurationView empty{};
  empty.type = XR_TYPE_VIEW_CONFIGURATION_VIEW;
  std::vector<XrViewConfigurationView> views(expected, empty);
  for (std::size_t k = 0; followsGaze && k < views.size(); ++k) views[k].next = &ofViews[k];
  xr.check(xr.EnumerateViewConfigurationViews(xr.instance, system, type, expected, &count, views.data()),
           kCall);
  requireExpected();
  for (XrViewConfigurationView& view : views) view.next = nullptr;
  return views;
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

ViewConfiguration::ViewConfiguration(const XrCalls& xr, XrSystemId system, EyeViews wanted) {
  if (wanted != EyeViews::stereo) {
    try {
      chooseFoveated(xr, system, wanted);
    } catch (const OpenXrError& error) {
      dropInset(error.what());
    }
  }
  if (!hasInset()) sizes_[0] = sizesOf(xr, system, kStereo, viewCount(), false);
}

void ViewConfiguration::chooseFoveated(const XrCalls& xr, XrSystemId system, EyeViews wanted) {
  // In the order of the runtime's preference.
  const auto offered =
      enumerated(xr, "xrEnumerateViewConfigurations", kStereo,
                 [&](std::uint32_t capacity, std::uint32_t* count, XrViewConfigurationType* types) {
                   return xr.EnumerateViewConfigurations(xr.instance, system, capacity, count, types);
                 });
  const auto foveated = std::find(offered.begin(), offered.end(), kFoveated);
  const bool isPreferred = foveated < std::find(offered.begin(), offered.end(), kStereo);
  if (foveated == offered.end() && wanted == EyeViews::foveated)
    dropInset("the runtime does not offer them; each eye has one view (--views stereo)");
  if (foveated == offered.end() || (wanted == EyeViews::preferred && !isPreferred)) return;
  type_ = kFoveated;
  sizes_[0] = sizesOf(xr, system, kFoveated, viewCount(), false);
  try {
    if (supportsGaze(xr, system)) {
      sizes_[1] = sizesOf(xr, system, kFoveated, viewCount(), true);
      followsGaze_ = true;
    }
  } catch (const OpenXrError& error) {
    gazeProblem_ = error.what();
  }
}

void ViewConfiguration::dropInset(const std::string& reason) {
  type_ = kStereo;
  followsGaze_ = false;
  for (auto& sizes : sizes_) sizes.resize(std::min<std::size_t>(sizes.size(), viewCount()));
  insetProblem_ = reason;
}

}  // namespace tenon::xr
