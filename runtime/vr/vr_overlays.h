// Overlays of the headset view: teleport arc, hand forces, failure panel, hand-held section plane.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "runtime/simulation/simulation_frame.h"
#include "runtime/vr/room.h"
#include "runtime/vr/teleport.h"
#include "runtime/vr/vr_menu.h"
#include "xr/openxr/xr_frame.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

/// Draws balls along the arc and a ring at its target.
void addTeleportArc(const TeleportArc& arc, const Room& room, const std::shared_ptr<const xr::Mesh>& ball,
                    xr::RenderScene& renderScene);

/// Adds a label with the force of each pulling hand, such as "right 3.2 N (limit)".
void addHandLabels(const content::Scene& scene, const InterpolatedState& drawn, xr::RenderScene& renderScene);

/// Adds a panel in front of the head with the reason why the simulation stopped, and the remedy.
void addFailurePanel(const LiveStatus& status, const Room& room, const physics::Pose& X_SHead,
                     xr::RenderScene& renderScene);

/// A section plane held in a free hand: through the fingertip, with the palm normal as its normal. The side
/// of the head is cut away.
class HandPlane {
 public:
  /// `held`: keep the current plane, for example while the menu is used.
  void update(const VrSwitches& switches, const xr::XrFrame& xrFrame, const std::array<bool, 2>& closed,
              bool held, const Room& room);
  const std::optional<xr::SectionPlane>& plane() const { return plane_; }

 private:
  std::optional<xr::SectionPlane> plane_;
};

}  // namespace tenon::runtime
