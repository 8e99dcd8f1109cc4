// What the preview does on input: mouse, keys, dropped files.
#include <imgui.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "runtime/live_view/view_actions.h"
#include "runtime/preview/preview_window.h"
#include "runtime/workbench/new_parts.h"
#include "runtime/workbench/part_pictures.h"

namespace tenon::runtime {

namespace {

using Kind = xr::WindowInput::Kind;

}  // namespace

/// Reads input and begins the panels, so that ImGui's claims on mouse and keys are known.
void Preview::drainInput(double timeout) {
  const std::vector<xr::WindowInput> inputs = window_.drainInput(timeout);
  touched_ = !inputs.empty();
  if (touched_) settling_ = kSettling;
  window_.beginPanels();
  const std::string activeName = state_.settings.leftHand ? "left" : "right";
  for (std::size_t k = 0; k < session_.sceneView().scene->hands.size(); ++k)
    if (session_.sceneView().scene->hands[k].name == activeName)
      session_.sceneView().hands.setActive(static_cast<int>(k));
  for (const xr::WindowInput& input : inputs) {
    if (input.kind == Kind::key && input.key == xr::key::kEnter) arranging_.reportEnter();
    if (arranging_.isActive() && !ImGui::GetIO().WantTextInput && arranging_.handleInput(input, area()))
      continue;
    pointer_.handleInput(input, pointerScene());
    if (input.kind == Kind::drop) drop(input.files);
    handleKey(input);
  }
  if (arranging_.isActive()) return arranging_.updateHover(area());
  pointer_.updateHover(pointerScene());
  publishHands();
}

void Preview::handleKey(const xr::WindowInput& input) {
  // Handled here because ImGui misses keys that are pressed for less than a frame.
  if (state_.noteDraft && input.kind == Kind::key) {
    state_.submitNote = state_.submitNote || input.key == xr::key::kEnter;
    if (input.key == xr::key::kEscape) state_.noteDraft.reset();
    return;
  }
  if (input.kind == Kind::keyUp) session_.setThrusters(input.key, false);
  if (input.kind != Kind::key || ImGui::GetIO().WantTextInput) return;
  if (arranging_.isActive()) {
    if (const auto action = actionOf(input, arrangeKeys())) perform(*action, input.shift);
    return;
  }
  if (!input.control && !input.repeated) session_.setThrusters(input.key, true);
  if (const auto action = actionOf(input)) perform(*action);
}

/// Files of parts are added to the scene, in the arrange mode; another one is opened as a scene.
void Preview::drop(const std::vector<std::string>& files) {
  if (!arranging_.isActive() && std::any_of(files.begin(), files.end(), isPartFile)) toggleArranging();
  if (arranging_.isActive()) return arranging_.drop(files);
  const auto scene = std::find_if_not(files.begin(), files.end(), isPartFile);
  if (scene != files.end()) state_.openFile = *scene;
}

/// From the running scene to the workbench. There is no way back but running the scene.
void Preview::toggleArranging() {
  if (!options_.source->takesScenes())
    return state_.showNotice(
        "The scene of a session on a server cannot be arranged; start without --connect.");
  if (session_.frame().status.recording)
    return state_.showNotice("Stop recording (Ctrl+R) before arranging the scene.");
  if (session_.isOpening()) return state_.showNotice("Another scene is still loading.");
  arranging_.enter(session_.options(), *session_.sceneView().scene, session_.drawn().X_WP);
  if (arranging_.isActive()) showBench(false);
}

/// The arrange mode has begun, with another scene: frames it.
void Preview::showBench(bool isOther) {
  session_.sceneView().hands.releaseAll();
  publishHands();
  session_.live().pause();
  renderSceneBuilder_ = {};
  if (!isOther) return;
  window_.setTitle(windowTitle(arranging_.bench().scene()));
  frameAll(std::nullopt);
}

/// Esc closes a dialog, else releases a held part, else exits.
void Preview::requestExit() {
  if (arranging_.cancel()) return;
  bool holds = false;
  for (int k = 0; k < static_cast<int>(session_.sceneView().hands.count()); ++k)
    holds = holds || session_.sceneView().hands.holds(k);
  if (state_.help || state_.picker) {
    state_.help = state_.picker = false;
  } else if (holds) {
    session_.sceneView().hands.releaseAll();
  } else {
    exitUnlessModified();
  }
}

void Preview::perform(Action action, bool shift) {
  if (arranging_.isActive() ? arranging_.perform(action, shift) : session_.perform(action)) return;
  ViewSettings& settings = state_.settings;
  switch (action) {
    case Action::otherHand:
      settings.leftHand = !settings.leftHand;
      return;
    case Action::openScene:
      state_.picker = !state_.picker;
      if (state_.picker) listScenes();
      return;
    case Action::screenshot:
      return screenshots_.requestScreenshot();
    case Action::requestExit:
      return requestExit();
    case Action::arrange:
      return toggleArranging();
    default:
      performViewAction(action, state_, sceneView(), [this](auto part) { frameAll(part); });
  }
}

/// The scenes of the picker, with pictures.
void Preview::listScenes() {
  state_.scenes = shippedScenes();
  state_.recent = sceneEntries(state_.settings.recent);
  for (const auto* list : {&state_.recent, &state_.scenes})
    for (const SceneEntry& scene : *list) thumbnails_.request(sceneThumbnail(scene.file));
}

/// What has been rendered of them, and of parts while one is added.
void Preview::updatePictures() {
  if (arranging_.isActive() && arranging_.isAddingPart()) requestPartPictures(thumbnails_);
  const std::optional<xr::Image> sheet = thumbnails_.changedSheet();
  if (!sheet) return;
  window_.showPictures(*sheet);
  state_.pictures = thumbnails_.cells();
  settling_ = kSettling;
}

/// Requests of the parameters' panel.
void Preview::performParameters() {
  ParameterView& view = state_.parameters;
  if (std::exchange(view.stop, false)) studyRunner_.requestStop();
  if (auto settings = std::exchange(view.settings, std::nullopt)) changeParameters(*std::move(settings));
  if (std::exchange(view.keepAsDefaults, false) && arranging_.isActive()) arranging_.keepParameters();
  if (const auto request = std::exchange(view.start, std::nullopt)) startStudy(*request);
  view.study = studyRunner_.status();
}

/// The scene with other values of its parameters, from its start.
void Preview::changeParameters(std::vector<std::string> settings) {
  if (arranging_.isActive()) return arranging_.bench().setSettings(std::move(settings));
  if (!options_.source->takesScenes())
    return state_.showNotice("The parameters of a session on a server cannot be changed.");
  SceneOptions scene = arranging_.running(session_.options());
  scene.settings = std::move(settings);
  keepsView_ = !session_.isOpening();
  if (session_.isOfText())
    session_.openText(scene, arranging_.textWith(scene.settings));
  else
    session_.open(scene);
}

void Preview::startStudy(const StudyRequest& request) {
  if (arranging_.isUnsaved())
    return state_.showNotice("A study reads the file of the scene: save it first (Ctrl+E, Ctrl+S).");
  try {
    studyRunner_.start(request, *sceneView().scene);
  } catch (const std::exception& error) {
    state_.showNotice(error.what());
  }
}

}  // namespace tenon::runtime
