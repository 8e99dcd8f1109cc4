// The tree of features against loops over all of them.
#include "physics/collision/brep/feature_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace tenon::physics::brep {
namespace {

struct Features {
  std::vector<Bounds> boxes;
  std::vector<FeatureKind> kinds;
  FeatureTree tree;
};

class FeatureTrees : public ::testing::Test {
 protected:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vector3d point(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Pose pose(double size) { return {exponential(point(3)), point(size)}; }

  // Of all kinds and shapes: points, lines along an axis, many at one place, one without end.
  Features draw(int count) {
    Features made;
    for (int k = 0; k < count; ++k) {
      Vector3d half = point(2e-3).cwiseAbs();
      if (k % 3 == 1) half.setZero();
      if (k % 5 == 2) half = {0, 0, 10e-3};
      const Vector3d center = k % 7 == 3 ? Vector3d(1e-3, 2e-3, 3e-3) : point(20e-3);
      made.boxes.push_back({center - half, center + half});
      made.kinds.push_back(
          std::array{kFlatFace, kStraightEdge, kOtherFeature}[static_cast<std::size_t>(k % 3)]);
    }
    if (count == 40) made.boxes[7].high.z() = HUGE_VAL;
    made.tree.build(made.boxes, made.kinds);
    return made;
  }

  std::mt19937 random_{11};
};

// The largest distance along the axes of either frame [m].
double gapOf(const Bounds& a, const Bounds& b, const RigidTransform& X_BA) {
  const auto along = [](const Bounds& x, const Bounds& y) {
    return (x.low - y.high).cwiseMax(y.low - x.high).maxCoeff();
  };
  const auto finite = [](const Bounds& box) {
    return Bounds{box.low.cwiseMax(-1e5), box.high.cwiseMin(1e5)};
  };
  const Bounds one = finite(a), two = finite(b);
  return std::max(along(rotatedBounds(one, X_BA), two), along(rotatedBounds(two, X_BA.inverse()), one));
}

// Boxes in single precision are larger by some millionths of their coordinates, which a box without end has
// of 1e5 m.
TEST_F(FeatureTrees, PairsAreThoseOfAllFeatures) {
  constexpr double kDistance = 1e-3, kRounding = 1e-6;
  std::size_t all = 0;
  for (const auto& [n, m] : {std::pair(1, 1), {3, 5}, {40, 4}, {300, 40}, {2500, 9}, {17, 1300}}) {
    const Features a = draw(n), b = draw(m);
    Pose X = pose(15e-3);
    for (int step = 0; step < 4; ++step, X.p += point(2e-6)) {  // near the last one: its list is used again
      const RigidTransform X_BA{X.q.toRotationMatrix(), X.p};
      std::vector<std::pair<int, int>> pairs;
      FeatureTree::findPairs(a.tree, b.tree, X_BA, kDistance, 0, pairs);
      const std::set<std::pair<int, int>> found(pairs.begin(), pairs.end());
      EXPECT_EQ(found.size(), pairs.size());
      all += found.size();
      for (int k = 0; k < n; ++k)
        for (int l = 0; l < m; ++l) {
          const FeatureKind one = a.kinds[static_cast<std::size_t>(k)],
                            two = b.kinds[static_cast<std::size_t>(l)];
          const bool isNone = one == kFlatFace && two == kFlatFace,
                     isCrossing = (one | two) == (kFlatFace | kStraightEdge);
          const double gap =
              gapOf(a.boxes[static_cast<std::size_t>(k)], b.boxes[static_cast<std::size_t>(l)], X_BA);
          const double reach = isCrossing ? 0 : kDistance;
          const bool isEndless = !std::isfinite(a.boxes[static_cast<std::size_t>(k)].high.z()) ||
                                 !std::isfinite(b.boxes[static_cast<std::size_t>(l)].high.z());
          if (found.contains({k, l}))
            EXPECT_TRUE(!isNone && (isEndless || gap <= reach + kRounding)) << k << " " << l << " " << gap;
          else
            EXPECT_TRUE(isNone || gap > reach) << k << " " << l << " " << gap;
        }
    }
  }
  EXPECT_GT(all, 300u);
}

TEST_F(FeatureTrees, FeaturesNearAPointAndOnARayAreFound) {
  for (const int n : {1, 4, 40, 2000, 70000}) {  // of the last, nodes are built in parts
    const Features a = draw(n);
    for (int k = 0; k < 20; ++k) {
      const Vector3d p = point(20e-3), d = point(1).normalized();
      std::set<int> near, onRay;
      a.tree.forEachNear(p, 1e-3, [&](int feature) { EXPECT_TRUE(near.insert(feature).second); });
      a.tree.forEachOnRay(p, d, [&](int feature) { EXPECT_TRUE(onRay.insert(feature).second); });
      for (int feature = 0; feature < n; ++feature) {
        const Bounds& box = a.boxes[static_cast<std::size_t>(feature)];
        if ((p.array() >= box.low.array() - 1e-3).all() && (p.array() <= box.high.array() + 1e-3).all()) {
          EXPECT_TRUE(near.contains(feature));
        }
        const Vector3d middle = 0.5 * (box.low + box.high.cwiseMin(1));
        const double t = d.dot(middle - p);
        const Vector3d q = p + t * d;  // of the ray, nearest to the middle
        if (t > 0 && (q.array() >= box.low.array()).all() && (q.array() <= box.high.array()).all()) {
          EXPECT_TRUE(onRay.contains(feature));
        }
      }
      EXPECT_LT(near.size(), static_cast<std::size_t>(n) / 4 + 2);
    }
  }
}

}  // namespace
}  // namespace tenon::physics::brep
