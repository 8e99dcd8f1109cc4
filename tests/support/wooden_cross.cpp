// See wooden_cross.h.
#include "tests/support/wooden_cross.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::tests {
namespace {

using Eigen::Vector3i;
using physics::BodyDescription;
using physics::BodyId;
using physics::BoundarySolid;
using physics::Grab;
using physics::MaterialId;
using physics::MotionType;
using physics::MoveHand;
using physics::Pose;
using physics::StepResult;
using physics::Vector3d;
using physics::WorldOptions;

/// One whose key comes out straight, and the others one after the other.
constexpr std::uint32_t kBurr = 87;

/// The union of the cells, with all faces further in by the play.
BoundarySolid unionOf(const Voxels& cells) {
  using Key = std::array<int, 3>;
  const auto keyOf = [](const Vector3i& v) { return Key{v.x(), v.y(), v.z()}; };
  std::set<Key> all;
  for (const Vector3i& v : cells) all.insert(keyOf(v));
  struct Square {
    std::array<Vector3i, 4> corners;
  };
  std::vector<Square> squares;
  std::map<Key, Vector3i> inward;  // of the faces at a corner
  for (const Vector3i& v : cells)
    for (int axis = 0; axis < 3; ++axis)
      for (const int side : {0, 1}) {
        const Vector3i n = (2 * side - 1) * Vector3i::Unit(axis);
        if (all.contains(keyOf(v + n))) continue;
        const Vector3i from = v + side * Vector3i::Unit(axis), a = Vector3i::Unit((axis + 1) % 3),
                       b = Vector3i::Unit((axis + 2) % 3);
        Square square{{from, from + a, from + a + b, from + b}};
        if (side == 0) std::swap(square.corners[1], square.corners[3]);
        for (const Vector3i& corner : square.corners) {
          Vector3i& in = inward.try_emplace(keyOf(corner), Vector3i::Zero()).first->second;
          if (in[axis] == n[axis]) throw std::logic_error("faces to both sides at a corner");
          in[axis] = -n[axis];
        }
        squares.push_back(square);
      }
  BoundarySolid solid;
  std::map<Key, int> indexOf;
  const auto vertex = [&](const Vector3i& corner) {
    const auto [place, isNew] = indexOf.try_emplace(keyOf(corner), static_cast<int>(solid.vertices.size()));
    if (isNew)
      solid.vertices.push_back(WoodenCross::kCell * corner.cast<double>() +
                               WoodenCross::kPlay * inward.at(keyOf(corner)).cast<double>());
    return place->second;
  };
  for (const Square& square : squares) {
    const std::array corners{vertex(square.corners[0]), vertex(square.corners[1]), vertex(square.corners[2]),
                             vertex(square.corners[3])};
    solid.triangles.push_back({corners[0], corners[1], corners[2]});
    solid.triangles.push_back({corners[0], corners[2], corners[3]});
  }
  return solid;
}

/// The same as boxes: parts of cells between planes at the play from their faces, without those parts in
/// which any of the cells that are nearer than the play is not one of the piece.
std::vector<Eigen::AlignedBox3d> boxesOfUnion(const Voxels& cells) {
  std::set<std::array<int, 3>> all;
  for (const Vector3i& v : cells) all.insert({v.x(), v.y(), v.z()});
  Voxels parts;
  for (const Vector3i& v : cells)
    for (int n = 0; n < 27; ++n) {
      const Vector3i part(n % 3, n / 3 % 3, n / 9);
      bool isInside = true;
      for (int corner = 1; corner < 8; ++corner) {
        Vector3i beside = v;
        for (int axis = 0; axis < 3; ++axis)
          if ((corner >> axis & 1) != 0) beside[axis] += part[axis] - 1;
        isInside = isInside && all.contains({beside.x(), beside.y(), beside.z()});
      }
      if (isInside) parts.emplace_back(3 * v + part);
    }
  std::vector<Eigen::AlignedBox3d> boxes = boxesOf(parts);
  const auto place = [](double x) {
    const auto index = static_cast<int>(x), cell = static_cast<int>(std::floor(x / 3)),
               part = index - 3 * cell;
    return WoodenCross::kCell * cell + (part == 1   ? WoodenCross::kPlay
                                        : part == 2 ? WoodenCross::kCell - WoodenCross::kPlay
                                                    : 0);
  };
  for (Eigen::AlignedBox3d& box : boxes)
    box = {Vector3d(box.min().unaryExpr(place)), Vector3d(box.max().unaryExpr(place))};
  return boxes;
}

}  // namespace

WoodenCross::WoodenCross()
    : pieces_(randomBurr(kBurr)), world_(WorldOptions{.dt = 1e-3}, physics::makeBulletCollider()) {
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    BodyDescription bar;
    bar.shape = unionOf(pieces_[k]);
    bar.mass = massProperties(bar.shape, 600);
    bar.material = MaterialId{0};
    bar.motion = k == 1 ? MotionType::fixed : MotionType::dynamic;
    world_.addBody(bar);
    boxes_.push_back(boxesOfUnion(pieces_[k]));
  }
  world_.setSurfaces(MaterialId{0}, MaterialId{0}, {.friction = 0.35});
  hand_ = world_.addHand({}, target(0));
  world_.apply(Grab{hand_, BodyId{0}, target(0)});
}

Pose WoodenCross::target(double share) const {
  // At the end of the key that leaves first.
  return Pose::at({0.03 + kTravel * share, 0, -kCell});
}

const StepResult& WoodenCross::step(int k) {
  const double turn = std::acos(-1.0) * 2 * (k + 1) / kSteps;
  world_.apply(MoveHand{hand_, target(0.5 - 0.5 * std::cos(turn))});
  return world_.step();
}

double WoodenCross::keyDisplacement() const {
  return world_.partPose(BodyId{0}, world_.stepResult().bodies[0]).p.x();
}

double WoodenCross::overlap() const {
  std::vector<std::vector<ConvexBody>> bodies;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const Pose X = world_.partPose(BodyId{static_cast<int>(k)}, world_.stepResult().bodies[k]);
    std::vector<ConvexBody>& boxes = bodies.emplace_back();
    for (const Eigen::AlignedBox3d& box : boxes_[k])
      boxes.push_back(boxBody(0.5 * box.sizes(), X * Pose::at(box.center())));
  }
  double deepest = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const ConvexBody& a : bodies[i])
        for (const ConvexBody& b : bodies[j]) deepest = std::max(deepest, overlapOf(a, b));
  return deepest;
}

}  // namespace tenon::tests
