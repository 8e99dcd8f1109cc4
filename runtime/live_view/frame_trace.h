// --trace of the windows: one line of JSON per frame, for tests that move the mouse and for profiling.
#pragma once

#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/live_view/overlay.h"

namespace tenon::runtime {

class FrameTrace {
 public:
  /// Throws content::InputError if the file cannot be written.
  explicit FrameTrace(const std::string& file);

  /// `more`: fields to add or replace. False if writing fails.
  bool add(const ImageArea& area, const xr::View& view, const SceneView& sceneView,
           const SimulationFrame& frame, const InterpolatedState& drawn, const ViewState& state,
           const nlohmann::ordered_json* more = nullptr);

 private:
  std::ofstream out_;
};

}  // namespace tenon::runtime
