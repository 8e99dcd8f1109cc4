// The properties of a part: name, motion, material, pose, dimensions.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/edit/json_style.h"
#include "content/edit/part_edits.h"
#include "runtime/live_view/panel_layout.h"
#include "runtime/workbench/arrange_panels.h"
#include "runtime/workbench/euler_angles.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::ordered_json;
using physics::MotionType;
using physics::Pose;
using physics::Vector3d;

constexpr double kDegree = std::numbers::pi / 180;

struct KnownMaterial {
  const char* name;
  double density;  ///< [kg/m³]
};
constexpr std::array kMaterials{KnownMaterial{"steel", 7850}, KnownMaterial{"aluminum", 2700},
                                KnownMaterial{"brass", 8500}, KnownMaterial{"cast iron", 7200},
                                KnownMaterial{"polyamide", 1140}};

void setField(ArrangeContext& context, int part, const std::string& field, const Json& value) {
  editBench(context, field + " of " + context.bench.scene().part(part).name, [&](content::JsonText& text) {
    content::setPartField(text, context.bench.newestScene(), part, field, value);
  });
}

void drawName(ArrangeContext& context, int part) {
  const content::Scene& scene = context.bench.scene();
  const std::string name = scene.part(part).name;
  const std::string entry = fmt::format("/parts/{}/name", scene.part(part).fileEntry);
  const bool repeated = context.bench.isRepeated(part);
  // The text may be newer than the scene, and have another entry there.
  const Json base = repeated ? context.bench.parsed()->value(entry) : Json();
  const std::string shown = base.is_string() ? base.get<std::string>() : name;
  const auto typed = textField(context, "Name", "part name", shown);
  if (!typed || typed->empty()) return;
  editBench(context, "rename " + shown, [&](content::JsonText& text) {
    content::renamePart(text, context.bench.newestScene(), part, *typed);
  });
  context.bench.selectNamed(repeated ? *typed + name.substr(std::min(shown.size(), name.size())) : *typed);
}

void drawMotion(ArrangeContext& context, int part) {
  constexpr std::array<const char*, 3> kShown{"fixed", "driven", "free"};
  constexpr std::array<const char*, 3> kWords{"fixed", "kinematic", "dynamic"};
  const MotionType motion = context.bench.scene().part(part).motion;
  const std::size_t now = motion == MotionType::fixed ? 0 : motion == MotionType::kinematic ? 1 : 2;
  rowLabel("Motion");
  for (const std::size_t k : {std::size_t{2}, std::size_t{0}}) {
    if (ImGui::RadioButton(kShown[k], now == k) && now != k)
      setField(context, part, "motion", k == 2 ? Json() : Json(kWords[k]));
    mark(context.panels, kShown[k]);
    ImGui::SameLine();
  }
  if (now == 1) ImGui::TextDisabled("driven");
  ImGui::NewLine();
}

/// Gives the part a material, and adds it to the scene if it is new.
void chooseMaterial(ArrangeContext& context, int part, const std::string& name, double density) {
  const content::Scene& scene = context.bench.scene();
  const bool known = std::any_of(scene.materials.begin(), scene.materials.end(),
                                 [&](const content::Material& one) { return one.name == name; });
  editBench(context, "material of " + scene.part(part).name, [&](content::JsonText& text) {
    if (!known) content::addMaterial(text, name, density);
    content::setPartField(text, context.bench.newestScene(), part, "material", name);
  });
}

void drawMaterial(ArrangeContext& context, int part) {
  const content::Scene& scene = context.bench.scene();
  const int index = scene.part(part).material;
  const content::Material* const material =
      index < 0 ? nullptr : &scene.materials[static_cast<std::size_t>(index)];
  rowLabel("Material");
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##material", material == nullptr ? "none" : labelOf(material->name).c_str())) {
    for (const content::Material& one : scene.materials)
      if (ImGui::Selectable(labelOf(one.name).c_str(), &one == material))
        chooseMaterial(context, part, one.name, 0);
    for (const KnownMaterial& one : kMaterials) {
      const bool listed = std::any_of(scene.materials.begin(), scene.materials.end(),
                                      [&](const content::Material& other) { return other.name == one.name; });
      if (listed) continue;
      if (ImGui::Selectable(fmt::format("{} ({:g} kg/m³)", one.name, one.density).c_str()))
        chooseMaterial(context, part, one.name, one.density);
      mark(context.panels, fmt::format("material {}", one.name).c_str());
    }
    ImGui::EndCombo();
  }
  mark(context.panels, "material");
  if (material == nullptr) return;
  const std::string name = material->name;
  const double friction = content::materialPairOf(scene, scene.part(part), scene.part(part)).friction;
  if (const auto density = numberField(context, "Density [kg/m³]", "density", material->density); density)
    editBench(context, "density of " + name,
              [&](content::JsonText& text) { content::setDensity(text, name, *density); });
  if (const auto typed = numberField(context, "Friction on itself", "friction", friction); typed)
    editBench(context, "friction of " + name,
              [&](content::JsonText& text) { content::setFriction(text, name, name, *typed); });
}

/// Three numbers in a row; the changed values.
std::optional<Vector3d> vectorField(ArrangeContext& context, const char* label, const std::string& name,
                                    const Vector3d& values) {
  constexpr std::array<const char*, 3> kAxes{" x", " y", " z"};
  rowLabel(label);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  std::optional<Vector3d> changed;
  for (int k = 0; k < 3; ++k) {
    if (k > 0) ImGui::SameLine(0, gap);
    const auto typed = numberBox(context, name + kAxes[static_cast<std::size_t>(k)], values[k], width);
    if (!typed) continue;
    if (!changed) changed = values;
    (*changed)[k] = *typed;
  }
  return changed;
}

/// `value` without digits that only rounding has made.
double plain(double value) {
  return std::round(value * 1e7) / 1e7;
}

void drawPose(ArrangeContext& context, int part) {
  const Pose X = context.bench.drawn().X_WP[static_cast<std::size_t>(part)];
  if (context.bench.isRepeated(part)) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled(
        "One of several parts of an entry with \"count\": the file has an expression for their poses.");
    ImGui::PopTextWrapPos();
    return;
  }
  const double units = content::unitsPerMeter(context.bench.scene().unit);
  const std::string label = "Position [" + context.bench.scene().unit + "]";
  const Vector3d position = (X.p * units).unaryExpr(&plain),
                 angles = (anglesOf(X.q) / kDegree).unaryExpr(&plain);
  Pose moved = X;
  bool changed = false;
  if (const auto typed = vectorField(context, label.c_str(), "position", position)) {
    for (int k = 0; k < 3; ++k)
      if ((*typed)[k] != position[k]) moved.p[k] = (*typed)[k] / units;
    changed = true;
  }
  if (const auto typed = vectorField(context, "Rotation [°]", "rotation", angles)) {
    moved.q = rotationOf(*typed * kDegree);
    changed = true;
  }
  rowLabel("Turn by 90°");
  constexpr std::array<const char*, 3> kButtons{"x##turn", "y##turn", "z##turn"};
  constexpr std::array<const char*, 3> kTurns90{"about x", "about y", "about z"};
  for (int k = 0; k < 3; ++k) {
    if (k > 0) ImGui::SameLine();
    if (ImGui::SmallButton(kButtons[static_cast<std::size_t>(k)])) {
      moved.q = physics::Quaterniond(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::Unit(k))) * X.q;
      changed = true;
    }
    mark(context.panels, kTurns90[static_cast<std::size_t>(k)]);
  }
  if (!changed) return;
  try {
    context.bench.movePart(part, moved);
  } catch (const std::exception& error) {
    context.panels.state.showNotice(error.what());
  }
}

/// The fields of the part's "shape", "library" or "standard" as the file has them.
void drawDimensions(ArrangeContext& context, int part) {
  const std::string entry = fmt::format("/parts/{}", context.bench.scene().part(part).fileEntry);
  const std::shared_ptr<const content::JsonText> text = context.bench.parsed();
  if (const Json standard = text->value(entry + "/standard"); standard.is_string()) {
    if (const auto typed = textField(context, "Standard", "standard", standard.get<std::string>()))
      setField(context, part, "standard", *typed);
    return;
  }
  for (const char* field : {"library", "shape"}) {
    const Json value = text->value(entry + "/" + field);
    if (!value.is_object()) continue;
    const std::string kind = value.value("kind", "");
    if (!ImGui::TreeNodeEx(fmt::format("Dimensions: {}###dimensions", labelOf(kind)).c_str())) {
      mark(context.panels, "dimensions");
      continue;
    }
    mark(context.panels, "dimensions");
    if (const auto typed = jsonForm(context, field, value)) setField(context, part, field, *typed);
    ImGui::TreePop();
  }
}

}  // namespace

void drawPartProperties(ArrangeContext& context, int part) {
  if (part >= static_cast<int>(context.bench.drawn().X_WP.size())) return;
  ImGui::PushID(part);
  drawName(context, part);
  drawMotion(context, part);
  drawPose(context, part);
  drawMaterial(context, part);
  drawDimensions(context, part);
  if (ImGui::SmallButton("Duplicate")) context.panels.state.requestedActions.push_back(Action::duplicate);
  mark(context.panels, "duplicate");
  ImGui::SameLine();
  if (ImGui::SmallButton("Delete")) context.panels.state.requestedActions.push_back(Action::deleteSelected);
  mark(context.panels, "delete");
  ImGui::PopID();
}

}  // namespace tenon::runtime
