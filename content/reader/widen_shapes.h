// Changes the diameters of round parts and of their holes.
#pragma once

#include <optional>
#include <string>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Result of changing a diameter.
struct WidenResult {
  bool found = false;  ///< a cylinder of the nominal radius exists
  double edge = 0;     ///< radius of the next edge if it was reached [m], else 0

  void add(const WidenResult& other) {
    found = found || other.found;
    edge = std::max(edge, other.edge);
  }
};

/// Changes the radius of the outer cylinders of radius `nominal` [m] about z by `by` [m]; holes stay.
WidenResult widenPart(physics::Shape& shape, double nominal, double by);

/// The same for the bore of the hole `name`.
WidenResult widenHole(physics::Shape& shape, const std::string& name, double nominal, double by);

/// The problem of a shape after a diameter has changed, if any; of a block, only at the hole `name`.
std::optional<std::string> problemOfWidened(const physics::Shape& shape, const std::string& name);

}  // namespace tenon::content
