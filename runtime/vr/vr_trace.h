// --trace of tenon vr: one line of JSON per frame, for tests that move the hands and for profiling.
#pragma once

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/live_view/scene_view.h"
#include "runtime/simulation/simulation_frame.h"
#include "runtime/vr/room.h"
#include "runtime/vr/vr_panels.h"
#include "xr/display/headset.h"
#include "xr/hands/xr_hands.h"
#include "xr/interaction/ray_grab.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

/// Frame times and counters.
struct VrFrameTimes {
  double frame_ms = 0;  ///< since the previous frame
  double own_ms = 0;    ///< of that, CPU time for building the frame
  std::int64_t hapticPulses = 0;
  std::int64_t rejected = 0;  ///< number of invalid poses and fields of view from the runtime
};

/// The surroundings of the user.
struct VrTraceContext {
  Room room;
  MenuTrace menu;
  xr::Vignette vignette;
  std::optional<physics::Vector3d> landing;  ///< target of the drawn arc, in the room
  std::optional<xr::SectionPlane> section;
  std::size_t panels = 0;                    ///< number of drawn panels, including the menu
  std::array<xr::ControlNames, 2> controls;  ///< of the left and right hand
  std::optional<physics::Pose> X_SCard;      ///< of the controls card, in the room
  CardText card;
  std::vector<int> fadedParts;  ///< that contain the head
};

class VrTrace {
 public:
  /// Throws content::InputError if the file cannot be written.
  explicit VrTrace(const std::string& file);

  /// Adds the frame being rendered; it is written by finishFrame(), or by the next call if it is dropped.
  void add(const xr::XrFrame& xrFrame, const VrTraceContext& around, const xr::XrHands& hands,
           const xr::RayGrab& rays, const SceneView& sceneView, const SimulationFrame& simulationFrame,
           const InterpolatedState& drawn, const VrFrameTimes& times);
  /// Completes and writes the frame. `physics`: time of the steps since the previous frame [ms];
  /// `mirroredFrames`: frames shown in the mirror window.
  void finishFrame(const xr::FrameTimes& times, double physics, int mirroredFrames);
  /// The current frame is the first that is displayed, so long after the start of the program [s].
  void setFirstFrame(double time) { line_["first_frame_s"] = time; }
  ~VrTrace();
  VrTrace(const VrTrace&) = delete;
  VrTrace& operator=(const VrTrace&) = delete;
  /// Writes a line for a session state.
  void add(xr::HeadsetState state);

 private:
  void write();

  std::ofstream out_;
  nlohmann::ordered_json line_;  ///< null: nothing to write
  std::int64_t frame_ = 0;
};

}  // namespace tenon::runtime
