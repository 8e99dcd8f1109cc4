// Holes with screw threads: the teeth are a shape of their own (physics::Thread) beside the part, whose hole
// is as wide as the roots.
#pragma once

#include <optional>
#include <string>

#include "content/model/hole_sites.h"
#include "content/parts/read_thread.h"
#include "physics/body/mass_properties.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Cuts a thread into a hole of a block, from its mouth down to `depth` or over its whole cylinder; returns
/// the teeth in the block's frame. Throws InputError as tappedWall().
physics::PlacedShape tapCavity(const JsonCursor& at, const ThreadRequest& request,
                               const std::optional<double>& depth, physics::Cavity& cavity);

/// The same for the whole hole of a ring, with the teeth as a second shape in its frame.
physics::Compound tapRing(const JsonCursor& at, const ThreadRequest& request,
                          const physics::SolidOfRevolution& ring);

/// The same for any round hole of a part, which becomes a compound. `solid`: its mass at 1 kg/m³, which
/// changes by that of the teeth and of what is cut away; mass 0: unknown. Throws InputError as well where the
/// hole's wall is crossed by other faces.
void tapHole(const JsonCursor& at, const ThreadRequest& request, const std::optional<double>& depth,
             const HoleSite& hole, physics::Shape& shape, physics::MassProperties& solid);

/// The problem of a part whose holes have got threads, or "": faces that cross each other, walls that are too
/// thin.
std::string problemOfTapped(const physics::Shape& shape);

}  // namespace tenon::content
