// See feature_tree.h: how the tree is built.
#include "physics/collision/brep/feature_tree.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "physics/math/parallel_for.h"

namespace tenon::physics::brep {
namespace {

/// Half side of a box without end [m]: finite, so that sums remain numbers, and beyond all positions of
/// parts.
constexpr double kEndless = 1e5;

/// Half side of an unused box [m]: it is far from anything.
constexpr float kUnused = -1e30f;

}  // namespace

class FeatureTree::Builder {
 public:
  Builder(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds, FeatureTree& tree)
      : boxes_(boxes), kinds_(kinds), tree_(tree), order_(boxes.size()), isSorted_(boxes.size(), 0) {
    for (Bounds& box : boxes_) box = {box.low.cwiseMax(-kEndless), box.high.cwiseMin(kEndless)};
    for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<int>(k);
    std::stable_sort(order_.begin(), order_.end(), [&](int k, int l) { return kind(k) < kind(l); });
    for (std::vector<int>& sorted : sorted_) sorted.resize(boxes.size());
    isAfter_.resize(boxes.size());
  }

  /// The nodes near the root one after the other, then those below them on all processors.
  void build() {
    const Part all = partOf(0, order_.size());
    tree_.root_ = {0.5 * (all.bounds.low + all.bounds.high), 0.5 * (all.bounds.high - all.bounds.low)};
    Subtree top;
    top.delays = true;
    block({all}, false, top);
    std::vector<std::vector<Block>> below(top.delayed.size());
    parallelFor(below.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        Subtree subtree;
        block(split(top.delayed[k].part, subtree), false, subtree);
        below[k] = std::move(subtree.blocks);
      }
    });
    tree_.blocks_ = std::move(top.blocks);
    for (std::size_t k = 0; k < below.size(); ++k) append(below[k], top.delayed[k]);
  }

 private:
  /// Most features of which all cuts are compared; more are halved, so that a million of them take seconds.
  static constexpr std::size_t kSwept = 1024;
  /// Nodes of at most so many features are built on all processors.
  static constexpr std::size_t kDelayed = 1 << 15;
  /// By what features are ordered to be cut in two: the middles of their boxes along an axis, or the largest
  /// sides, since few large features among small ones would spoil the boxes of all.
  static constexpr int kKeys = 4;

  /// A range of order_, which is a node.
  struct Part {
    std::size_t first = 0, last = 0;
    Bounds bounds;
    unsigned char kinds = 0;  ///< of its features
    std::size_t size() const { return last - first; }
  };
  /// A node that is still to be built, and its place.
  struct Delayed {
    Part part;
    int block = 0, lane = 0;
  };
  struct Subtree {
    std::vector<Block> blocks;
    bool delays = false;  ///< leaves nodes of at most kDelayed features
    std::vector<Delayed> delayed;
    std::vector<std::pair<double, int>> keyed;  // buffers
    std::vector<double> costs;
    std::vector<int> after;
  };

  FeatureKind kind(int feature) const { return kinds_[static_cast<std::size_t>(feature)]; }
  const Bounds& boxOf(int feature) const { return boxes_[static_cast<std::size_t>(feature)]; }
  Part partOf(std::size_t first, std::size_t last) const {
    Part part{first, last, {}, 0};
    for (std::size_t k = first; k < last; ++k) {
      include(part.bounds, boxOf(order_[k]));
      part.kinds |= kind(order_[k]);
    }
    return part;
  }

  double keyOf(int key, int feature) const {
    const Bounds& box = boxOf(feature);
    return key < 3 ? box.low[key] + box.high[key] : (box.high - box.low).maxCoeff();
  }

  // Measure of how much comes near a box [m²]: the area of half its surface, and a share of its diagonal for
  // those without an area.
  static double extentOf(const Bounds& box) {
    const Vector3d d = box.high - box.low;
    return d.x() * d.y() + d.y() * d.z() + d.z() * d.x() + 0.1 * d.squaredNorm();
  }
  static double blocksOf(std::size_t features) {
    const std::size_t blocks = (features + kLanes - 1) / kLanes;
    return static_cast<double>(blocks);
  }

  // Flat faces are separated first: they have no pairs with each other, and with straight edges only where
  // these cross.
  std::size_t cut(const Part& part, Subtree& subtree) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(part.first),
               end = order_.begin() + static_cast<std::ptrdiff_t>(part.last);
    if ((part.kinds & kFlatFace) != 0 && part.kinds != kFlatFace)
      return static_cast<std::size_t>(
          std::partition_point(begin, end, [&](int k) { return kind(k) == kFlatFace; }) - order_.begin());
    return part.size() > kSwept ? halve(part) : sweep(part, subtree);
  }

  // Along the axis along which the middles of the boxes spread most.
  std::size_t halve(const Part& part) {
    Vector3d low = Vector3d::Constant(HUGE_VAL), high = -low;
    for (std::size_t k = part.first; k < part.last; ++k) {
      const Vector3d middle(keyOf(0, order_[k]), keyOf(1, order_[k]), keyOf(2, order_[k]));
      low = low.cwiseMin(middle);
      high = high.cwiseMax(middle);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t half = part.first + part.size() / 2;
    std::nth_element(order_.begin() + static_cast<std::ptrdiff_t>(part.first),
                     order_.begin() + static_cast<std::ptrdiff_t>(half),
                     order_.begin() + static_cast<std::ptrdiff_t>(part.last), [&](int k, int l) {
                       const double x = keyOf(axis, k), y = keyOf(axis, l);
                       return x < y || (x == y && k < l);
                     });
    return half;
  }

  // In the order of each key, at the place of the part.
  void sort(const Part& part, Subtree& subtree) {
    for (int key = 0; key < kKeys; ++key) {
      auto& keyed = subtree.keyed;
      keyed.clear();
      for (std::size_t k = part.first; k < part.last; ++k)
        keyed.emplace_back(keyOf(key, order_[k]), order_[k]);
      std::sort(keyed.begin(), keyed.end());
      for (std::size_t k = 0; k < keyed.size(); ++k) sortedBy(key)[part.first + k] = keyed[k].second;
    }
  }
  std::vector<int>& sortedBy(int key) { return sorted_[static_cast<std::size_t>(key)]; }

  // By the surface area heuristic (MacDonald & Booth 1990): in the order of any key, where the blocks on both
  // sides times the extents of their boxes are least; of equal cuts the most balanced one. What is cut in two
  // stays in order on both sides.
  std::size_t sweep(const Part& part, Subtree& subtree) {
    const std::size_t n = part.size();
    if (isSorted_[part.first] == 0) sort(part, subtree);
    isSorted_[part.first] = 1;
    std::pair<double, std::size_t> least{HUGE_VAL, 0};
    std::size_t best = n / 2;
    int bestKey = -1;
    auto& costs = subtree.costs;  // of what lies before a cut
    for (int key = 0; key < kKeys; ++key) {
      const int* const sorted = sortedBy(key).data() + part.first;
      costs.clear();
      Bounds box;
      for (std::size_t k = 0; k < n; include(box, boxOf(sorted[k++])))
        costs.push_back(blocksOf(k) * extentOf(box));
      box = {};
      for (std::size_t k = n - 1; k > 0; --k) {
        include(box, boxOf(sorted[k]));
        const std::pair cut{costs[k] + blocksOf(n - k) * extentOf(box), std::max(k, n - k)};
        if (!(cut < least)) continue;
        least = cut;
        best = k;
        bestKey = key;
      }
    }
    if (bestKey < 0) {  // without a number for the extents
      isSorted_[part.first] = 0;
      return part.first + best;
    }
    std::copy_n(sortedBy(bestKey).begin() + static_cast<std::ptrdiff_t>(part.first), n,
                order_.begin() + static_cast<std::ptrdiff_t>(part.first));
    divide(part, part.first + best, subtree);
    return part.first + best;
  }

  // Separates what is before `middle` in order_ from the rest in the orders of all keys.
  void divide(const Part& part, std::size_t middle, Subtree& subtree) {
    for (std::size_t k = part.first; k < part.last; ++k)
      isAfter_[static_cast<std::size_t>(order_[k])] = k >= middle ? 1 : 0;
    auto& after = subtree.after;
    for (std::vector<int>& sorted : sorted_) {
      after.clear();
      std::size_t next = part.first;
      for (std::size_t k = part.first; k < part.last; ++k) {
        const int feature = sorted[k];
        if (isAfter_[static_cast<std::size_t>(feature)] != 0)
          after.push_back(feature);
        else
          sorted[next++] = feature;
      }
      std::copy(after.begin(), after.end(), sorted.begin() + static_cast<std::ptrdiff_t>(next));
    }
    isSorted_[middle] = 1;
  }

  // The one with most features times extent is cut until there are four, or all features of each fit in a
  // block.
  std::vector<Part> split(const Part& whole, Subtree& subtree) {
    std::vector<Part> parts = {whole};
    while (parts.size() < kLanes) {
      std::size_t largest = 0;
      double most = -1;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].size() <= kLanes) continue;
        const double share = static_cast<double>(parts[k].size()) * extentOf(parts[k].bounds);
        if (share <= most) continue;
        largest = k;
        most = share;
      }
      if (most < 0) break;
      const std::size_t first = parts[largest].first, last = parts[largest].last,
                        middle = cut(parts[largest], subtree);
      parts[largest] = partOf(first, middle);
      parts.push_back(partOf(middle, last));
    }
    return parts;
  }

  std::vector<Part> features(const Part& whole) const {
    std::vector<Part> parts;
    for (std::size_t k = whole.first; k < whole.last; ++k) parts.push_back(partOf(k, k + 1));
    return parts;
  }

  int block(const std::vector<Part>& parts, bool isLeaf, Subtree& subtree) {
    const auto index = static_cast<int>(subtree.blocks.size());
    subtree.blocks.emplace_back();
    Block made;
    made.isLeaf = isLeaf;
    made.count = static_cast<int>(parts.size());
    for (std::size_t k = 0; k < 3; ++k) {
      made.boxes.center[k].setZero();
      made.boxes.half[k].setConstant(kUnused);
    }
    for (int lane = made.count; lane < kLanes; ++lane)
      for (unsigned char& without : made.without) without |= static_cast<unsigned char>(1u << lane);
    for (int lane = 0; lane < made.count; ++lane) setBox(parts[static_cast<std::size_t>(lane)], lane, made);
    for (int lane = 0; lane < made.count; ++lane)
      made.child[static_cast<std::size_t>(lane)] =
          childOf(parts[static_cast<std::size_t>(lane)], isLeaf, {{}, index, lane}, subtree);
    subtree.blocks[static_cast<std::size_t>(index)] = made;
    return index;
  }

  int childOf(const Part& part, bool isFeature, Delayed place, Subtree& subtree) {
    if (isFeature) return order_[part.first];
    if (part.size() <= kLanes) return block(features(part), true, subtree);
    if (!subtree.delays || part.size() > kDelayed) return block(split(part, subtree), false, subtree);
    place.part = part;
    subtree.delayed.push_back(std::move(place));
    return -1;
  }

  void setBox(const Part& part, int lane, Block& parent) const {
    const auto at = static_cast<std::size_t>(lane);
    const Bounds& all = part.bounds;
    const Vector3d center = 0.5 * (all.low + all.high), half = 0.5 * (all.high - all.low);
    for (Eigen::Index k = 0; k < 3; ++k) {
      // Along each axis for itself: the plane of a half-space is thin beside its extent.
      const double rounding = kFloatRounding * (std::abs(center[k]) + half[k]);
      parent.boxes.center[static_cast<std::size_t>(k)][lane] = static_cast<float>(center[k]);
      parent.boxes.half[static_cast<std::size_t>(k)][lane] = static_cast<float>(half[k] + rounding);
    }
    const auto bit = static_cast<unsigned char>(1u << lane);
    parent.kinds[at] = part.kinds == kFlatFace ? kFlat : part.kinds == kStraightEdge ? kStraight : kKinds - 1;
    if (part.kinds == kFlatFace) {
      parent.without[kFlat] |= bit;
      parent.crossing[kStraight] |= bit;
    }
    if (part.kinds == kStraightEdge) parent.crossing[kFlat] |= bit;
    parent.size[at] = part.size() <= kLanes ? -1 : static_cast<float>(half.squaredNorm());
  }

  // A subtree whose root is a child of a block that is there.
  void append(std::vector<Block>& blocks, const Delayed& place) {
    const auto first = static_cast<int>(tree_.blocks_.size());
    tree_.blocks_[static_cast<std::size_t>(place.block)].child[static_cast<std::size_t>(place.lane)] = first;
    for (Block& made : blocks) {
      for (int lane = 0; lane < made.count && !made.isLeaf; ++lane)
        made.child[static_cast<std::size_t>(lane)] += first;
      tree_.blocks_.push_back(made);
    }
  }

  std::vector<Bounds> boxes_;  // [m]; finite
  const std::vector<FeatureKind>& kinds_;
  FeatureTree& tree_;
  std::vector<int> order_;                      // features: a range of them is a node
  std::array<std::vector<int>, kKeys> sorted_;  // the features of a range in the order of each key
  std::vector<char> isSorted_;                  // by the first place of a range: sorted_ is complete
  std::vector<char> isAfter_;                   // by feature: see divide()
};

void FeatureTree::build(const std::vector<Bounds>& boxes, const std::vector<FeatureKind>& kinds) {
  static std::atomic<std::uint64_t> count{0};
  id_ = ++count;
  blocks_.clear();
  if (!boxes.empty()) Builder(boxes, kinds, *this).build();
}

// By slabs.
bool FeatureTree::isOnRay(const Box& box, const Vector3d& p, const Vector3d& d) {
  double from = 0, to = HUGE_VAL;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double half = box.half[k], middle = box.center[k] - p[k];
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

}  // namespace tenon::physics::brep
