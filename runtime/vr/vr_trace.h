// The frames of a session with a headset in numbers, one line of JSON each: for tests that move its hands,
// and to find out what is slow on a machine.
#pragma once

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

/// How long a frame took, and what hands have felt so far.
struct VrFrameTimes {
  double frame_ms = 0;  ///< from the frame before to this one
  double own_ms = 0;    ///< of that, between the runtime's call for a picture and the picture's description
  std::int64_t hapticPulses = 0;
  std::int64_t rejected = 0;  ///< poses and fields of view of the runtime that were none, so far
};

/// What is around the person.
struct VrTraceContext {
  Room room;
  MenuTrace menu;
  xr::Vignette vignette;
  std::optional<physics::Vector3d> landing;  ///< of the arc that is drawn, in the room
  std::optional<xr::SectionPlane> section;
  std::size_t panels = 0;  ///< in the picture, the menu among them
};

class VrTrace {
 public:
  /// Throws content::InputError where the file cannot be written.
  explicit VrTrace(const std::string& file);

  /// A frame while it is made; told when it is done, or given up.
  void add(const xr::XrFrame& seen, const VrTraceContext& around, const xr::XrHands& hands,
           const xr::RayGrab& rays, const SceneView& sceneView, const SimulationFrame& moment,
           const InterpolatedState& drawn, const VrFrameTimes& times);
  /// That frame is done; `physics`: the time of the steps since the one before [ms],
  /// `mirrored` the pictures that a window beside has shown.
  void done(const xr::FrameTimes& times, double physics, int mirroredFrames);
  ~VrTrace();
  VrTrace(const VrTrace&) = delete;
  VrTrace& operator=(const VrTrace&) = delete;
  /// A state of the session.
  void add(xr::HeadsetState state);

 private:
  void write();

  std::ofstream out_;
  nlohmann::ordered_json line_;  ///< null: told
  std::int64_t frame_ = 0;
};

}  // namespace tenon::runtime
