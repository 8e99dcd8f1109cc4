// What is touched is told by its colour.
#include "runtime/live_view/render_scene_builder.h"

#include <algorithm>
#include <cmath>

#include "xr/interaction/guidance_lines.h"
#include "xr/render/scene_bounds.h"

namespace tenon::runtime {

namespace {

using physics::Vector3d;

const Eigen::Vector3d kTouched(0.16, 0.42, 0.80), kWanted(0.10, 0.55, 0.25);
constexpr double kGlass = 0.22;  ///< opacity of what is seen through
constexpr double kFades = 1.5;   ///< time constant with which a greatest force is forgotten [s]
constexpr double kSmall = 0.3;   ///< share of the arrows' scale below which a finer one is chosen [-]

/// Instances are in the order of those parts that have a mesh.
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

/// Glass where parts are to go, of goals that are not reached.
void addTargets(xr::RenderScene& out, const SceneView& sceneView, const SimulationFrame& moment,
                const InterpolatedState& drawn) {
  for (std::size_t g = 0; g < sceneView.scene->goals.size(); ++g) {
    const content::Goal& goal = sceneView.scene->goals[g];
    const auto part = static_cast<std::size_t>(goal.part);
    if (!sceneView.meshes.of(part) || g >= moment.goals.size() || isReached(moment.goals[g].verdict))
      continue;
    xr::Surface surface{kWanted, 0, 0.6, 0.10};
    out.instances.push_back(
        {sceneView.meshes.of(part), targetOf(*sceneView.scene, goal, drawn.X_WP), surface, 0, true});
  }
}

xr::SectionPlane planeOf(const Section& section, const Vector3d& eye) {
  const double place = 1e-3 * section.place_mm, sign = eye[section.axis] < place ? -1 : 1;
  return {sign * Vector3d::Unit(section.axis), sign * place};
}

}  // namespace

/// The scale follows a greater force at once, and goes down only when all forces have been small for a while:
/// arrows of the same force are to stay as long as they are.
void RenderSceneBuilder::chooseScale(double greatest, double time, double radius) {
  const double passed = time - time_;
  lately_ = passed < 0 ? greatest : std::max(greatest, lately_ * std::exp(-passed / kFades));
  time_ = time;
  if (greatest <= scale_.newtons && lately_ >= kSmall * scale_.newtons) return;
  // Not of the same force: the radius is of where the parts are now.
  const xr::ForceScale next = xr::forceScaleFor(lately_, radius);
  if (next.newtons != scale_.newtons) scale_ = next;
}

xr::RenderScene RenderSceneBuilder::picture(const SceneView& sceneView, const SimulationFrame& moment,
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
    const bool pulls = sceneView.scene->parts[k].motion == physics::MotionType::dynamic;
    const bool reached =
        std::find(state.reached.begin(), state.reached.end(), static_cast<int>(k)) != state.reached.end();
    const bool pointedAt = state.under && state.under->part == static_cast<int>(k);
    if (held) {
      tint(surface, kTouched, 0.45);
    } else if ((pointedAt || reached) && pulls && !moment.status.scripted) {
      tint(surface, kTouched, reached ? 0.40 : 0.22);
    }
    if (sceneView.seeThrough[k]) surface.opacity = kGlass;
  }
  if (state.settings.forces) {
    const double greatest = xr::maxDrawnForce(*sceneView.scene, moment.record.tick);
    chooseScale(greatest, 1e-9 * static_cast<double>(moment.time_ns), xr::boundsOf(out).radius);
    xr::addForces(out, *sceneView.scene, moment.record.tick, scale_);
  }
  if (moment.status.guidance) {
    std::vector<int> held;
    for (const InterpolatedHand& hand : drawn.hands)
      if (hand.part >= 0) held.push_back(hand.part);
    xr::addGuidance(out, xr::guidedAxes(*sceneView.scene), held, drawn.X_WP);
  }
  if (state.settings.targets) addTargets(out, sceneView, moment, drawn);
  if (state.section.axis >= 0) out.section = planeOf(state.section, state.camera.view(1).X_WC.p);
  return out;
}

}  // namespace tenon::runtime
