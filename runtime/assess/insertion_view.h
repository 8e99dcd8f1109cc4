// A goal's part in the hole's frame after one step: pose, contact points, load.
#pragma once

#include <optional>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::runtime {

using physics::Vector3d;

/// The part's pose. H is the hole's frame: origin at the center of its mouth, +z out of the hole.
struct InsertionPose {
  physics::Pose X_WH;
  Vector3d tip_H = Vector3d::Zero();          ///< the feature's origin [m]
  Vector3d direction_H = -Vector3d::UnitZ();  ///< unit, of the feature, out of the part

  double speed = 0;  ///< of the tip into the hole, along its axis [m/s]

  double depth() const { return -tip_H.z(); }               ///< of the tip below the mouth [m]
  double offset() const { return tip_H.head<2>().norm(); }  ///< of the tip from the axis [m]
  double tilt() const;                                      ///< angle to the direction into the hole [rad]
  double turn = 0;                     ///< angle to the orientation of the goal: tilt() in a hole [rad]
  Vector3d turn_H = Vector3d::Zero();  ///< rotation vector from that orientation to the part's [rad]
  bool hasTwist = false;  ///< turn_H includes the rotation about the axis: the goal has an orientation
};

/// The pose of a goal's part, from those of the hole's part and of its own; without `speed`, `turn` and
/// `turn_H`.
InsertionPose insertionPoseOf(const content::Scene& scene, const content::Goal& goal,
                              const physics::Pose& X_WI, const physics::Pose& X_WP);

/// A contact point of the hole's part on the part.
struct InsertionContactPoint {
  Vector3d p_H = Vector3d::Zero();         ///< [m]
  Vector3d n_H = Vector3d::UnitZ();        ///< unit, into the part
  double force = 0;                        ///< on the part along n [N]
  Vector3d friction_H = Vector3d::Zero();  ///< on the part [N]
  double mu = 0;                           ///< Coulomb's coefficient [-]
  double behind = 0,
         radius = 0;  ///< of p: distance behind the tip along the part's axis, and from that axis [m]

  Vector3d total_H() const { return force * n_H + friction_H; }  ///< on the part [N]
};

/// Load on the part without the forces of the hole's part: hands, weight unless a hand carries it, other
/// parts. For a fixed part: the reaction to the load on the hole's part.
/// At rest it is the opposite of the force of the hole's part.
struct PartLoad {
  Vector3d force_H = Vector3d::Zero();   ///< [N]
  Vector3d moment_H = Vector3d::Zero();  ///< about the tip [N m]
};

/// Extracts one goal's data from a step result. The bodies of a contact may be in either order.
class InsertionView {
 public:
  InsertionView(const content::Scene& scene, const content::Goal& goal);

  physics::BodyId into() const { return into_; }
  bool isHeld(const physics::StepResult& tick) const;
  InsertionPose insertionPoseAt(const physics::StepResult& tick) const;
  /// X_WP of the goal's part.
  physics::Pose partPoseAt(const physics::StepResult& tick) const;
  /// All contacts between the two parts, including those without force. Overwrites `points`.
  void contactPoints(const physics::StepResult& tick, const InsertionPose& stand,
                     std::vector<InsertionContactPoint>& points) const;
  /// Torque of the hands, and of drivers, on the part about the hole's axis, counter-clockwise seen from
  /// outside [N m]; where they move the hole's part instead, that on it reversed.
  double turningTorqueAt(const physics::StepResult& tick, const InsertionPose& stand) const;
  PartLoad loadAt(const physics::StepResult& tick, const InsertionPose& stand) const;

 private:
  bool isCarried(const physics::StepResult& tick) const;

  physics::BodyId part_, into_;
  physics::BodyId moved_;  ///< the one that hands move: the part, or the hole's part if the part is fixed
  Vector3d tip_C_, direction_C_;              ///< of the feature, in the part's X_WC frame
  physics::Pose X_CP_;                        ///< the part in that frame
  physics::Pose X_IcH_;                       ///< the hole in the X_WC frame of its part
  std::optional<physics::Quaterniond> q_IP_;  ///< the orientation of a goal with a pose
  Vector3d weight_W_;                         ///< of the moved part [N]; zero unless forces move it
  std::vector<bool> carries_;                 ///< by hand: compensates the weight of the held part
};

}  // namespace tenon::runtime
