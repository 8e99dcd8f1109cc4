// A joint as equations φ = 0 between two poses, and the directions of its forces. With d from the origin of A
// to that of B, x y z the axes of A, and q the rotation of B in A:
//     ball, hinge, fixed    d·x = d·y = d·z = 0
//     slider, cylindrical   d·x = d·y = 0
//     helical               these and d·z − pitch · turns = 0
//     hinge, cylindrical, helical    x·z_B = y·z_B = 0
//     fixed, slider         2 vec(q) = 0 (the rotation vector, to third order)
#pragma once

#include "physics/joint/joint.h"
#include "physics/joint/joint_rows.h"

namespace tenon::physics {

/// The two frames of a joint in the world, and the centers of mass of its bodies.
struct JointFrames {
  Pose X_WA, X_WB;
  Vector3d c_I = Vector3d::Zero(), c_J = Vector3d::Zero();
};

/// Frames for these poses of the centers of mass; the first pose is ignored where i is the world.
JointFrames jointFrames(const PlacedJoint& joint, const Pose& X_WI, const Pose& X_WJ);

int equationsOf(JointKind kind);
/// True for an equation of lengths [m]; false for one of angles [rad].
bool isLength(JointKind kind, int equation);

/// φ [m, rad], equationsOf() entries. The angle of a helical joint is known up to full turns: φ uses the
/// number of turns nearest to its travel.
Vector6d jointError(const JointDescription& joint, const JointFrames& at);

/// Columns of G at i and j: φ̇ = Gaᵀ u_i + Gbᵀ u_j where φ = 0.
struct JointDirections {
  Eigen::Matrix<double, 6, 6> Ga = Eigen::Matrix<double, 6, 6>::Zero(), Gb = Ga;
};
JointDirections jointDirections(const JointDescription& joint, const JointFrames& at);

/// The rows of a joint for the bodies a and b of an island (−1: moved by no force), which move with u_I and
/// u_J where forces do not move them; b0 and phi are left 0.
JointRows jointRows(const JointDescription& joint, const JointFrames& at, int a, int b, const Vector6d& u_I,
                    const Vector6d& u_J);

/// Angle, travel and errors; no forces.
JointState jointStateAt(const PlacedJoint& joint, const Pose& X_WI, const Pose& X_WJ);

/// Rotation of B about z of A [rad, within ±π], and travel along it [m].
double jointAngle(const JointFrames& at);
double jointTravel(const JointFrames& at);

/// Directions at i and j of the angle (travel): its rate is Gaᵀ u_i + Gbᵀ u_j.
struct JointDirection {
  Vector6d Ga = Vector6d::Zero(), Gb = Vector6d::Zero();
};
JointDirection angleDirection(const JointFrames& at);
JointDirection travelDirection(const JointFrames& at);

}  // namespace tenon::physics
