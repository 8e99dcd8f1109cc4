// Layout of the arrange mode: the same places as those of the running scene.
#include "runtime/workbench/arrange_panels.h"

#include <fmt/format.h>
#include <imgui.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "content/edit/part_edits.h"
#include "content/input/printable.h"
#include "runtime/live_view/panel_layout.h"
#include "xr/display/window.h"

namespace tenon::runtime {

namespace {

constexpr auto kArrangeKeys = withViewKeys(
    std::array{
        ActionKey{Action::arrange, 'E', true, false, "Ctrl+E", "run the scene"},
        ActionKey{Action::addPart, 'P', false, false, "P", "add a part (or drop its file here)"},
        ActionKey{Action::moveTool, 'W', false, false, "W", "move the selected part"},
        ActionKey{Action::turnTool, 'E', false, false, "E", "turn it"},
        ActionKey{Action::snapTool, 'A', false, false, "A", "align: click its end, then a hole"},
        ActionKey{Action::goalTool, 'O', false, false, "O", "goal: click a shaft, then a hole"},
        ActionKey{Action::gizmoAxes, 'L', false, false, "L", "axes of the world, or of the part"},
        ActionKey{Action::duplicate, 'D', true, false, "Ctrl+D", "duplicate"},
        ActionKey{Action::deleteSelected, key::kDelete, false, false, "Del", "delete"},
        ActionKey{Action::undo, 'Z', true, true, "Ctrl+Z", "undo"},
        ActionKey{Action::redo, 'Y', true, true, "Ctrl+Y", "redo"},
        ActionKey{Action::save, 'S', true, false, "Ctrl+S", "save; with Shift: save as"},
    },
    std::array{
        ActionKey{Action::panels, key::kTab, false, false, "Tab", "show or hide the panels"},
        ActionKey{Action::openScene, 'O', true, false, "Ctrl+O", "open a scene (or drop its file here)"},
        ActionKey{Action::screenshot, key::kF12, false, false, "F12", "save an image"},
        ActionKey{Action::help, key::kF1, false, false, "F1", "show this list"},
        ActionKey{Action::requestExit, key::kEscape, false, false, "Esc", "cancel; close a dialog; quit"},
    });

constexpr std::array kArrangeMouse{
    MouseHelp{"Left on a part", "select; if selected, drag it"},
    MouseHelp{"  + X, Y or Z", "along one axis"},
    MouseHelp{"  + Ctrl", "whole millimeters, 15°"},
    MouseHelp{"Left on a handle", "move or turn"},
    MouseHelp{"A, Shift+click", "align faces"},
    MouseHelp{"Left on background", "orbit"},
    MouseHelp{"Middle, Alt+left", "orbit"},
    MouseHelp{"Shift+middle, right", "pan"},
    MouseHelp{"Wheel", "zoom"},
    MouseHelp{"View cube", "click: view from there; drag: orbit"},
    MouseHelp{"Section handle", "drag the plane (S: section)"},
};

void button(ArrangeContext& context, Action action, const char* text, const char* name,
            const std::string& tooltip, bool enabled = true, bool on = false) {
  actionButton(context.panels, action, keyNameOf(action, kArrangeKeys), text, name, tooltip, enabled, on);
}

void toolButton(ArrangeContext& context, Action action, ArrangeTool tool, const char* text, const char* name,
                const char* tooltip) {
  button(context, action, text, name, tooltip, true, context.arrange.tool == tool);
}

const char* hintOf(const ArrangeState& arrange, const Workbench& bench) {
  if (arrange.tool == ArrangeTool::snap)
    return arrange.picked ? "Click the hole, axis or (Shift) face on which it shall lie · Esc: cancel"
                          : "Click the end or axis of the part to align; Shift: its face";
  if (arrange.tool == ArrangeTool::goal)
    return arrange.picked ? "Click the hole into which it goes · Esc: cancel"
                          : "Click the shaft of a goal, then the hole";
  if (bench.selectedPart() >= 0)
    return "Drag the part or a handle · X Y Z: along an axis · Ctrl+E: run · F1: keys";
  return "Left: select · P: add a part · Ctrl+O: open a scene · Ctrl+E: run · F1: keys";
}

StatusText statusOf(const ArrangeContext& context) {
  const ViewState& view = context.panels.state;
  const ImVec4 text = ImGui::GetStyleColorVec4(ImGuiCol_Text),
               faint = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  if (!view.loading.empty()) return {fmt::format("Reading {} …", view.loading), text};
  if (!context.arrange.importing.empty())
    return {fmt::format("Reading {} …", context.arrange.importing), text};
  if (view.noticeUntil > xr::Window::now()) return {view.notice, warningColor()};
  if (!context.bench.problem().empty()) return {context.bench.problem(), warningColor()};
  return {hintOf(context.arrange, context.bench), faint};
}

void drawStatus(ArrangeContext& context) {
  const content::SceneDocument& document = context.bench.document();
  const std::string name = content::printable(std::filesystem::path(document.file()).filename().string());
  drawStatusLine(context.panels, statusOf(context),
                 {name + (document.isNew()        ? ", not saved yet"
                          : document.isModified() ? ", changed"
                                                  : ", saved"),
                  ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled)});
}

void drawColumn(ArrangeContext& context, float width, float height) {
  const auto scale = static_cast<float>(context.panels.scale);
  placeNext(width - kColumn * scale, kBar * scale, kColumn * scale, height - (kBar + kStatus) * scale);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  if (ImGui::Begin("arrange column", nullptr, kFixed)) {
    section(
        "Scene", context.panels, [&](PanelContext&) { drawPartTree(context); }, true);
    section(
        "Goals", context.panels, [&](PanelContext&) { drawGoalSuggestions(context); }, true);
    section(
        "Properties", context.panels, [&](PanelContext&) { drawProperties(context); }, true);
    section("Parameters", context.panels, drawParameters, false);
    section("View", context.panels, drawView, false);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

/// A bar across the window, without a title.
template <class Draw>
void bar(const char* name, float y, float width, float height, ImVec2 padding, const Draw& draw) {
  placeNext(0, y, width, height);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  if (ImGui::Begin(name, nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) draw();
  ImGui::End();
  ImGui::PopStyleVar();
}

/// A button that makes the poses to which the parts have been moved in the simulation their start poses.
void drawSimulatedPoses(ArrangeContext& context) {
  constexpr double kMoved = 1e-6;  // [m], [rad]
  const content::Scene& scene = context.bench.scene();
  std::vector<std::pair<int, physics::Pose>> moved;
  for (const auto& [name, X_WP] : context.arrange.simulated)
    for (int k = 0; k < static_cast<int>(scene.parts.size()); ++k) {
      const content::Part& part = scene.part(k);
      if (part.name != name || part.motion == physics::MotionType::fixed) continue;
      const bool differs =
          (part.X_WP.p - X_WP.p).norm() > kMoved || part.X_WP.q.angularDistance(X_WP.q) > kMoved;
      if (differs && !context.bench.isRepeated(k)) moved.emplace_back(k, X_WP);
    }
  if (moved.empty()) return;
  if (ImGui::SmallButton("Take poses of the simulation"))
    editBench(context, "poses of the simulation", [&](content::JsonText& text) {
      for (const auto& [part, X_WP] : moved) content::setPose(text, context.bench.newestScene(), part, X_WP);
    });
  mark(context.panels, "take poses");
  tip(fmt::format("{} part{} moved since the start", moved.size(), moved.size() == 1 ? " has" : "s have"));
}

}  // namespace

std::span<const ActionKey> arrangeKeys() {
  return kArrangeKeys;
}

void drawArrangeToolbar(ArrangeContext& context) {
  const content::SceneDocument& document = context.bench.document();
  button(context, Action::arrange, "Run", "run", "Simulate the scene");
  button(context, Action::undo, "Undo", "undo",
         document.undoText().empty() ? "Nothing to undo" : "Undo: " + document.undoText(),
         !document.undoText().empty());
  button(context, Action::redo, "Redo", "redo",
         document.redoText().empty() ? "Nothing to redo" : "Redo: " + document.redoText(),
         !document.redoText().empty());
  button(context, Action::addPart, "Add part", "add part", "Add a part", true, context.arrange.add.open);
  toolButton(context, Action::moveTool, ArrangeTool::move, "Move", "move tool", "Move the selected part");
  toolButton(context, Action::turnTool, ArrangeTool::turn, "Turn", "turn tool", "Turn the selected part");
  toolButton(context, Action::snapTool, ArrangeTool::snap, "Align", "align tool",
             "Lay an axis on an axis, or a face on a face");
  toolButton(context, Action::goalTool, ArrangeTool::goal, "Goal", "goal tool",
             "Make a goal of a shaft and a hole");
  button(context, Action::gizmoAxes, context.arrange.partAxes ? "Part axes" : "World axes", "gizmo axes",
         "Axes of the handles");
  button(context, Action::save, "Save", "save", "Save the scene file",
         document.isNew() || document.isModified());
  button(context, Action::saveAs, "Save as", "save as", "Save in another file");
  button(context, Action::openScene, "Open", "open", "Open a scene");
  button(context, Action::help, "?", "help", "Keys and mouse");
  if (context.arrange.tool != ArrangeTool::snap) return ImGui::NewLine();
  if (const auto typed = numberBox(context, "distance", context.arrange.snapDistance_mm,
                                   4 * ImGui::GetFontSize(), "%.4g mm"))
    context.arrange.snapDistance_mm = *typed;
  tip("Distance between the two, out of the hole");
}

void drawProperties(ArrangeContext& context) {
  if (const int part = context.bench.selectedPart(); part >= 0) return drawPartProperties(context, part);
  if (const auto goal = context.bench.selectedGoal()) return drawGoalProperties(context, *goal);
  const BenchSelection& selection = context.bench.selection();
  if (selection.kind != BenchSelection::Kind::joint ||
      selection.index >= context.bench.scene().joints.size()) {
    ImGui::TextDisabled("Nothing selected");
    const std::string title = context.bench.scene().title;
    if (const auto typed = textField(context, "Title", "title", title))
      editBench(context, "title", [&](content::JsonText& text) { text.set("/title", *typed); });
    drawSimulatedPoses(context);
    return;
  }
  const content::Joint& joint = context.bench.scene().joints[selection.index];
  ImGui::TextUnformatted(
      fmt::format("{} of {}", physics::toText(joint.kind), context.bench.scene().part(joint.part).name)
          .c_str());
  if (ImGui::SmallButton("Delete joint"))
    context.panels.state.requestedActions.push_back(Action::deleteSelected);
  mark(context.panels, "delete joint");
}

void drawArrangePanels(ArrangeContext& context) {
  context.panels.state.marks.clear();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const auto scale = static_cast<float>(context.panels.scale);
  if (context.panels.state.settings.panels) drawColumn(context, size.x, size.y);
  drawViewTools(context.panels, imageAreaBeside(context.panels.state, context.panels.scale, size.x, size.y));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  bar("arrange bar", 0, size.x, kBar * scale, {10 * scale, 8 * scale}, [&] { drawArrangeToolbar(context); });
  bar("arrange status", size.y - kStatus * scale, size.x, kStatus * scale, {10 * scale, 5 * scale},
      [&] { drawStatus(context); });
  ImGui::PopStyleVar(2);
  constexpr std::size_t kLeft = 19;
  if (context.panels.state.help) drawKeyList(context.panels, kArrangeKeys, kArrangeMouse, kLeft);
  if (context.panels.state.picker) drawScenePicker(context.panels);
  drawAddPart(context);
}

void drawArrangeDialogs(ArrangeContext& context) {
  drawFileList(context);
  drawQuestion(context);
}

}  // namespace tenon::runtime
