// The room of a headset session over time: initial placement, recentering, scale, table height, locomotion.
#pragma once

#include <array>
#include <optional>

#include "runtime/vr/locomotion.h"
#include "runtime/vr/room.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

class RoomPlacement {
 public:
  /// `tableHeight` above the floor [m]; std::nullopt: in view of the eyes. `seated`: lower eye height if the
  /// floor is not known.
  RoomPlacement(std::optional<double> tableHeight, bool seated)
      : tableHeight_(tableHeight), seated_(seated) {}

  const Room& room() const { return room_; }
  bool isPlaced() const { return placed_; }
  /// Height of the floor in the room [m].
  double floor() const { return floor_; }
  /// Horizontal distance from the head at which place() puts the center of the scene [m].
  double distance(const Eigen::AlignedBox3d& bounds, double scale) const {
    return centerDistance(scaledBox(bounds, scale), table_);
  }
  /// The locomotion of the current frame.
  const Locomotion::Step& locomotion() const { return step_; }

  /// Places the room again in the next frame.
  void invalidate() { placed_ = false; }
  void recenter() { recenter_ = true; }
  /// Raises the table by `height` of the room [m].
  void raise(double height);
  /// Places the room at the start and after recentering. `bounds`: of the scene [world, m]. True if placed.
  bool place(const xr::XrFrame& xrFrame, const Eigen::AlignedBox3d& bounds, double scale,
             bool hasFloorOrigin);
  /// Puts the scene on a real table: its lowest point at the height of `p_S`, its center there, its y axis
  /// away from the user. `p_S`: on top of the table. Also later recenterings then use this height.
  void putOnTable(const xr::XrFrame& xrFrame, const physics::Vector3d& p_S, const Eigen::AlignedBox3d& bounds,
                  double scale);
  /// Applies a new scale; the table top in front of the user keeps its position. True if changed.
  bool changeScale(const xr::XrFrame& xrFrame, double scale);
  /// Moves the user by thumbstick. `groundHeight`: of the drawn ground in the world [m]; `seconds`: frame
  /// time [s].
  void move(const xr::XrFrame& xrFrame, const std::array<Locomotion::Hand, 2>& hands, const Comfort& comfort,
            std::optional<double> groundHeight, double seconds);

 private:
  double landingHeight(const xr::XrFrame& xrFrame, std::optional<double> groundHeight) const;

  std::optional<double> tableHeight_;
  bool seated_;
  Table table_;
  double userRaise_ = 0;  ///< of the table [m]
  Room room_;
  double floor_ = 0;        ///< height of the floor in the room [m]
  double headHeight_ = -1;  ///< assumed above the floor [m]; negative: the floor is known
  bool placed_ = false, recenter_ = false;
  Locomotion locomotion_;
  Locomotion::Step step_;
};

}  // namespace tenon::runtime
