// The panels of the arrange mode: toolbar, tree of parts, properties, goals, dialogs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "runtime/live_view/panels.h"
#include "runtime/workbench/arrange_state.h"
#include "runtime/workbench/workbench.h"

namespace tenon::runtime {

struct ArrangeContext {
  PanelContext& panels;
  Workbench& bench;
  ArrangeState& arrange;
};

/// Draws all panels of the arrange mode for the current window size.
void drawArrangePanels(ArrangeContext& context);
/// Draws what is open of its dialogs: also while the scene runs.
void drawArrangeDialogs(ArrangeContext& context);

/// All keys of the arrange mode, in the order of the key list.
std::span<const ActionKey> arrangeKeys();

// --- one file each
void drawArrangeToolbar(ArrangeContext& context);
void drawPartTree(ArrangeContext& context);
void drawProperties(ArrangeContext& context);
void drawPartProperties(ArrangeContext& context, int part);
void drawGoalProperties(ArrangeContext& context, std::size_t goal);
void drawGoalSuggestions(ArrangeContext& context);
void drawAddPart(ArrangeContext& context);
void drawFileList(ArrangeContext& context);
void drawQuestion(ArrangeContext& context);

// --- fields; `name` is that of the mark for tests
/// Performs an edit; an error is shown in the status bar.
void editBench(ArrangeContext& context, const std::string& what,
               const std::function<void(content::JsonText&)>& change);
/// A number in a labeled row; the new value when the person has finished typing.
std::optional<double> numberField(ArrangeContext& context, const char* label, const std::string& name,
                                  double value, const char* format = "%.6g");
/// Only the field, without its label.
std::optional<double> numberBox(ArrangeContext& context, const std::string& name, double value, float width,
                                const char* format = "%.6g");
/// A text in a labeled row, likewise.
std::optional<std::string> textField(ArrangeContext& context, const char* label, const std::string& name,
                                     const std::string& value);
/// The label of a row; the next control is placed behind it.
void rowLabel(const char* label);
/// The numbers and texts in a JSON value as fields, recursively; the new value when one has been changed.
std::optional<nlohmann::ordered_json> jsonForm(ArrangeContext& context, const std::string& name,
                                               const nlohmann::ordered_json& value);

}  // namespace tenon::runtime
