// The pairs of near features of two trees: see feature_tree.h.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "physics/collision/brep/feature_tree.h"

namespace tenon::physics::brep {

// A descent of both trees, made with a margin and used again while the solids move by less, as in the trials
// of a step. The boxes of a block in the frame of the other solid are computed once in a search, when they
// are first needed.
class FeatureTree::PairSearch {
 public:
  PairSearch(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA, double distance,
             std::uint64_t pair)
      : trees_{&a, &b}, distance_(std::min(distance, kFarthest)), pair_(pair) {
    toOther_[0] = X_BA;
    toOther_[1] = X_BA.inverse();
    Buffers& buffers = buffersOfThread();
    stamp_ = ++buffers.stamp;
    for (std::size_t side = 0; side < 2; ++side) {
      floatToOther_[side] = FloatTransform(toOther_[side]);
      if (buffers.placed[side].size() < trees_[side]->blocks_.size())
        buffers.placed[side].resize(trees_[side]->blocks_.size());
      blocks_[side] = trees_[side]->blocks_.data();
      placed_[side] = buffers.placed[side].data();
    }
  }

  /// Appends the pairs, filtered from those that were near at an earlier pose where these must be among them:
  /// the same pairs whatever that pose was, in an order that depends on it.
  void findAmongNear(std::vector<std::pair<int, int>>& pairs) {
    NearPairs& near = slot();
    const bool isSame = near.a == trees_[0]->id_ && near.b == trees_[1]->id_;
    constexpr double kRounding = 1e-9;  // [m]
    const double margin = near.margin - kRounding - std::max(0.0, distance_ - near.distance);
    double moved = isSame ? movedSince(near.X_BA) : 0;
    if (!isSame || !(moved <= margin)) {
      near.a = near.b = 0;  // until the list is whole
      near.X_BA = toOther_[0];
      near.distance = distance_;
      const double useful = kMargin * distance_ + kMarginOfSize * std::min(radius(0), radius(1));
      near.margin = margin_ = isSame && moved <= useful / kUses ? useful : 0;
      find(near);
      margin_ = moved = 0;
      near.a = trees_[0]->id_;
      near.b = trees_[1]->id_;
    }
    // No gap has changed by more than the solids have moved: most need not be computed again.
    if (moved > 0) moved += kRounding;
    for (const NearLeaves& leaves : near.leaves) {
      const double reach = leaves.isCrossing ? 0 : distance_, gap = leaves.gap;
      if (gap - moved > reach || (gap + moved > reach && gapOf(leaves.nodes) > reach)) continue;
      pairs.emplace_back(leaves.a, leaves.b);
    }
  }

 private:
  /// Of boxes, which end 100 km from the origin [m].
  static constexpr double kFarthest = 1e6;
  /// Distance, relative to that of a search and to the radius of the smaller solid, by which the solids may
  /// move until they are searched again [-].
  static constexpr double kMargin = 0.15, kMarginOfSize = 0.01;
  /// Solids that move on by more than the margin divided by this are searched without a margin, which would
  /// list pairs in vain [-].
  static constexpr double kUses = 4;

  /// A node of either tree, each as lane + kLanes · block: that of the first tree in the lower half.
  using Nodes = std::uint64_t;

  /// Two leaves.
  struct NearLeaves {
    Nodes nodes = 0;
    int a = 0, b = 0;         // features
    float gap = 0;            // at the pose of the search [m]
    bool isCrossing = false;  // they have contacts only where they cross
  };

  /// The leaves within `margin` more than `distance` [m] at a pose.
  struct NearPairs {
    std::uint64_t a = 0, b = 0;  // of the trees
    RigidTransform X_BA;
    double distance = 0, margin = -1;
    std::vector<NearLeaves> leaves;
  };

  NearPairs& slot() const {
    constexpr std::size_t kSlots = 1024;
    thread_local std::vector<NearPairs> slots(kSlots);
    const std::uint64_t key = trees_[0]->id_ * 0x9e3779b97f4a7c15u ^ trees_[1]->id_ * 0xbf58476d1ce4e5b9u ^
                              (pair_ + 1) * 0x94d049bb133111ebu;
    return slots[key >> 32 & (kSlots - 1)];
  }

  double radius(std::size_t side) const { return trees_[side]->root_.half.norm(); }

  /// Bound of the displacement of any point of either solid in the frame of the other one since X_BA [m].
  double movedSince(const RigidTransform& X_BA) const {
    const double turned = (toOther_[0].R - X_BA.R).norm();
    const RigidTransform X_AB = X_BA.inverse();
    const Vector3d &a = trees_[0]->root_.center, &b = trees_[1]->root_.center;
    return std::max((toOther_[0].point(a) - X_BA.point(a)).norm() + turned * radius(0),
                    (toOther_[1].point(b) - X_AB.point(b)).norm() + turned * radius(1));
  }

  struct Placed {
    Boxes boxes;
    std::uint64_t stamp = 0;  // of the search for which they are valid
  };

  /// A transform in single precision; boxes are moved with |R|.
  struct FloatTransform {
    std::array<std::array<Lanes, 3>, 3> R, sizes;
    std::array<Lanes, 3> p;
    Lanes rounding;

    FloatTransform() = default;
    explicit FloatTransform(const RigidTransform& X) {
      rounding.setConstant(static_cast<float>(kFloatRounding * X.p.lpNorm<1>()));
      for (std::size_t r = 0; r < 3; ++r) {
        const auto row = static_cast<Eigen::Index>(r);
        p[r].setConstant(static_cast<float>(X.p[row]));
        for (std::size_t c = 0; c < 3; ++c) {
          R[r][c].setConstant(static_cast<float>(X.R(row, static_cast<Eigen::Index>(c))));
          sizes[r][c] = R[r][c].abs();
        }
      }
    }
    void move(const Boxes& from, Boxes& to) const {
      for (std::size_t r = 0; r < 3; ++r) {
        to.center[r] = p[r] + R[r][0] * from.center[0] + R[r][1] * from.center[1] + R[r][2] * from.center[2];
        to.half[r] =
            rounding + sizes[r][0] * from.half[0] + sizes[r][1] * from.half[1] + sizes[r][2] * from.half[2];
      }
    }
  };

  /// Of a thread. Only what a search has stamped is read by it.
  struct Buffers {
    std::array<std::vector<Placed>, 2> placed;
    std::uint64_t stamp = 0;
    std::vector<Nodes> stack;
  };
  static Buffers& buffersOfThread() {
    thread_local Buffers buffers;
    return buffers;
  }

  static std::size_t nodeOf(std::size_t side, Nodes nodes) {
    return static_cast<std::uint32_t>(nodes >> (32 * side));
  }
  const Block& block(std::size_t side, std::size_t index) const { return blocks_[side][index]; }
  const Block& blockOf(std::size_t side, Nodes nodes) const {
    return block(side, nodeOf(side, nodes) / kLanes);
  }
  int childOf(std::size_t side, Nodes nodes) const {
    return blockOf(side, nodes).child[nodeOf(side, nodes) % kLanes];
  }
  float sizeOf(std::size_t side, Nodes nodes) const {
    return blockOf(side, nodes).size[nodeOf(side, nodes) % kLanes];
  }
  static Nodes nodesOf(std::size_t side, std::size_t own, std::size_t other) {
    return Nodes{own} << (32 * side) | Nodes{other} << (32 * (1 - side));
  }

  const Boxes& placed(std::size_t side, std::size_t index) {
    Placed& p = placed_[side][index];
    if (p.stamp != stamp_) {
      floatToOther_[side].move(block(side, index).boxes, p.boxes);
      p.stamp = stamp_;
    }
    return p.boxes;
  }

  // The larger one of two nodes is descended, down to two blocks of features. Pairs are taken from the stack
  // some at a time, so that their tests do not wait for each other.
  void find(NearPairs& near) {
    constexpr std::size_t kBatch = 32;
    std::vector<Nodes>& stack = buffersOfThread().stack;
    std::array<Nodes, kBatch> ofBlocks, ofLeaves;
    const auto up = [](double x) { return std::nextafter(static_cast<float>(x), HUGE_VALF); };
    reach_ = up(margin_ + distance_);
    crossingReach_ = up(margin_);
    near.leaves.clear();
    if (stack.empty()) stack.resize(kBatch * kLanes);
    stack[0] = 0;
    for (std::size_t size = 1; size > 0;) {
      const std::size_t count = std::min(kBatch, size);
      size -= count;
      std::size_t blocks = 0, leaves = 0;
      for (std::size_t k = 0; k < count; ++k) {
        const Nodes nodes = stack[size + k];
        const bool isOfLeaves = std::max(sizeOf(0, nodes), sizeOf(1, nodes)) < 0;
        ofLeaves[leaves] = ofBlocks[blocks] = nodes;
        leaves += isOfLeaves ? 1 : 0;
        blocks += isOfLeaves ? 0 : 1;
      }
      if (stack.size() < size + kLanes * kBatch) stack.resize(2 * (size + kLanes * kBatch));
      for (std::size_t k = 0; k < blocks; ++k) {
        const Nodes nodes = ofBlocks[k];
        const std::size_t side = sizeOf(0, nodes) < sizeOf(1, nodes) ? 1 : 0;
        size += testChildren(side, static_cast<std::size_t>(childOf(side, nodes)), nodeOf(1 - side, nodes),
                             stack.data() + size);
      }
      for (std::size_t k = 0; k < leaves; ++k)
        testFeatures(static_cast<std::size_t>(childOf(0, ofLeaves[k])),
                     static_cast<std::size_t>(childOf(1, ofLeaves[k])), near.leaves);
    }
  }

  // Puts the pairs of node `n` and the near ones in block `index` of tree `side` on the stack, without
  // branches, which nothing predicts. Returns their number.
  std::size_t testChildren(std::size_t side, std::size_t index, std::size_t n, Nodes* stack) {
    const std::size_t other = 1 - side, lane = n % kLanes;
    const Block &children = block(side, index), &parent = block(other, n / kLanes);
    const Boxes &placedParent = placed(other, n / kLanes), &placedChildren = placed(side, index);
    const Lanes gap =
        alongAxes(children.boxes, placedParent, lane).max(alongAxes(placedChildren, parent.boxes, lane));
    const unsigned near = nearOf(gap, children, parent.kinds[lane]);
    std::size_t size = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
      stack[size] = nodesOf(side, kLanes * index + k, n);
      size += near >> k & 1u;
    }
    return size;
  }

  // Finds the near pairs of features of two blocks.
  void testFeatures(std::size_t a, std::size_t b, std::vector<NearLeaves>& found) {
    const Block &one = block(0, a), &two = block(1, b);
    const Boxes &placedOne = placed(0, a), &placedTwo = placed(1, b);
    std::array<Lanes, kLanes> gaps;
    unsigned near = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      gaps[lane] = alongAxes(one.boxes, placedTwo, lane).max(alongAxes(placedOne, two.boxes, lane));
      near |= nearOf(gaps[lane], one, two.kinds[lane]) << (kLanes * lane);
    }
    for (; near != 0; near &= near - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(near)), l = bit / kLanes, k = bit % kLanes;
      found.push_back({nodesOf(0, kLanes * a + k, kLanes * b + l), one.child[k], two.child[l],
                       gaps[l][static_cast<Eigen::Index>(k)], (one.crossing[two.kinds[l]] >> k & 1) != 0});
    }
  }

  // The nodes of a block that are near one of this kind, as bits, from their gaps.
  unsigned nearOf(const Lanes& gap, const Block& nodes, unsigned kind) const {
    const unsigned without = nodes.without[kind], crossing = nodes.crossing[kind];
    return upTo(gap, reach_) & ~without & (~crossing | upTo(gap, crossingReach_));
  }

  // Lanes that are at most `reach`, as bits.
  static unsigned upTo(const Lanes& values, float reach) {
#ifdef __SSE__
    return static_cast<unsigned>(
        _mm_movemask_ps(_mm_cmple_ps(_mm_load_ps(values.data()), _mm_set1_ps(reach))));
#else
    unsigned bits = 0;
    for (unsigned k = 0; k < kLanes; ++k) bits |= (values[k] <= reach ? 1u : 0u) << k;
    return bits;
#endif
  }

  // Of four boxes and one: the largest distance along the axes, negative where they overlap [m].
  EIGEN_ALWAYS_INLINE static Lanes alongAxes(const Boxes& a, const Boxes& b, std::size_t lane) {
    const auto at = static_cast<Eigen::Index>(lane);
    const auto along = [&](std::size_t k) -> Lanes {
      return (a.center[k] - b.center[k][at]).abs() - (a.half[k] + b.half[k][at]);
    };
    return along(0).max(along(1)).max(along(2));
  }

  // Of two leaves, along the axes of either solid [m].
  double gapOf(Nodes nodes) {
    const std::size_t a = nodeOf(0, nodes), b = nodeOf(1, nodes);
    return std::max(alongAxes(placed(0, a / kLanes), block(1, b / kLanes).boxes,
                              b % kLanes)[static_cast<Eigen::Index>(a % kLanes)],
                    alongAxes(placed(1, b / kLanes), block(0, a / kLanes).boxes,
                              a % kLanes)[static_cast<Eigen::Index>(b % kLanes)]);
  }

  std::array<const FeatureTree*, 2> trees_;
  std::array<const Block*, 2> blocks_;
  std::array<Placed*, 2> placed_;
  std::uint64_t stamp_ = 0;
  std::array<RigidTransform, 2> toOther_;
  std::array<FloatTransform, 2> floatToOther_;
  double distance_, margin_ = 0;
  float reach_ = 0, crossingReach_ = 0;  // of a search [m]
  std::uint64_t pair_;
};

void FeatureTree::findPairs(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA,
                            double distance, std::uint64_t pair, std::vector<std::pair<int, int>>& pairs) {
  if (!a.blocks_.empty() && !b.blocks_.empty()) PairSearch(a, b, X_BA, distance, pair).findAmongNear(pairs);
}

}  // namespace tenon::physics::brep
