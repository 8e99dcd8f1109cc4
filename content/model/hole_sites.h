// The holes of a part's shape, under their names, and where they open.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// A hole of a part and its mouth in the part's frame: +z out of the hole.
struct HoleSite {
  std::string name;
  physics::Pose X_PH;
  std::vector<Eigen::Vector2d> profile;  ///< as a Cavity's: (z, r) from the mouth down [m]
  bool through = false;
  std::string farSideOf{};  ///< of a far side (see mouthsOf()): the name of its hole

  /// The hole's own name, from whichever side.
  const std::string& hole() const { return farSideOf.empty() ? name : farSideOf; }
  /// Of a hole along the axis of a turned shape, in that shape's frame.
  bool opensDown() const { return (X_PH.q * physics::Vector3d::UnitZ()).z() < 0; }
  double depth() const { return -profile.back().x(); }  ///< below the mouth, on its axis [m]
};

/// All holes of a shape, those of a compound's children included.
std::vector<HoleSite> holesOf(const physics::Shape& shape);

/// Where something may go into a shape: all holes, then the other mouths of those that go through, under the
/// name of the hole and " far side".
std::vector<HoleSite> mouthsOf(const physics::Shape& shape);

/// The mouth called `name`, if there is one.
std::optional<HoleSite> mouthOf(const physics::Shape& shape, const std::string& name);

/// Where the outline of a turned solid is its outside: from profile[first] to profile[last]. Before first
/// lies a recess that opens at the bottom, behind last one that opens at the top, where there are such. All
/// of a ring's.
struct Recesses {
  std::size_t first = 0, last = 0;
  bool below = false, top = false;
};
Recesses recessesOf(const physics::SolidOfRevolution& turned);

/// Profile of a bore with a lead-in as a Cavity's: (z, r) from the mouth down [m].
std::vector<Eigen::Vector2d> profileOf(const physics::RoundHole& hole, bool through);

}  // namespace tenon::content
