// The workbench: a scene file that is being edited, what of it is selected, and the scene as it is shown.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/edit/json_text.h"
#include "content/edit/scene_document.h"
#include "runtime/live_view/scene_view.h"
#include "runtime/simulation/simulation_frame.h"
#include "runtime/workbench/bench_reading.h"

namespace tenon::runtime {

struct BenchSelection {
  enum class Kind { nothing, part, joint, goal };
  Kind kind = Kind::nothing;
  std::size_t index = 0;  ///< into the list of the scene

  bool operator==(const BenchSelection&) const = default;
};

class Workbench {
 public:
  /// `settings`: values of the scene's parameters, as of --set.
  Workbench(content::SceneDocument document, std::vector<std::string> settings);

  const content::SceneDocument& document() const { return document_; }
  content::SceneDocument& document() { return document_; }
  const std::vector<std::string>& settings() const { return settings_; }
  /// Sets values of parameters and reads the text again.
  void setSettings(std::vector<std::string> settings);

  /// The scene shown: of the document, or of its last text that could be read. It is replaced only by
  /// update() and finishReading(), so that panels may hold references into it while they edit.
  const content::Scene& scene() const { return *scene_; }
  SceneView& sceneView() { return *view_; }
  const SimulationFrame& frame() const { return frame_; }
  const InterpolatedState& drawn() const { return drawn_; }
  /// Why the scene cannot run, in the reader's line; "": it can, or is still being read.
  const std::string& problem() const { return problem_; }
  /// True while the newest text is being read.
  bool isReading() const { return readRevision_ != document_.revision() || reading_.valid() || next_; }
  /// Shows what has been read; once per frame, before anything is drawn. True if the shown scene has changed
  /// since the last call.
  bool update();
  /// Waits until the newest text has been read: problem() and newestScene() are those of it.
  void waitForReader();
  /// The same, and shows it.
  void finishReading();
  /// Reads another text at once, such as that of a changed file; `file`: in whose folder its meshes are.
  BenchReading readNow(const std::string& text, const std::string& file);
  /// The scene of the newest text that could be read, also if it is not shown yet.
  const content::Scene& newestScene() const { return next_ ? *next_->scene : *scene_; }
  /// The document's text, parsed once per revision. Throws InputError like content::JsonText.
  std::shared_ptr<const content::JsonText> parsed();

  /// Changes the text; `what` names the edit for undo. A text whose entries the reader rejects is replaced by
  /// the next edit. In `change`, names and poses are those of newestScene(). Throws what `change` throws, and
  /// std::runtime_error, without an edit, if the newest scene has other entries than the shown one, so that
  /// an index would name another one.
  void edit(const std::string& what, const std::function<void(content::JsonText&)>& change);
  /// An edit that names no entry by its index.
  void addEntry(const std::string& what, const std::function<void(content::JsonText&)>& change);
  void undo();
  void redo();

  // --- selection
  const BenchSelection& selection() const { return selection_; }
  void select(const BenchSelection& selection) { selection_ = selection; }
  void selectPart(int part) { selection_ = {BenchSelection::Kind::part, static_cast<std::size_t>(part)}; }
  /// Selects the part of this name once the document has been read.
  void selectNamed(std::string part) { selectNext_ = std::move(part); }
  /// The selected part; −1: none.
  int selectedPart() const;
  /// The selected goal, if one is.
  std::optional<std::size_t> selectedGoal() const;

  /// Shows a part elsewhere than in the document, while it is dragged.
  void showPart(int part, const physics::Pose& X_WP);
  /// Sets the start pose of a part in the document.
  void movePart(int part, const physics::Pose& X_WP);
  /// Number of parts of a part's entry: more than 1 with "count", and an expression for their poses.
  int countOfEntry(int part) const;
  bool isRepeated(int part) const { return countOfEntry(part) > 1; }
  /// True if the newest text has a wrong entry, so that another scene is shown.
  bool isRejected() const { return rejected_; }

 private:
  void startReading();
  void receive(BenchReading reading);
  void showNext();
  bool trySelect(const std::string& name);
  void removeRejected();

  content::SceneDocument document_;
  std::vector<std::string> settings_;
  std::shared_ptr<void> meshes_;  ///< of earlier texts; used by one reading at a time
  std::shared_ptr<const content::Scene> scene_;
  std::unique_ptr<SceneView> view_;
  SimulationFrame frame_;
  InterpolatedState drawn_;
  std::string problem_;
  bool rejected_ = false;             ///< the newest text has a wrong entry: `scene_` is of an older one
  std::optional<BenchReading> next_;  ///< is shown by the next update()
  bool shown_ = false;                ///< another scene has been shown since the last update()
  std::int64_t readRevision_ = -1;
  std::shared_ptr<const content::JsonText> parsed_;
  std::int64_t parsedRevision_ = -1;
  std::future<BenchReading> reading_;
  BenchSelection selection_;
  std::optional<std::string> selectNext_;
};

}  // namespace tenon::runtime
