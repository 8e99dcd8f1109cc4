// See interaction_models.h.
#include "xr/openxr/interaction_models.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "content/mesh/triangle_mesh.h"
#include "xr/openxr/action_bindings.h"
#include "xr/openxr/xr_values.h"

namespace tenon::xr {

namespace {

/// Extensions of glTF without effect on triangles, which content::parseGltf() ignores.
constexpr std::array kGltfExtensions{"KHR_lights_punctual",
                                     "KHR_materials_anisotropy",
                                     "KHR_materials_clearcoat",
                                     "KHR_materials_dispersion",
                                     "KHR_materials_emissive_strength",
                                     "KHR_materials_ior",
                                     "KHR_materials_iridescence",
                                     "KHR_materials_pbrSpecularGlossiness",
                                     "KHR_materials_sheen",
                                     "KHR_materials_specular",
                                     "KHR_materials_transmission",
                                     "KHR_materials_unlit",
                                     "KHR_materials_variants",
                                     "KHR_materials_volume",
                                     "KHR_texture_basisu",
                                     "KHR_texture_transform"};
constexpr std::uint32_t kMaxNodes = 4096;  ///< that move, of a model

/// An asset, whose data are read and then no longer needed.
class Asset {
 public:
  Asset(const XrCalls& xr, XrRenderModelAssetEXT handle) : xr_(xr), handle_(handle) {}
  ~Asset() { xr_.DestroyRenderModelAssetEXT(handle_); }
  Asset(const Asset&) = delete;
  Asset& operator=(const Asset&) = delete;

  std::string bytes() const {
    const auto all = enumerated(
        xr_, "xrGetRenderModelAssetDataEXT", std::uint8_t{0},
        [&](std::uint32_t capacity, std::uint32_t* count, std::uint8_t* buffer) {
          XrRenderModelAssetDataGetInfoEXT info{};
          info.type = XR_TYPE_RENDER_MODEL_ASSET_DATA_GET_INFO_EXT;
          XrRenderModelAssetDataEXT data{};
          data.type = XR_TYPE_RENDER_MODEL_ASSET_DATA_EXT;
          data.bufferCapacityInput = capacity;
          data.buffer = buffer;
          const XrResult result = xr_.GetRenderModelAssetDataEXT(handle_, &info, &data);
          *count = data.bufferCountOutput;
          return result;
        },
        content::kMaxMeshBytes);
    return {all.begin(), all.end()};
  }

  std::vector<std::string> nodeNames(std::uint32_t count) const {
    if (count == 0) return {};
    std::vector<XrRenderModelAssetNodePropertiesEXT> nodes(count);
    XrRenderModelAssetPropertiesGetInfoEXT info{};
    info.type = XR_TYPE_RENDER_MODEL_ASSET_PROPERTIES_GET_INFO_EXT;
    XrRenderModelAssetPropertiesEXT properties{};
    properties.type = XR_TYPE_RENDER_MODEL_ASSET_PROPERTIES_EXT;
    properties.nodePropertyCount = count;
    properties.nodeProperties = nodes.data();
    xr_.check(xr_.GetRenderModelAssetPropertiesEXT(handle_, &info, &properties),
              "xrGetRenderModelAssetPropertiesEXT");
    std::vector<std::string> names;
    for (const XrRenderModelAssetNodePropertiesEXT& node : nodes)
      names.emplace_back(node.uniqueName, strnlen(node.uniqueName, sizeof node.uniqueName));
    return names;
  }

 private:
  const XrCalls& xr_;
  XrRenderModelAssetEXT handle_;
};

}  // namespace

InteractionModels::Listed::Listed(const OpenXrSession& owner, XrRenderModelIdEXT modelId)
    : session(owner), id(modelId) {
  const XrCalls& xr = session.calls();
  XrRenderModelCreateInfoEXT info{};
  info.type = XR_TYPE_RENDER_MODEL_CREATE_INFO_EXT;
  info.renderModelId = id;
  info.gltfExtensionCount = static_cast<std::uint32_t>(kGltfExtensions.size());
  info.gltfExtensions = kGltfExtensions.data();
  xr.check(xr.CreateRenderModelEXT(session.handle(), &info, &handle), "xrCreateRenderModelEXT");
  try {
    XrRenderModelPropertiesGetInfoEXT get{};
    get.type = XR_TYPE_RENDER_MODEL_PROPERTIES_GET_INFO_EXT;
    properties.type = XR_TYPE_RENDER_MODEL_PROPERTIES_EXT;
    xr.check(xr.GetRenderModelPropertiesEXT(handle, &get, &properties), "xrGetRenderModelPropertiesEXT");
    if (properties.animatableNodeCount > kMaxNodes)
      throw OpenXrError(XR_ERROR_LIMIT_REACHED,
                        fmt::format("xrGetRenderModelPropertiesEXT returned {} moving nodes, more than {}",
                                    properties.animatableNodeCount, kMaxNodes));
    XrRenderModelSpaceCreateInfoEXT place{};
    place.type = XR_TYPE_RENDER_MODEL_SPACE_CREATE_INFO_EXT;
    place.renderModel = handle;
    xr.check(xr.CreateRenderModelSpaceEXT(session.handle(), &place, &space), "xrCreateRenderModelSpaceEXT");
  } catch (...) {
    xr.DestroyRenderModelEXT(handle);
    throw;
  }
}

InteractionModels::Listed::~Listed() {
  session.calls().DestroySpace(space);
  session.calls().DestroyRenderModelEXT(handle);
}

bool InteractionModels::isOffered(const OpenXrSession& session) {
  const XrCalls& xr = session.calls();
  return xr.has(XR_EXT_RENDER_MODEL_EXTENSION_NAME) &&
         xr.has(XR_EXT_INTERACTION_RENDER_MODEL_EXTENSION_NAME) && xr.CreateRenderModelEXT != nullptr &&
         xr.DestroyRenderModelEXT != nullptr && xr.GetRenderModelPropertiesEXT != nullptr &&
         xr.CreateRenderModelSpaceEXT != nullptr && xr.CreateRenderModelAssetEXT != nullptr &&
         xr.DestroyRenderModelAssetEXT != nullptr && xr.GetRenderModelAssetDataEXT != nullptr &&
         xr.GetRenderModelAssetPropertiesEXT != nullptr && xr.GetRenderModelStateEXT != nullptr &&
         xr.EnumerateInteractionRenderModelIdsEXT != nullptr &&
         xr.GetRenderModelPoseTopLevelUserPathEXT != nullptr;
}

InteractionModels::InteractionModels(const OpenXrSession& session) : session_(session) {
  for (std::size_t k = 0; k < hands_.size(); ++k) hands_[k] = pathOf(session.calls(), kHandPaths[k]);
}

InteractionModels::~InteractionModels() = default;

/// Calls what may fail for a model; false: it failed and is left out.
template <class Function>
bool InteractionModels::works(XrRenderModelIdEXT id, const Function& call) {
  try {
    call();
    return true;
  } catch (const OpenXrError& error) {
    failed_.push_back(id);
    if (failure_.empty()) failure_ = error.what();
    return false;
  }
}

void InteractionModels::update() {
  const XrCalls& xr = session_.calls();
  XrInteractionRenderModelIdsEnumerateInfoEXT info{};
  info.type = XR_TYPE_INTERACTION_RENDER_MODEL_IDS_ENUMERATE_INFO_EXT;
  const auto ids = enumerated(xr, "xrEnumerateInteractionRenderModelIdsEXT", XrRenderModelIdEXT{0},
                              [&](std::uint32_t capacity, std::uint32_t* count, XrRenderModelIdEXT* found) {
                                return xr.EnumerateInteractionRenderModelIdsEXT(session_.handle(), &info,
                                                                                capacity, count, found);
                              });
  const auto isListed = [&](XrRenderModelIdEXT id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  const auto isKnown = [&](XrRenderModelIdEXT id) {
    return std::find(failed_.begin(), failed_.end(), id) != failed_.end() ||
           std::any_of(models_.begin(), models_.end(), [&](const auto& model) { return model->id == id; });
  };
  std::erase_if(models_, [&](const auto& model) { return !isListed(model->id); });
  std::erase_if(failed_, [&](XrRenderModelIdEXT id) { return !isListed(id); });
  for (const XrRenderModelIdEXT id : ids)
    if (!isKnown(id)) works(id, [&] { models_.push_back(std::make_unique<Listed>(session_, id)); });
  std::erase_if(models_, [&](const auto& model) {
    model->isUnavailable = false;
    return !works(model->id, [&] { model->hand = handOf(*model); });
  });
}

std::optional<std::size_t> InteractionModels::handOf(const Listed& model) const {
  const XrCalls& xr = session_.calls();
  XrInteractionRenderModelTopLevelUserPathGetInfoEXT info{};
  info.type = XR_TYPE_INTERACTION_RENDER_MODEL_TOP_LEVEL_USER_PATH_GET_INFO_EXT;
  info.topLevelUserPathCount = static_cast<std::uint32_t>(hands_.size());
  info.topLevelUserPaths = hands_.data();
  XrPath user = XR_NULL_PATH;
  xr.check(xr.GetRenderModelPoseTopLevelUserPathEXT(model.handle, &info, &user),
           "xrGetRenderModelPoseTopLevelUserPathEXT");
  const auto found = std::find(hands_.begin(), hands_.end(), user);
  if (user == XR_NULL_PATH || found == hands_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - hands_.begin());
}

/// None while it is not tracked: it is then not to be drawn.
std::optional<physics::Pose> InteractionModels::poseInRoom(const Listed& model, XrTime time,
                                                           int& rejected) const {
  XrSpaceLocation location{};
  location.type = XR_TYPE_SPACE_LOCATION;
  session_.calls().check(session_.calls().LocateSpace(model.space, session_.room(), time, &location),
                         "xrLocateSpace");
  if (!isTracked(location)) return std::nullopt;
  const auto X = poseOf(location.pose);
  if (!X) ++rejected;
  return X;
}

/// None while the runtime does not have the data yet.
std::optional<ControllerModel> InteractionModels::load(const Listed& model) const {
  const XrCalls& xr = session_.calls();
  XrRenderModelAssetCreateInfoEXT info{};
  info.type = XR_TYPE_RENDER_MODEL_ASSET_CREATE_INFO_EXT;
  info.cacheId = model.properties.cacheId;
  XrRenderModelAssetEXT handle = XR_NULL_HANDLE;
  const XrResult result = xr.CreateRenderModelAssetEXT(session_.handle(), &info, &handle);
  if (result == XR_ERROR_RENDER_MODEL_ASSET_UNAVAILABLE_EXT) return std::nullopt;
  xr.check(result, "xrCreateRenderModelAssetEXT");
  const Asset asset(xr, handle);
  return ControllerModel{asset.bytes(), asset.nodeNames(model.properties.animatableNodeCount)};
}

std::vector<ControllerModelState::Node> InteractionModels::nodesOf(const Listed& model, XrTime time,
                                                                   int& rejected) const {
  std::vector<XrRenderModelNodeStateEXT> states(model.properties.animatableNodeCount);
  if (states.empty()) return {};
  XrRenderModelStateGetInfoEXT info{};
  info.type = XR_TYPE_RENDER_MODEL_STATE_GET_INFO_EXT;
  info.displayTime = time;
  XrRenderModelStateEXT state{};
  state.type = XR_TYPE_RENDER_MODEL_STATE_EXT;
  state.nodeStateCount = static_cast<std::uint32_t>(states.size());
  state.nodeStates = states.data();
  session_.calls().check(session_.calls().GetRenderModelStateEXT(model.handle, &info, &state),
                         "xrGetRenderModelStateEXT");
  std::vector<ControllerModelState::Node> nodes;
  for (const XrRenderModelNodeStateEXT& node : states) {
    const auto X = poseOf(node.nodePose);
    if (!X) ++rejected;
    nodes.push_back({X.value_or(physics::Pose()), X && node.isVisible == XR_TRUE});
  }
  return nodes;
}

void InteractionModels::locate(XrFrame& frame) {
  states_ = {};
  std::erase_if(models_,
                [&](const auto& model) { return !works(model->id, [&] { locate(*model, frame); }); });
}

void InteractionModels::locate(Listed& model, XrFrame& frame) {
  if (!model.hand || states_[*model.hand] || !frame.hands[*model.hand].tracked || model.isUnavailable) return;
  const std::size_t hand = *model.hand;
  const auto X_SM = poseInRoom(model, frame.displayTime_ns, frame.rejected);
  if (!X_SM) return;
  if (current_[hand] != model.id) {
    auto loaded = load(model);
    model.isUnavailable = !loaded;
    if (!loaded) return;
    changes_[hand] = std::move(loaded);
    current_[hand] = model.id;
  }
  states_[hand] = {frame.hands[hand].X_SH.inverse() * *X_SM,
                   nodesOf(model, frame.displayTime_ns, frame.rejected)};
}

std::optional<ControllerModel> InteractionModels::consumeChange(std::size_t hand) {
  return std::exchange(changes_[hand], std::nullopt);
}

}  // namespace tenon::xr
