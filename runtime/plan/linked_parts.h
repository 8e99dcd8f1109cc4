// Parts that hold each other as links of a chain do: no motion separates them.
#pragma once

#include <utility>
#include <vector>

#include "runtime/plan/assembly.h"

namespace tenon::runtime {

/// Pairs of parts with round through holes whose walls are linked: a circle on the wall of one passes once
/// through a circle on the wall of the other. Their linking number, ±1, does not change while the parts move
/// without overlap, and is 0 of parts that are apart (D. Rolfsen, Knots and Links, section 5.D). Links of
/// other shapes are not found.
class LinkedParts {
 public:
  /// In the assembled state.
  explicit LinkedParts(const Assembly& assembly);

  bool areLinked(int part, int other) const;

 private:
  std::vector<std::pair<int, int>> links_;  ///< lower index first, ascending
};

/// A circle about an axis.
struct AxisCircle {
  physics::Vector3d center;
  physics::Vector3d axis;  ///< unit
  double radius = 0;       ///< [m]
};

/// True if one circle crosses the disc of the other exactly once, by more than rounding.
bool isLink(const AxisCircle& a, const AxisCircle& b);

}  // namespace tenon::runtime
