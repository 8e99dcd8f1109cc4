// The runtime's own models of what the hands hold, by XR_EXT_interaction_render_model: they have poses and
// moving parts. Includes OpenXR's headers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "xr/openxr/controller_model.h"
#include "xr/openxr/xr_frame.h"
#include "xr/openxr/xr_session.h"

namespace tenon::xr {

class InteractionModels {
 public:
  /// True if the runtime has the extension.
  static bool isOffered(const OpenXrSession& session);

  /// The reference must outlive it. Throws OpenXrError, HeadsetLost.
  explicit InteractionModels(const OpenXrSession& session);
  ~InteractionModels();
  InteractionModels(const InteractionModels&) = delete;
  InteractionModels& operator=(const InteractionModels&) = delete;

  /// Reads which models there are, and retries those whose data were not available; call it after they
  /// changed. A model for which a call fails is left out while it is listed. Throws OpenXrError, HeadsetLost.
  void update();
  /// Locates the models of the frame's controllers and reads their moving nodes; models that are not located
  /// are not to be drawn. Invalid poses are counted in the frame. A model for which a call fails is left out
  /// as by update(). Throws HeadsetLost.
  void locate(XrFrame& frame);
  /// True if all models that are listed have failed.
  bool hasFailed() const { return models_.empty() && !failed_.empty(); }
  /// The first failure of a model since the last call; "": there was none.
  std::string consumeFailure() { return std::exchange(failure_, {}); }
  /// The model of the left (0) or right (1) hand, if locate() found another one than in the last call.
  std::optional<ControllerModel> consumeChange(std::size_t hand);
  /// As of the last locate(); none: there is no model, or it is not tracked.
  const std::optional<ControllerModelState>& state(std::size_t hand) const { return states_[hand]; }

 private:
  /// A model that the runtime lists, with its handles.
  struct Listed {
    Listed(const OpenXrSession& session, XrRenderModelIdEXT id);
    ~Listed();
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;

    const OpenXrSession& session;
    XrRenderModelIdEXT id;
    XrRenderModelEXT handle = XR_NULL_HANDLE;
    XrSpace space = XR_NULL_HANDLE;
    XrRenderModelPropertiesEXT properties{};
    std::optional<std::size_t> hand;  ///< none: of neither
    bool isUnavailable = false;       ///< its data were, since the last update()
  };

  template <class Function>
  bool works(XrRenderModelIdEXT id, const Function& call);
  void locate(Listed& model, XrFrame& frame);
  std::optional<std::size_t> handOf(const Listed& model) const;
  std::optional<physics::Pose> poseInRoom(const Listed& model, XrTime time, int& rejected) const;
  std::optional<ControllerModel> load(const Listed& model) const;
  std::vector<ControllerModelState::Node> nodesOf(const Listed& model, XrTime time, int& rejected) const;

  const OpenXrSession& session_;
  std::array<XrPath, 2> hands_{};
  std::vector<std::unique_ptr<Listed>> models_;
  std::vector<XrRenderModelIdEXT> failed_;  ///< listed ones that are left out
  std::string failure_;
  std::array<XrRenderModelIdEXT, 2> current_{};  ///< by hand; 0: none
  std::array<std::optional<ControllerModel>, 2> changes_;
  std::array<std::optional<ControllerModelState>, 2> states_;
};

}  // namespace tenon::xr
