// See hole_profile.h.
#include "content/recognize/hole_profile.h"

#include <cmath>

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Pose;

Eigen::Matrix3d frameOf(const Axis& axis) {
  Eigen::Matrix3d R;
  R << axis.x, axis.y, axis.z;
  return R;
}

bool isMouth(ChainEnd end) {
  return end == ChainEnd::face || end == ChainEnd::open;
}

}  // namespace

Pose poseOf(const Axis& axis) {
  Pose X;
  X.q = Eigen::Quaterniond(frameOf(axis)).normalized();
  X.p = axis.origin;
  return X;
}

Vector3d pointOnAxis(const Axis& axis, double height) {
  return axis.origin + height * axis.z;
}

const ProfileChain& chainOf(const RecognitionInput& input, int group, int chain) {
  return input.groups[static_cast<std::size_t>(group)].chains[static_cast<std::size_t>(chain)];
}

void markTriangles(const RevolvedGroup& group, const ProfileChain& chain, std::vector<char>& marks) {
  for (const int k : chain.lines)
    for (const int t : group.lines[static_cast<std::size_t>(k)].triangles)
      marks[static_cast<std::size_t>(t)] = 1;
}

std::vector<char> trianglesOfChain(const RecognitionInput& input, int group, int chain) {
  std::vector<char> own(static_cast<std::size_t>(input.facets.count()), 0);
  markTriangles(input.groups[static_cast<std::size_t>(group)], chainOf(input, group, chain), own);
  return own;
}

std::vector<Vector2d> solidProfile(const ProfileChain& chain) {
  std::vector<Vector2d> profile;
  for (const Vector2d& rz : chain.points) profile.emplace_back(rz.y(), std::max(rz.x(), 0.0));
  if (chain.begin != ChainEnd::closed) {
    if (chain.begin != ChainEnd::axis) profile.insert(profile.begin(), Vector2d(profile.front().x(), 0));
    if (chain.end != ChainEnd::axis) profile.emplace_back(profile.back().x(), 0);
  }
  double area = 0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Vector2d &p = profile[i], &q = profile[(i + 1) % profile.size()];
    area += p.y() * q.x() - q.y() * p.x();
  }
  if (area < 0) std::reverse(profile.begin(), profile.end());
  return profile;
}

std::optional<HoleProfile> holeProfile(const RevolvedGroup& group, const ProfileChain& chain) {
  if (!chain.isInner || chain.begin == ChainEnd::closed) return std::nullopt;
  std::vector<Vector2d> points = chain.points;
  const bool first = isMouth(chain.begin), last = isMouth(chain.end);
  if (!first && !last) return std::nullopt;
  if ((!first && chain.begin != ChainEnd::axis) || (!last && chain.end != ChainEnd::axis))
    return std::nullopt;
  int main = 0;
  group.axis.z.cwiseAbs().maxCoeff(&main);
  const bool lastIsUpper = points.back().y() > points.front().y();
  const bool lastIsPositive = lastIsUpper == (group.axis.z[main] > 0);
  const bool fromLast = first && last ? lastIsPositive : last;
  if (fromLast) std::reverse(points.begin(), points.end());
  HoleProfile hole;
  hole.face = fromLast ? chain.endFace : chain.beginFace;
  hole.through = first && last;
  hole.mouth = points.front().y();
  hole.upwards = points.front().y() > points.back().y();
  const double sign = hole.upwards ? 1 : -1;
  for (const Vector2d& rz : points)
    hole.points.emplace_back(sign * (rz.y() - hole.mouth), std::max(rz.x(), 0.0));
  if (!hole.through && hole.points.back().y() < kMinWall) hole.points.back().y() = 0;
  return hole;
}

}  // namespace tenon::content
