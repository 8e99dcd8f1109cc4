// Camera, section, transparency and display switches.
#include "runtime/live_view/view_actions.h"

namespace tenon::runtime {

namespace {

void nextSection(Section& section) {
  section.axis = section.axis >= 2 ? -1 : section.axis + 1;
  section.place_mm = 0;
}

void seeThrough(SceneView& sceneView, std::optional<std::size_t> under) {
  if (under) {
    sceneView.seeThrough[*under] = true;
  } else {
    sceneView.seeThrough.assign(sceneView.seeThrough.size(), false);
  }
}

/// The view direction of an action; std::nullopt if it is not a camera action.
std::optional<physics::Vector3d> directionFor(Action action) {
  if (action == Action::viewFront) return physics::Vector3d(0, -1, 0);
  if (action == Action::viewRight) return physics::Vector3d(1, 0, 0);
  if (action == Action::viewTop) return physics::Vector3d(0, 0, 1);
  if (action == Action::viewIso) return *xr::viewDirection("iso");
  return std::nullopt;
}

/// The setting toggled by an action, or null.
bool* switchFor(Action action, ViewState& state) {
  ViewSettings& settings = state.settings;
  if (action == Action::forces) return &settings.forces;
  if (action == Action::contacts) return &settings.contacts;
  if (action == Action::targets) return &settings.targets;
  if (action == Action::names) return &settings.names;
  if (action == Action::panels) return &settings.panels;
  if (action == Action::help) return &state.help;
  return nullptr;
}

}  // namespace

bool performViewAction(Action action, ViewState& state, SceneView& sceneView, const FrameParts& frame) {
  const auto under =
      state.hoveredPart ? std::optional(static_cast<std::size_t>(state.hoveredPart->part)) : std::nullopt;
  if (const auto direction = directionFor(action)) {
    state.camera.lookFrom(*direction);
  } else if (bool* const on = switchFor(action, state)) {
    *on = !*on;
  } else if (action == Action::frame) {
    frame(under);
  } else if (action == Action::projection) {
    state.settings.orthographic = !state.settings.orthographic;
  } else if (action == Action::section) {
    nextSection(state.section);
  } else if (action == Action::seeThrough) {
    seeThrough(sceneView, under);
  } else if (action == Action::clearMeasure) {
    state.measured.clear();
  } else {
    return false;
  }
  return true;
}

void updateMeasurement(ViewState& state, SceneView& sceneView, std::span<const physics::Pose> X_WP) {
  state.measurementText.clear();
  state.measurementEnds.reset();
  if (state.measured.size() < 2) return;
  const ClearanceReading reading = sceneView.readout.read(state.measured[0], state.measured[1], X_WP);
  state.measurementText = reading.text;
  if (reading.gap) state.measurementEnds = {reading.gap->p_WA, reading.gap->p_WB};
}

xr::View viewIn(const ViewState& state, float left, float top, float width, float height, float windowWidth,
                float windowHeight) {
  xr::View view = state.camera.view(static_cast<double>(width) / height);
  view.x = left / windowWidth;
  view.y = top / windowHeight;
  view.width = width / windowWidth;
  view.height = height / windowHeight;
  return view;
}

}  // namespace tenon::runtime
