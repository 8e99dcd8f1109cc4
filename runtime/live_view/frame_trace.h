// The pictures of a session in numbers, one line of JSON each: for tests that steer a mouse, and to find out
// what is slow on a machine.
#pragma once

#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/live_view/overlay.h"

namespace tenon::runtime {

class FrameTrace {
 public:
  /// Throws content::InputError where the file cannot be written.
  explicit FrameTrace(const std::string& file);

  /// `more`: further fields, or others in place of those. False where the disk takes no more.
  bool add(const ImageArea& area, const xr::View& view, const SceneView& sceneView,
           const SimulationFrame& moment, const InterpolatedState& drawn, const ViewState& state,
           const nlohmann::ordered_json* more = nullptr);

 private:
  std::ofstream out_;
};

}  // namespace tenon::runtime
