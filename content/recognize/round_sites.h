// Holes and ends of shafts whose round faces are no full circles: with flats, keyways, teeth, holes across,
// and the round ends of slots.
#pragma once

#include <vector>

#include "content/recognize/smooth_regions.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// A hole, or an end of a shaft.
struct RoundSite {
  physics::Pose X;                       ///< mouth or tip in the frame of the part, +z out of the material
  std::vector<Eigen::Vector2d> profile;  ///< of a hole, as in physics::Cavity [m]; empty for an end
  bool through = false;                  ///< the hole is open at both ends
  std::vector<int> triangles;            ///< of its round faces

  bool isHole() const { return !profile.empty(); }
};

/// The holes and ends of the cylinders of `solid`, whose triangles are those of `facets`, but for those of
/// which a triangle `isNamed`. A cylinder is that of a hole if its faces hold a pin of its diameter on all
/// sides but for gaps of at most half a turn, and if it is open at an end; that of a shaft if no gap is as
/// wide as half a turn; of the ends at one place only that of the largest face. Holes and ends are in the
/// order of side names and positions (see nameHoles()), then of diameters.
std::vector<RoundSite> roundSites(const Facets& facets, const physics::BoundarySolid& solid,
                                  const std::vector<char>& isNamed);

}  // namespace tenon::content
