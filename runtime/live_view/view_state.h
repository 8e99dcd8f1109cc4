// The state of an interactive view, shared by mouse, keys and panels.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "physics/step/dynamics.h"
#include "runtime/live_view/actions.h"
#include "runtime/live_view/open_scene.h"
#include "runtime/live_view/parameter_view.h"
#include "runtime/live_view/view_settings.h"
#include "xr/appearance/orbit_camera.h"
#include "xr/appearance/pick.h"

namespace tenon::runtime {

/// A section plane perpendicular to an axis; the camera's side is cut away.
struct Section {
  int axis = -1;  ///< −1: none
  double place_mm = 0;
};

/// Timing of the frames.
struct FrameStats {
  std::int64_t frame = 0;
  double fps = 0;              ///< over the last second
  double frame_ms = 0;         ///< of the last frame
  double draw_ms = 0;          ///< rendering time of the last frame
  double resolutionScale = 1;  ///< see xr::Window
  double latency_ms = -1;      ///< from mouse input to the frame that shows its effect; −1: not measured
};

struct ViewState {
  ViewSettings settings;
  xr::OrbitCamera camera;
  Section section;
  FrameStats stats;

  std::optional<xr::PartHit> hoveredPart;  ///< under the mouse or the ray
  std::vector<int> partsInReach;           ///< that open hands can grasp
  std::vector<int> fadedParts;             ///< drawn transparent
  std::optional<int> selectedPart;         ///< highlighted, in the arrange mode
  /// Of the current step of a training: its goals, the only ones with targets, and its parts, highlighted.
  struct TrainingView {
    std::vector<std::size_t> goals;  ///< indices into Scene::goals
    std::vector<int> parts;          ///< indices into Scene::parts
  };
  std::optional<TrainingView> training;                             ///< none: no training
  std::vector<xr::PickedFeature> measured;                          ///< at most two
  std::string measurementText;                                      ///< of the measured features
  std::optional<std::array<physics::Vector3d, 2>> measurementEnds;  ///< their closest points [world, m]

  ParameterView parameters;

  bool cubeDragged = false;  ///< the mouse has dragged the view cube

  bool help = false, picker = false;
  bool browse = false;  ///< a list of files is requested, for a scene that is not in the picker
  std::optional<std::string> noteDraft;                  ///< text of the open note dialog
  bool submitNote = false;                               ///< Enter was pressed
  std::vector<SceneEntry> scenes;                        ///< of the picker
  std::vector<SceneEntry> recent;                        ///< of the picker: files that were opened or saved
  std::map<std::string, std::array<float, 4>> pictures;  ///< cells of the sheet by key, see thumbnails.h
  std::string loading;                                   ///< file being loaded, or ""
  std::string notice;                                    ///< one-line message
  double noticeUntil = 0;                                ///< [s], by xr::Window::now()

  // --- requests of the panels, handled by the frame loop
  std::vector<Action> requestedActions;
  std::optional<std::string> openFile;
  std::optional<physics::SolverName> solver;
  std::optional<double> rate, speed;
  std::optional<std::string> note;  ///< completed note
  /// Changed gravity, restitution or damping; `begins`: the first change of a drag.
  struct DynamicsRequest {
    physics::Dynamics dynamics;
    bool begins = true;
  };
  std::optional<DynamicsRequest> dynamics;
  bool dynamicsDragged = false;     ///< the slider that the mouse holds has changed its value
  std::vector<char> heldThrusters;  ///< by ThrusterId: the mouse holds its button down

  /// Rectangles of named controls [pixels: left, top, right, bottom], for tests that move the mouse.
  std::map<std::string, std::array<float, 4>> marks;

  /// Shows `text` for some seconds.
  void showNotice(std::string text);
};

}  // namespace tenon::runtime
