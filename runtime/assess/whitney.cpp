// Whitney's wedging condition and jamming diagram.
#include "runtime/assess/whitney.h"

#include <cmath>
#include <limits>

namespace tenon::runtime {

namespace {

/// a/b for a ≥ 0, b ≥ 0; 0/0 is 0.
double ratio(double a, double b) {
  if (a <= 0) return 0;
  return b > 0 ? a / b : std::numeric_limits<double>::infinity();
}

/// True if `d` is in the cone of half angle atan(mu) about the unit vector `n`. Computed without angles, so
/// that only the rounding of products decides on the cone itself.
bool isInCone(const Eigen::Vector2d& d, const Eigen::Vector2d& n, double mu) {
  const double along = d.dot(n), across = n.x() * d.y() - n.y() * d.x();
  return along > 0 && std::abs(across) <= mu * along;
}

}  // namespace

bool wedgingPossible(double length, double diameter, double mu) {
  return length < mu * diameter;
}

bool conesContainEachOther(const Eigen::Vector2d& p1, const Eigen::Vector2d& n1, double mu1,
                           const Eigen::Vector2d& p2, const Eigen::Vector2d& n2, double mu2) {
  return isInCone(p2 - p1, n1, mu1) && isInCone(p1 - p2, n2, mu2);
}

JammingPoint jammingPoint(const Push& push) {
  if (!(push.fz > 0)) return {};
  const double slope = push.length / (2 * push.radius);  // λμ
  const double lateral = ratio(push.mu * std::abs(push.fx), push.fz);
  const double turning = push.mu * (push.moment / push.radius + (push.mu + slope) * push.fx);
  const double moment = ratio(std::abs(turning), std::abs(slope) * push.fz);
  JammingPoint point{JamSide::inside, std::max(lateral, moment)};
  if (point.utilization <= 1) return point;
  if (lateral >= moment)
    point.side = push.fx > 0 ? JamSide::lateralPlus : JamSide::lateralMinus;
  else
    point.side = turning * push.radius > 0 ? JamSide::momentPlus : JamSide::momentMinus;
  return point;
}

std::string_view toText(JamSide side) {
  switch (side) {
    case JamSide::inside:
      return "inside";
    case JamSide::lateralPlus:
      return "lateral-plus";
    case JamSide::lateralMinus:
      return "lateral-minus";
    case JamSide::momentPlus:
      return "moment-plus";
    case JamSide::momentMinus:
      return "moment-minus";
    case JamSide::noPush:
      return "no-push";
  }
  return "";
}

}  // namespace tenon::runtime
