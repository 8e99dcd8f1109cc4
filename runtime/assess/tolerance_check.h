// The tolerances of a goal, and whether its part is within them.
#pragma once

#include <optional>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

struct Operation;

enum class ToleranceKind {
  depth,   ///< of the tip below the mouth [m]
  tilt,    ///< between the axes [rad]
  across,  ///< of a goal with a pose: from its place, across the way [m]
  time,    ///< until it was seated [s]
};

struct ToleranceCheck {
  ToleranceKind kind = ToleranceKind::depth;
  std::optional<double> actual;       ///< empty: never seated
  std::optional<double> least, most;  ///< empty: no such limit
  bool passes = false;
};

/// At the end of the session. The depth of a goal that was reached passes: where a tilt within its tolerance
/// holds the rim of a part off its seat, the goal is reached a little short of its depth.
std::vector<ToleranceCheck> toleranceChecksOf(const content::Goal& goal, const Operation& operation);

}  // namespace tenon::runtime
