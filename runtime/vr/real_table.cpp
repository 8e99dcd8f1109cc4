// Choice among detected planes, and the stages of "Put on my table".
#include "runtime/vr/real_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/vr/placement.h"

namespace tenon::runtime {

using physics::Vector3d;

namespace {

constexpr double kTriggerPulled = 0.6;  ///< [-]
constexpr const char* kDetecting = "Looking for your table";
constexpr const char* kShow = "Lay a controller on your table and pull its trigger";

/// The point of the table nearest to `p_S`, at least `margin` from its edges where it is large enough [m].
Vector3d nearestOn(const xr::RoomPlane& table, const Vector3d& p_S, double margin) {
  Vector3d out = table.center;
  for (const Vector3d& edge : {table.toEdge1, table.toEdge2}) {
    const double length = edge.norm(), most = std::max(length - margin, 0.0);
    const Vector3d along = edge / length;
    // Horizontally: the height of the point does not matter.
    Vector3d offset = p_S - table.center;
    offset.y() = 0;
    out += std::clamp(offset.dot(along), -most, most) * along;
  }
  return out;
}

double horizontal(const Vector3d& v) {
  return std::hypot(v.x(), v.z());
}

bool isTable(const xr::RoomPlane& plane, const Vector3d& p_SHead, double floor) {
  const Vector3d nearest = nearestOn(plane, p_SHead, 0);
  const double height = nearest.y() - floor;
  return plane.isUpward && height >= kLowestTable && height <= kHighestTable &&
         2 * std::min(plane.toEdge1.norm(), plane.toEdge2.norm()) >= kSmallestTable &&
         horizontal(nearest - p_SHead) <= kTableReach;
}

}  // namespace

const xr::RoomPlane* chooseTable(std::span<const xr::RoomPlane> planes, const Vector3d& p_SHead,
                                 double floor) {
  const xr::RoomPlane* best = nullptr;
  for (const xr::RoomPlane& plane : planes) {
    if (!isTable(plane, p_SHead, floor)) continue;
    if (best == nullptr || (plane.isPlatform && !best->isPlatform) ||
        (plane.isPlatform == best->isPlatform && plane.area() > best->area()))
      best = &plane;
  }
  return best;
}

Vector3d placeOnTable(const xr::RoomPlane& table, const physics::Pose& X_SHead, double distance,
                      double radius) {
  return nearestOn(table, X_SHead.p + distance * levelDirection(X_SHead), radius);
}

void RealTable::request(bool detects) {
  stage_ = detects ? Stage::detecting : Stage::controller;
  text_ = detects ? kDetecting : kShow;
  time_ = 0;
  planes_.reset();
}

void RealTable::cancel() {
  stage_ = Stage::idle;
  text_.clear();
  planes_.reset();
}

std::optional<Vector3d> RealTable::detected(const Input& input) {
  if (input.planes) planes_ = input.planes;
  const xr::RoomPlane* const table =
      planes_ ? chooseTable(*planes_, input.xrFrame.X_SH.p, input.floor) : nullptr;
  if (table != nullptr) {
    if (!input.closed[0] && !input.closed[1])
      return placeOnTable(*table, input.xrFrame.X_SH, input.distance, input.radius);
    text_ = "Table found. Open both hands";  // else held parts would be dragged along
    return std::nullopt;
  }
  if (!planes_ && time_ < kTimeout) return std::nullopt;
  request(false);
  text_ = fmt::format("No table found. {}", kShow);
  return std::nullopt;
}

std::optional<Vector3d> RealTable::shown(const Input& input) {
  for (std::size_t side = 0; side < triggers_.size(); ++side) {
    const xr::Controller& hand = input.xrFrame.hands[side];
    const bool isPulled = hand.tracked && hand.trigger > kTriggerPulled;
    const bool begins = isPulled && !triggers_[side];
    triggers_[side] = isPulled;
    if (stage_ == Stage::controller && begins && !input.closed[side] && !input.onMenu[side])
      return hand.X_SH.p - kGripHeight * Vector3d::UnitY();
  }
  return std::nullopt;
}

std::optional<Vector3d> RealTable::update(const Input& input) {
  time_ += input.seconds;
  std::optional<Vector3d> place = shown(input);
  if (stage_ == Stage::detecting) place = detected(input);
  if (place) {
    const double height = place->y() - input.floor;
    cancel();
    time_ = 0;
    text_ = fmt::format("The parts stand on your table, {:.2f} m high", height);
  }
  if (stage_ == Stage::idle && time_ > kShownAfter) text_.clear();
  return place;
}

}  // namespace tenon::runtime
