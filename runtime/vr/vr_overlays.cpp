// Teleport arc, hand labels, failure panel and hand-held section plane.
#include "runtime/vr/vr_overlays.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "runtime/vr/wrist_menu.h"
#include "xr/appearance/palette.h"

namespace tenon::runtime {

using physics::Vector3d;

namespace {

const Eigen::Vector3d kValidTarget = xr::linearOf(xr::palette::kHand),
                      kInvalidTarget = xr::linearOf(xr::palette::kContact);
const Vector3d kPanelPosition(0, -0.05, -0.6);  ///< of the failure panel, relative to the head [m]
constexpr std::size_t kLineLength = 52;         ///< characters per line

/// `text` with line breaks after about kLineLength characters.
std::string wrapLines(const std::string& text) {
  std::string out;
  std::size_t inLine = 0;
  for (const char c : text) {
    const bool breaks = c == ' ' && inLine >= kLineLength;
    out += breaks ? '\n' : c;
    inLine = breaks || c == '\n' ? 0 : inLine + 1;
  }
  return out;
}

}  // namespace

void addTeleportArc(const TeleportArc& arc, const Room& room, const std::shared_ptr<const xr::Mesh>& ball,
                    xr::RenderScene& renderScene) {
  // Slightly transparent, because transparent instances cast no shadows.
  const xr::Surface surface{arc.landing ? kValidTarget : kInvalidTarget, 0, 0.6, 0.9};
  const auto add = [&](const Vector3d& p_S) {
    renderScene.instances.push_back({ball, physics::Pose::at(room.inWorld(p_S)), surface, 0, false, false});
  };
  for (const Vector3d& p : arc.points) add(p);
  if (!arc.landing) return;
  constexpr int kRing = 16;
  constexpr double kRadius = 0.2;
  for (int k = 0; k < kRing; ++k) {
    const double angle = 2 * std::numbers::pi * k / kRing;
    add(*arc.landing + kRadius * Vector3d(std::cos(angle), 0, std::sin(angle)));
  }
}

void addHandLabels(const content::Scene& scene, const InterpolatedState& drawn,
                   xr::RenderScene& renderScene) {
  for (std::size_t k = 0; k < drawn.hands.size() && k < scene.hands.size(); ++k) {
    const InterpolatedHand& hand = drawn.hands[k];
    const double force = hand.force.norm();
    if (hand.part < 0 || force < 0.05) continue;
    const bool isAtLimit = force > 0.98 * scene.hands[k].parameters.maxForce;
    renderScene.labels.push_back(
        {hand.X_WH.p, hand.X_WH.p - Vector3d::UnitZ(),
         fmt::format("{} {:.3g} N{}", scene.hands[k].name, force, isAtLimit ? " (limit)" : "")});
  }
}

void addFailurePanel(const LiveStatus& status, const Room& room, const physics::Pose& X_SHead,
                     xr::RenderScene& renderScene) {
  const Vector3d ahead = room.inWorld(X_SHead * kPanelPosition);
  renderScene.labels.insert(
      renderScene.labels.begin(),
      {ahead, ahead,
       wrapLines(status.failure) + (status.ended ? "" : "\nUse Undo, Reset or Play in the menu.")});
}

void HandPlane::update(const VrSwitches& switches, const xr::XrFrame& xrFrame,
                       const std::array<bool, 2>& closed, bool held, const Room& room) {
  if (switches.section == HandSection::off) plane_.reset();
  if (switches.section != HandSection::inHand || (held && plane_)) return;
  const std::size_t menu = switches.comfort.leftHanded ? 1 : 0;
  for (const std::size_t side : {menu, 1 - menu}) {
    const xr::Controller& hand = xrFrame.hands[side];
    if (!hand.tracked || closed[side]) continue;
    const Vector3d p_W = room.inWorld(rayOf(hand).tip);
    Vector3d normal = room.X_WS.q * (hand.X_SH.q * Vector3d::UnitX());
    if (normal.dot(room.inWorld(xrFrame.X_SH.p) - p_W) < 0) normal = -normal;
    plane_ = xr::SectionPlane{normal, normal.dot(p_W)};
    return;
  }
}

}  // namespace tenon::runtime
