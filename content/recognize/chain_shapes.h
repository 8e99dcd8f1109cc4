// Exact shapes from chains of profile lines, and the boxes in which they stand.
#pragma once

#include <optional>
#include <string>

#include "content/recognize/convex_cells.h"
#include "content/recognize/revolved_groups.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// A chain of a group, and what was made of it.
struct ExactChain {
  int group = -1, chain = -1;
  physics::PlacedShape shape;  ///< in the part's frame
  CarvedBox box;               ///< what of the part it stands for
};

/// All that chains are looked at with.
struct RecognitionInput {
  const Facets& facets;
  const std::vector<Region>& regions;
  const std::vector<RevolvedGroup>& groups;
};

/// One turned solid or ring that is all of the mesh, or nothing.
std::optional<ExactChain> asSolidOfRevolution(const RecognitionInput& scene);

/// A cuboid all of whose holes are chains, or nothing. Faces that are missing in the mesh count as there.
std::optional<physics::PlacedShape> asBlockWithHoles(const RecognitionInput& scene,
                                                     std::vector<ExactChain>& holes);

/// A hole from face to face or to its end, in a cuboid around it that holds nothing else; or nothing where
/// there is no room for one, and where `taken` is in the way.
std::optional<ExactChain> boxedHole(const RecognitionInput& scene, int group, int chain,
                                    const std::vector<CarvedBox>& taken);

/// Likewise a shaft between two faces or ends.
std::optional<ExactChain> boxedShaft(const RecognitionInput& scene, int group, int chain,
                                     const std::vector<CarvedBox>& taken);

/// Names holes and recesses after the side they open to: "hole +z", and "hole +z 2" for the next. In the
/// order of places.
void nameHoles(std::vector<ExactChain>& exact);

/// Direction as a side of the part: "+x" … "-z", by its largest component.
std::string sideName(const Vector3d& direction);

}  // namespace tenon::content
