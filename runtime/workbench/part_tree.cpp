// The tree: only the visible rows are drawn, so that its cost does not grow with the scene.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <vector>

#include "runtime/live_view/panel_layout.h"
#include "runtime/workbench/arrange_panels.h"

namespace tenon::runtime {

namespace {

using Entry = BenchSelection::Kind;

struct Row {
  Entry kind = Entry::nothing;  ///< nothing: a heading
  std::size_t index = 0;        ///< of the entry; of a heading the number of entries
  const char* heading = "";
};

std::string nameOf(ArrangeContext& context, const Row& row) {
  const content::Scene& scene = context.bench.scene();
  if (row.kind == Entry::part) return scene.parts[row.index].name;
  if (row.kind == Entry::joint) return scene.joints[row.index].name;
  return context.bench.sceneView().goalName(row.index);
}

/// What stands at the right of a row.
std::string noteOf(const content::Scene& scene, const Row& row) {
  if (row.kind == Entry::goal) {
    const content::Goal& goal = scene.goals[row.index];
    return goal.turns > 0 ? fmt::format("{:g} turns", goal.turns)
                          : fmt::format("{:.4g} mm", 1e3 * goal.depth);
  }
  if (row.kind != Entry::part) return "";
  const content::Part& part = scene.parts[row.index];
  return part.motion == physics::MotionType::fixed ? "fixed" : part.libraryName;
}

bool contains(const std::string& text, const std::string& word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

std::vector<Row> rowsOf(ArrangeContext& context) {
  const content::Scene& scene = context.bench.scene();
  std::vector<Row> rows;
  const auto add = [&](Entry kind, const char* heading, std::size_t count) {
    if (count == 0) return;
    rows.push_back({Entry::nothing, count, heading});
    for (std::size_t k = 0; k < count; ++k) {
      const Row row{kind, k, ""};
      if (context.arrange.filter.empty() || contains(nameOf(context, row), context.arrange.filter))
        rows.push_back(row);
    }
  };
  add(Entry::part, "Parts", scene.parts.size());
  add(Entry::joint, "Joints", scene.joints.size());
  add(Entry::goal, "Goals", scene.goals.size());
  return rows;
}

void drawRow(ArrangeContext& context, const Row& row) {
  if (row.kind == Entry::nothing) return ImGui::TextDisabled("%s (%zu)", row.heading, row.index);
  const BenchSelection here{row.kind, row.index};
  const std::string name = nameOf(context, row), note = noteOf(context.bench.scene(), row);
  const float right = ImGui::GetContentRegionMax().x, width = ImGui::CalcTextSize(note.c_str()).x;
  const float noteWidth = std::min(width, 0.45f * right);
  ImGui::PushID(static_cast<int>(row.kind));
  ImGui::PushID(static_cast<int>(row.index));
  const std::string label = labelOf(fitted(name, right - noteWidth - 3 * ImGui::GetFontSize()));
  ImGui::Indent(0.6f * ImGui::GetFontSize());
  if (ImGui::Selectable((label + "##row").c_str(), context.bench.selection() == here))
    context.bench.select(here);
  ImGui::Unindent(0.6f * ImGui::GetFontSize());
  mark(context.panels, fmt::format("{} {}",
                                   row.kind == Entry::part   ? "part"
                                   : row.kind == Entry::goal ? "goal"
                                                             : "joint",
                                   name)
                           .c_str());
  if (!note.empty()) {
    ImGui::SameLine(right - noteWidth);
    ImGui::TextDisabled("%s", fitted(note, noteWidth).c_str());
  }
  ImGui::PopID();
  ImGui::PopID();
}

void drawFilter(ArrangeContext& context) {
  std::array<char, 100> buffer{};
  std::copy_n(context.arrange.filter.begin(), std::min(context.arrange.filter.size(), buffer.size() - 1),
              buffer.begin());
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##filter", "Filter by name", buffer.data(), buffer.size()))
    context.arrange.filter = buffer.data();
  mark(context.panels, "filter");
}

}  // namespace

void drawPartTree(ArrangeContext& context) {
  const std::vector<Row> rows = rowsOf(context);
  if (context.bench.scene().parts.size() > 12) drawFilter(context);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float height = line * std::clamp(static_cast<float>(rows.size()) + 0.5f, 3.0f, 9.5f);
  if (ImGui::BeginChild("tree", {0, height})) {
    if (std::exchange(context.arrange.scrollToSelection, false))
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows[k].kind == context.bench.selection().kind &&
            rows[k].index == context.bench.selection().index && rows[k].kind != Entry::nothing)
          ImGui::SetScrollY(std::max(0.0f, line * static_cast<float>(k) - 0.4f * height));
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), line);
    while (clipper.Step())
      for (int k = clipper.DisplayStart; k < clipper.DisplayEnd; ++k)
        drawRow(context, rows[static_cast<std::size_t>(k)]);
  }
  ImGui::EndChild();
  mark(context.panels, "tree");
}

}  // namespace tenon::runtime
