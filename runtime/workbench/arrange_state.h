// The state of the arrange mode besides the document: tools, dialogs, questions, suggestions.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/workbench/gizmo.h"
#include "runtime/workbench/goal_suggestions.h"
#include "runtime/workbench/snap.h"
#include "xr/appearance/pick.h"

namespace tenon::runtime {

enum class ArrangeTool { move, turn, snap, goal };

/// A question with its answers, which a dialog shows until one is chosen.
struct Question {
  std::string text;
  struct Answer {
    std::string label;
    std::function<void()> perform;
  };
  std::vector<Answer> answers;
};

/// What a file is chosen for.
enum class FilePurpose { none, addPart, saveAs, openScene };

struct FileList {
  FilePurpose purpose = FilePurpose::none;
  std::string folder, name;                 ///< shown folder, text of the file name
  std::vector<std::string> folders, files;  ///< in it
  std::string listed;                       ///< folder of which these are
  std::string unit = "mm";                  ///< of STL and OBJ files
  std::optional<std::string> chosen;        ///< the chosen file
};

/// A list of the files in a folder.
inline FileList fileList(FilePurpose purpose, std::string folder, std::string name) {
  FileList files;
  files.purpose = purpose;
  files.folder = std::move(folder);
  files.name = std::move(name);
  return files;
}

struct AddPartDialog {
  bool open = false;
  int group = 0;  ///< 0: standard parts, then one for each template
  int family = 0;
  std::string designation = "ISO 4762 M8x30";
  std::string dimensions;  ///< JSON of the template, as changed
};

/// A number or a text that is being typed into a field.
struct TypedValue {
  unsigned int field = 0;  ///< ImGui's id
  double number = 0;
  std::string text;
};

struct ArrangeState {
  ArrangeTool tool = ArrangeTool::move;
  bool partAxes = false;  ///< axes of the gizmo: the part's; else the world's
  double snapDistance_mm = 0;
  std::optional<xr::PickedFeature> picked;   ///< first feature of snap or goal
  std::optional<xr::PickedFeature> hovered;  ///< feature under the mouse, with these tools
  /// Poses of the parts when the simulation was left, by name.
  std::vector<std::pair<std::string, physics::Pose>> simulated;
  std::vector<GoalSuggestion> suggestions;
  std::int64_t suggestionsOf = -1;  ///< revision of the document
  std::string filter;               ///< of the tree
  bool scrollToSelection = false;
  TypedValue typed;
  bool entered = false;  ///< Enter was pressed since the last frame
  AddPartDialog add;
  std::string importing;  ///< file from which parts are being read, with the progress; or ""
  FileList files;
  std::vector<Question> questions;  ///< the last one is shown

  bool hasDialog() const { return add.open || files.purpose != FilePurpose::none || !questions.empty(); }
};

}  // namespace tenon::runtime
