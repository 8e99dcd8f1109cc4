// See linked_parts.h.
#include "runtime/plan/linked_parts.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "content/model/part_holes.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Distance of a crossing from the rim of a disc, and height of a circle above a plane, that are no rounding
/// [m].
constexpr double kRim = 1e-9;

bool hasThread(const content::Part& part) {
  const auto* solid = std::get_if<physics::SolidOfRevolution>(&part.shape);
  return solid && solid->thread;
}

/// On the walls of through holes, where these are narrowest.
std::vector<AxisCircle> wallCircles(const content::Part& part, const Pose& X_WP) {
  std::vector<AxisCircle> circles;
  if (hasThread(part)) return circles;  // a circle on a crest leaves the material
  for (const content::HoleSite& hole : content::holesOf(part.shape)) {
    if (!hole.through || !hole.isRound || hole.isInterrupted) continue;
    const auto narrowest = std::min_element(hole.profile.begin(), hole.profile.end(),
                                            [](const auto& a, const auto& b) { return a.y() < b.y(); });
    if (narrowest == hole.profile.end() || narrowest->y() <= 0) continue;
    const Pose X_WH = X_WP * hole.X_PH;
    circles.push_back({X_WH * Vector3d(0, 0, narrowest->x()), X_WH.q * Vector3d::UnitZ(), narrowest->y()});
  }
  return circles;
}

}  // namespace

bool isLink(const AxisCircle& a, const AxisCircle& b) {
  if ((a.center - b.center).norm() > a.radius + b.radius) return false;
  // Points of b in the plane of a: on the line p + t v, at the distance |p − b.center| from the center of b.
  const Vector3d v = a.axis.cross(b.axis);
  if (v.squaredNorm() < 1e-12) return false;               // parallel planes: they do not cross
  const Vector3d downhill = b.axis.cross(v).normalized();  // in the plane of b, across the line
  const double slope = downhill.dot(a.axis);
  const double across = a.axis.dot(a.center - b.center) / slope;
  const double half = b.radius - std::abs(across);
  if (half < kRim) return false;
  const double along = std::sqrt(b.radius * b.radius - across * across);
  int inside = 0;
  for (const double sign : {-1.0, 1.0}) {
    const Vector3d crossing = b.center + across * downhill + sign * along * v.normalized();
    const double distance = (crossing - a.center).norm();
    if (std::abs(distance - a.radius) < kRim) return false;
    inside += distance < a.radius ? 1 : 0;
  }
  return inside == 1;
}

LinkedParts::LinkedParts(const Assembly& assembly) {
  std::vector<std::vector<AxisCircle>> circles;
  for (std::size_t k = 0; k < assembly.X_WP.size(); ++k)
    circles.push_back(wallCircles(assembly.scene->parts[k], assembly.X_WP[k]));
  for (std::size_t a = 0; a < circles.size(); ++a)
    for (std::size_t b = a + 1; b < circles.size(); ++b) {
      const bool areLinked = std::any_of(circles[a].begin(), circles[a].end(), [&](const AxisCircle& of) {
        return std::any_of(circles[b].begin(), circles[b].end(),
                           [&](const AxisCircle& with) { return isLink(of, with); });
      });
      if (areLinked) links_.emplace_back(static_cast<int>(a), static_cast<int>(b));
    }
}

bool LinkedParts::areLinked(int part, int other) const {
  return std::binary_search(links_.begin(), links_.end(),
                            std::pair(std::min(part, other), std::max(part, other)));
}

}  // namespace tenon::runtime
