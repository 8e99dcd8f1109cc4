// Scenes are loaded on a thread of their own and started between two steps of the simulation.
#include "runtime/preview/preview_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <utility>

#include "runtime/live_view/begin_live.h"

namespace tenon::runtime {

PreviewSession::PreviewSession(const PreviewOptions& options, OpenedScene opened, ViewState& state)
    : options_(options),
      state_(state),
      sceneView_(std::make_unique<SceneView>(opened.scene)),
      sceneOptions_({opened.scene->file, options.scene.settings}),
      firstFile_(opened.scene->file),
      opened_(opened),
      record_(options.record.value_or("")) {
  live_ = options.source->begin(std::move(opened), {.solver = options.solver,
                                                    .rate = options.rate,
                                                    .paused = options.paused,
                                                    .scripted = options.play || options.script.has_value(),
                                                    .guidance = options.guidance,
                                                    .record = options.record,
                                                    .force = options.force});
  frameBuffer_ = live_->frameBuffer();
  interpolate();
}

void PreviewSession::open(const SceneOptions& scene) {
  const bool isFirst = scene.file == firstFile_;
  load(scene, false,
       [scene, script = isFirst ? options_.script : std::nullopt, plays = isFirst && options_.play] {
         return openScene(scene, script, plays);
       });
}

void PreviewSession::openText(const SceneOptions& scene, std::string text) {
  load(scene, true, [scene, text = std::move(text)] { return openSceneText(scene, text); });
}

void PreviewSession::load(const SceneOptions& scene, bool ofText, std::function<OpenedScene()> read) {
  if (isOpening()) return state_.showNotice("Another scene is still loading.");
  if (frame().status.recording)
    return state_.showNotice("Stop recording (Ctrl+R) before opening another scene.");
  state_.loading = scene.file;
  nextOptions_ = scene;
  nextOfText_ = ofText;
  opening_ = std::async(std::launch::async, std::move(read));
}

/// Starts the requested scene once it is loaded and the simulation has accepted it.
void PreviewSession::finishOpening() {
  if (opening_.valid() && opening_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    state_.loading.clear();
    try {
      next_ = opening_.get();
      nextSceneView_ = std::make_unique<SceneView>(next_.scene);
      messagesBeforeOpening_ = frame().status.messages;
      live_->setScene(next_.scene, options_.rate);
    } catch (const std::exception& error) {  // any failure: the current session continues
      state_.showNotice(error.what());
      if (onRejected) onRejected(nextOptions_);
    }
  }
  const std::shared_ptr<const content::Scene>& scene = frame().scene;
  if (scene == sceneView_->scene) {
    if (frame().status.messages != messagesBeforeOpening_)
      nextSceneView_.reset();  // rejected; the message gives the reason
    return;
  }
  if (!nextSceneView_ || nextSceneView_->scene != scene) nextSceneView_ = std::make_unique<SceneView>(scene);
  sceneView_ = std::move(nextSceneView_);
  opened_ = std::move(next_);
  sceneOptions_ = nextOptions_;
  ofText_ = nextOfText_;
  state_.measured.clear();
  state_.measurementText.clear();
  state_.measurementEnds.reset();
  state_.hoveredPart.reset();
  state_.section = {};
  pressedKeys_.clear();
  thrustersOn_.clear();
  history_.clear();
  interpolate();
  if (onScene) onScene();
}

bool PreviewSession::perform(Action action) {
  switch (action) {
    case Action::playPause:
      frame().status.paused ? live_->play() : live_->pause();
      return true;
    case Action::step:
      live_->stepOnce();
      return true;
    case Action::reset:
      live_->reset();
      return true;
    case Action::undo:
      live_->undo();
      return true;
    case Action::redo:
      live_->redo();
      return true;
    case Action::slower:
      changeSpeed(-1);
      return true;
    case Action::faster:
      changeSpeed(1);
      return true;
    case Action::script:
      toggleScript();
      return true;
    case Action::record:
      toggleRecord();
      return true;
    case Action::bookmark:
      if (requireRecording("Bookmark")) live_->mark({"bookmark", ""});
      return true;
    case Action::note:
      if (requireRecording("Note")) state_.noteDraft.emplace();
      return true;
    default:
      return false;
  }
}

/// The session starts a script at the scene's start.
void PreviewSession::toggleScript() {
  const LiveStatus& status = frame().status;
  live_->setScripted(!status.scripted);
  if (!status.scripted && frame().time_ns > 0)
    state_.showNotice("The script plays from the start. Ctrl+Z restores the state before.");
}

void PreviewSession::toggleRecord() {
  if (isOpening()) return state_.showNotice("Another scene is still loading.");
  if (!record_.toggle(*options_.source, live_, opened_, options_.solver, frame().status, state_)) return;
  sceneView_->hands.releaseAll();
  history_.clear();
  shownMessages_ = 0;
  frameBuffer_ = live_->frameBuffer();
  interpolate();
}

/// Next higher (1) or lower (−1) speed.
void PreviewSession::changeSpeed(int direction) {
  constexpr std::array kPlaybackSpeeds{0.1, 0.2, 0.5, 1.0};
  const double now = frame().status.speed;
  const auto at = std::find_if(kPlaybackSpeeds.begin(), kPlaybackSpeeds.end(),
                               [&](double one) { return one >= now - 1e-9; });
  const auto next =
      std::clamp<std::ptrdiff_t>(at - kPlaybackSpeeds.begin() + direction, 0, kPlaybackSpeeds.size() - 1);
  live_->setSpeed(kPlaybackSpeeds[static_cast<std::size_t>(next)]);
}

/// True while recording; otherwise shows that `item` is not saved.
bool PreviewSession::requireRecording(const std::string& item) {
  return record_.requireRecording(item, frame().status, state_);
}

void PreviewSession::setThrusters(int key, bool on) {
  const std::vector<const content::Thruster*> thrusters = content::thrustersOf(*sceneView_->scene);
  pressedKeys_.resize(thrusters.size(), 0);
  for (std::size_t k = 0; k < thrusters.size(); ++k)
    if (thrusters[k]->key == key) pressedKeys_[k] = on ? 1 : 0;
}

void PreviewSession::updateThrusters() {
  const std::size_t count = content::thrustersOf(*sceneView_->scene).size();
  for (std::vector<char>* list : {&pressedKeys_, &thrustersOn_, &state_.heldThrusters})
    list->resize(count, 0);
  for (std::size_t k = 0; k < thrustersOn_.size(); ++k) {
    const char on = pressedKeys_[k] != 0 || state_.heldThrusters[k] != 0 ? 1 : 0;
    if (on == thrustersOn_[k]) continue;
    thrustersOn_[k] = on;
    live_->setThruster(physics::ThrusterId{static_cast<int>(k)}, on != 0);
  }
}

void PreviewSession::performRequests() {
  updateThrusters();
  if (const auto note = std::exchange(state_.note, std::nullopt); note && requireRecording("Note"))
    live_->mark({"note", *note});
  if (const auto solver = std::exchange(state_.solver, std::nullopt)) live_->setSolver(*solver);
  if (const auto rate = std::exchange(state_.rate, std::nullopt)) live_->setRate(*rate);
  if (const auto request = std::exchange(state_.dynamics, std::nullopt))
    live_->setDynamics(request->dynamics, request->begins);
  if (const auto speed = std::exchange(state_.speed, std::nullopt)) live_->setSpeed(*speed);
}

void PreviewSession::update() {
  frameBuffer_ = live_->frameBuffer();
  finishOpening();
  live_->drainTrace(newTrace_);
  if (frame().scene == sceneView_->scene) {
    history_.add(newTrace_, *sceneView_->scene);
    interpolate();
  }
  if (frame().status.messages != shownMessages_) {
    shownMessages_ = frame().status.messages;
    if (!frame().status.message.empty()) state_.showNotice(frame().status.message);
  }
  record_.report(frame().status, state_);
}

}  // namespace tenon::runtime
