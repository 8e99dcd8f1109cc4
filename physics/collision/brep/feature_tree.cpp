// See feature_tree.h.
#include "physics/collision/brep/feature_tree.h"

#include <algorithm>
#include <cmath>

namespace tenon::physics::brep {
namespace {

/// Half side of a box without end [m]: finite, so that sums remain numbers, and beyond all positions of parts
/// by so little that rounding stays below 0.1 nm.
constexpr double kEndless = 1e5;

}  // namespace

int FeatureTree::buildRange(const std::vector<Bounds>& boxes, std::vector<int>& order, std::size_t first,
                            std::size_t last) {
  Bounds all;
  for (std::size_t k = first; k < last; ++k) include(all, boxes[static_cast<std::size_t>(order[k])]);
  all.low = all.low.cwiseMax(-kEndless);
  all.high = all.high.cwiseMin(kEndless);
  Node node;
  node.center = 0.5 * (all.low + all.high);
  node.half = 0.5 * (all.high - all.low);
  if (last - first == 1) {
    node.feature = order[first];
  } else {
    const auto middleOf = [&](int k, Eigen::Index axis) {
      const Bounds& box = boxes[static_cast<std::size_t>(k)];
      return std::max(box.low[axis], -kEndless) + std::min(box.high[axis], kEndless);
    };
    Eigen::Index axis = 0;
    node.half.maxCoeff(&axis);
    const std::size_t middle = first + (last - first) / 2;
    const auto begin = order.begin();
    std::nth_element(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
                     begin + static_cast<std::ptrdiff_t>(last), [&](int k, int l) {
                       const double x = middleOf(k, axis), y = middleOf(l, axis);
                       return x < y || (x == y && k < l);
                     });
    node.left = buildRange(boxes, order, first, middle);
    node.right = buildRange(boxes, order, middle, last);
  }
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}

void FeatureTree::build(const std::vector<Bounds>& boxes) {
  nodes_.clear();
  if (boxes.empty()) return;
  std::vector<int> order(boxes.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
  nodes_.reserve(2 * boxes.size());
  buildRange(boxes, order, 0, boxes.size());
}

// By slabs; boxes grown by a nanometer.
bool FeatureTree::isOnRay(const Node& node, const Vector3d& p, const Vector3d& d) {
  double from = 0, to = HUGE_VAL;
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double half = node.half[k] + 1e-9, middle = node.center[k] - p[k];
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

void FeatureTree::findPairs(const FeatureTree& a, const FeatureTree& b, const RigidTransform& X_BA,
                            double distance, std::vector<std::pair<int, int>>& pairs,
                            std::vector<std::pair<int, int>>& stack) {
  if (a.nodes_.empty() || b.nodes_.empty()) return;
  const Matrix3d turned = X_BA.R.cwiseAbs();
  stack.clear();
  stack.emplace_back(static_cast<int>(a.nodes_.size()) - 1, static_cast<int>(b.nodes_.size()) - 1);
  while (!stack.empty()) {
    const auto [k, l] = stack.back();
    stack.pop_back();
    const Node &m = a.nodes_[static_cast<std::size_t>(k)], &n = b.nodes_[static_cast<std::size_t>(l)];
    // Separating axes: those of b's box, then those of a's.
    const Vector3d between = X_BA.point(m.center) - n.center;
    const Vector3d reach = turned * m.half + n.half + Vector3d::Constant(distance);
    if ((between.array().abs() > reach.array()).any()) continue;
    const Vector3d reachA = m.half + turned.transpose() * n.half + Vector3d::Constant(distance);
    if (((X_BA.R.transpose() * between).array().abs() > reachA.array()).any()) continue;
    if (m.left < 0 && n.left < 0) {
      pairs.emplace_back(m.feature, n.feature);
    } else if (n.left < 0 || (m.left >= 0 && m.half.squaredNorm() >= n.half.squaredNorm())) {
      stack.emplace_back(m.left, l);
      stack.emplace_back(m.right, l);
    } else {
      stack.emplace_back(k, n.left);
      stack.emplace_back(k, n.right);
    }
  }
}

}  // namespace tenon::physics::brep
