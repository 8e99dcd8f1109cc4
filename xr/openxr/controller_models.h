// The runtime's own models of the controllers, by XR_FB_render_model or XR_MSFT_controller_model. Includes
// OpenXR's headers.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "xr/openxr/xr_session.h"

namespace tenon::xr {

class ControllerModels {
 public:
  /// True if the runtime has one of the extensions.
  static bool isOffered(const OpenXrSession& session);

  /// The reference must outlive it. Throws OpenXrError, HeadsetLost.
  explicit ControllerModels(const OpenXrSession& session);

  /// The model of the left (0) or right (1) hand's controller as binary glTF in meters, in the frame of the
  /// grip pose, if it is another one than in the last call; "": the controller has none, or is not connected.
  /// Throws OpenXrError, HeadsetLost.
  std::optional<std::string> consumeChange(std::size_t hand);

 private:
  std::uint64_t currentKey(std::size_t hand) const;
  std::string load(std::uint64_t key) const;

  const OpenXrSession& session_;
  bool isFb_;                            ///< by XR_FB_render_model
  std::array<XrPath, 2> paths_{};        ///< of the models or of the hands; XR_NULL_PATH: none
  std::array<std::uint64_t, 2> keys_{};  ///< of the models in use; 0: none
};

}  // namespace tenon::xr
