// What a headset's picture has besides the scene: the arc to go somewhere by, a section plane in the hand,
// what hands pull with.
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

/// Balls along the arc, and a ring of them where it comes down.
void addTeleportArc(const TeleportArc& arc, const Room& room,
                    const std::shared_ptr<const content::DisplayMesh>& ball, xr::RenderScene& picture);

/// A label at each hand that pulls: "right 3.2 N (its limit)".
void addHandLabels(const content::Scene& scene, const InterpolatedState& drawn, xr::RenderScene& picture);

/// Why the simulation has stopped, and what helps: a sheet in front of the head, wherever it looks.
void addFailurePanel(const std::string& failure, const Room& room, const physics::Pose& X_SHead,
                     xr::RenderScene& picture);

/// The scene cut open by a plane that a free hand holds, as one holds a sheet of glass: it goes through where
/// the finger points from, its normal leaves the palm, and what is on the head's side of it goes.
class HandPlane {
 public:
  /// `held`: it is to stay where it is for now, as while the menu is used.
  void update(const VrSwitches& switches, const xr::XrFrame& seen, const std::array<bool, 2>& closed,
              bool held, const Room& room);
  const std::optional<xr::SectionPlane>& plane() const { return plane_; }

 private:
  std::optional<xr::SectionPlane> plane_;
};

}  // namespace tenon::runtime
