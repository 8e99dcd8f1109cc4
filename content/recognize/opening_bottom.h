// What ends an opening of a BoundarySolid below: its floor, or the other side of the part.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "content/recognize/face_borders.h"

namespace tenon::content {

/// The walls of an opening.
struct OpeningWalls {
  std::set<int> faces;
  Vector3d out = Vector3d::UnitZ();  ///< unit, out of the opening
  double end = 0;                    ///< height along `out` to which all walls reach [m]
};

struct OpeningBottom {
  bool isOpen = false;          ///< only faces that look out of the part at its other side
  std::optional<double> floor;  ///< height along `out` of the highest plane that looks out of the opening [m]
};

/// Of the lower ends of the walls at their `end` or below. Fillets and other faces that look to the mouth
/// lead on to the floor.
OpeningBottom bottomOf(const physics::BoundarySolid& solid, const std::vector<SolidFace>& faces,
                       const FaceBorders& borders, const OpeningWalls& walls);

}  // namespace tenon::content
