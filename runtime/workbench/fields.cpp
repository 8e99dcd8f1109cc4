// Labeled rows. A value is used when its field is left, so that half-typed numbers do nothing.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "content/edit/json_style.h"
#include "runtime/live_view/panel_layout.h"
#include "runtime/workbench/arrange_panels.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;

constexpr float kLabelWidth = 8.5f;  ///< of the labels of rows [heights of the font]
constexpr std::size_t kMaxTyped = 1000;

/// Remembers what is typed into the last control; true once it is left.
bool isFinished(ArrangeContext& context, const std::string& name, bool changed, double number,
                const std::string& text) {
  const ImGuiID field = ImGui::GetID(("##" + name).c_str());
  if (changed) context.arrange.typed = {field, number, text};
  return ImGui::IsItemDeactivatedAfterEdit() && context.arrange.typed.field == field;
}

std::optional<std::string> textBox(ArrangeContext& context, const std::string& name,
                                   const std::string& value) {
  std::array<char, kMaxTyped + 1> buffer{};
  std::copy_n(value.begin(), std::min(value.size(), kMaxTyped), buffer.begin());
  ImGui::SetNextItemWidth(-1);
  const bool changed = ImGui::InputText(("##" + name).c_str(), buffer.data(), buffer.size(),
                                        ImGuiInputTextFlags_AutoSelectAll);
  const bool finished = isFinished(context, name, changed, 0, buffer.data());
  mark(context.panels, name.c_str());
  if (!finished || context.arrange.typed.text == value) return std::nullopt;
  return context.arrange.typed.text;
}

/// Changes of one member or element; `value` is replaced by what has been typed.
bool formRow(ArrangeContext& context, const std::string& label, const std::string& name, Json& value);

/// Buttons that repeat the last element of a list and remove it.
bool listButtons(ArrangeContext& context, const std::string& name, Json& list) {
  bool changed = false;
  if (ImGui::SmallButton(("+##" + name).c_str()) && !list.empty()) {
    list.push_back(list.back());
    if (list.back().is_object() && list.back().contains("name"))
      list.back()["name"] = list.back()["name"].get<std::string>() + " " + std::to_string(list.size());
    changed = true;
  }
  mark(context.panels, (name + " more").c_str());
  ImGui::SameLine();
  if (ImGui::SmallButton(("-##" + name).c_str()) && list.size() > 1) {
    list.erase(list.size() - 1);
    changed = true;
  }
  mark(context.panels, (name + " fewer").c_str());
  return changed;
}

bool isNumbers(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_number(); });
}

bool numbersRow(ArrangeContext& context, const std::string& name, Json& value) {
  bool changed = false;
  const auto count = static_cast<float>(value.size());
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - gap * (count - 1)) / count;
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (k > 0) ImGui::SameLine(0, gap);
    if (const auto typed =
            numberBox(context, name + " " + std::to_string(k), value[k].get<double>(), width)) {
      value[k] = content::number(*typed);
      changed = true;
    }
  }
  return changed;
}

bool formRow(ArrangeContext& context, const std::string& label, const std::string& name, Json& value) {
  const std::string shown = labelOf(label);
  if (value.is_number()) {
    const auto typed = numberField(context, shown.c_str(), name, value.get<double>());
    if (typed) value = content::number(*typed);
    return typed.has_value();
  }
  if (value.is_string()) {
    const auto typed = textField(context, shown.c_str(), name, value.get<std::string>());
    if (typed) value = *typed;
    return typed.has_value();
  }
  if (isNumbers(value) && !value.empty()) {
    rowLabel(shown.c_str());
    return numbersRow(context, name, value);
  }
  if (!value.is_structured()) return false;
  bool changed = false;
  ImGui::TextDisabled("%s", shown.c_str());
  if (value.is_array()) {
    ImGui::SameLine();
    changed = listButtons(context, name, value);
  }
  ImGui::Indent(0.8f * ImGui::GetFontSize());
  if (const auto typed = jsonForm(context, name, value)) {
    value = *typed;
    changed = true;
  }
  ImGui::Unindent(0.8f * ImGui::GetFontSize());
  return changed;
}

}  // namespace

void editBench(ArrangeContext& context, const std::string& what,
               const std::function<void(content::JsonText&)>& change) {
  try {
    context.bench.edit(what, change);
  } catch (const std::exception& error) {
    context.panels.state.showNotice(error.what());
  }
}

void rowLabel(const char* label) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", label);
  ImGui::SameLine(kLabelWidth * ImGui::GetFontSize());
}

std::optional<double> numberBox(ArrangeContext& context, const std::string& name, double value, float width,
                                const char* format) {
  double typed = value;
  ImGui::SetNextItemWidth(width);
  const bool changed = ImGui::InputDouble(("##" + name).c_str(), &typed, 0, 0, format);
  const bool finished = isFinished(context, name, changed, typed, "");
  mark(context.panels, name.c_str());
  if (!finished || context.arrange.typed.number == value || !std::isfinite(context.arrange.typed.number))
    return std::nullopt;
  return context.arrange.typed.number;
}

std::optional<double> numberField(ArrangeContext& context, const char* label, const std::string& name,
                                  double value, const char* format) {
  rowLabel(label);
  return numberBox(context, name, value, -1, format);
}

std::optional<std::string> textField(ArrangeContext& context, const char* label, const std::string& name,
                                     const std::string& value) {
  rowLabel(label);
  return textBox(context, name, value);
}

std::optional<Json> jsonForm(ArrangeContext& context, const std::string& name, const Json& value) {
  Json edited = value;
  bool changed = false;
  for (std::size_t k = 0; k < edited.size(); ++k) {
    auto member = std::next(edited.begin(), static_cast<std::ptrdiff_t>(k));
    const std::string label = edited.is_object() ? member.key() : std::to_string(k + 1);
    if (edited.is_object() && label == "kind") continue;
    changed = formRow(context, label, name + " " + label, member.value()) || changed;
  }
  return changed ? std::optional(edited) : std::nullopt;
}

}  // namespace tenon::runtime
