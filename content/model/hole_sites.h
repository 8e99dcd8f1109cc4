// The holes of a part's shape: names, mouths, profiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// A hole of a part, seen from one of its mouths.
struct HoleSite {
  std::string name;
  physics::Pose X_PH;                    ///< mouth in the part's frame; +z out of the hole
  std::vector<Eigen::Vector2d> profile;  ///< (z, r) from the mouth down, as in physics::Cavity [m]
  bool through = false;
  std::string farSideOf{};  ///< name of the hole if this is its far side (see mouthsOf())
  /// False for a socket of another cross-section: its profile is then a cylinder around it, and no fit is
  /// known.
  bool isRound = true;
  /// True for a bore with flats, keyways or teeth: its profile is that of the round part of its wall.
  bool isInterrupted = false;
  /// True for an opening of another cross-section that the scene does not declare: found in the part's file.
  bool isFound = false;

  /// Name of the hole, the same from both sides.
  const std::string& hole() const { return farSideOf.empty() ? name : farSideOf; }
  /// True if the mouth faces −z; for a hole along the axis of a solid of revolution, in that shape's frame.
  bool opensDown() const { return (X_PH.q * physics::Vector3d::UnitZ()).z() < 0; }
  double depth() const { return -profile.back().x(); }  ///< [m]
  /// Of the longest cylinder; without one, the mouth's [m].
  double diameter() const;
};

/// All holes of a shape, those of a compound's children included.
std::vector<HoleSite> holesOf(const physics::Shape& shape);

/// All mouths of a shape: its holes, then the second mouths of through holes, named after the hole with
/// " far side" appended.
std::vector<HoleSite> mouthsOf(const physics::Shape& shape);

/// Appends the second mouths of the through ones among `holes`.
void addFarSides(std::vector<HoleSite>& holes);

/// The mouth called `name`, if there is one.
std::optional<HoleSite> mouthOf(const physics::Shape& shape, const std::string& name);

/// The outer surface of a solid of revolution: profile[first] to profile[last]; the whole profile of a ring.
/// The points before `first` belong to a recess in the bottom (if `below`), those after `last` to a recess in
/// the top (if `top`).
struct Recesses {
  std::size_t first = 0, last = 0;
  bool below = false, top = false;
};
Recesses recessesOf(const physics::SolidOfRevolution& solid);

/// Profile of a bore with a lead-in: (z, r) from the mouth down, as in physics::Cavity [m].
std::vector<Eigen::Vector2d> profileOf(const physics::RoundHole& hole, bool through);

}  // namespace tenon::content
