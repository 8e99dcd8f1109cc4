// Rotations in the search for a removal by several moves: until a stop, by quarter turns, and to where the
// part opens along the axis, as a bayonet does.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <variant>

#include "runtime/plan/leg_search.h"

namespace tenon::runtime {

namespace {

using physics::Pose;
using physics::Vector3d;

/// Positions around an axis at which the path along it is tested.
constexpr int kSamples = 36;
/// Rotations of a part that nothing stops, as shares of a turn.
constexpr std::array kQuarters{0.25, 0.5, 0.75};
/// Shortest rotation that is a move, as a share of a turn.
constexpr double kShortestTurn = 0.005;
/// Axes this near to each other are one [m].
constexpr double kOnItsAxis = 1e-6;
/// Length of the test along the axis, in shortest moves.
constexpr double kProbe = 2;

bool isAboutZ(const physics::Shape& shape) {
  return std::holds_alternative<physics::Cylinder>(shape) ||
         std::holds_alternative<physics::Frustum>(shape) || std::holds_alternative<physics::Capsule>(shape) ||
         std::holds_alternative<physics::Sphere>(shape) ||
         std::holds_alternative<physics::SolidOfRevolution>(shape);
}

}  // namespace

/// True if the movable unit is a solid of revolution about the axis: its rotation changes nothing.
bool LegSearch::isRound(const RotationAxis& axis) const {
  if (bodies_.front().parts.size() != 1) return false;
  const int part = bodies_.front().parts.front();
  const Pose& X_WP = assembly_.X_WP[static_cast<std::size_t>(part)];
  const Vector3d z = X_WP.q * Vector3d::UnitZ();
  return isAboutZ(assembly_.scene->part(part).shape) && z.cross(axis.direction).norm() < 1e-6 &&
         (axis.p_W - X_WP.p).cross(z).norm() < kOnItsAxis;
}

double LegSearch::freeShare(const Node& node, const PathLeg& leg) {
  double share = 1;
  for (const int part : bodies_.front().parts)
    for (std::size_t other = 1; other < bodies_.size(); ++other) {
      if (isBound(0, other)) return 0;
      for (const int with : bodies_[other].parts)
        share = std::min(
            share, travel_.freeShare(leg, part, poseOf(node, 0, part), with, poseOf(node, other, with)));
      if (share < kShortestTurn && leg.rotation.norm() > 0) return 0;
    }
  return share;
}

/// A quick test: most probes end in another part.
bool LegSearch::isFreeAtEnd(const Node& node, const PathLeg& leg) {
  Node end = node;
  end.X[0] = poseAlong(leg, node.X[0], 1);
  for (const int part : bodies_.front().parts)
    for (std::size_t other = 1; other < bodies_.size(); ++other)
      for (const int with : bodies_[other].parts)
        if (travel_.overlap(part, poseOf(end, 0, part), with, poseOf(end, other, with))) return false;
  return true;
}

void LegSearch::expandRotations(int index) {
  const Node node = nodes_[static_cast<std::size_t>(index)];  // a copy: nodes are added
  for (const RotationAxis& axis : scope_.axes) {
    if (axis.isOwn && isRound(axis)) continue;
    for (const double sign : {1.0, -1.0}) {
      if (travel_.isStopped()) return;
      PathLeg circle{unitsOf({0})};
      const Vector3d direction = axis.isOwn ? Vector3d(node.X[0].q * axis.direction) : axis.direction;
      circle.rotation = sign * 2 * std::numbers::pi * direction;
      circle.center = axis.isOwn ? node.X[0] * axis.p_W : axis.p_W;
      const std::vector<double> shares = sharesOf(node, circle);
      for (const double share : shares) {
        PathLeg leg = circle;
        leg.rotation *= share;
        addNode(index, std::move(leg), {0});
      }
      // Where nothing stops it, the other sense leads to the same.
      if (!shares.empty() && shares.front() == kQuarters.front()) break;
    }
  }
}

/// Where a rotation may end, as shares of a turn.
std::vector<double> LegSearch::sharesOf(const Node& node, const PathLeg& circle) {
  const double free = freeShare(node, circle);
  std::vector<double> shares;
  if (free < kShortestTurn) return shares;
  if (free < 1) shares.push_back(free);
  for (const double quarter : kQuarters)
    if (quarter < free) shares.push_back(quarter);
  for (const double sign : {1.0, -1.0}) addOpenings(node, circle, free, sign, shares);
  return shares;
}

/// The middles of those ranges of the rotation in which the part can move along the axis, unless it can
/// before.
void LegSearch::addOpenings(const Node& node, const PathLeg& circle, double free, double sign,
                            std::vector<double>& shares) {
  PathLeg probe{circle.units};
  probe.displacement = sign * kProbe * shortest_ * circle.rotation.normalized();
  int first = -1;
  for (int k = 0; k <= kSamples; ++k) {
    const double share = static_cast<double>(k) / kSamples;
    Node turned = node;
    turned.X[0] = poseAlong(circle, node.X[0], share);
    const bool isOpen =
        share < free && k < kSamples && isFreeAtEnd(turned, probe) && freeShare(turned, probe) >= 1;
    if (k == 0 && isOpen) return;
    if (isOpen && first < 0) first = k;
    if (isOpen || first < 0) continue;
    shares.push_back(0.5 * (first + k - 1) / kSamples);
    first = -1;
  }
}

}  // namespace tenon::runtime
