// The views of a headset's eyes: one for each, or with a foveated inset two. Includes OpenXR's headers.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "xr/openxr/eye_views.h"
#include "xr/openxr/xr_calls.h"

namespace tenon::xr {

class ViewConfiguration {
 public:
  /// The configurations that the program draws are stereo, and stereo with a foveated inset where the runtime
  /// offers it (OpenXR 1.1, XR_VARJO_quad_views). Chooses as `wanted` says; stereo where a call for the inset
  /// fails, and an inset that does not follow the gaze where a call for that fails. Throws OpenXrError,
  /// HeadsetLost.
  ViewConfiguration(const XrCalls& xr, XrSystemId system, EyeViews wanted);

  XrViewConfigurationType type() const { return type_; }
  /// Left, right; then with an inset those of its left and right view.
  std::uint32_t viewCount() const { return hasInset() ? 4 : 2; }
  bool hasInset() const { return type_ != XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO; }
  /// The views in pairs of both eyes.
  std::uint32_t pairCount() const { return viewCount() / 2; }
  /// True if the inset follows the person's gaze (XR_VARJO_foveated_rendering): each frame then says whether
  /// that is known.
  bool followsGaze() const { return followsGaze_; }
  /// The recommended and the largest sizes of the images. `followsGaze`: of an inset that follows the gaze.
  const std::vector<XrViewConfigurationView>& views(bool followsGaze) const {
    return sizes_[followsGaze ? 1 : 0];
  }

  /// Stereo from now on, for this reason: the inset cannot be used.
  void dropInset(const std::string& reason);
  /// Why stereo was chosen although an inset is wanted or preferred, once; "": it was not.
  std::string consumeInsetProblem() { return std::exchange(insetProblem_, {}); }
  /// Why an inset does not follow the gaze, where a call failed, once; "": none did.
  std::string consumeGazeProblem() { return std::exchange(gazeProblem_, {}); }

 private:
  void chooseFoveated(const XrCalls& xr, XrSystemId system, EyeViews wanted);

  XrViewConfigurationType type_ = XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO;
  bool followsGaze_ = false;
  std::array<std::vector<XrViewConfigurationView>, 2> sizes_;  ///< without and with the gaze
  std::string insetProblem_, gazeProblem_;
};

}  // namespace tenon::xr
