// See feature_tree.h: how the tree is built.
#include "physics/collision/brep/feature_tree.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

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
      : boxes_(boxes), kinds_(kinds), tree_(tree), order_(boxes.size()), ordered_(kSwept) {
    for (Bounds& box : boxes_) box = {box.low.cwiseMax(-kEndless), box.high.cwiseMin(kEndless)};
    for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<int>(k);
    std::stable_sort(order_.begin(), order_.end(), [&](int k, int l) { return kind(k) < kind(l); });
  }

  void build() {
    const Range all{0, order_.size()};
    const Bounds box = boundsOf(all);
    tree_.root_ = {0.5 * (box.low + box.high), 0.5 * (box.high - box.low)};
    block({all}, false);
  }

 private:
  /// Most features of which all cuts are compared; more are halved, so that a million of them take seconds.
  static constexpr std::size_t kSwept = 1024;
  /// By what features are ordered to be cut in two: the middles of their boxes along an axis, or the largest
  /// sides, since few large features among small ones would spoil the boxes of all.
  static constexpr int kKeys = 4;

  struct Range {
    std::size_t first = 0, last = 0;
    std::size_t size() const { return last - first; }
  };

  FeatureKind kind(int feature) const { return kinds_[static_cast<std::size_t>(feature)]; }
  const Bounds& boxOf(int feature) const { return boxes_[static_cast<std::size_t>(feature)]; }
  Bounds boundsOf(const Range& range) const {
    Bounds all;
    for (std::size_t k = range.first; k < range.last; ++k) include(all, boxOf(order_[k]));
    return all;
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
  std::size_t cut(const Range& range) {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(range.first),
               end = order_.begin() + static_cast<std::ptrdiff_t>(range.last);
    const auto flat = std::partition_point(begin, end, [&](int k) { return kind(k) == kFlatFace; });
    if (flat != begin && flat != end) return static_cast<std::size_t>(flat - order_.begin());
    return range.size() > kSwept ? halve(range) : sweep(range);
  }

  // Along the axis along which the middles of the boxes spread most.
  std::size_t halve(const Range& range) {
    Vector3d low = Vector3d::Constant(HUGE_VAL), high = -low;
    for (std::size_t k = range.first; k < range.last; ++k) {
      const Vector3d middle(keyOf(0, order_[k]), keyOf(1, order_[k]), keyOf(2, order_[k]));
      low = low.cwiseMin(middle);
      high = high.cwiseMax(middle);
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t half = range.first + range.size() / 2;
    std::nth_element(order_.begin() + static_cast<std::ptrdiff_t>(range.first),
                     order_.begin() + static_cast<std::ptrdiff_t>(half),
                     order_.begin() + static_cast<std::ptrdiff_t>(range.last), [&](int k, int l) {
                       const double x = keyOf(axis, k), y = keyOf(axis, l);
                       return x < y || (x == y && k < l);
                     });
    return half;
  }

  // By the surface area heuristic (MacDonald & Booth 1990): in the order of any key, where the blocks on both
  // sides times the extents of their boxes are least; of equal cuts the most balanced one.
  std::size_t sweep(const Range& range) {
    const std::size_t n = range.size();
    std::pair<double, std::size_t> least{HUGE_VAL, 0};
    std::size_t best = n / 2;
    std::copy_n(order_.begin() + static_cast<std::ptrdiff_t>(range.first), n, ordered_.begin());
    for (int key = 0; key < kKeys; ++key) {
      keyed_.clear();
      for (std::size_t k = range.first; k < range.last; ++k)
        keyed_.emplace_back(keyOf(key, order_[k]), order_[k]);
      std::sort(keyed_.begin(), keyed_.end());
      costs_.clear();  // of what lies before a cut
      Bounds box;
      for (std::size_t k = 0; k < n; include(box, boxOf(keyed_[k++].second)))
        costs_.push_back(blocksOf(k) * extentOf(box));
      box = {};
      bool isBest = false;
      for (std::size_t k = n - 1; k > 0; --k) {
        include(box, boxOf(keyed_[k].second));
        const std::pair cut{costs_[k] + blocksOf(n - k) * extentOf(box), std::max(k, n - k)};
        if (!(cut < least)) continue;
        least = cut;
        best = k;
        isBest = true;
      }
      for (std::size_t k = 0; isBest && k < n; ++k) ordered_[k] = keyed_[k].second;
    }
    std::copy_n(ordered_.begin(), n, order_.begin() + static_cast<std::ptrdiff_t>(range.first));
    return range.first + best;
  }

  // The one with most features times extent is cut until there are four, or all features of each fit in a
  // block.
  std::vector<Range> split(const Range& range) {
    std::vector<Range> parts = {range};
    while (parts.size() < kLanes) {
      std::size_t largest = 0;
      double most = -1;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].size() <= kLanes) continue;
        const double share = static_cast<double>(parts[k].size()) * extentOf(boundsOf(parts[k]));
        if (share <= most) continue;
        largest = k;
        most = share;
      }
      if (most < 0) break;
      const std::size_t last = parts[largest].last;
      parts[largest].last = cut(parts[largest]);
      parts.push_back({parts[largest].last, last});
    }
    return parts;
  }

  std::vector<Range> features(const Range& range) const {
    std::vector<Range> parts;
    for (std::size_t k = range.first; k < range.last; ++k) parts.push_back({k, k + 1});
    return parts;
  }

  int block(const std::vector<Range>& parts, bool isLeaf) {
    const auto index = static_cast<int>(tree_.blocks_.size());
    tree_.blocks_.emplace_back();
    Block made;
    made.isLeaf = isLeaf;
    made.count = static_cast<int>(parts.size());
    for (std::size_t k = 0; k < 3; ++k) {
      made.boxes.center[k].setZero();
      made.boxes.half[k].setConstant(kUnused);
    }
    for (int lane = made.count; lane < kLanes; ++lane)
      for (unsigned char& without : made.without) without |= static_cast<unsigned char>(1u << lane);
    for (int lane = 0; lane < made.count; ++lane) setChild(parts[static_cast<std::size_t>(lane)], lane, made);
    tree_.blocks_[static_cast<std::size_t>(index)] = made;
    return index;
  }

  void setChild(const Range& part, int lane, Block& parent) {
    const auto at = static_cast<std::size_t>(lane);
    const Bounds all = boundsOf(part);
    const Vector3d center = 0.5 * (all.low + all.high), half = 0.5 * (all.high - all.low);
    for (Eigen::Index k = 0; k < 3; ++k) {
      // Along each axis for itself: the plane of a half-space is thin beside its extent.
      const double rounding = kFloatRounding * (std::abs(center[k]) + half[k]);
      parent.boxes.center[static_cast<std::size_t>(k)][lane] = static_cast<float>(center[k]);
      parent.boxes.half[static_cast<std::size_t>(k)][lane] = static_cast<float>(half[k] + rounding);
    }
    unsigned char kinds = 0;
    for (std::size_t k = part.first; k < part.last; ++k) kinds |= kind(order_[k]);
    const auto bit = static_cast<unsigned char>(1u << lane);
    parent.kinds[at] = kinds == kFlatFace ? kFlat : kinds == kStraightEdge ? kStraight : kKinds - 1;
    if (kinds == kFlatFace) {
      parent.without[kFlat] |= bit;
      parent.crossing[kStraight] |= bit;
    }
    if (kinds == kStraightEdge) parent.crossing[kFlat] |= bit;
    const bool isOfFeatures = part.size() <= kLanes;
    parent.size[at] = isOfFeatures ? -1 : static_cast<float>(half.squaredNorm());
    parent.child[at] = parent.isLeaf  ? order_[part.first]
                       : isOfFeatures ? block(features(part), true)
                                      : block(split(part), false);
  }

  std::vector<Bounds> boxes_;  // [m]; finite
  const std::vector<FeatureKind>& kinds_;
  FeatureTree& tree_;
  std::vector<int> order_;    // features: a range of them is a node
  std::vector<int> ordered_;  // by the best key so far
  std::vector<std::pair<double, int>> keyed_;
  std::vector<double> costs_;
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
