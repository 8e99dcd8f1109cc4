// Shapes as a scene file writes them.
#pragma once

#include "content/scene/json_cursor.h"
#include "physics/collision/shape.h"

namespace tenon::content {

/// The shape at a place of the file. Throws InputError.
physics::Shape readShape(const JsonCursor& at);

/// A hole of a part and its mouth in the part's frame: +z out of the hole.
struct HoleSite {
  std::string name;
  physics::Pose X_PH;
  std::vector<Eigen::Vector2d> profile;  ///< as a Cavity's: (z, r) from the mouth down [m]
  bool through = false;

  double depth() const { return -profile.back().x(); }  ///< below the mouth, on its axis [m]
};

/// All holes of a shape, those of a compound's children included.
std::vector<HoleSite> holesOf(const physics::Shape& shape);

}  // namespace tenon::content
