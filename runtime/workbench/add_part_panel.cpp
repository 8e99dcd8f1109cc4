// The dialog that adds a part: from the library, a plain shape, or a file.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/edit/part_edits.h"
#include "content/parts/standard_part.h"
#include "runtime/live_view/panel_layout.h"
#include "runtime/workbench/arrange_panels.h"
#include "runtime/workbench/new_parts.h"
#include "runtime/workbench/part_pictures.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

/// "ISO 4762 M8x30" from a size and a length; "ISO 4032 M8" without lengths.
std::string designationOf(const std::string& family, const std::string& size, const std::string& length) {
  return family + " " + size + (length.empty() ? "" : "x" + length);
}

std::vector<std::string> wordsOf(const std::string& list) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : list + ",") {
    if (c == ',' && !word.empty()) words.push_back(std::exchange(word, ""));
    if (c != ',' && c != ' ') word += c;
  }
  return words;
}

/// The row of the table whose size the designation has; the middle one for another family.
const content::FamilyRow& rowOf(const content::FamilyTable& table, const std::string& designation) {
  for (const content::FamilyRow& row : table.rows)
    for (const char* after : {"x", ""})
      if (const std::string begin = table.family.name + " " + row.size + after;
          *after != 0 ? designation.starts_with(begin) : designation == begin)
        return row;
  return table.rows[table.rows.size() / 2];
}

void add(ArrangeContext& context, const std::string& name, const std::string& field, const Json& value) {
  try {
    addNewPart(context.bench, name, field, value);
    context.arrange.add.open = false;
  } catch (const std::exception& error) {
    context.panels.state.showNotice(error.what());
  }
}

void drawStandard(ArrangeContext& context) {
  AddPartDialog& dialog = context.arrange.add;
  const std::vector<content::StandardFamily> families = content::standardFamilies();
  const content::StandardFamily& family = families[static_cast<std::size_t>(dialog.family)];
  const content::FamilyTable table = content::familyTable(family.name);
  const bool hasLengths = !table.headings.empty() && table.headings.back() == "lengths";
  const content::FamilyRow row = rowOf(table, dialog.designation);
  const std::vector<std::string> lengths =
      hasLengths ? wordsOf(row.measures.back()) : std::vector<std::string>{};
  ImGui::TextUnformatted(family.description.c_str());
  rowLabel("Size");
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##size", row.size.c_str(), ImGuiComboFlags_HeightLarge)) {
    for (const content::FamilyRow& one : table.rows) {
      const auto its = hasLengths ? wordsOf(one.measures.back()) : std::vector<std::string>{};
      if (ImGui::Selectable(one.size.c_str(), one.size == row.size))
        dialog.designation = designationOf(family.name, one.size, its.empty() ? "" : its[its.size() / 2]);
      mark(context.panels, ("size " + one.size).c_str());
    }
    ImGui::EndCombo();
  }
  mark(context.panels, "size");
  if (hasLengths) {
    const std::string length = dialog.designation.substr(dialog.designation.rfind('x') + 1);
    rowLabel("Length [mm]");
    ImGui::SetNextItemWidth(-1);
    if (ImGui::BeginCombo("##length", length.c_str(), ImGuiComboFlags_HeightLarge)) {
      for (const std::string& one : lengths) {
        if (ImGui::Selectable(one.c_str(), one == length))
          dialog.designation = designationOf(family.name, row.size, one);
        mark(context.panels, ("length " + one).c_str());
      }
      ImGui::EndCombo();
    }
    mark(context.panels, "length");
  }
  if (const auto typed = textField(context, "Designation", "designation", dialog.designation))
    dialog.designation = *typed;
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("%s", family.frame.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  const bool pressed = ImGui::Button("Add to scene");
  mark(context.panels, "add to scene");
  if (pressed) add(context, nounOf(family.description), "standard", dialog.designation);
}

void drawTemplate(ArrangeContext& context, const PartTemplate& one) {
  AddPartDialog& dialog = context.arrange.add;
  const Json dimensions = Json::parse(dialog.dimensions);
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("%s", one.description.c_str());
  ImGui::PopTextWrapPos();
  ImGui::TextDisabled("Dimensions [%s]", context.bench.scene().unit.c_str());
  if (const auto typed = jsonForm(context, "new", dimensions)) dialog.dimensions = typed->dump();
  ImGui::Spacing();
  const bool pressed = ImGui::Button("Add to scene");
  mark(context.panels, "add to scene");
  if (pressed) add(context, one.name, one.field, Json::parse(dialog.dimensions));
}

void drawPartPicture(ArrangeContext& context, const std::string& name) {
  const auto scale = static_cast<float>(context.panels.scale);
  const ImVec2 size(Thumbnails::kWidth * scale, Thumbnails::kHeight * scale);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  drawPicture(context.panels, partPictureKey(name), corner, size);
}

void drawGroups(ArrangeContext& context, const std::vector<PartTemplate>& templates) {
  AddPartDialog& dialog = context.arrange.add;
  const std::vector<content::StandardFamily> families = content::standardFamilies();
  ImGui::TextDisabled("Standard parts");
  for (std::size_t k = 0; k < families.size(); ++k) {
    if (ImGui::Selectable(families[k].name.c_str(),
                          dialog.group == 0 && dialog.family == static_cast<int>(k))) {
      dialog.group = 0;
      dialog.family = static_cast<int>(k);
      dialog.designation = families[k].example;
    }
    mark(context.panels, ("library " + families[k].name).c_str());
    tip(families[k].description);
  }
  ImGui::TextDisabled("With dimensions");
  for (std::size_t k = 0; k < templates.size(); ++k) {
    if (ImGui::Selectable(templates[k].name.c_str(), dialog.group == static_cast<int>(k) + 1)) {
      dialog.group = static_cast<int>(k) + 1;
      dialog.dimensions = dimensionsIn(context.bench.scene().unit, templates[k]);
    }
    mark(context.panels, ("library " + templates[k].name).c_str());
  }
  ImGui::TextDisabled("From a file");
  if (ImGui::Selectable("STEP, STL, OBJ, GLB …")) {
    dialog.open = false;
    const std::filesystem::path file = context.bench.document().file();
    context.arrange.files = fileList(FilePurpose::addPart, file.parent_path().string(), "");
  }
  mark(context.panels, "library file");
}

}  // namespace

void drawAddPart(ArrangeContext& context) {
  AddPartDialog& dialog = context.arrange.add;
  if (!dialog.open) return;
  const float font = ImGui::GetFontSize();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const std::vector<PartTemplate> templates = partTemplates();
  ImGui::SetNextWindowPos({0.5f * size.x, 0.5f * size.y}, ImGuiCond_Appearing, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(44 * font, size.x), std::min(40 * font, size.y)}, ImGuiCond_Appearing);
  if (ImGui::Begin("Add part", &dialog.open,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    if (ImGui::BeginChild("groups", {14 * font, 0})) {
      drawGroups(context, templates);
      drawPartPicture(context, dialog.group == 0
                                   ? content::standardFamilies()[static_cast<std::size_t>(dialog.family)].name
                                   : templates[static_cast<std::size_t>(dialog.group - 1)].name);
    }
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginGroup();
    if (ImGui::BeginChild("group")) {
      if (dialog.group == 0)
        drawStandard(context);
      else
        drawTemplate(context, templates[static_cast<std::size_t>(dialog.group - 1)]);
    }
    ImGui::EndChild();
    ImGui::EndGroup();
  }
  ImGui::End();
}

}  // namespace tenon::runtime
