// See feature_tree.h.
#include "physics/collision/brep/feature_tree.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>

namespace tenon::physics::brep {
namespace {

/// Half side of a box without end [m]: finite, so that sums remain numbers, and beyond all positions of parts
/// by so little that rounding stays below 0.1 nm.
constexpr double kEndless = 1e5;

/// Bound of the rounding of single precision in the sides of a box and its image in another frame, relative
/// to its coordinates [-].
constexpr double kFloatRounding = 1e-6;

}  // namespace

FeatureTree::FloatBox FeatureTree::floatBox(const Vector3d& center, const Vector3d& half) {
  FloatBox box;
  box.center.head<3>() = center.cast<float>().array();
  box.half.head<3>() =
      (half.array() + kFloatRounding * (center.lpNorm<1>() + half.lpNorm<1>())).cast<float>();
  return box;
}

int FeatureTree::buildRange(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds,
                            std::vector<int>& order, std::size_t first, std::size_t last) {
  Bounds all;
  for (std::size_t k = first; k < last; ++k) include(all, boxes[static_cast<std::size_t>(order[k])]);
  all.low = all.low.cwiseMax(-kEndless);
  all.high = all.high.cwiseMin(kEndless);
  Node node;
  const Vector3d half = 0.5 * (all.high - all.low);
  node.box = floatBox(0.5 * (all.low + all.high), half);
  node.size = static_cast<float>(half.squaredNorm());
  if (last - first == 1) {
    node.feature = order[first];
    node.kinds = kinds[static_cast<std::size_t>(node.feature)];
  } else {
    const auto middleOf = [&](int k, Eigen::Index axis) {
      const Bounds& box = boxes[static_cast<std::size_t>(k)];
      return std::max(box.low[axis], -kEndless) + std::min(box.high[axis], kEndless);
    };
    Eigen::Index axis = 0;
    half.maxCoeff(&axis);
    // Features of different kinds are separated first: most of their pairs need other distances.
    const auto isFirstKind = [&](int k) {
      return kinds[static_cast<std::size_t>(k)] == kinds[static_cast<std::size_t>(order[first])];
    };
    const auto otherKind =
        std::partition_point(order.begin() + static_cast<std::ptrdiff_t>(first),
                             order.begin() + static_cast<std::ptrdiff_t>(last), isFirstKind);
    const auto ofFirstKind = static_cast<std::size_t>(otherKind - order.begin());
    const std::size_t middle = ofFirstKind < last ? ofFirstKind : first + (last - first) / 2;
    const auto begin = order.begin();
    if (ofFirstKind == last)
      std::nth_element(begin + static_cast<std::ptrdiff_t>(first),
                       begin + static_cast<std::ptrdiff_t>(middle), begin + static_cast<std::ptrdiff_t>(last),
                       [&](int k, int l) {
                         const double x = middleOf(k, axis), y = middleOf(l, axis);
                         return x < y || (x == y && k < l);
                       });
    node.left = buildRange(boxes, kinds, order, first, middle);
    node.right = buildRange(boxes, kinds, order, middle, last);
    for (const int child : {node.left, node.right})
      node.kinds |= nodes_[static_cast<std::size_t>(child)].kinds;
  }
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}

void FeatureTree::build(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds) {
  static std::atomic<std::uint64_t> count{0};
  id_ = ++count;
  nodes_.clear();
  if (boxes.empty()) return;
  std::vector<int> order(boxes.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  std::stable_sort(order.begin(), order.end(), [&](int k, int l) {
    return kinds[static_cast<std::size_t>(k)] < kinds[static_cast<std::size_t>(l)];
  });
  nodes_.reserve(2 * boxes.size());
  buildRange(boxes, kinds, order, 0, boxes.size());
}

// By slabs.
bool FeatureTree::isOnRay(const Node& node, const Vector3d& p, const Vector3d& d) {
  double from = 0, to = HUGE_VAL;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double half = node.box.half[k], middle = node.box.center[k] - p[k];
    if (d[k] == 0) {
      if (std::abs(middle) > half) return false;
      continue;
    }
    const double t0 = (middle - half) / d[k], t1 = (middle + half) / d[k];
    from = std::max(from, std::min(t0, t1));
    to = std::min(to, std::max(t0, t1));
  }
  return from <= to;
}

// A descent of both trees, made with a margin and used again while the solids move by less, as in the trials
// of a step. The box of a node in the frame of the other solid is computed once in a search, when it is first
// needed.
class FeatureTree::PairSearch {
 public:
  PairSearch(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA, double distance,
             std::uint64_t pair)
      : trees_{&a, &b}, distance_(distance), pair_(pair) {
    toOther_[0] = X_BA;
    toOther_[1] = X_BA.inverse();
    ++stamp_;
    for (std::size_t side = 0; side < 2; ++side) {
      floatToOther_[side] = FloatTransform(toOther_[side]);
      if (placed_[side].size() < trees_[side]->nodes_.size())
        placed_[side].resize(trees_[side]->nodes_.size());
    }
  }

  /// Appends the pairs, filtered from those that were near at an earlier pose where these must be among them.
  /// Their order is that of the trees, whatever the poses.
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
      near.leaves.clear();
      find(near.leaves);
      margin_ = moved = 0;
      near.a = trees_[0]->id_;
      near.b = trees_[1]->id_;
    }
    // No gap has changed by more than the solids have moved: most need not be computed again.
    if (moved > 0) moved += kRounding;
    for (const NearLeaves& leaves : near.leaves) {
      const double reach = leaves.isCrossing ? 0 : distance_;
      if (leaves.gap - moved > reach || (leaves.gap + moved > reach && gapOf(leaves.k, leaves.l) > reach))
        continue;
      pairs.emplace_back(leaves.a, leaves.b);
    }
  }

 private:
  /// Distance, relative to that of a search and to the radius of the smaller solid, by which the solids may
  /// move until they are searched again [-].
  static constexpr double kMargin = 0.15, kMarginOfSize = 0.01;
  /// Solids that move on by more than the margin divided by this are searched without a margin, which would
  /// list pairs in vain [-].
  static constexpr double kUses = 4;

  /// Two leaves.
  struct NearLeaves {
    double gap = 0;           // at the pose of the search [m]
    int k = 0, l = 0;         // nodes
    int a = 0, b = 0;         // their features
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

  const FloatBox& root(std::size_t side) const { return trees_[side]->nodes_.back().box; }
  double radius(std::size_t side) const { return root(side).half.matrix().norm(); }

  /// Bound of the displacement of any point of either solid in the frame of the other one since X_BA [m].
  double movedSince(const RigidTransform& X_BA) const {
    const double turned = (toOther_[0].R - X_BA.R).norm();
    const RigidTransform X_AB = X_BA.inverse();
    const Vector3d a = root(0).center.head<3>().matrix().cast<double>(),
                   b = root(1).center.head<3>().matrix().cast<double>();
    return std::max((toOther_[0].point(a) - X_BA.point(a)).norm() + turned * radius(0),
                    (toOther_[1].point(b) - X_AB.point(b)).norm() + turned * radius(1));
  }

  void find(std::vector<NearLeaves>& found) {
    constexpr std::size_t kDeepest = 128;  // both trees halve their features
    std::array<std::pair<int, int>, kDeepest> stack;
    std::size_t size = 0;
    stack[size++] = {static_cast<int>(trees_[0]->nodes_.size()) - 1,
                     static_cast<int>(trees_[1]->nodes_.size()) - 1};
    while (size > 0) {
      const auto [k, l] = stack[--size];
      const Node &m = node(0, k), &n = node(1, l);
      const double reach = reachOf(m.kinds, n.kinds);
      if (reach < 0) continue;
      const double gap = gapOf(k, l);
      if (gap > reach) continue;
      if (m.left < 0 && n.left < 0) {
        found.push_back({gap, k, l, m.feature, n.feature, haveToCross(m.kinds, n.kinds)});
      } else if (n.left < 0 || (m.left >= 0 && m.size >= n.size)) {
        stack[size++] = {m.left, l};
        stack[size++] = {m.right, l};
      } else {
        stack[size++] = {k, n.left};
        stack[size++] = {k, n.right};
      }
    }
  }

  struct Placed {
    FloatBox box;
    std::uint64_t stamp = 0;  // of the search for which it is valid
  };

  /// A transform in single precision; boxes are moved with |R|.
  struct FloatTransform {
    std::array<Eigen::Array4f, 3> columns, sizes;
    Eigen::Array4f p = Eigen::Array4f::Zero(), rounding = Eigen::Array4f::Zero();

    FloatTransform() = default;
    explicit FloatTransform(const RigidTransform& X) {
      p.head<3>() = X.p.cast<float>().array();
      rounding.head<3>().setConstant(static_cast<float>(kFloatRounding * X.p.lpNorm<1>()));
      for (Eigen::Index k = 0; k < 3; ++k) {
        Eigen::Array4f& column = columns[static_cast<std::size_t>(k)];
        column.setZero();
        column.head<3>() = X.R.col(k).cast<float>().array();
        sizes[static_cast<std::size_t>(k)] = column.abs();
      }
    }
    FloatBox moved(const FloatBox& box) const {
      return {p + columns[0] * box.center[0] + columns[1] * box.center[1] + columns[2] * box.center[2],
              rounding + sizes[0] * box.half[0] + sizes[1] * box.half[1] + sizes[2] * box.half[2]};
    }
  };

  const Node& node(std::size_t side, int k) const {
    return trees_[side]->nodes_[static_cast<std::size_t>(k)];
  }

  // −1: none of the features below have contacts.
  double reachOf(unsigned char a, unsigned char b) const {
    if ((a | b) == kFlatFace) return -1;
    return margin_ + (haveToCross(a, b) ? 0 : distance_);
  }

  static bool haveToCross(unsigned char a, unsigned char b) {
    return (a == kFlatFace && b == kStraightEdge) || (a == kStraightEdge && b == kFlatFace);
  }

  // Of two nodes: the largest distance along the axes of either solid, zero where the boxes overlap [m].
  // Without branches, which nothing predicts.
  double gapOf(int k, int l) {
    const FloatBox &a = placed(0, k).box, &b = placed(1, l).box;
    return alongAxes(a, node(1, l).box).max(alongAxes(b, node(0, k).box)).maxCoeff();
  }

  static Eigen::Array4f alongAxes(const FloatBox& a, const FloatBox& b) {
    return (a.center - b.center).abs() - (a.half + b.half);
  }

  const Placed& placed(std::size_t side, int k) {
    Placed& p = placed_[side][static_cast<std::size_t>(k)];
    if (p.stamp == stamp_) return p;
    p.box = floatToOther_[side].moved(node(side, k).box);
    p.stamp = stamp_;
    return p;
  }

  // Buffers: only what this search has stamped is read.
  static thread_local std::array<std::vector<Placed>, 2> placed_;
  static thread_local std::uint64_t stamp_;

  std::array<const FeatureTree*, 2> trees_;
  std::array<RigidTransform, 2> toOther_;
  std::array<FloatTransform, 2> floatToOther_;
  double distance_, margin_ = 0;
  std::uint64_t pair_;
};

thread_local std::array<std::vector<FeatureTree::PairSearch::Placed>, 2> FeatureTree::PairSearch::placed_;
thread_local std::uint64_t FeatureTree::PairSearch::stamp_ = 0;

void FeatureTree::findPairs(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA,
                            double distance, std::uint64_t pair, std::vector<std::pair<int, int>>& pairs) {
  if (!a.nodes_.empty() && !b.nodes_.empty()) PairSearch(a, b, X_BA, distance, pair).findAmongNear(pairs);
}

}  // namespace tenon::physics::brep
