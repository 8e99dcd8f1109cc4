// See chain_shapes.h.
#include "content/recognize/chain_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "content/model/hole_sites.h"
#include "content/recognize/cell_polytope.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::Pose;

/// Thinner walls and smaller radii are ignored [m].
constexpr double kMinWall = 1e-6;

Eigen::Matrix3d frameOf(const Axis& axis) {
  Eigen::Matrix3d R;
  R << axis.x, axis.y, axis.z;
  return R;
}

Pose poseOf(const Axis& axis) {
  Pose X;
  X.q = Eigen::Quaterniond(frameOf(axis)).normalized();
  X.p = axis.origin;
  return X;
}

const ProfileChain& chainOf(const RecognitionInput& input, int group, int chain) {
  return input.groups[static_cast<std::size_t>(group)].chains[static_cast<std::size_t>(chain)];
}

/// Marks all triangles of a chain.
void mark(const RevolvedGroup& group, const ProfileChain& chain, std::vector<char>& marks) {
  for (const int k : chain.lines)
    for (const int t : group.lines[static_cast<std::size_t>(k)].triangles)
      marks[static_cast<std::size_t>(t)] = 1;
}

/// Profile (z, r) from the bottom up, closed at the planes it ends on.
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

/// Profile (z, r) of a hole from the mouth (z = 0) down; `upwards`: the mouth faces +z of the axis.
struct HoleProfile {
  std::vector<Vector2d> points;
  double mouth = 0;  ///< height on the axis [m]
  bool upwards = true, through = false;
  int face = -1;
  double radius() const {
    double largest = 0;
    for (const Vector2d& p : points) largest = std::max(largest, p.y());
    return largest;
  }
  double depth() const {
    double low = 0;
    for (const Vector2d& p : points) low = std::min(low, p.x());
    return -low;
  }
};

bool isMouth(ChainEnd end) {
  return end == ChainEnd::face || end == ChainEnd::open;
}

/// The hole of a chain. Of two mouths, the one on the positive side is used.
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

Vector3d pointOnAxis(const Axis& axis, double height) {
  return axis.origin + height * axis.z;
}

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

// --- boxes around holes and shafts ---------------------------------------------------------------------

bool boxesIntersect(const CarvedBox& a, const CarvedBox& b, double tolerance) {
  CellPolytope cell(-a.halfExtents, a.halfExtents);
  for (int side = 0; side < 6; ++side) {
    const Vector3d local = (side % 2 == 0 ? 1 : -1) * Vector3d::Unit(side / 2);
    const Vector3d n = a.X_PC.q.conjugate() * (b.X_PC.q * local);
    const Vector3d at = a.X_PC.q.conjugate() * (b.X_PC.p - a.X_PC.p);
    cell = cell.clip({n, n.dot(at) + b.halfExtents[side / 2]}, false, tolerance);
    if (cell.isEmpty()) return false;
  }
  return true;
}

/// True if a triangle of another chain reaches into the box.
bool containsOtherTriangles(const RecognitionInput& input, const CarvedBox& box,
                            const std::vector<char>& own) {
  const double tolerance = input.facets.tolerance;
  const Eigen::Matrix3d R = box.X_PC.q.toRotationMatrix().transpose();
  const Vector3d inside = box.halfExtents - Vector3d::Constant(tolerance);
  for (int t = 0; t < input.facets.count(); ++t) {
    if (own[static_cast<std::size_t>(t)]) continue;
    const std::array<Vector3d, 3> p{R * (input.facets.point(t, 0) - box.X_PC.p),
                                    R * (input.facets.point(t, 1) - box.X_PC.p),
                                    R * (input.facets.point(t, 2) - box.X_PC.p)};
    // Most triangles are completely outside.
    const Vector3d low = p[0].cwiseMin(p[1]).cwiseMin(p[2]), high = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    if ((low.array() >= inside.array()).any() || (high.array() <= -inside.array()).any()) continue;
    std::vector<Vector3d> rest(p.begin(), p.end());
    for (int side = 0; side < 6 && !rest.empty(); ++side) {
      const double sign = side % 2 == 0 ? 1 : -1;
      std::vector<Vector3d> remaining;
      for (std::size_t k = 0; k < rest.size(); ++k) {
        const Vector3d &a = rest[k], &b = rest[(k + 1) % rest.size()];
        const double ha = sign * a[side / 2] - inside[side / 2], hb = sign * b[side / 2] - inside[side / 2];
        if (ha < 0) remaining.push_back(a);
        if ((ha < 0) != (hb < 0)) remaining.push_back(a + ha / (ha - hb) * (b - a));
      }
      rest.swap(remaining);
    }
    if (!rest.empty()) return true;
  }
  return false;
}

bool isFree(const RecognitionInput& input, const CarvedBox& box, const std::vector<char>& own,
            const std::vector<CarvedBox>& taken) {
  for (const CarvedBox& other : taken)
    if (boxesIntersect(box, other, 1e-9)) return false;
  return !containsOtherTriangles(input, box, own);
}

std::vector<char> trianglesOfChain(const RecognitionInput& input, int group, int chain) {
  std::vector<char> own(static_cast<std::size_t>(input.facets.count()), 0);
  mark(input.groups[static_cast<std::size_t>(group)], chainOf(input, group, chain), own);
  return own;
}

/// A block around a hole, from the mouth down to `depth` [m], 2 s wide [m], rotated by `angle` about the
/// axis.
std::optional<ExactChain> blockAroundHole(const RevolvedGroup& group, const HoleProfile& hole, double depth,
                                          double s, double angle) {
  Axis axis = group.axis;
  if (!hole.upwards) {
    axis.z = -axis.z;
    axis.y = -axis.y;
  }
  Pose X = poseOf(axis);
  X.q = (X.q * Eigen::AngleAxisd(angle, Vector3d::UnitZ())).normalized();
  X.p = pointOnAxis(group.axis, hole.mouth) - 0.5 * depth * axis.z;
  physics::BlockWithHoles block;
  block.halfExtents = {s, s, 0.5 * depth};
  physics::Cavity cavity;
  cavity.X_BH.p = {0, 0, 0.5 * depth};
  cavity.profile = hole.points;
  cavity.through = hole.through;
  if (hole.through) cavity.profile.back().x() = -depth;
  block.cavities.push_back(cavity);
  if (problemWith(block)) return std::nullopt;
  ExactChain exact;
  exact.shape = {block, X};
  exact.box = {X, block.halfExtents};
  return exact;
}

/// Angles about an axis at which a box is aligned with parallel planes, and a few more.
std::vector<double> candidateAngles(const RecognitionInput& input, const Axis& axis) {
  std::vector<double> angles;
  for (const Region& region : input.regions)
    if (region.planar && std::abs(region.normal.dot(axis.z)) < 0.01)
      angles.push_back(std::remainder(std::atan2(region.normal.dot(axis.y), region.normal.dot(axis.x)),
                                      std::numbers::pi / 2));
  if (angles.size() > 4) angles.resize(4);
  for (const double degrees : {0.0, 45.0, 22.5, 67.5}) angles.push_back(degrees * std::numbers::pi / 180);
  return angles;
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
      mark(input.groups[g], input.groups[g].chains[c], isCavity);
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

std::optional<ExactChain> boxedHole(const RecognitionInput& input, int group, int chain,
                                    const std::vector<CarvedBox>& taken) {
  const RevolvedGroup& g = input.groups[static_cast<std::size_t>(group)];
  const auto hole = holeProfile(g, chainOf(input, group, chain));
  // The box ends at planes; an open end of the mesh has none.
  const ProfileChain& c = chainOf(input, group, chain);
  if (!hole || c.begin == ChainEnd::open || c.end == ChainEnd::open) return std::nullopt;
  const auto own = trianglesOfChain(input, group, chain);
  const double radius = hole->radius();
  for (const double widthRatio : {1.6, 1.3, 1.15, 1.05, 1.01})
    for (const double angle : candidateAngles(input, g.axis))
      for (const double floor : {0.5, 0.2, 0.05}) {
        const double depth = hole->depth() + (hole->through ? 0 : floor * radius);
        auto exact = blockAroundHole(g, *hole, depth, widthRatio * radius, angle);
        if (exact && isFree(input, exact->box, own, taken)) {
          exact->group = group;
          exact->chain = chain;
          return exact;
        }
        if (hole->through) break;
      }
  return std::nullopt;
}

std::optional<ExactChain> boxedShaft(const RecognitionInput& input, int group, int chain,
                                     const std::vector<CarvedBox>& taken) {
  const RevolvedGroup& g = input.groups[static_cast<std::size_t>(group)];
  const ProfileChain& c = chainOf(input, group, chain);
  const auto ends = [](ChainEnd end) { return end == ChainEnd::axis || end == ChainEnd::face; };
  if (c.isInner || !(ends(c.begin) && ends(c.end))) return std::nullopt;
  physics::SolidOfRevolution solid{solidProfile(c)};
  if (problemWith(solid)) return std::nullopt;
  double low = solid.profile.front().x(), high = low, radius = 0;
  for (const Vector2d& p : solid.profile) {
    low = std::min(low, p.x());
    high = std::max(high, p.x());
    radius = std::max(radius, p.y());
  }
  const auto own = trianglesOfChain(input, group, chain);
  for (const double angle : candidateAngles(input, g.axis)) {
    ExactChain exact;
    exact.group = group;
    exact.chain = chain;
    exact.shape = {solid, poseOf(g.axis)};
    exact.box.X_PC = poseOf(g.axis);
    exact.box.X_PC.q = (exact.box.X_PC.q * Eigen::AngleAxisd(angle, Vector3d::UnitZ())).normalized();
    exact.box.X_PC.p = pointOnAxis(g.axis, 0.5 * (low + high));
    exact.box.halfExtents = {1.001 * radius, 1.001 * radius, 0.5 * (high - low)};
    if (isFree(input, exact.box, own, taken)) return exact;
  }
  return std::nullopt;
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
