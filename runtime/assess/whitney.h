// When a peg wedges or jams in its hole: Whitney's quasi-static theory as pure functions.
//
// D. E. Whitney, "Quasi-static assembly of compliantly supported rigid parts", ASME Journal of Dynamic
// Systems, Measurement, and Control 104, 1982, pp. 65-77. It is plane: all forces act in the plane of the
// hole's axis and the contacts, tilt is small, and friction is the same at both contacts.
#pragma once

#include <string_view>

#include "physics/math/pose.h"

namespace tenon::runtime {

/// Wedging is possible where two-point contact begins at a depth ℓ less than μ diameters, ℓ/D < μ: then the
/// two friction cones contain each other's contact point, and the contacts can hold against each other any
/// force whatever the push. `length` ℓ and `diameter` D [m], `mu` μ [-].
bool wedgingPossible(double length, double diameter, double mu);

/// The same by geometry, without small angles: the line between the contact points lies within both
/// friction cones, or on them. `p` in any one frame [m], `n` unit normals into the part, `mu` [-] each.
bool conesContainEachOther(const Eigen::Vector2d& p1, const Eigen::Vector2d& n1, double mu1,
                           const Eigen::Vector2d& p2, const Eigen::Vector2d& n2, double mu2);

/// A push on a peg that is in its hole to depth ℓ, at the tip: x across the hole, z into it.
struct Push {
  double fx = 0;      ///< [N]
  double fz = 0;      ///< [N]
  double moment = 0;  ///< about the tip, positive from x towards the way OUT of the hole [N m]
  double radius = 0;  ///< r of the peg [m]
  double length = 0;  ///< ℓ [m]
  double mu = 0;      ///< μ [-]

  double lambda() const { return length / (2 * radius * mu); }  ///< λ = ℓ/(2 r μ); infinite for μ = 0
  double fxOverFz() const { return fx / fz; }
  double momentOverRFz() const { return moment / (radius * fz); }
};

/// Where in the jamming diagram a push lies. Its axes are Fx/Fz and M/(r Fz); within the parallelogram
/// (−1/μ, 2λ+1), (1/μ, −1), (1/μ, −(2λ+1)), (−1/μ, 1) the peg slides in, outside it jams.
enum class JamSide {
  inside,
  lateralPlus,   ///< Fx/Fz > 1/μ: pressed to the side of +x
  lateralMinus,  ///< Fx/Fz < −1/μ
  momentPlus,    ///< M/(rFz) > λ − μ(1+λ) Fx/Fz: tip to +x, mouth to −x
  momentMinus,   ///< M/(rFz) < −λ − μ(1+λ) Fx/Fz: the other way round
  noPush,        ///< Fz ≤ 0: nothing pushes it in
};

struct JammingPoint {
  JamSide side = JamSide::noPush;
  /// How much of the way from the middle of the parallelogram to that side [-]: 1 on it, more outside.
  double reach = 0;
  bool inside() const { return side == JamSide::inside; }
};

/// From the two contacts' balance: with N the normal forces, Fz = μ(N₁+N₂), Fx = N₂ − N₁,
/// M = ℓN₁ − rμFx. Compared without dividing by μ or Fz, so μ = 0 (never jams) and ℓ = 0 are no exceptions.
JammingPoint jammingPoint(const Push& push);

std::string_view toText(JamSide side);  ///< as in JSON: "inside"

}  // namespace tenon::runtime
