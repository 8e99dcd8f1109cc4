// When a peg wedges or jams in its hole: Whitney's quasi-static theory as pure functions.
//
// D. E. Whitney, "Quasi-static assembly of compliantly supported rigid parts", ASME Journal of Dynamic
// Systems, Measurement, and Control 104, 1982, pp. 65-77. It is planar: all forces act in the plane of
// the hole's axis and the contacts, tilt is small, and friction is the same at both contacts.
#pragma once

#include <cmath>
#include <string_view>

#include "physics/math/pose.h"

namespace tenon::runtime {

/// Wedging is possible if two-point contact begins at a depth ℓ below μ diameters, ℓ/D < μ: then each
/// friction cone contains the other contact point, and the contacts can carry an internal force of any size
/// whatever the push. `length` ℓ and `diameter` D [m], `mu` μ [-].
bool wedgingPossible(double length, double diameter, double mu);

/// The same condition without small angles: the line between the contact points is inside or on both friction
/// cones. `p` in any one frame [m], `n` unit normals into the part, `mu` [-] each.
bool conesContainEachOther(const Eigen::Vector2d& p1, const Eigen::Vector2d& n1, double mu1,
                           const Eigen::Vector2d& p2, const Eigen::Vector2d& n2, double mu2);

/// Push at the tip of a peg at depth ℓ in its hole: x perpendicular to the hole's axis, z into the hole.
struct Push {
  double fx = 0;      ///< [N]
  double fz = 0;      ///< [N]
  double moment = 0;  ///< about the tip, positive from x towards −z [N m]
  double radius = 0;  ///< r of the peg [m]; negative of a part around a post
  double length = 0;  ///< ℓ [m]
  double mu = 0;      ///< μ [-]

  double lambda() const { return length / std::abs(2 * radius * mu); }  ///< λ = ℓ/(2 r μ); infinite for μ = 0
  double fxOverFz() const { return fx / fz; }
  double momentOverRFz() const { return moment / (radius * fz); }
};

/// Position of a push in the jamming diagram. Its axes are Fx/Fz and M/(r Fz); within the parallelogram
/// (−1/μ, 2λ+1), (1/μ, −1), (1/μ, −(2λ+1)), (−1/μ, 1) the peg slides in, outside it jams.
enum class JamSide {
  inside,
  lateralPlus,   ///< Fx/Fz > 1/μ: pressed to +x
  lateralMinus,  ///< Fx/Fz < −1/μ
  momentPlus,    ///< M/(rFz) > λ − μ(1+λ) Fx/Fz: tip to +x, mouth to −x
  momentMinus,   ///< M/(rFz) < −λ − μ(1+λ) Fx/Fz: tip to −x, mouth to +x
  noPush,        ///< Fz ≤ 0: no push into the hole
};

struct JammingPoint {
  JamSide side = JamSide::noPush;
  /// Utilization: distance from the center of the parallelogram relative to that side [-]; 1 on it, > 1
  /// outside.
  double utilization = 0;
  bool inside() const { return side == JamSide::inside; }
};

/// From the equilibrium of the two contacts: with N the normal forces, Fz = μ(N₁+N₂), Fx = N₂ − N₁,
/// M = ℓN₁ − rμFx. Compared without dividing by μ or Fz, so μ = 0 (never jams) and ℓ = 0 need no special
/// case.
JammingPoint jammingPoint(const Push& push);

std::string_view toText(JamSide side);  ///< as in JSON: "inside"

}  // namespace tenon::runtime
