// Exact shapes from chains of profile lines.
#pragma once

#include <algorithm>
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

/// `base`, with a number appended if the name exists.
template <class Named>
std::string uniqueName(const std::string& base, const std::vector<Named>& existing) {
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? base : base + ' ' + std::to_string(number);
    const auto same = [&](const Named& other) { return other.name == name; };
    if (std::none_of(existing.begin(), existing.end(), same)) return name;
  }
}

}  // namespace tenon::content
