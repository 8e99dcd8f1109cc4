// The view of the real room by XR_FB_passthrough, as a layer below the scene. Includes OpenXR's headers.
#pragma once

#include "xr/openxr/xr_session.h"

namespace tenon::xr {

class Passthrough {
 public:
  /// True if the runtime has the extension; the headset may still lack cameras.
  static bool isOffered(const OpenXrSession& session) {
    return session.calls().CreatePassthroughFB != nullptr &&
           session.calls().CreatePassthroughLayerFB != nullptr;
  }

  /// Starts it. The reference must outlive it. Throws OpenXrError, HeadsetLost.
  explicit Passthrough(const OpenXrSession& session);
  ~Passthrough();
  Passthrough(const Passthrough&) = delete;
  Passthrough& operator=(const Passthrough&) = delete;

  const XrCompositionLayerPassthroughFB& layer() const { return layer_; }

 private:
  const OpenXrSession& session_;
  XrPassthroughFB passthrough_ = XR_NULL_HANDLE;
  XrCompositionLayerPassthroughFB layer_{};
};

}  // namespace tenon::xr
