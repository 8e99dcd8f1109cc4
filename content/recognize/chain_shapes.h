// Exact shapes from chains of profile lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/recognize/revolved_groups.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// A chain of a group and its exact shape.
struct ExactChain {
  int group = -1, chain = -1;
  physics::PlacedShape shape;  ///< in the part's frame
};

/// The input of the functions below.
struct RecognitionInput {
  const Facets& facets;
  const std::vector<Region>& regions;
  const std::vector<RevolvedGroup>& groups;
};

/// The whole mesh as one solid of revolution or ring; empty if it is not one.
std::optional<ExactChain> asSolidOfRevolution(const RecognitionInput& input);

/// The whole mesh as a cuboid whose holes are chains; empty if it is not one. Missing faces of the cuboid are
/// accepted.
std::optional<physics::PlacedShape> asBlockWithHoles(const RecognitionInput& input,
                                                     std::vector<ExactChain>& holes);

/// Names holes and recesses after the side they open to, in the order of positions: "hole +z", then "hole +z
/// 2".
void nameHoles(std::vector<ExactChain>& exact);

/// The largest component of a direction as the name of a side: "+x" … "-z".
std::string sideName(const Vector3d& direction);

}  // namespace tenon::content
