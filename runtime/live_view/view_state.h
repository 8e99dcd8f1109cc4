// What a person sees and has chosen in the window, shared by mouse, keys and panels.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/live_view/actions.h"
#include "runtime/live_view/open_scene.h"
#include "runtime/live_view/view_settings.h"
#include "xr/appearance/orbit_camera.h"
#include "xr/appearance/pick.h"

namespace tenon::runtime {

/// A plane across an axis; what is on the camera's side goes.
struct Section {
  int axis = -1;  ///< −1: none
  double place_mm = 0;
};

/// How fast pictures come.
struct FrameStats {
  std::int64_t frame = 0;
  double fps = 0;              ///< over the last second
  double frame_ms = 0;         ///< of the last picture
  double draw_ms = 0;          ///< of that, until the picture was drawn
  double resolutionScale = 1;  ///< as xr::Window's
  double latency_ms = -1;  ///< from taking in the mouse to the picture that shows what it did; −1: none yet
};

struct ViewState {
  ViewSettings settings;
  xr::OrbitCamera camera;
  Section section;
  FrameStats stats;

  std::optional<xr::PartHit> under;         ///< what the mouse points at
  std::vector<int> reached;                 ///< parts that open hands are near enough to take
  std::vector<xr::PickedFeature> measured;  ///< two at most
  std::string reading;                      ///< of these two
  std::optional<std::array<physics::Vector3d, 2>> measurementEnds;  ///< where they are nearest [world, m]

  bool help = false, picker = false;
  std::optional<std::string> noteDraft;  ///< the note that is being written
  bool submitNote = false;               ///< Enter was pressed: it is finished
  std::vector<SceneEntry> scenes;        ///< of the picker
  std::string loading;                   ///< the scene that is being read; empty: none
  std::string notice;                    ///< a line for the person
  double noticeUntil = 0;                ///< [s], by xr::Window::now()

  // --- what the panels ask for; taken by the frame loop
  std::vector<Action> requestedActions;
  std::optional<std::string> openFile;
  std::optional<physics::SolverName> solver;
  std::optional<double> rate, speed;
  std::optional<std::string> note;  ///< that was written

  /// Where named controls are [pixels: left, top, right, bottom], for tests that steer a mouse.
  std::map<std::string, std::array<float, 4>> marks;

  void say(std::string text);
};

}  // namespace tenon::runtime
