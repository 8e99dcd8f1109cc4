// Held and hovered parts are tinted.
#include "runtime/live_view/render_scene_builder.h"

#include <algorithm>
#include <cmath>

#include "xr/appearance/palette.h"
#include "xr/interaction/guidance_lines.h"
#include "xr/render/scene_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kHighlight = xr::linearOf(xr::palette::kHand),
                      kTargetColor = xr::linearOf(xr::palette::kTarget),
                      kNextColor = xr::linearOf(xr::palette::kNext);
constexpr double kTransparentOpacity = 0.22, kTargetOpacity = 0.10, kStepTargetOpacity = 0.35;
constexpr double kForceDecay = 1.5;  ///< time constant of the decaying maximum force [s]
constexpr double kRescaleFraction =
    0.3;  ///< a finer arrow scale is used below this fraction of the scale [-]

/// The instance of each part, or −1. Instances are in the order of the parts that have a mesh.
std::vector<int> instanceOf(const SceneView& sceneView) {
  std::vector<int> index;
  int next = 0;
  for (std::size_t k = 0; k < sceneView.scene->parts.size(); ++k)
    index.push_back(sceneView.meshes.of(k) ? next++ : -1);
  return index;
}

void tint(xr::Surface& surface, const Eigen::Vector3d& color, double share) {
  surface.color = (1 - share) * surface.color + share * color;
}

template <class List, class Item>
bool isIn(const List& list, Item item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// Transparent copies at the target poses of goals that are not reached; of a training's step only of its
/// own.
void addTargets(xr::RenderScene& out, const SceneView& sceneView, const SimulationFrame& frame,
                const InterpolatedState& drawn, const ViewState& state) {
  for (std::size_t g = 0; g < sceneView.scene->goals.size(); ++g) {
    const content::Goal& goal = sceneView.scene->goals[g];
    const auto part = static_cast<std::size_t>(goal.part);
    if (!sceneView.meshes.of(part) || g >= frame.goals.size() || isReached(frame.goals[g].verdict)) continue;
    if (state.training && !isIn(state.training->goals, g)) continue;
    xr::Surface surface{kTargetColor, 0, 0.6, state.training ? kStepTargetOpacity : kTargetOpacity};
    out.instances.push_back({sceneView.meshes.renderMeshOf(part),
                             targetOf(*sceneView.scene, goal, drawn.X_WP), surface, 0, true});
  }
}

xr::SectionPlane planeOf(const Section& section, const Vector3d& eye) {
  const double place = 1e-3 * section.place_mm, sign = eye[section.axis] < place ? -1 : 1;
  return {sign * Vector3d::Unit(section.axis), sign * place};
}

}  // namespace

/// Increases the scale immediately, and decreases it only after all forces have been small for a while, so
/// that arrow lengths stay comparable.
void RenderSceneBuilder::chooseScale(double maxForce, double time, double radius) {
  const double passed = time - time_;
  recentMaxForce_ =
      passed < 0 ? maxForce : std::max(maxForce, recentMaxForce_ * std::exp(-passed / kForceDecay));
  time_ = time;
  if (maxForce <= scale_.newtons && recentMaxForce_ >= kRescaleFraction * scale_.newtons) return;
  // Keeps the scale for the same force, although the radius changes as parts move.
  const xr::ForceScale next = xr::forceScaleFor(recentMaxForce_, radius);
  if (next.newtons != scale_.newtons) scale_ = next;
}

xr::RenderScene RenderSceneBuilder::build(const SceneView& sceneView, const SimulationFrame& frame,
                                          const InterpolatedState& drawn, const ViewState& state) {
  xr::RenderScene out = xr::compose(*sceneView.scene, sceneView.meshes, drawn.X_WP);
  if (sceneView.ground) out.ground = sceneView.ground;
  const std::vector<int> instance = instanceOf(sceneView);
  for (std::size_t k = 0; k < instance.size(); ++k) {
    if (instance[k] < 0) continue;
    xr::Surface& surface = out.instances[static_cast<std::size_t>(instance[k])].surface;
    const bool held = std::any_of(drawn.hands.begin(), drawn.hands.end(), [&](const InterpolatedHand& hand) {
      return hand.part == static_cast<int>(k);
    });
    const bool movable = sceneView.scene->parts[k].motion == physics::MotionType::dynamic;
    const bool inReach = isIn(state.partsInReach, static_cast<int>(k));
    const bool hovered = state.hoveredPart && state.hoveredPart->part == static_cast<int>(k);
    if (!held && state.training && isIn(state.training->parts, static_cast<int>(k)))
      surface = {kNextColor, 0, 0.6, surface.opacity};
    if (held || state.selectedPart == static_cast<int>(k)) {
      tint(surface, kHighlight, 0.45);
    } else if ((hovered || inReach) && movable && !frame.status.scripted) {
      tint(surface, kHighlight, inReach ? 0.40 : 0.22);
    }
    if (sceneView.seeThrough[k] || isIn(state.fadedParts, static_cast<int>(k)))
      surface.opacity = kTransparentOpacity;
  }
  // A scene that is being arranged has no steps.
  if (state.settings.forces && !frame.record.tick.bodies.empty()) {
    const double maxForce = xr::maxDrawnForce(*sceneView.scene, frame.record.tick);
    chooseScale(maxForce, 1e-9 * static_cast<double>(frame.time_ns), xr::boundsOf(out).radius);
    xr::addForces(out, *sceneView.scene, frame.record.tick, scale_);
  }
  if (frame.status.guidance) {
    std::vector<int> held;
    for (const InterpolatedHand& hand : drawn.hands)
      if (hand.part >= 0) held.push_back(hand.part);
    xr::addGuidance(out, xr::guidedAxes(*sceneView.scene), held, drawn.X_WP);
  }
  if (state.settings.targets || state.training) addTargets(out, sceneView, frame, drawn, state);
  if (state.section.axis >= 0) out.section = planeOf(state.section, state.camera.view(1).X_WC.p);
  return out;
}

}  // namespace tenon::runtime
