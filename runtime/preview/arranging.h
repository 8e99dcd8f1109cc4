// The arrange mode of a preview: the simulation is paused, and the mouse edits the scene file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/live_view/panels.h"
#include "runtime/live_view/view_state.h"
#include "runtime/session/scene_options.h"
#include "runtime/workbench/arrange_panels.h"
#include "runtime/workbench/bench_file.h"
#include "runtime/workbench/bench_tools.h"
#include "runtime/workbench/file_import.h"
#include "runtime/workbench/workbench.h"

namespace tenon::runtime {

class Arranging {
 public:
  explicit Arranging(ViewState& view) : view_(view) {}

  /// Simulates a text as the scene of `scene.file`; set by the window.
  std::function<void(const SceneOptions& scene, std::string text)> onRun;

  bool isActive() const { return active_; }
  /// The workbench; only while the mode is active, or isModified().
  Workbench& bench() { return *bench_; }
  /// True if the document has unsaved changes.
  bool isModified() const { return bench_ && bench_->document().isModified(); }
  /// The scene that runs, of which `opened` was opened: the document's, if run() started it.
  SceneOptions running(const SceneOptions& opened) const;
  /// True while texts or files are read.
  bool isReading() const { return active_ && (bench_->isReading() || import_.isRunning()); }
  bool isAddingPart() const { return arrange_.add.open; }
  /// True if what is arranged, or runs from there, is not in its file.
  bool isUnsaved() const {
    return (active_ || runsDocument_) && (bench_->document().isNew() || bench_->document().isModified());
  }
  /// The text that runs, whose parameters get these values in the document, too.
  std::string textWith(const std::vector<std::string>& settings);
  /// Writes the values of the parameters into the document as their defaults.
  void keepParameters();
  /// True if this text runs, started by run().
  bool runs(const std::string& text) const { return runsDocument_ && bench_->document().text() == text; }

  /// Begins with an empty scene.
  void beginEmpty();
  /// Begins with the scene of a file, or goes on with it; also with another document that has unsaved
  /// changes. `X_WP`: poses in the simulation of `running`. Errors are shown.
  void enter(const SceneOptions& scene, const content::Scene& running, std::span<const physics::Pose> X_WP);
  /// Begins with the scene of a file that cannot run, such as one whose parts overlap. False, and nothing
  /// changes, if an entry of it is wrong.
  bool enterRejected(const SceneOptions& scene);
  /// Runs the scene, unless the reader rejects it.
  void run();
  /// Another scene is shown: `isDocument` if it has been started by run(), else it replaces the document.
  void leave(const SceneOptions& scene, bool isDocument);
  /// The session ends at once: writes unsaved changes to a file of their own. Returns where they are, for a
  /// message; "" if there are none.
  std::string saveUnsaved() const;

  /// Handles an input; true if it is used up. `area`: of the picture in the window [ImGui pixels].
  bool handleInput(const xr::WindowInput& input, const ImageArea& area);
  void updateHover(const ImageArea& area);
  /// Enter was pressed: completes what is typed into a field, even if the key was down for less than a frame.
  void reportEnter() { arrange_.entered = true; }
  /// Performs an action of the mode; false if it is not one.
  bool perform(Action action, bool shift);
  /// Adds the parts of files; the first other file is opened as a scene.
  void drop(const std::vector<std::string>& files);
  /// Esc: closes what is open; false if nothing is.
  bool cancel();
  /// Performs `then` once unsaved changes are saved or discarded.
  void requireSaved(const std::string& what, const std::function<void()>& then);

  /// Fetches what has been read, looks for changes of the file, performs choices of the dialogs. True if
  /// another scene is shown.
  bool update(double now);
  /// Draws the panels instead of those of the running scene.
  void drawPanels(PanelContext& context);
  /// Draws questions and the list of files, also while the scene runs.
  void drawDialogs(PanelContext& context);
  void drawOverlay(const ImageArea& area);
  /// For the trace: selection, problem, document.
  nlohmann::ordered_json trace(const ImageArea& area);
  /// Shows the list of scene files.
  void browse();

 private:
  BenchPicture picture(const ImageArea& area);
  bool load(const SceneOptions& scene);
  bool mayReplace() const;
  bool closeDialog();
  void activate();
  void begin(std::unique_ptr<Workbench> bench);
  void performFile(const std::string& file, FilePurpose purpose);
  void addFile(const std::string& file);
  void copyAndAdd(const std::string& file);
  void deleteSelected();
  void duplicate();

  ViewState& view_;
  std::unique_ptr<Workbench> bench_;
  ArrangeState arrange_;
  BenchTools tools_;
  BenchFile file_;
  FileImport import_;
  bool active_ = false;
  bool runsDocument_ = false;   ///< the scene that runs is the document's
  std::int64_t answered_ = -1;  ///< revision of the document whose changes may be discarded
  std::function<void()> afterDialogs_;
};

}  // namespace tenon::runtime
