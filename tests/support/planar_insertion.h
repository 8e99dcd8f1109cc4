// The push that an insertion takes when it is done slowly: planar statics of a peg, a chamfered bore and a
// compliant hand. What the insertion benchmark is measured against; calls nothing of the engine.
//
// Whitney, Quasi-static assembly of compliantly supported rigid parts, ASME J. DSMC 104, 1982, but without
// its small angles: contacts by the exact geometry of the plane of tilt, friction along the surfaces.
#pragma once

#include <array>

namespace tenon::tests {

/// The insertion benchmark in its plane of tilt. z is the bore's axis, out of the bore; the mouth is at 0.
/// The target of the tip goes straight down from `top` to −`depth` while its offset along x and its tilt
/// (the upper end leans to +x) fall linearly to 0. The defaults are the benchmark's.
struct PlanarInsertion {
  double clearance = 1e-4;           ///< bore diameter less peg diameter [m], > 0
  double friction = 0;               ///< Coulomb's μ
  double radius = 5e-3;              ///< of the peg [m]
  double centreHeight = 30e-3;       ///< centre of compliance above the tip [m]
  double chamfer = 1.5e-3;           ///< width and depth of the 45° lead-in [m]
  double lateralStiffness = 2e3;     ///< of the hand [N/m]
  double axialStiffness = 2e3;       ///< of the hand [N/m]; 0: rigid, depth and target go together
  double angularStiffness = 2;       ///< of the hand [N m/rad]
  double offset = 1e-3;              ///< of the target at the start [m], ≥ 0
  double tilt = 0.0349065850398866;  ///< of the target at the start [rad], ≥ 0; 2°
  double top = 2e-3;                 ///< height of the target's tip at the start [m]
  double depth = 28e-3;              ///< of the target's tip at the end [m]
};

/// Where the peg can touch in the plane: on the side of +x and on that of −x.
enum class PlanarContact {
  tipOnChamfer,  ///< a corner of the tip on the cone
  tipOnBore,     ///< a corner of the tip on the wall below
  edgeOnShank,   ///< the edge between cone and bore on the peg's side
};
inline constexpr int kPlanarContacts = 6;  ///< index: 2 · PlanarContact + (0 on +x, 1 on −x)

struct PlanarEquilibrium {
  bool found = false;   ///< false: no forces that push hold the peg here (it is wedged)
  double x = 0;         ///< of the peg's centre of compliance [m]
  double tilt = 0;      ///< of the peg [rad]
  double progress = 0;  ///< of the target, 0 at its start, 1 at its end
  double push = 0;      ///< along −z, by the hand on the peg [N]
  std::array<double, kPlanarContacts> force{};  ///< normal forces [N]

  int contacts() const;  ///< how many carry force
};

/// The equilibrium with the peg's centre of compliance at height `z` [m], sliding downwards in every contact.
/// There may be several (a peg can brace itself askew between chamfer and edge): the nearest to `last`.
PlanarEquilibrium planarEquilibrium(const PlanarInsertion& insertion, double z,
                                    const PlanarEquilibrium& last);

/// The target's own pose at `progress`: where the peg is while it touches nothing.
PlanarEquilibrium planarTarget(const PlanarInsertion& insertion, double progress);

struct InsertionTruth {
  double peakPush = 0;   ///< largest push on the way in, as far as it goes [N]
  double peakDepth = 0;  ///< tip's depth below the mouth there [m]
  double endDepth = 0;   ///< how deep it goes [m]
  bool arrives = false;  ///< at the end of the target's way; else it stays short of it: wedged, or braced
                         ///< askew in the lead-in, and the push grows as long as the hand moves
  bool wedged = false;   ///< at some depth there is no equilibrium at all
  /// Depth ℓ below the chamfer's foot at which two-point contact begins [m]; 0 where it never does.
  double twoPointDepth = 0;
  bool wedgingPossible = false;  ///< ℓ/D < μ there (Whitney 1982)
};

/// The whole way in, in `steps` equal steps of depth.
InsertionTruth insertionTruth(const PlanarInsertion& insertion, int steps = 1500);

}  // namespace tenon::tests
