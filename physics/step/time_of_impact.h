// Time of impact of two bodies by conservative advancement on exact distances.
#pragma once

#include <optional>

#include "physics/collision/collider.h"

namespace tenon::physics {

/// Motion of two bodies in a step: constant velocities from their poses at its start.
struct PairMotion {
  BodyPair pair;
  Pose startOfI, startOfJ;  ///< X_WC
  Vector6d ui, uj;          ///< velocities [m/s, rad/s]
  double dt = 0;            ///< duration [s]
  double radiusOfI = 0;     ///< about the center of mass [m]
  double radiusOfJ = 0;     ///< [m]
  double minStep = 0;       ///< shortest relative displacement between two queries where they touch [m]
  bool solved = false;      ///< the step's problems have the pair's contacts: its end needs no check
  bool convex = false;      ///< both bodies are convex
  Pose poseOfI(double t) const { return advance(startOfI, ui.head<3>(), ui.tail<3>(), t * dt); }
  Pose poseOfJ(double t) const { return advance(startOfJ, uj.head<3>(), uj.tail<3>(), t * dt); }
};

/// Overlap on the way that is not an impact [m]: above the overlap accepted at the ends of steps, also of
/// large islands.
inline constexpr double kSweptOverlap = 1e-6;

/// True if the spheres about the bodies' centers of mass meet: otherwise no query is needed.
bool boundsMeet(const PairMotion& motion);

/// Fraction of the step after which the bodies touch and would overlap by more than kSweptOverlap, or by that
/// more than at the start, or overlap at the end of a pair that is not `solved`; none if they do not.
/// Replaces `contacts` by those at that time. The time to the next query is the distance over a bound on its
/// rate: for convex bodies that of the plane between them (B. Mirtich, Impulse-based dynamic simulation of
/// rigid body systems, 1996, section 2.3.2), which for translations is Newton's method on a convex function;
/// for others the relative speed. Where they touch, steps are at least `minStep`, and an overlap found is
/// bisected.
std::optional<double> timeOfImpact(const Collider& collider, const PairMotion& motion, ContactSet& contacts);

}  // namespace tenon::physics
