// Combines the transforms of room.h with the state of the user.
#include "runtime/vr/room_placement.h"

#include <algorithm>
#include <cmath>

namespace tenon::runtime {

namespace {

constexpr double kNear =
    0.1;  ///< a table nearer than this is below the head: the view gives the direction [m]
constexpr double kStandingEyeHeight = 1.6, kSeatedEyeHeight = 1.2;  ///< used if the floor is not known [m]

}  // namespace

void RoomPlacement::raise(double height) {
  room_ = raisedRoom(room_, height);
  table_.height += height;
  userRaise_ += height;
}

bool RoomPlacement::place(const xr::XrFrame& xrFrame, const Eigen::AlignedBox3d& bounds, double scale,
                          bool hasFloorOrigin) {
  if (xrFrame.eyes.empty() || (placed_ && !xrFrame.recentered && !recenter_)) return false;
  headHeight_ = hasFloorOrigin ? -1 : seated_ ? kSeatedEyeHeight : kStandingEyeHeight;
  const double eyes = headHeight_ < 0 ? xrFrame.X_SH.p.y() : headHeight_;
  const double down = -std::max(xrFrame.eyes[0].down, xrFrame.eyes[1].down);
  const double height =
      tableHeight_.value_or(visibleTableHeight(scaledBox(bounds, scale), table_, eyes, down));
  table_.height = height + userRaise_;
  room_ = placedRoom(xrFrame.X_SH, bounds, table_, headHeight_, scale);
  floor_ = headHeight_ < 0 ? 0 : xrFrame.X_SH.p.y() - headHeight_;
  placed_ = true;
  recenter_ = false;
  return true;
}

void RoomPlacement::putOnTable(const xr::XrFrame& xrFrame, const physics::Vector3d& p_S,
                               const Eigen::AlignedBox3d& bounds, double scale) {
  table_.height = p_S.y() - floor_;
  tableHeight_ = table_.height;
  userRaise_ = 0;
  physics::Pose head = xrFrame.X_SH;
  const physics::Vector3d way = p_S - head.p;
  if (std::hypot(way.x(), way.z()) > kNear)
    head.q = Eigen::AngleAxisd(std::atan2(-way.x(), -way.z()), physics::Vector3d::UnitY());
  room_ = placedRoom(head, bounds, table_, headHeight_, scale);
  physics::Vector3d center = physics::Vector3d::Zero();
  if (!bounds.isEmpty()) center = bounds.center();
  room_ = walkedRoom(room_, p_S, room_.inRoom(center));
}

bool RoomPlacement::changeScale(const xr::XrFrame& xrFrame, double scale) {
  if (scale == room_.scale || xrFrame.eyes.empty()) return false;
  Eigen::Vector3d fixed = xrFrame.X_SH.p + table_.distance * levelDirection(xrFrame.X_SH);
  fixed.y() = floor_ + table_.height;
  room_ = rescaledRoom(room_, fixed, scale);
  return true;
}

/// Height of the teleport target: the drawn ground, or the floor if that is higher.
double RoomPlacement::landingHeight(const xr::XrFrame& xrFrame, std::optional<double> groundHeight) const {
  if (!groundHeight) return floor_;
  const double ground = room_.inRoom({room_.X_WS.p.x(), room_.X_WS.p.y(), *groundHeight}).y();
  return xrFrame.X_SH.p.y() > ground ? std::max(floor_, ground) : floor_;
}

void RoomPlacement::move(const xr::XrFrame& xrFrame, const std::array<Locomotion::Hand, 2>& hands,
                         const Comfort& comfort, std::optional<double> groundHeight, double seconds) {
  step_ = {};
  if (!placed_ || xrFrame.eyes.empty()) return;
  step_ = locomotion_.update(hands, comfort, landingHeight(xrFrame, groundHeight), seconds);
  if (step_.turn != 0)
    room_.X_WS = turnedRoom(room_.X_WS, {xrFrame.X_SH.q, xrFrame.X_SH.p / room_.scale}, step_.turn);
  raise(step_.raise);
  if (step_.arriveAt) room_ = walkedRoom(room_, xrFrame.X_SH.p, *step_.arriveAt);
}

}  // namespace tenon::runtime
