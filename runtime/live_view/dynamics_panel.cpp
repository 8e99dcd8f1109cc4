// The dynamics panel: gravity, restitution and damping of the running simulation, and the scene's thrusters.
#include <fmt/format.h>
#include <imgui.h>

#include <utility>
#include <vector>

#include "runtime/live_view/panel_layout.h"

namespace tenon::runtime {

namespace {

using physics::Dynamics;
using physics::Vector3d;

constexpr double kSliderGravity = 25;  ///< largest on the slider [m/s²]
constexpr double kSliderDamping = 20;  ///< largest on the slider [1/s]

/// A slider with its label above. True if the value changed; `begins`: with this change the drag began.
bool slider(PanelContext& context, const char* label, const char* name, double& value, double high,
            const char* format, const char* tooltip, bool& begins) {
  const double low = 0;
  ImGui::TextUnformatted(label);
  ImGui::SetNextItemWidth(-1);
  const bool changed = ImGui::SliderScalar(fmt::format("##{}", name).c_str(), ImGuiDataType_Double, &value,
                                           &low, &high, format, ImGuiSliderFlags_AlwaysClamp);
  mark(context, name);
  tip(tooltip);
  if (ImGui::IsItemActivated()) context.state.dynamicsDragged = false;
  if (changed) begins = !std::exchange(context.state.dynamicsDragged, true);
  return changed;
}

/// Direction of gravity: the present one, else the scene's, else down.
Vector3d directionOfGravity(const Dynamics& now, const content::Scene& scene) {
  for (const Vector3d& g : {now.gravity, scene.gravity})
    if (g.norm() > 0) return g.normalized();
  return -Vector3d::UnitZ();
}

void drawThrusters(PanelContext& context) {
  const content::Scene& scene = *context.sceneView.scene;
  const std::vector<double>& levels = context.frame.record.tick.thrusters;
  std::vector<char>& held = context.state.heldThrusters;
  held.assign(levels.size(), 0);
  if (levels.empty()) return;
  ImGui::TextUnformatted("Thrusters (hold the key)");
  std::size_t n = 0;
  for (const content::Part& part : scene.parts)
    for (const content::Thruster& thruster : part.thrusters) {
      if (n >= levels.size()) return;
      const bool on = levels[n] > 0;
      const ButtonState style(on);
      ImGui::PushID(static_cast<int>(n));
      ImGui::Button(labelOf(fmt::format("{}: {}, {} ({:.3g} N)", thruster.key, part.name, thruster.name,
                                        thruster.force.norm()))
                        .c_str());
      mark(context, fmt::format("thruster {}", n).c_str());
      held[n] = ImGui::IsItemActive() ? 1 : 0;
      ImGui::PopID();
      ++n;
    }
}

}  // namespace

void drawDynamics(PanelContext& context) {
  const content::Scene& scene = *context.sceneView.scene;
  Dynamics wanted = context.frame.status.dynamics;
  const Dynamics start{scene.gravity, scene.linearDamping, scene.angularDamping, {}};
  bool begins = false, changed = false;
  double g = wanted.gravity.norm();
  if (slider(context, "Gravity [m/s²]", "gravity", g, kSliderGravity, "%.2f", "Earth 9.81, Moon 1.62",
             begins)) {
    wanted.gravity = g * directionOfGravity(context.frame.status.dynamics, scene);
    changed = true;
  }
  double e = wanted.restitution.value_or(0);
  if (slider(context, "Restitution [-]", "restitution", e, 1, wanted.restitution ? "%.2f" : "of materials",
             "Ratio of separation to approach speed, for all pairs", begins)) {
    wanted.restitution = e;
    changed = true;
  }
  changed |= slider(context, "Linear damping [1/s]", "linear damping", wanted.linearDamping, kSliderDamping,
                    "%.2f", "A velocity v loses c v in a second", begins);
  changed |= slider(context, "Angular damping [1/s]", "angular damping", wanted.angularDamping,
                    kSliderDamping, "%.2f", "An angular velocity ω loses c ω in a second", begins);
  if (changed) context.state.dynamics = {wanted, begins};
  ImGui::BeginDisabled(wanted == start);
  if (ImGui::Button("Scene values")) context.state.dynamics = {start, true};
  mark(context, "scene values");
  tip("Gravity and damping of the scene, restitution of its materials");
  ImGui::EndDisabled();
  drawThrusters(context);
}

}  // namespace tenon::runtime
