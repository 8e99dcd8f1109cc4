// Texts are read on a thread of their own, so that the window goes on; edits wait until the text before has
// been read.
#include "runtime/workbench/workbench.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "content/edit/part_edits.h"
#include "runtime/session/background_thread.h"

namespace tenon::runtime {

Workbench::Workbench(content::SceneDocument document, std::vector<std::string> settings)
    : document_(std::move(document)), settings_(std::move(settings)) {
  receive(readBench(document_.text(), document_.file(), settings_, document_.revision(), &meshes_));
  if (next_) {
    showNext();
    return;
  }
  // Nothing can be shown of it: an empty scene.
  scene_ = std::make_shared<const content::Scene>();
  view_ = std::make_unique<SceneView>(scene_);
  frame_.scene = scene_;
}

void Workbench::startReading() {
  reading_ = std::async(std::launch::async, [this, text = document_.text(), file = document_.file(),
                                             settings = settings_, revision = document_.revision()] {
    lowerPriority();
    return readBench(text, file, settings, revision, &meshes_);
  });
}

BenchReading Workbench::readNow(const std::string& text, const std::string& file) {
  waitForReader();
  return readBench(text, file, settings_, 0, &meshes_);
}

void Workbench::setSettings(std::vector<std::string> settings) {
  if (settings == settings_) return;
  waitForReader();
  settings_ = std::move(settings);
  readRevision_ = -1;
}

void Workbench::receive(BenchReading reading) {
  readRevision_ = reading.revision;
  problem_ = std::move(reading.problem);
  rejected_ = !reading.view;
  if (!rejected_) next_ = std::move(reading);
}

bool Workbench::update() {
  if (reading_.valid() && reading_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    receive(reading_.get());
  if (next_) showNext();
  if (!reading_.valid() && readRevision_ != document_.revision()) startReading();
  return std::exchange(shown_, false);
}

void Workbench::waitForReader() {
  while (reading_.valid() || readRevision_ != document_.revision()) {
    if (!reading_.valid()) startReading();
    receive(reading_.get());
  }
}

void Workbench::finishReading() {
  waitForReader();
  if (next_) showNext();
}

std::shared_ptr<const content::JsonText> Workbench::parsed() {
  if (parsedRevision_ != document_.revision()) {
    parsed_ = std::make_shared<const content::JsonText>(document_.text(), document_.file());
    parsedRevision_ = document_.revision();
  }
  return parsed_;
}

/// Selects the part of this name; false if there is none.
bool Workbench::trySelect(const std::string& name) {
  const auto part = std::find_if(scene_->parts.begin(), scene_->parts.end(),
                                 [&](const content::Part& one) { return one.name == name; });
  if (part == scene_->parts.end()) return false;
  selectPart(static_cast<int>(part - scene_->parts.begin()));
  return true;
}

void Workbench::showNext() {
  BenchReading reading = *std::exchange(next_, std::nullopt);
  shown_ = true;
  const std::size_t countBefore = frame_.X_WP.size(), indexBefore = selection_.index;
  const std::string selectedName = selectedPart() >= 0 ? scene_->part(selectedPart()).name : "";
  scene_ = std::move(reading.scene);
  view_ = std::move(reading.view);
  frame_ = {};
  frame_.scene = scene_;
  frame_.goals.resize(scene_->goals.size());
  frame_.status.rate = scene_->rate;
  drawn_ = {};
  for (const content::Part& part : scene_->parts) drawn_.X_WP.push_back(part.X_WP);
  frame_.X_WP = drawn_.X_WP;
  // The selection stays with its part, which may have another name, or goes to a new one.
  if (selection_.kind == BenchSelection::Kind::part) selection_ = {};
  const bool isSelected = selectNext_ && trySelect(*selectNext_);
  if (!isSelected && !selectedName.empty()) trySelect(selectedName);
  if (isSelected || reading.revision == document_.revision()) selectNext_.reset();
  const bool isRenamed = selection_.kind == BenchSelection::Kind::nothing && !selectedName.empty() &&
                         countBefore == scene_->parts.size();
  if (isRenamed) selectPart(static_cast<int>(indexBefore));
  const bool isGone =
      (selection_.kind == BenchSelection::Kind::goal && selection_.index >= scene_->goals.size()) ||
      (selection_.kind == BenchSelection::Kind::joint && selection_.index >= scene_->joints.size());
  if (isGone) selection_ = {};
}

/// Before an edit: waits for the reader, and removes a text that it rejects.
void Workbench::removeRejected() {
  waitForReader();
  if (!rejected_ || document_.undoText().empty()) return;
  document_.undo();
  waitForReader();
}

void Workbench::edit(const std::string& what, const std::function<void(content::JsonText&)>& change) {
  removeRejected();
  const content::Scene& newest = newestScene();
  if (newest.parts.size() != scene_->parts.size() || newest.joints.size() != scene_->joints.size() ||
      newest.goals.size() != scene_->goals.size())
    throw std::runtime_error("Not done: " + what + ". The scene has just changed; try it again.");
  addEntry(what, change);
}

void Workbench::addEntry(const std::string& what, const std::function<void(content::JsonText&)>& change) {
  removeRejected();
  content::JsonText text(document_.text(), document_.file());
  change(text);
  document_.edit(what, text.text());
  if (!reading_.valid() && readRevision_ != document_.revision()) startReading();
}

void Workbench::undo() {
  document_.undo();
}

void Workbench::redo() {
  document_.redo();
}

int Workbench::selectedPart() const {
  const bool isPart =
      selection_.kind == BenchSelection::Kind::part && scene_ && selection_.index < scene_->parts.size();
  return isPart ? static_cast<int>(selection_.index) : -1;
}

std::optional<std::size_t> Workbench::selectedGoal() const {
  if (selection_.kind != BenchSelection::Kind::goal || selection_.index >= scene_->goals.size())
    return std::nullopt;
  return selection_.index;
}

void Workbench::showPart(int part, const physics::Pose& X_WP) {
  drawn_.X_WP[static_cast<std::size_t>(part)] = X_WP;
}

void Workbench::movePart(int part, const physics::Pose& X_WP) {
  edit("place " + scene_->part(part).name,
       [&](content::JsonText& text) { content::setPose(text, newestScene(), part, X_WP); });
  if (isReading()) showPart(part, X_WP);
}

int Workbench::countOfEntry(int part) const {
  return static_cast<int>(std::count_if(
      scene_->parts.begin(), scene_->parts.end(),
      [&](const content::Part& other) { return other.fileEntry == scene_->part(part).fileEntry; }));
}

}  // namespace tenon::runtime
