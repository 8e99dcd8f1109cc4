// See controller_models.h.
#include "xr/openxr/controller_models.h"

#include <algorithm>
#include <vector>

#include "content/mesh/triangle_mesh.h"
#include "xr/openxr/action_bindings.h"

namespace tenon::xr {

namespace {

constexpr std::array kModelPaths{"/model_fb/controller/left", "/model_fb/controller/right"};

bool hasFb(const XrCalls& xr) {
  return xr.has(XR_FB_RENDER_MODEL_EXTENSION_NAME) && xr.EnumerateRenderModelPathsFB != nullptr &&
         xr.GetRenderModelPropertiesFB != nullptr && xr.LoadRenderModelFB != nullptr;
}

bool hasMsft(const XrCalls& xr) {
  return xr.has(XR_MSFT_CONTROLLER_MODEL_EXTENSION_NAME) && xr.GetControllerModelKeyMSFT != nullptr &&
         xr.LoadControllerModelMSFT != nullptr;
}

}  // namespace

bool ControllerModels::isOffered(const OpenXrSession& session) {
  return hasFb(session.calls()) || hasMsft(session.calls());
}

ControllerModels::ControllerModels(const OpenXrSession& session)
    : session_(session), isFb_(hasFb(session.calls())) {
  const XrCalls& xr = session.calls();
  if (!isFb_) {
    for (std::size_t k = 0; k < paths_.size(); ++k) paths_[k] = pathOf(xr, kHandPaths[k]);
    return;
  }
  XrRenderModelPathInfoFB empty{};
  empty.type = XR_TYPE_RENDER_MODEL_PATH_INFO_FB;
  const auto offered =
      enumerated(xr, "xrEnumerateRenderModelPathsFB", empty,
                 [&](std::uint32_t capacity, std::uint32_t* count, XrRenderModelPathInfoFB* found) {
                   return xr.EnumerateRenderModelPathsFB(session.handle(), capacity, count, found);
                 });
  for (std::size_t k = 0; k < paths_.size(); ++k) {
    const XrPath path = pathOf(xr, kModelPaths[k]);
    if (std::any_of(offered.begin(), offered.end(), [&](const auto& one) { return one.path == path; }))
      paths_[k] = path;
  }
}

/// 0 while there is no model.
std::uint64_t ControllerModels::currentKey(std::size_t hand) const {
  const XrCalls& xr = session_.calls();
  if (paths_[hand] == XR_NULL_PATH) return 0;
  if (isFb_) {
    // Plain glTF without extensions is all that is drawn.
    XrRenderModelCapabilitiesRequestFB capabilities{};
    capabilities.type = XR_TYPE_RENDER_MODEL_CAPABILITIES_REQUEST_FB;
    capabilities.flags = XR_RENDER_MODEL_SUPPORTS_GLTF_2_0_SUBSET_1_BIT_FB;
    XrRenderModelPropertiesFB properties{};
    properties.type = XR_TYPE_RENDER_MODEL_PROPERTIES_FB;
    properties.next = &capabilities;
    xr.check(xr.GetRenderModelPropertiesFB(session_.handle(), paths_[hand], &properties),
             "xrGetRenderModelPropertiesFB");
    return properties.modelKey;
  }
  XrControllerModelKeyStateMSFT state{};
  state.type = XR_TYPE_CONTROLLER_MODEL_KEY_STATE_MSFT;
  xr.check(xr.GetControllerModelKeyMSFT(session_.handle(), paths_[hand], &state),
           "xrGetControllerModelKeyMSFT");
  return state.modelKey;
}

std::string ControllerModels::load(std::uint64_t key) const {
  const XrCalls& xr = session_.calls();
  const char* const call = isFb_ ? "xrLoadRenderModelFB" : "xrLoadControllerModelMSFT";
  const auto bytes = enumerated(
      xr, call, std::uint8_t{0},
      [&](std::uint32_t capacity, std::uint32_t* count, std::uint8_t* buffer) {
        if (!isFb_) return xr.LoadControllerModelMSFT(session_.handle(), key, capacity, count, buffer);
        XrRenderModelLoadInfoFB info{};
        info.type = XR_TYPE_RENDER_MODEL_LOAD_INFO_FB;
        info.modelKey = key;
        XrRenderModelBufferFB model{};
        model.type = XR_TYPE_RENDER_MODEL_BUFFER_FB;
        model.bufferCapacityInput = capacity;
        model.buffer = buffer;
        const XrResult result = xr.LoadRenderModelFB(session_.handle(), &info, &model);
        *count = model.bufferCountOutput;
        return result;
      },
      content::kMaxMeshBytes);
  return {bytes.begin(), bytes.end()};
}

std::optional<std::string> ControllerModels::consumeChange(std::size_t hand) {
  const std::uint64_t key = currentKey(hand);
  if (key == keys_[hand]) return std::nullopt;
  keys_[hand] = key;
  return key == 0 ? std::string() : load(key);
}

}  // namespace tenon::xr
