// The table of holes and ends with their places, of a scene's parts and of files.
#pragma once

#include <optional>
#include <string>

#include "physics/math/pose.h"
#include "runtime/report/text_table.h"

namespace tenon::runtime {

/// Three numbers; rounding errors as 0.
std::string vectorText(const physics::Vector3d& v);

class SiteTable {
 public:
  /// A hole or end `name` of `part`: its position [m], unit axis, diameter and depth [m].
  void add(const std::string& name, const std::string& part, const physics::Vector3d& position,
           const physics::Vector3d& axis, const std::optional<double>& diameter,
           const std::optional<double>& depth, bool isThrough);
  /// In millimeters; empty if nothing was added.
  std::string text() const { return isEmpty_ ? "" : table_.text(2); }

 private:
  TextTable table_{{"hole or end", "of", "at [mm]", "axis", "diameter [mm]", "depth [mm]"}};
  bool isEmpty_ = true;
};

}  // namespace tenon::runtime
