// See tolerance_check.h.
#include "runtime/assess/tolerance_check.h"

#include <cmath>

#include "runtime/assess/operations.h"

namespace tenon::runtime {

namespace {

ToleranceCheck checkOf(ToleranceKind kind, std::optional<double> actual, std::optional<double> least,
                       std::optional<double> most) {
  const bool passes = actual && (!least || *actual >= *least) && (!most || *actual <= *most);
  return {kind, actual, least, most, passes};
}

}  // namespace

std::vector<ToleranceCheck> toleranceChecksOf(const content::Goal& goal, const Operation& operation) {
  std::vector<ToleranceCheck> checks;
  const bool hasMost = goal.turns == 0;  // of a started thread, more turns are no fault
  checks.push_back(checkOf(ToleranceKind::depth, operation.depthError + goal.depth,
                           goal.depth - goal.depthTolerance,
                           hasMost ? std::optional(goal.depth + goal.depthTolerance) : std::nullopt));
  checks.back().passes = checks.back().passes || operation.isReached();
  checks.push_back(checkOf(ToleranceKind::tilt, operation.tilt, std::nullopt, goal.tiltTolerance));
  if (goal.pose)
    checks.push_back(checkOf(ToleranceKind::across, operation.lateralError, std::nullopt, goal.pose->across));
  if (goal.timeLimit > 0 && std::isfinite(goal.timeLimit))
    checks.push_back(checkOf(ToleranceKind::time, operation.seated, std::nullopt, goal.timeLimit));
  return checks;
}

}  // namespace tenon::runtime
