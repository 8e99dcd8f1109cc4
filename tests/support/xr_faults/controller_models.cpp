// See controller_models.h.
#include "tests/support/xr_faults/controller_models.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <vector>

#include "tests/support/xr_faults/layer_state.h"
#include "xr/openxr/later_names.h"

namespace tenon::faults {

namespace {

/// The ids of the models of the left and the right hand.
constexpr XrRenderModelIdEXT kModelIds[] = {1, 2};
constexpr std::uintptr_t kFirstSpace = 16;  ///< handle of the space of id 0

XrAction grip = XR_NULL_HANDLE;
std::map<XrRenderModelIdEXT, XrSpace> grips;  ///< by model
bool synced = false;
int open = 0;  ///< models of XR_EXT_render_model that are not destroyed

// --- what the lines say ---------------------------------------------------------------------------------
bool listsModels() {
  return synced && valueOf("models").starts_with("ext") && !valueOf("model").empty();
}

/// The result of a call for a model.
XrResult resultFor(XrRenderModelIdEXT id, const char* call) {
  return holds("model-fails " + std::to_string(id) + " " + call) ? XR_ERROR_RUNTIME_FAILURE : resultOf(call);
}

XrRenderModelIdEXT idOf(XrRenderModelEXT model) {
  return reinterpret_cast<std::uintptr_t>(model);
}

XrSpace modelSpace(XrRenderModelIdEXT id) {
  return reinterpret_cast<XrSpace>(kFirstSpace + id);
}

std::vector<std::string> nodeNames() {
  std::vector<std::string> names;
  for (const std::string& line : valuesOf("node")) names.push_back(line.substr(0, line.find(' ')));
  return names;
}

void setStates(XrRenderModelStateEXT& state) {
  const std::vector<std::string> lines = valuesOf("node");
  for (std::size_t k = 0; k < lines.size() && k < state.nodeStateCount; ++k) {
    XrRenderModelNodeStateEXT& node = state.nodeStates[k];
    node = {{{0, 0, 0, 1}, {0, 0, 0}}, XR_TRUE};
    std::string name, word;
    XrVector3f& p = node.nodePose.position;
    std::istringstream(lines[k]) >> name >> p.x >> p.y >> p.z >> word;
    if (word == "hidden") node.isVisible = XR_FALSE;
    if (word == "nan") p.x = node.nodePose.orientation.w = std::numeric_limits<float>::quiet_NaN();
  }
}

// --- XR_FB_render_model and XR_MSFT_controller_model -----------------------------------------------------
constexpr std::array kModelPaths{"/model_fb/controller/left", "/model_fb/controller/right"};

/// The key of the model that the line `model` names, by its text; none: 0.
std::uint64_t modelKey() {
  const std::string file = valueOf("model");
  return file.empty() ? 0 : std::hash<std::string>()(file) | 1;
}

XrResult giveModel(std::uint64_t key, std::uint32_t most, std::uint32_t* count, std::uint8_t* buffer) {
  if (key == 0 || key != modelKey()) return XR_ERROR_VALIDATION_FAILURE;
  std::ifstream in(valueOf("model"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  *count = static_cast<std::uint32_t>(bytes.size());
  if (most >= *count) std::copy(bytes.begin(), bytes.end(), buffer);
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL enumerateRenderModelPathsFB(XrSession /*handle*/, std::uint32_t most,
                                                           std::uint32_t* count,
                                                           XrRenderModelPathInfoFB* paths) {
  *count = static_cast<std::uint32_t>(kModelPaths.size());
  for (std::size_t k = 0; k < kModelPaths.size() && most >= *count; ++k)
    paths[k].path = pathOf(kModelPaths[k]);
  return resultOf("EnumerateRenderModelPathsFB");
}

XRAPI_ATTR XrResult XRAPI_CALL getRenderModelPropertiesFB(XrSession /*handle*/, XrPath /*path*/,
                                                          XrRenderModelPropertiesFB* properties) {
  if (properties->next == nullptr) complain("a model without the capabilities that it may use");
  properties->modelKey = modelKey();
  return resultOf("GetRenderModelPropertiesFB");
}

XRAPI_ATTR XrResult XRAPI_CALL loadRenderModelFB(XrSession /*handle*/, const XrRenderModelLoadInfoFB* info,
                                                 XrRenderModelBufferFB* buffer) {
  if (const auto failure = failureOf("LoadRenderModelFB")) return static_cast<XrResult>(*failure);
  return giveModel(info->modelKey, buffer->bufferCapacityInput, &buffer->bufferCountOutput, buffer->buffer);
}

XRAPI_ATTR XrResult XRAPI_CALL getControllerModelKeyMSFT(XrSession /*handle*/, XrPath /*hand*/,
                                                         XrControllerModelKeyStateMSFT* state) {
  state->modelKey = modelKey();
  return resultOf("GetControllerModelKeyMSFT");
}

XRAPI_ATTR XrResult XRAPI_CALL loadControllerModelMSFT(XrSession /*handle*/, XrControllerModelKeyMSFT key,
                                                       std::uint32_t most, std::uint32_t* count,
                                                       std::uint8_t* buffer) {
  if (const auto failure = failureOf("LoadControllerModelMSFT")) return static_cast<XrResult>(*failure);
  return giveModel(key, most, count, buffer);
}

// --- XR_EXT_interaction_render_model ---------------------------------------------------------------------
XRAPI_ATTR XrResult XRAPI_CALL enumerateInteractionRenderModelIdsEXT(
    XrSession /*handle*/, const XrInteractionRenderModelIdsEnumerateInfoEXT* info, std::uint32_t most,
    std::uint32_t* count, XrRenderModelIdEXT* ids) {
  if (info->type != XR_TYPE_INTERACTION_RENDER_MODEL_IDS_ENUMERATE_INFO_EXT)
    complain("models listed by another type");
  *count = listsModels() ? static_cast<std::uint32_t>(std::size(kModelIds)) : 0;
  if (*count > 0 && most >= *count) std::copy(std::begin(kModelIds), std::end(kModelIds), ids);
  return resultOf("EnumerateInteractionRenderModelIdsEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL createRenderModelEXT(XrSession /*handle*/,
                                                    const XrRenderModelCreateInfoEXT* info,
                                                    XrRenderModelEXT* made) {
  if (!isEnabled(XR_EXT_RENDER_MODEL_EXTENSION_NAME) ||
      !isEnabled(XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME))
    complain("models without their extensions");
  if (info->type != XR_TYPE_RENDER_MODEL_CREATE_INFO_EXT) complain("a model of another type");
  if (std::none_of(info->gltfExtensions, info->gltfExtensions + info->gltfExtensionCount,
                   [](const char* name) { return std::strcmp(name, "KHR_materials_unlit") == 0; }))
    complain("a model without materials");
  *made = reinterpret_cast<XrRenderModelEXT>(info->renderModelId);
  const XrResult result = resultFor(info->renderModelId, "CreateRenderModelEXT");
  open += XR_SUCCEEDED(result) ? 1 : 0;
  return result;
}

XRAPI_ATTR XrResult XRAPI_CALL destroyRenderModelEXT(XrRenderModelEXT /*model*/) {
  --open;
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL getRenderModelPropertiesEXT(XrRenderModelEXT model,
                                                           const XrRenderModelPropertiesGetInfoEXT* /*info*/,
                                                           XrRenderModelPropertiesEXT* properties) {
  properties->cacheId.data[0] = 1;
  const std::string claimed = valueOf("model-nodes");
  properties->animatableNodeCount =
      static_cast<std::uint32_t>(claimed.empty() ? nodeNames().size() : std::stoul(claimed));
  return resultFor(idOf(model), "GetRenderModelPropertiesEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL getRenderModelPoseTopLevelUserPathEXT(
    XrRenderModelEXT model, const XrInteractionRenderModelTopLevelUserPathGetInfoEXT* info, XrPath* hand) {
  if (info->topLevelUserPathCount != 2) complain("a model of other hands");
  *hand = info->topLevelUserPaths[reinterpret_cast<std::uintptr_t>(model) - kModelIds[0]];
  return resultFor(idOf(model), "GetRenderModelPoseTopLevelUserPathEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL createRenderModelSpaceEXT(XrSession /*handle*/,
                                                         const XrRenderModelSpaceCreateInfoEXT* info,
                                                         XrSpace* made) {
  *made = modelSpace(reinterpret_cast<std::uintptr_t>(info->renderModel));
  return resultOf("CreateRenderModelSpaceEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL createRenderModelAssetEXT(XrSession /*handle*/,
                                                         const XrRenderModelAssetCreateInfoEXT* info,
                                                         XrRenderModelAssetEXT* made) {
  if (info->cacheId.data[0] != 1) complain("the data of an unknown model");
  note("asset");
  *made = reinterpret_cast<XrRenderModelAssetEXT>(1);
  return resultOf("CreateRenderModelAssetEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL destroyRenderModelAssetEXT(XrRenderModelAssetEXT /*asset*/) {
  return XR_SUCCESS;
}

XRAPI_ATTR XrResult XRAPI_CALL getRenderModelAssetDataEXT(XrRenderModelAssetEXT /*asset*/,
                                                          const XrRenderModelAssetDataGetInfoEXT* /*info*/,
                                                          XrRenderModelAssetDataEXT* data) {
  if (const auto failure = failureOf("GetRenderModelAssetDataEXT")) return static_cast<XrResult>(*failure);
  return giveModel(modelKey(), data->bufferCapacityInput, &data->bufferCountOutput, data->buffer);
}

XRAPI_ATTR XrResult XRAPI_CALL getRenderModelAssetPropertiesEXT(
    XrRenderModelAssetEXT /*asset*/, const XrRenderModelAssetPropertiesGetInfoEXT* /*info*/,
    XrRenderModelAssetPropertiesEXT* properties) {
  const std::vector<std::string> names = nodeNames();
  if (properties->nodePropertyCount != names.size()) complain("other nodes than the model has");
  for (std::size_t k = 0; k < std::min<std::size_t>(names.size(), properties->nodePropertyCount); ++k)
    std::strncpy(properties->nodeProperties[k].uniqueName, names[k].c_str(),
                 XR_MAX_RENDER_MODEL_ASSET_NODE_NAME_SIZE_EXT - 1);
  return resultOf("GetRenderModelAssetPropertiesEXT");
}

XRAPI_ATTR XrResult XRAPI_CALL getRenderModelStateEXT(XrRenderModelEXT model,
                                                      const XrRenderModelStateGetInfoEXT* info,
                                                      XrRenderModelStateEXT* state) {
  if (info->displayTime <= 0) complain("the state of a model at no time");
  setStates(*state);
  return resultFor(idOf(model), "GetRenderModelStateEXT");
}

}  // namespace

PFN_xrVoidFunction modelFunction(const std::string& name) {
  using Functions = std::map<std::string, PFN_xrVoidFunction>;
  static const Functions fb{
      {"xrEnumerateRenderModelPathsFB", plain(enumerateRenderModelPathsFB)},
      {"xrGetRenderModelPropertiesFB", plain(getRenderModelPropertiesFB)},
      {"xrLoadRenderModelFB", plain(loadRenderModelFB)},
  };
  static const Functions msft{
      {"xrGetControllerModelKeyMSFT", plain(getControllerModelKeyMSFT)},
      {"xrLoadControllerModelMSFT", plain(loadControllerModelMSFT)},
  };
  static const Functions ext{
      {"xrEnumerateInteractionRenderModelIdsEXT", plain(enumerateInteractionRenderModelIdsEXT)},
      {"xrCreateRenderModelEXT", plain(createRenderModelEXT)},
      {"xrDestroyRenderModelEXT", plain(destroyRenderModelEXT)},
      {"xrGetRenderModelPropertiesEXT", plain(getRenderModelPropertiesEXT)},
      {"xrGetRenderModelPoseTopLevelUserPathEXT", plain(getRenderModelPoseTopLevelUserPathEXT)},
      {"xrCreateRenderModelSpaceEXT", plain(createRenderModelSpaceEXT)},
      {"xrCreateRenderModelAssetEXT", plain(createRenderModelAssetEXT)},
      {"xrDestroyRenderModelAssetEXT", plain(destroyRenderModelAssetEXT)},
      {"xrGetRenderModelAssetDataEXT", plain(getRenderModelAssetDataEXT)},
      {"xrGetRenderModelAssetPropertiesEXT", plain(getRenderModelAssetPropertiesEXT)},
      {"xrGetRenderModelStateEXT", plain(getRenderModelStateEXT)},
  };
  std::istringstream offered(valueOf("models"));
  for (std::string one; offered >> one;) {
    const Functions& functions = one == "fb" ? fb : one == "msft" ? msft : ext;
    if (const auto found = functions.find(name); found != functions.end()) return found->second;
  }
  return nullptr;
}

int openModels() {
  return open;
}

void rememberSync() {
  synced = true;
}

void rememberAction(const XrActionCreateInfo& info, XrAction action) {
  if (std::strcmp(info.actionName, "grip") != 0) return;
  grip = action;
  synced = false;
}

void rememberActionSpace(const XrActionSpaceCreateInfo& info, XrSpace space, const std::string& hand) {
  if (info.action == grip) grips[kModelIds[hand.ends_with("right") ? 1 : 0]] = space;
}

std::optional<XrSpace> gripOf(XrSpace space) {
  for (const XrRenderModelIdEXT id : kModelIds)
    if (space == modelSpace(id)) return grips[id];
  return std::nullopt;
}

void moveToModel(XrSpaceLocation& location) {
  XrVector3f at{};
  std::istringstream(valueOf("model-at")) >> at.x >> at.y >> at.z;
  // v + 2 w (q × v) + 2 q × (q × v)
  const XrQuaternionf& q = location.pose.orientation;
  const auto cross = [&](const XrVector3f& v) {
    return XrVector3f{q.y * v.z - q.z * v.y, q.z * v.x - q.x * v.z, q.x * v.y - q.y * v.x};
  };
  const XrVector3f a = cross(at), b = cross(a);
  location.pose.position.x += at.x + 2 * q.w * a.x + 2 * b.x;
  location.pose.position.y += at.y + 2 * q.w * a.y + 2 * b.y;
  location.pose.position.z += at.z + 2 * q.w * a.z + 2 * b.z;
  if (holds("model-lost")) location.locationFlags = 0;
}

}  // namespace tenon::faults
