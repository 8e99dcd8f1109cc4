// The user's real table, for "Put on my table": detected by the headset, else shown by a controller on it.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "xr/openxr/room_plane.h"
#include "xr/openxr/xr_frame.h"

namespace tenon::runtime {

// What counts as a table [m].
inline constexpr double kLowestTable = 0.5, kHighestTable = 1.2;  ///< height above the floor
inline constexpr double kTableReach = 1;       ///< from the head to its nearest edge, horizontally
inline constexpr double kSmallestTable = 0.3;  ///< its shorter edge

/// The table at which the user is, of the detected planes: an upward one of the sizes above, rather one that
/// the runtime calls a platform, then the largest. `floor`: its height in the room [m]. None: null.
const xr::RoomPlane* chooseTable(std::span<const xr::RoomPlane> planes, const physics::Vector3d& p_SHead,
                                 double floor);

/// The place for the center of the parts on a table, in the room: `distance` in front of the head, or the
/// nearest place to that at which a circle of `radius` is on the table; its middle if it is too small.
physics::Vector3d placeOnTable(const xr::RoomPlane& table, const physics::Pose& X_SHead, double distance,
                               double radius);

class RealTable {
 public:
  /// Height of the grip of a controller above the table on which it lies [m]: half the width of a handle.
  static constexpr double kGripHeight = 0.02;
  static constexpr double kTimeout = 5;     ///< of the detection [s]
  static constexpr double kShownAfter = 5;  ///< the text stays so long after the end [s]

  /// The input of one frame; lengths in meters of the room.
  struct Input {
    const xr::XrFrame& xrFrame;
    std::array<bool, 2> closed{};  ///< by hand: holds, or may hold, a part
    std::array<bool, 2> onMenu{};  ///< by hand: points at the menu
    /// Of a detection that has ended.
    const std::optional<std::vector<xr::RoomPlane>>& planes;
    double floor = 0;        ///< its height
    double distance = 0.55;  ///< of the center of the parts from the head, if the table allows that
    double radius = 0;       ///< of the circle about the parts, seen from above
    double seconds = 0;      ///< since the previous frame [s]
  };

  /// Begins. `detects`: the headset looks for planes now; else the user lays a controller on the table.
  void request(bool detects);
  void cancel();
  /// The place on top of the table for the center of the parts, once. The head must be tracked.
  std::optional<physics::Vector3d> update(const Input& input);
  /// True until the planes that were requested have come, or have not.
  bool isDetecting() const { return stage_ == Stage::detecting; }
  /// What is done, or what the user has to do; "": nothing.
  const std::string& text() const { return text_; }

 private:
  std::optional<physics::Vector3d> detected(const Input& input);
  std::optional<physics::Vector3d> shown(const Input& input);

  enum class Stage { idle, detecting, controller };
  Stage stage_ = Stage::idle;
  double time_ = 0;                 ///< since the stage began [s]
  std::array<bool, 2> triggers_{};  ///< by hand: pulled in the previous frame
  std::optional<std::vector<xr::RoomPlane>> planes_;
  std::string text_;
};

}  // namespace tenon::runtime
