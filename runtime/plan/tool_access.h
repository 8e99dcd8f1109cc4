// Whether a driver reaches a screw in its place, and a hand the driver.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/plan/assembly.h"

namespace tenon::runtime {

/// The driver of a screw or a nut, and the parts that are in its way if they are in their places.
struct ScrewTool {
  std::string name;        ///< "6 mm key", "13 mm socket"
  std::vector<int> shank;  ///< parts that its shank meets, ascending
  std::vector<int> hand;   ///< parts that the hand around its handle meets, ascending
};

/// The tools of the units in threads that have a hexagon: drivers of the library (driver_part.h), of their
/// least length of 120 mm, or of 12 widths across flats. Shank and hand are cylinders along the axis of the
/// screw, swept by the travel of the thread; the hand has a diameter of 80 mm. The bolt of a nut is in no
/// tool's way: there are long sockets and wrenches.
class ToolAccess {
 public:
  explicit ToolAccess(const Assembly& assembly);

  /// The tool of a unit; empty: none is known.
  const std::optional<ScrewTool>& of(int unit) const { return tools_[static_cast<std::size_t>(unit)]; }

  /// True if one of these units is in the way of the tool of `unit`.
  bool isBlocked(int unit, const std::vector<int>& units) const;

  /// What is in the way of the tool of `unit` if these parts are present, in words; "": nothing.
  std::string reason(int unit, const std::vector<int>& parts) const;

 private:
  const Assembly& assembly_;
  std::vector<std::optional<ScrewTool>> tools_;  ///< by unit
};

}  // namespace tenon::runtime
