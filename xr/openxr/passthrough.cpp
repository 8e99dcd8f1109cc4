// See passthrough.h.
#include "xr/openxr/passthrough.h"

namespace tenon::xr {

Passthrough::Passthrough(const OpenXrSession& session) : session_(session) {
  const XrCalls& xr = session.calls();
  XrPassthroughCreateInfoFB info{};
  info.type = XR_TYPE_PASSTHROUGH_CREATE_INFO_FB;
  info.flags = XR_PASSTHROUGH_IS_RUNNING_AT_CREATION_BIT_FB;
  xr.check(xr.CreatePassthroughFB(session.handle(), &info, &passthrough_), "xrCreatePassthroughFB");
  XrPassthroughLayerCreateInfoFB layerInfo{};
  layerInfo.type = XR_TYPE_PASSTHROUGH_LAYER_CREATE_INFO_FB;
  layerInfo.passthrough = passthrough_;
  layerInfo.flags = XR_PASSTHROUGH_IS_RUNNING_AT_CREATION_BIT_FB;
  layerInfo.purpose = XR_PASSTHROUGH_LAYER_PURPOSE_RECONSTRUCTION_FB;
  layer_.type = XR_TYPE_COMPOSITION_LAYER_PASSTHROUGH_FB;
  layer_.flags = XR_COMPOSITION_LAYER_BLEND_TEXTURE_SOURCE_ALPHA_BIT;
  try {
    xr.check(xr.CreatePassthroughLayerFB(session.handle(), &layerInfo, &layer_.layerHandle),
             "xrCreatePassthroughLayerFB");
  } catch (...) {
    xr.DestroyPassthroughFB(passthrough_);
    throw;
  }
}

Passthrough::~Passthrough() {
  session_.calls().DestroyPassthroughLayerFB(layer_.layerHandle);
  session_.calls().DestroyPassthroughFB(passthrough_);
}

}  // namespace tenon::xr
