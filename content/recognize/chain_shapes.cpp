// See chain_shapes.h.
#include "content/recognize/chain_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "content/model/hole_sites.h"
#include "content/recognize/hole_profile.h"

namespace tenon::content {
namespace {

using physics::Pose;

// --- cuboids -------------------------------------------------------------------------------------------

/// Edge directions of a cuboid, from the two largest perpendicular planes; snapped to the axes of the file.
std::optional<Eigen::Matrix3d> blockFrame(const RecognitionInput& input) {
  const Region* first = nullptr;
  for (const Region& r : input.regions)
    if (r.planar && (!first || r.area > first->area)) first = &r;
  const Region* second = nullptr;
  if (!first) return std::nullopt;
  for (const Region& r : input.regions)
    if (r.planar && std::abs(r.normal.dot(first->normal)) < 0.01 && (!second || r.area > second->area))
      second = &r;
  if (!second) return std::nullopt;
  const Vector3d z = first->normal, x = (second->normal - second->normal.dot(z) * z).normalized();
  Eigen::Matrix3d R;
  R << x, z.cross(x), z;
  Eigen::Matrix3d snapped = R;
  for (double& v : snapped.reshaped()) v = std::round(v);
  // Snaps if that moves the ends of the part by less than a tenth of the tolerance.
  if ((R - snapped).norm() * input.facets.extent < 0.1 * input.facets.tolerance) R = snapped;
  // The permutation closest to the axes of the file, so that "+z" has the expected meaning.
  Eigen::Matrix3d best = R;
  double bestTrace = -4;
  for (const auto& p : {std::array{0, 1, 2}, {1, 2, 0}, {2, 0, 1}})
    for (int s = 0; s < 4; ++s) {
      Eigen::Matrix3d permuted;
      const double sx = s & 1 ? -1 : 1, sy = s & 2 ? -1 : 1;
      permuted << sx * R.col(p[0]), sy * R.col(p[1]), sx * sy * R.col(p[2]);
      if (permuted.trace() > bestTrace + 1e-9) bestTrace = permuted.trace(), best = permuted;
    }
  for (const auto& p : {std::array{1, 0, 2}, {0, 2, 1}, {2, 1, 0}})
    for (int s = 0; s < 4; ++s) {
      Eigen::Matrix3d permuted;
      const double sx = s & 1 ? -1 : 1, sy = s & 2 ? -1 : 1;
      permuted << sx * R.col(p[0]), sy * R.col(p[1]), -sx * sy * R.col(p[2]);
      if (permuted.trace() > bestTrace + 1e-9) bestTrace = permuted.trace(), best = permuted;
    }
  return best;
}

struct BlockFrame {
  Eigen::Matrix3d R;
  Vector3d low, high;
};

/// Bounds along the frame: the planar region of each side, or the vertices if there is none.
std::optional<BlockFrame> blockBounds(const RecognitionInput& input, const Eigen::Matrix3d& R) {
  BlockFrame block{R, Vector3d::Constant(1e300), Vector3d::Constant(-1e300)};
  for (const Vector3d& p : input.facets.mesh->mesh.vertices) {
    block.low = block.low.cwiseMin(R.transpose() * p);
    block.high = block.high.cwiseMax(R.transpose() * p);
  }
  for (const Region& region : input.regions) {
    if (!region.planar) continue;
    const Vector3d n = R.transpose() * region.normal;
    int axis = 0;
    if (n.cwiseAbs().maxCoeff(&axis) < 1 - 1e-6) continue;
    double& bound = n[axis] > 0 ? block.high[axis] : block.low[axis];
    const double at = (n[axis] > 0 ? 1 : -1) * region.offset;
    if (std::abs(bound - at) <= input.facets.tolerance) bound = at;
  }
  return (block.high - block.low).minCoeff() > kMinWall ? std::optional(block) : std::nullopt;
}

bool liesOnBounds(const RecognitionInput& input, const BlockFrame& block, int triangle) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double bound : {block.low[axis], block.high[axis]}) {
      bool all = true;
      for (int k = 0; k < 3; ++k)
        all = all && std::abs(block.R.col(axis).dot(input.facets.point(triangle, k)) - bound) <=
                         input.facets.tolerance;
      if (all) return true;
    }
  return false;
}

/// The cavity of a chain in a cuboid; empty if its mouth is not on a face of the cuboid.
std::optional<physics::Cavity> cavityOf(const RecognitionInput& input, const RevolvedGroup& group,
                                        const ProfileChain& chain, const BlockFrame& block) {
  const auto hole = holeProfile(group, chain);
  if (!hole) return std::nullopt;
  const Vector3d out = (hole->upwards ? 1 : -1) * group.axis.z;
  const Vector3d n = block.R.transpose() * out;
  int axis = 0;
  const double cosine = n.cwiseAbs().maxCoeff(&axis);
  // A tilted hole is not a cavity of a cuboid, unless the tilt over its depth is within the tolerance.
  const double height = block.high[axis] - block.low[axis];
  const double tilt = std::sqrt(std::max(1 - cosine * cosine, 0.0));
  if (tilt > 0.01 || tilt * hole->depth() > input.facets.tolerance) return std::nullopt;
  const bool positive = n[axis] > 0;
  const double face = positive ? block.high[axis] : block.low[axis];
  // The error of a slightly tilted axis is smallest at the middle of the depth.
  const double middle = hole->mouth - (hole->upwards ? 0.5 : -0.5) * hole->depth();
  Vector3d mouth = block.R.transpose() * pointOnAxis(group.axis, middle);
  const double mouthHeight = block.R.col(axis).dot(pointOnAxis(group.axis, hole->mouth));
  if (std::abs(mouthHeight - face) > input.facets.tolerance) return std::nullopt;
  mouth[axis] = face;
  physics::Cavity cavity;
  cavity.through = hole->through;
  cavity.profile = hole->points;
  if (cavity.through) {
    if (std::abs(hole->depth() - height) > 2 * input.facets.tolerance) return std::nullopt;
    cavity.profile.back().x() = -height;
  }
  cavity.profile.front().x() = 0;
  cavity.X_BH.p = mouth - 0.5 * (block.low + block.high);
  const Vector3d z = (positive ? 1 : -1) * Vector3d::Unit(axis);
  cavity.X_BH.q = physics::shortestRotation(Vector3d::UnitZ(), z);
  return cavity;
}

}  // namespace

std::string sideName(const Vector3d& direction) {
  int axis = 0;
  direction.cwiseAbs().maxCoeff(&axis);
  return fmt::format("{}{}", direction[axis] > 0 ? '+' : '-', "xyz"[axis]);
}

std::optional<ExactChain> asSolidOfRevolution(const RecognitionInput& input) {
  for (std::size_t g = 0; g < input.groups.size(); ++g) {
    const RevolvedGroup& group = input.groups[g];
    for (std::size_t c = 0; c < group.chains.size(); ++c) {
      const ProfileChain& chain = group.chains[c];
      const bool endsOnAxis = chain.begin == ChainEnd::axis && chain.end == ChainEnd::axis;
      if (chain.isInner || (!endsOnAxis && chain.begin != ChainEnd::closed)) continue;
      const auto own = trianglesOfChain(input, static_cast<int>(g), static_cast<int>(c));
      if (std::find(own.begin(), own.end(), 0) != own.end()) continue;
      physics::SolidOfRevolution solid{solidProfile(chain)};
      if (problemWith(solid)) continue;
      ExactChain exact;
      exact.group = static_cast<int>(g);
      exact.chain = static_cast<int>(c);
      exact.shape = {std::move(solid), poseOf(group.axis)};
      return exact;
    }
  }
  return std::nullopt;
}

std::optional<physics::PlacedShape> asBlockWithHoles(const RecognitionInput& input,
                                                     std::vector<ExactChain>& holes) {
  const auto R = blockFrame(input);
  const auto block = R ? blockBounds(input, *R) : std::nullopt;
  if (!block) return std::nullopt;
  std::vector<char> isCavity(static_cast<std::size_t>(input.facets.count()), 0);
  physics::BlockWithHoles whole{0.5 * (block->high - block->low), {}};
  Pose X_PB;
  X_PB.q = Eigen::Quaterniond(block->R).normalized();
  X_PB.p = block->R * (0.5 * (block->low + block->high));
  for (std::size_t g = 0; g < input.groups.size(); ++g)
    for (std::size_t c = 0; c < input.groups[g].chains.size(); ++c) {
      auto cavity = cavityOf(input, input.groups[g], input.groups[g].chains[c], *block);
      if (!cavity) continue;
      markTriangles(input.groups[g], input.groups[g].chains[c], isCavity);
      ExactChain hole;
      hole.group = static_cast<int>(g);
      hole.chain = static_cast<int>(c);
      hole.shape = {physics::BlockWithHoles{whole.halfExtents, {std::move(*cavity)}}, X_PB};
      holes.push_back(std::move(hole));
    }
  for (int t = 0; t < input.facets.count(); ++t)
    if (!isCavity[static_cast<std::size_t>(t)] && !liesOnBounds(input, *block, t)) {
      holes.clear();
      return std::nullopt;
    }
  nameHoles(holes);
  for (const ExactChain& hole : holes)
    whole.cavities.push_back(std::get<physics::BlockWithHoles>(hole.shape.shape).cavities.front());
  if (whole.cavities.empty()) return physics::PlacedShape{physics::Box{whole.halfExtents}, X_PB};
  if (problemWith(whole)) {
    holes.clear();
    return std::nullopt;
  }
  return physics::PlacedShape{std::move(whole), X_PB};
}

void nameHoles(std::vector<ExactChain>& exact) {
  struct Mouth {
    std::string side;
    std::array<long long, 3> position;
    std::string* name;
  };
  std::vector<Mouth> mouths;
  const auto add = [&](const Pose& X, std::string& name) {
    // Positions rounded to 10 µm: names must not depend on the last digits of a mesh.
    const auto round = [](double v) { return std::llround(v * 1e5); };
    mouths.push_back(
        {sideName(X.q * Vector3d::UnitZ()), {round(X.p.x()), round(X.p.y()), round(X.p.z())}, &name});
  };
  for (ExactChain& chain : exact) {
    const Pose& X = chain.shape.X_PS;
    if (auto* block = std::get_if<physics::BlockWithHoles>(&chain.shape.shape))
      for (physics::Cavity& cavity : block->cavities) add(X * cavity.X_BH, cavity.name);
    if (auto* solid = std::get_if<physics::SolidOfRevolution>(&chain.shape.shape))
      for (const HoleSite& site : holesOf(*solid))
        add(X * site.X_PH, site.opensDown() ? solid->holeBelow : solid->hole);
  }
  std::stable_sort(mouths.begin(), mouths.end(), [](const Mouth& a, const Mouth& b) {
    return std::tie(a.side, a.position) < std::tie(b.side, b.position);
  });
  std::map<std::string, int> count;
  for (const Mouth& mouth : mouths) {
    const int number = ++count[mouth.side];
    *mouth.name = number == 1 ? "hole " + mouth.side : fmt::format("hole {} {}", mouth.side, number);
  }
}

}  // namespace tenon::content
