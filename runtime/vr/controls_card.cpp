// See controls_card.h.
#include "runtime/vr/controls_card.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "runtime/live_view/panel_layout.h"
#include "runtime/vr/placement.h"
#include "runtime/vr/vr_menu.h"
#include "runtime/vr/wrist_menu.h"

namespace tenon::runtime {

using physics::Vector3d;

namespace {

constexpr double kHeight = ControlsCard::kWidth * kCardHeight / kMenuWidth;  ///< [m]
constexpr float kEffectColumn = 0.46f * kMenuWidth;                          ///< [pixels]

}  // namespace

std::string taskText(const SceneView& sceneView, const SimulationFrame& frame) {
  const std::size_t count = std::min(sceneView.scene->goals.size(), frame.goals.size());
  for (std::size_t k = 0; k < count; ++k)
    if (!isReached(frame.goals[k].verdict)) return "Next: " + sceneView.goalName(k);
  return count > 0 ? "All goals reached" : sceneView.scene->title;
}

void ControlsCard::place(const physics::Pose& X_SHead, const Room& room, const Eigen::AlignedBox3d& parts,
                         const Comfort& comfort, double sideways) {
  const Eigen::AlignedBox3d box =
      parts.isEmpty() ? Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Zero()) : parts;
  const Vector3d size = room.scale * box.sizes();  // x to the right, y away from the user, z up
  const Vector3d table_S =
      room.inRoom({box.center().x(), box.center().y(), box.min().z()});  // below the center of the parts
  const Vector3d ahead = levelDirection(X_SHead);
  const Vector3d aside = (comfort.leftHanded ? 1 : -1) * ahead.cross(Vector3d::UnitY());
  const Vector3d toTable = table_S - X_SHead.p;
  double distance = std::clamp(toTable.dot(ahead), kNearest, kFarthest), height = kGap + 0.5 * kHeight;
  const double beside = toTable.dot(aside) + 0.5 * size.x() + kGap + 0.5 * kWidth,
               inView = kUsedFieldOfView * sideways * distance - 0.5 * kWidth;
  const double side = std::clamp(beside, 0.0, std::max(inView, 0.0));
  if (inView < beside) {
    distance = std::min(distance + 0.5 * size.y() + kGap, kFarthest);
    height += size.z();
  }
  Vector3d center = X_SHead.p + distance * ahead + side * aside;
  center.y() = std::min(table_S.y() + height, std::max(X_SHead.p.y(), table_S.y() + kGap + 0.5 * kHeight));
  X_WP_ = room.inWorld(facing(center, X_SHead.p));
}

std::optional<physics::Pose> ControlsCard::poseIn(const Room& room) const {
  if (!X_WP_) return std::nullopt;
  return physics::Pose{room.X_WS.q.conjugate() * X_WP_->q, room.inRoom(X_WP_->p)};
}

void ControlsCard::drawImage(const CardText& text) {
  drawn_ = text;
  placeNext(0, kMenuHeight, kMenuWidth, kCardHeight);
  if (ImGui::Begin("controls", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) {
    ImGui::TextUnformatted(text.task.c_str());
    ImGui::TextDisabled("%s", text.device.c_str());
    ImGui::Separator();
    for (const ControlHint& hint : text.hints) {
      ImGui::TextDisabled("%s", hint.effect.c_str());
      ImGui::SameLine(kEffectColumn);
      ImGui::TextUnformatted(hint.control.c_str());
    }
    if (!text.advice.empty()) {
      ImGui::Separator();
      ImGui::PushTextWrapPos(0);
      ImGui::TextColored(warningColor(), "%s", text.advice.c_str());
      ImGui::PopTextWrapPos();
    }
  }
  ImGui::End();
}

void ControlsCard::add(const Room& room, int imageHeight, xr::RenderScene& renderScene) const {
  if (!X_WP_ || !drawn_) return;
  renderScene.panels.push_back({.X_WP = *X_WP_,
                                .width = kWidth / room.scale,
                                .height = kHeight / room.scale,
                                .top = static_cast<double>(kMenuHeight) / imageHeight,
                                .bottom = static_cast<double>(kMenuHeight + kCardHeight) / imageHeight});
}

}  // namespace tenon::runtime
