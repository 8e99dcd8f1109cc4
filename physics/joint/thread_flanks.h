// Friction in a thread: the flanks of a helical joint as two contacts that face each other without play.
//
// With pitch P, pitch diameter d2 = 2 r (ISO 724: d2 = d − 0.6495 P, d the nominal diameter), lead angle
// tan α = P / (2π r) and half flank angle β = 30° (ISO 68-1), the thread unrolled at d2 is an inclined plane.
// The force N of a flank acts along n = (cos α, −sin α) in (axial, tangential) directions, its friction along
// the slope t = (sin α, cos α), opposed to sliding and at most µ' N with µ' = µ / cos β (the flank leans
// by β, so its own normal force is N / cos β). For an axial load F this gives the torques
//     to raise it   T = F r (tan α + µ') / (1 − µ' tan α),
//     to lower it   T = F r (µ' − tan α) / (1 + µ' tan α),
// and a thread that no load turns (self-locking) where µ' > tan α. Source: J. E. Shigley, C. R. Mischke,
// Mechanical Engineering Design, 8-2, "The Mechanics of Power Screws"; VDI 2230-1 (2015), 5.4.1.
//
// Both flanks are rows of the contact problem, 0 ≤ N ⟂ δ ≥ 0 with δ = ± cos α φ, φ the error of the helical
// equation. They replace that equation: at most one of the two carries load, and solvers apply
// Coulomb's law to it as to any contact. Each has the compliance kFrictionalCompliance. Without friction the
// equation itself is used.
#pragma once

#include <array>

#include "physics/joint/joint_equations.h"

namespace tenon::physics {

/// Factor of µ in µ' = µ / cos β for the half flank angle β = 30° of ISO metric threads [-].
inline constexpr double kFlankFriction = 1.1547005383792517;

/// Pitch diameter d2 of an ISO metric thread of this nominal diameter and pitch [m]: d − 2 · 3/8 · (√3/2) P.
constexpr double isoPitchDiameter(double diameter, double pitch) {
  return diameter - 0.6495190528383290 * (pitch < 0 ? -pitch : pitch);
}

/// True where flanks replace the last equation of a joint.
inline bool hasFlanks(const JointDescription& joint) {
  return joint.kind == JointKind::helical && joint.friction > 0;
}

/// One flank: a contact of body j with body i at the pitch diameter, in the world.
struct ThreadFlank {
  Vector3d p;             ///< point [m]
  Vector3d n;             ///< unit normal, direction of the force on j
  Vector3d slide;         ///< unit tangent along the thread
  double separation = 0;  ///< distance along n [m]
};

/// The flank that pushes j along z of A (where the pitch is positive), and the other one. `error` is φ of the
/// helical equation [m], `at` of the start of the step.
std::array<ThreadFlank, 2> threadFlanks(const JointDescription& joint, const JointFrames& at, double error);

}  // namespace tenon::physics
