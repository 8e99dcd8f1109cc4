// The table of holes and ends with their places, of a scene's parts and of files.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "physics/math/pose.h"
#include "runtime/report/text_table.h"

namespace tenon::runtime {

/// Three numbers; rounding errors as 0.
std::string vectorText(const physics::Vector3d& v);

/// A row of the table.
struct SiteRow {
  std::string name, part;                                  ///< of the hole or end, and of its part
  physics::Vector3d position = physics::Vector3d::Zero();  ///< [m]
  physics::Vector3d axis = physics::Vector3d::UnitZ();     ///< unit
  std::optional<double> diameter, depth;                   ///< `depth`: of a hole, or length of a shaft [m]
  bool isThrough = false, isFaceted = false;               ///< isFaceted: its wall collides as facets
  std::array<double, 2> section{};                         ///< width and height where it is not round [m]
};

class SiteTable {
 public:
  void add(const SiteRow& site);
  /// In millimeters; empty if nothing was added.
  std::string text() const { return isEmpty_ ? "" : table_.text(2); }

 private:
  TextTable table_{{"hole or end", "of", "at [mm]", "axis", "diameter [mm]", "depth or length [mm]"}};
  bool isEmpty_ = true;
};

}  // namespace tenon::runtime
