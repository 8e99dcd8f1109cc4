// The file of the workbench: saving, and changes by other programs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "runtime/live_view/view_state.h"
#include "runtime/workbench/arrange_state.h"
#include "runtime/workbench/workbench.h"

namespace tenon::runtime {

class BenchFile {
 public:
  /// Saves the document in its file. A new document shows the list of files; a file that another program has
  /// changed meanwhile, a question. Errors are shown in `view`. True if it was written.
  bool save(Workbench& bench, ArrangeState& arrange, ViewState& view);
  /// Saves it as `file`; a question is shown before another file is replaced. Mesh files must be in its
  /// folder or below.
  bool saveAs(const std::string& file, Workbench& bench, ArrangeState& arrange, ViewState& view);
  /// Looks for changes by other programs, twice a second; `now` [s]. A changed file is read at once if the
  /// document has no unsaved changes, else a question is shown.
  void watch(double now, Workbench& bench, ArrangeState& arrange, ViewState& view);
  /// Saves, and performs `then` once the document is written: at once, or after the list of files and
  /// questions.
  void saveThen(std::function<void()> then, Workbench& bench, ArrangeState& arrange, ViewState& view);
  /// Saving was canceled: nothing is performed any more.
  void cancelThen() { then_ = nullptr; }

 private:
  bool write(const std::string& file, Workbench& bench, ViewState& view);
  void takeChanges(std::string text, Workbench& bench, ViewState& view);

  std::function<void()> then_;              ///< after the document is written
  double nextLook_ = 0;                     ///< [s]
  std::string watched_;                     ///< file
  std::filesystem::file_time_type seen_{};  ///< its time of change
};

/// The name of a new scene's file in a folder: "untitled.json", with a number if it exists.
std::string newSceneFile(const std::string& folder);

/// Writes the text of a document that ends with unsaved changes: as "scene.unsaved.json" beside scene.json,
/// or into the folder for temporary files. Returns the file; "" if none could be written.
std::string writeUnsaved(const content::SceneDocument& document);

/// Shows the question whether unsaved changes are to be saved, and performs `then` after that, or at once if
/// there are none.
void requireAnswer(const std::string& what, Workbench& bench, ArrangeState& arrange, ViewState& view,
                   BenchFile& file, std::function<void()> then);

}  // namespace tenon::runtime
