// Undo keeps whole texts: a scene has some kilobytes.
#include "content/edit/scene_document.h"

#include <utility>

namespace tenon::content {

namespace {

constexpr std::size_t kMaxUndoBytes = 256u << 20;

}  // namespace

SceneDocument::SceneDocument(std::string file, std::string text, bool isNew)
    : file_(std::move(file)), text_(std::move(text)), savedText_(text_), isNew_(isNew) {}

void SceneDocument::edit(const std::string& what, std::string text) {
  if (text == text_) return;
  undone_.push_back({what, std::exchange(text_, std::move(text))});
  redone_.clear();
  ++revision_;
  limitUndo();
}

void SceneDocument::limitUndo() {
  std::size_t bytes = 0, kept = 0;
  while (kept < undone_.size() && bytes < kMaxUndoBytes)
    bytes += undone_[undone_.size() - ++kept].text.size();
  undone_.erase(undone_.begin(), undone_.end() - static_cast<std::ptrdiff_t>(kept));
}

void SceneDocument::step(std::vector<State>& from, std::vector<State>& to) {
  if (from.empty()) return;
  State state = std::move(from.back());
  from.pop_back();
  to.push_back({state.what, std::exchange(text_, std::move(state.text))});
  ++revision_;
}

void SceneDocument::undo() {
  step(undone_, redone_);
}

void SceneDocument::redo() {
  step(redone_, undone_);
}

void SceneDocument::markSaved(std::string file) {
  file_ = std::move(file);
  savedText_ = text_;
  isNew_ = false;
}

void SceneDocument::fileChanged(std::string text, bool takeIt) {
  if (takeIt) edit("changes of the file", text);
  savedText_ = std::move(text);
}

}  // namespace tenon::content
