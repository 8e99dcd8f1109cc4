// Openings and ends of a part whose cross-section is not round: pockets, slots, grooves, and the ends of
// bars.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::content {

/// An opening, or an end, with walls of planes and cylinders along one direction.
struct PrismaticSite {
  std::string name;
  /// Middle of the mouth or of the end face in the frame of the part: z out of the part, x along its largest
  /// flat wall.
  Pose X;
  double width = 0, height = 0;  ///< of the cross-section, the larger extent along x or y first [m]
  /// To which all walls reach, and on to the floor behind fillets; of an end, the length behind it [m].
  double depth = 0;
  bool through = false;  ///< where the walls end, all faces look out of the part at its other side

  /// Diameter of the circle around a rectangle of that width and height [m].
  double diameter() const;
};

struct PrismaticSites {
  std::vector<PrismaticSite> sockets, ends;
};

/// The openings and ends of a BoundarySolid, and the ends of a cuboid with or without holes, named by their
/// sides: "socket +z" within one face, "slot +z" at its border, "end +z", a second one "socket +z 2". Each
/// begins in a plane across its walls, or with a chamfer there. An opening is one whose walls face each
/// other: their normals leave at most half a turn. An end is that of a bar longer than both sides of its
/// section, and has no other one of `features` at its middle. Left out are sites with a cylinder that holds
/// or is a round pin: these have other names.
PrismaticSites prismaticSites(const physics::Shape& shape, const std::vector<AxisFeature>& features);

}  // namespace tenon::content
