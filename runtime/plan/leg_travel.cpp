// See leg_travel.h.
#include "runtime/plan/leg_travel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Overlap beyond that of the assembled state that ends a path [m].
constexpr double kMaxLegOverlap = 2e-6;
/// Overlap beyond that of the start of a section at which a leg ends, if it meets something later [m].
constexpr double kRounding = 1e-8;
/// Share of a section to which its end is bisected: 20 nm of 20 mm.
constexpr double kBisectedShare = 1e-6;

}  // namespace

double LegTravel::allowedSeparation(int part, int other) {
  const auto key = std::minmax(part, other);
  const auto [found, isNew] = assembled_.try_emplace({key.first, key.second}, 0.0);
  const auto pose = [&](int k) { return assembly_.X_WP[static_cast<std::size_t>(k)]; };
  if (isNew) found->second = distance_.separation(part, pose(part), other, pose(other), 0);
  return std::min(0.0, found->second) - kMaxLegOverlap;
}

bool LegTravel::overlap(int part, const Pose& X_WP, int other, const Pose& X_WO) {
  return distance_.separation(part, X_WP, other, X_WO, 0) < allowedSeparation(part, other);
}

std::optional<std::pair<double, double>> LegTravel::interval(int part, const Pose& X_WP, int other,
                                                             const Pose& X_WO, const Vector3d& d) const {
  const content::Scene& scene = *assembly_.scene;
  return overlapInterval(worldBounds(scene.part(part), X_WP), worldBounds(scene.part(other), X_WO), d);
}

double LegTravel::freeShare(const PathLeg& leg, int part, const Pose& X_WP, int other, const Pose& X_WO) {
  double from = 0, to = 1;
  const double length = leg.displacement.norm();
  if (leg.rotation.norm() == 0) {
    const auto meeting = interval(part, X_WP, other, X_WO, leg.displacement / length);
    if (!meeting || meeting->first >= length) return 1;
    from = meeting->first / length;
    to = std::min(1.0, meeting->second / length);
  }
  const double allowed = allowedSeparation(part, other);
  const std::vector<PartSweep> sections = sectionsOf(leg, part, X_WP, other, X_WO, from, to);
  const double share = (to - from) / static_cast<double>(sections.size());
  for (std::size_t k = 0; k < sections.size(); ++k) {
    if (stop_()) return 0;
    const auto impact = impactShare(distance_, sections[k], allowed);
    if (!impact) continue;
    const double start = from + share * static_cast<double>(k);
    return lastClear(leg, {part, other, X_WP, X_WO}, start, start + *impact * share);
  }
  return 1;
}

/// Before the impact, at `to`, the part has gone in by up to a micrometer: the last share without that.
/// `sweep` holds the pair, the part before the leg.
double LegTravel::lastClear(const PathLeg& leg, const PartSweep& sweep, double from, double to) {
  const auto separation = [&](double share) {
    return distance_.separation(sweep.part, poseAlong(leg, sweep.X_WP, share), sweep.other, sweep.X_WO, 0);
  };
  const double least = std::min(0.0, separation(from)) - kRounding;
  if (separation(to) >= least) return to;
  const double precision = kBisectedShare * (to - from);
  while (to - from > precision) {
    const double middle = 0.5 * (from + to);
    if (!(middle > from && middle < to)) break;
    (separation(middle) >= least ? from : to) = middle;
  }
  return from;
}

}  // namespace tenon::runtime
