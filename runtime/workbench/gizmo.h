// The gizmo of a selected part: handles to move it along axes and to turn it about them. No drawing here.
#pragma once

#include <Eigen/Core>

#include <array>
#include <optional>
#include <vector>

#include "physics/math/pose.h"
#include "xr/appearance/pick.h"
#include "xr/view.h"

namespace tenon::runtime {

enum class GizmoTool { move, turn };

/// Where the gizmo is: the center of the part, axes of the world or of the part.
struct GizmoPlace {
  physics::Vector3d p_W = physics::Vector3d::Zero();
  physics::Quaterniond q = physics::Quaterniond::Identity();  ///< of its axes
  double size = 0.05;                                         ///< of the handles [m]
};

/// The picture on which handles are found and drawn.
struct GizmoPicture {
  const xr::View& view;
  double width = 1, height = 1;  ///< [pixels]

  /// Pixels from the top left corner; empty: behind the camera.
  std::optional<Eigen::Vector2d> at(const physics::Vector3d& p_W) const;
  /// The ray through a pixel.
  xr::Ray ray(const Eigen::Vector2d& at) const;
};

/// The size of handles that are about 90 pixels long at `p_W` [m].
double gizmoSize(const GizmoPicture& picture, const physics::Vector3d& p_W);

/// The line of a handle, of axis 0 to 2: an arrow's shaft and tip, or a ring.
std::vector<physics::Vector3d> handleLine(const GizmoPlace& place, GizmoTool tool, int axis);

/// The axis whose handle is at a pixel; −1: none.
int handleAt(const GizmoPlace& place, GizmoTool tool, const GizmoPicture& picture,
             const Eigen::Vector2d& mouse);

/// A drag of a part: by a handle, or in the horizontal plane through the grasped point.
class GizmoDrag {
 public:
  /// `axis` −1: in the plane through `grasped_W`, where the mouse is on the part.
  GizmoDrag(const GizmoPlace& place, GizmoTool tool, int axis, const physics::Pose& X_WP,
            const physics::Vector3d& grasped_W);

  /// The pose of the part with the mouse at a pixel. `steps`: whole millimeters and multiples of 15°.
  physics::Pose poseAt(const GizmoPicture& picture, const Eigen::Vector2d& mouse, bool steps);
  /// Locks the motion to an axis from now on; the same axis again unlocks it.
  void lock(int axis);
  int axis() const { return axis_; }
  GizmoTool tool() const { return tool_; }
  /// The motion so far: along each axis [m], or the angle [rad].
  const physics::Vector3d& moved() const { return moved_; }
  double turned() const { return turned_; }
  const GizmoPlace& place() const { return place_; }
  const physics::Pose& start() const { return start_; }

 private:
  double alongAxis(const xr::Ray& ray) const;
  physics::Vector3d inPlane(const xr::Ray& ray, const physics::Vector3d& normal) const;
  double angle(const xr::Ray& ray) const;

  GizmoPlace place_;
  GizmoTool tool_;
  int axis_;
  physics::Pose start_;
  physics::Vector3d grasped_;
  std::optional<Eigen::Vector2d> from_;  ///< the mouse at the start [pixels]
  physics::Vector3d moved_ = physics::Vector3d::Zero();
  double turned_ = 0;
};

}  // namespace tenon::runtime
