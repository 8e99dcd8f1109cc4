// Meshes of bolts and nuts as CAD systems and scanners write them: the surface of a screw thread from its
// formula, without a function of the engine.
#pragma once

#include <cstdint>

#include "physics/collision/geometry/shape.h"
#include "physics/math/pose.h"

namespace tenon::tests {

/// A bolt with its tip at z = 0 that points down, or a nut or a block with a tapped hole between z = 0 and
/// `length`; threads about z with ISO 68-1 teeth, the middle of tooth 0 at `phase` at z = 0. Lengths in [m].
struct ThreadMeshOptions {
  bool isInternal = false;
  double pitch = 1.25e-3;
  double majorDiameter = 8e-3, pitchDiameter = 7.188e-3, minorDiameter = 6.647e-3;
  double halfAngle = 0.52359877559829887;  ///< [rad]
  int starts = 1;
  bool isLeftHanded = false;
  double phase = 0;         ///< [rad]
  double taper = 0;         ///< growth of all radii along z [-]
  double length = 12e-3;    ///< of the thread with its ends
  int facets = 48;          ///< per turn
  bool isScan = false;      ///< vertices at equal heights, which miss the edges of the teeth
  int rows = 3;             ///< of facets on each crest, flank and root
  double chamfer = 0;       ///< radial width at the tip, or of the countersinks of a nut's two mouths
  double chamferSlope = 1;  ///< radius per length of its cone [-]
  double runOut = 0;      ///< length in which the grooves fade at the upper end; of a blind hole at the lower
  double across = 13e-3;  ///< width across flats of the hexagon of a head or a nut
  double head = 5e-3;     ///< height of the head of a bolt; 0: none
  double floor = 0;       ///< thickness of the bottom of a blind hole; 0: a nut
  double noise = 0;       ///< standard deviation of each coordinate
  std::uint32_t seed = 1;  ///< of the noise
  physics::Pose X;         ///< of the part in the mesh
};

/// A closed mesh, as vertices and triangles that face outwards.
physics::BoundarySolid threadMesh(const ThreadMeshOptions& options);

}  // namespace tenon::tests
