// A scene file that is being edited: its text, what was saved, undo and redo.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tenon::content {

class SceneDocument {
 public:
  /// `file`: name of the scene file; `isNew`: it does not exist yet.
  SceneDocument(std::string file, std::string text, bool isNew = false);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  /// Counts the changes of the text.
  std::int64_t revision() const { return revision_; }
  /// True if it has never been saved.
  bool isNew() const { return isNew_; }
  /// True if the text is not that of the file, or of the new scene.
  bool isModified() const { return text_ != savedText_; }
  /// The text that was last read from the file or written to it; of a new scene the first one.
  const std::string& savedText() const { return savedText_; }

  /// Sets the text after an edit; `what` names it for undo. An equal text is no edit.
  void edit(const std::string& what, std::string text);
  void undo();
  void redo();
  /// The next undo and redo; "" if there is none.
  std::string undoText() const { return undone_.empty() ? "" : undone_.back().what; }
  std::string redoText() const { return redone_.empty() ? "" : redone_.back().what; }

  /// The text has been written to `file`.
  void markSaved(std::string file);
  /// The folder of a new scene is that of `file`.
  void setNewFile(std::string file) { file_ = std::move(file); }
  /// The file has this text now. The unsaved text is kept, or replaced by it, which can be undone.
  void fileChanged(std::string text, bool takeIt);

 private:
  struct State {
    std::string what, text;  ///< of the edit; the text without it
  };
  void step(std::vector<State>& from, std::vector<State>& to);
  void limitUndo();

  std::string file_, text_, savedText_;
  bool isNew_ = false;
  std::int64_t revision_ = 0;
  std::vector<State> undone_, redone_;  ///< newest last
};

}  // namespace tenon::content
