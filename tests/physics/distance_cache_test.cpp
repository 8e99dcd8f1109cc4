// DistanceCache: its results equal those of collision queries for any motion, with few queries.
#include "physics/step/distance_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/convex_overlap.h"
#include "tests/support/counting_collider.h"

namespace tenon::physics::distance_cache_test {
namespace {

constexpr unsigned kSeed = 1996;

const Vector3d kHalf(0.01, 0.012, 0.008);

/// Parts that touch and separate; every pair is a candidate. For cylinders the cached planes are not exact.
class Cluster {
 public:
  static constexpr int kCount = 12;

  explicit Cluster(const Shape& shape = Cylinder{0.01, 0.008}) {
    for (int k = 0; k < kCount; ++k) {
      collider_.addBody(shape, Vector3d::Zero(), true);
      radius_.push_back(collider_.radius(BodyId{k}));
      poses_.push_back(Pose::at(0.02 * Eigen::Vector3i(k % 3, k / 3 % 2, k / 6).cast<double>()));
      for (int i = 0; i < k; ++i) pairs_.push_back({BodyId{i}, BodyId{k}});
    }
    std::sort(pairs_.begin(), pairs_.end());
    margin_.assign(kCount, 3e-5);
    thickness_.assign(kCount, std::numeric_limits<double>::infinity());
  }

  void walk(std::mt19937& random, double step) {
    std::normal_distribution<double> normal(0, 1);
    const auto any = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
    for (Pose& X : poses_) X = advance(X, step * any(), step / 0.01 * any(), 1);
  }
  void update() {
    cache_.findTouching(collider_, poses_, radius_, pairs_, margin_, thickness_, {}, touching_);
  }
  std::vector<BodyPair> queried() const {
    std::vector<BodyPair> result;
    ContactSet contacts;
    for (const BodyPair& pair : pairs_) {
      contacts.clear();
      const int i = pair.i.value, j = pair.j.value;
      collider_.findContacts(pair, poses_[i], poses_[j], margin_[i] + margin_[j], contacts);
      if (!contacts.empty()) result.push_back(pair);
    }
    return result;
  }

  tests::CountingCollider collider_;
  DistanceCache cache_;
  std::vector<Pose> poses_;
  std::vector<double> radius_, margin_, thickness_;
  std::vector<BodyPair> pairs_, touching_;
};

TEST(DistanceCache, EqualsQueriesUnderRandomMotion) {
  std::mt19937 random(kSeed);
  Cluster cluster;
  int touched = 0, changed = 0;
  std::vector<BodyPair> last;
  for (int k = 0; k < 600; ++k) {
    // Slowly, fast, not at all, and by a jump.
    const double step[] = {1e-7, 5e-6, 0, k % 97 == 0 ? 5e-3 : 1e-6};
    cluster.walk(random, step[k % 4]);
    for (double& margin : cluster.margin_) margin = 2e-5 + 3e-5 * static_cast<double>(random() % 3);
    cluster.update();
    ASSERT_EQ(cluster.touching_, cluster.queried()) << k << ", seed " << kSeed;
    touched += static_cast<int>(cluster.touching_.size());
    changed += cluster.touching_ != last;
    last = cluster.touching_;
  }
  EXPECT_GT(touched, 100);
  EXPECT_GT(changed, 20) << "no contact began or ended: the test checks nothing";
}

TEST(DistanceCache, NeedsNoQueryWhereSatIsExact) {
  std::mt19937 random(kSeed);
  Cluster cluster(Box{kHalf});
  int touched = 0, more = 0;
  for (int k = 0; k < 600; ++k) {
    cluster.walk(random, k % 97 == 0 ? 5e-3 : 1e-5);
    cluster.collider_.count = 0;
    cluster.update();
    EXPECT_EQ(cluster.collider_.count, 0);
    const std::vector<BodyPair> queried = cluster.queried();
    touched += static_cast<int>(queried.size());
    EXPECT_TRUE(
        std::includes(cluster.touching_.begin(), cluster.touching_.end(), queried.begin(), queried.end()));
    for (const BodyPair& pair : cluster.touching_) {
      if (std::binary_search(queried.begin(), queried.end(), pair)) continue;
      ++more;  // facing corners: the best separating plane underestimates their distance
      const int i = pair.i.value, j = pair.j.value;
      EXPECT_LE(-tests::overlapOf(tests::boxBody(kHalf, cluster.poses_[i]),
                                  tests::boxBody(kHalf, cluster.poses_[j])),
                cluster.margin_[i] + cluster.margin_[j]);
    }
  }
  EXPECT_GT(touched, 100);
  EXPECT_LT(more, touched / 20);
}

TEST(DistanceCache, EqualsQueriesWhenCylindersLeaveBoxes) {
  // The reported depth of an overlap may be more than the displacement that ends it.
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
  const auto collider = makeBulletCollider();
  collider->addBody(Box{kHalf}, Vector3d::Zero(), true);
  collider->addBody(Cylinder{0.012, 0.008}, Vector3d::Zero(), true);
  const std::vector<double> radius{collider->radius(BodyId{0}), collider->radius(BodyId{1})},
      margin(2, 2.4e-5), thickness(2, std::numeric_limits<double>::infinity());
  const std::vector<BodyPair> pairs{{BodyId{0}, BodyId{1}}};
  for (int trial = 0; trial < 300; ++trial) {
    DistanceCache cache;
    std::vector<Pose> poses{{exponential(3 * any()), Vector3d::Zero()}, {exponential(3 * any()), {}}};
    const Vector3d direction = any().normalized();
    const auto isIn = [&](double t) {
      ContactSet contacts;
      collider->findContacts(pairs[0], poses[0], {poses[1].q, t * direction}, 0, contacts);
      return !contacts.empty();
    };
    double in = 0, out = 0.1;
    for (int k = 0; k < 40; ++k) (isIn(0.5 * (in + out)) ? in : out) = 0.5 * (in + out);
    std::vector<BodyPair> touching;
    for (double t = in - 2e-6; t < in + 2e-4; t += 5e-6) {
      poses[1].p = t * direction;
      cache.findTouching(*collider, poses, radius, pairs, margin, thickness, {}, touching);
      ContactSet contacts;
      collider->findContacts(pairs[0], poses[0], poses[1], margin[0] + margin[1], contacts);
      ASSERT_EQ(touching.empty(), contacts.empty()) << trial << ", " << t - in << ", seed " << kSeed;
    }
  }
}

TEST(DistanceCache, NeedsFewQueriesForSmallMotion) {
  std::mt19937 random(kSeed);
  Cluster cluster;
  const auto run = [&](double step) {
    cluster.collider_.count = 0;
    for (int k = 0; k < 100; ++k) {
      cluster.walk(random, step);
      cluster.update();
    }
    return cluster.collider_.count;
  };
  const int all = 100 * static_cast<int>(cluster.pairs_.size());
  run(0);
  EXPECT_EQ(run(0), 0);
  EXPECT_LT(run(1e-7), all / 20);
  EXPECT_GT(run(1e-3), all / 2) << "jumps need queries";
}

TEST(DistanceCache, AllocatesNothingOnTheSecondRun) {
  Cluster cluster;
  const std::vector<Pose> start = cluster.poses_;
  // The same motion twice: the second time all buffers are large enough.
  const auto round = [&] {
    std::mt19937 random(kSeed);
    std::copy(start.begin(), start.end(), cluster.poses_.begin());
    for (int k = 0; k < 50; ++k) {
      cluster.walk(random, 1e-5);
      cluster.update();
    }
  };
  round();
  round();
  const std::int64_t before = tests::allocationCount();
  round();
  EXPECT_EQ(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics::distance_cache_test
