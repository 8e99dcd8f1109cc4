// What is remembered of pairs gives the answers that asking would give, whatever moved them, and asks seldom.
#include "physics/step/distance_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "physics/collision/bullet/bullet_collider.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/convex_overlap.h"
#include "tests/support/counting_collider.h"

namespace tenon::physics {
namespace {

constexpr unsigned kSeed = 1996;

const Vector3d kHalf(0.01, 0.012, 0.008);

/// Parts that touch and part, each pair of which is a candidate. Of cylinders planes do not tell all.
class Crowd {
 public:
  static constexpr int kCount = 12;

  explicit Crowd(const Shape& shape = Cylinder{0.01, 0.008}) {
    for (int k = 0; k < kCount; ++k) {
      collider_.addBody(shape, Vector3d::Zero(), true);
      radius_.push_back(collider_.radius(BodyId{k}));
      poses_.push_back({Quaterniond::Identity(), 0.02 * Vector3d(k % 3, k / 3 % 2, k / 6)});
      for (int i = 0; i < k; ++i) pairs_.push_back({BodyId{i}, BodyId{k}});
    }
    std::sort(pairs_.begin(), pairs_.end());
    reach_.assign(kCount, 3e-5);
  }

  void walk(std::mt19937& random, double step) {
    std::normal_distribution<double> normal(0, 1);
    const auto any = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
    for (Pose& X : poses_) X = advance(X, step * any(), step / 0.01 * any(), 1);
  }
  void remember() { memory_.findTouching(collider_, poses_, radius_, pairs_, reach_, touching_); }
  std::vector<BodyPair> asked() const {
    std::vector<BodyPair> result;
    ContactSet contacts;
    for (const BodyPair& pair : pairs_) {
      contacts.clear();
      const int i = pair.i.value, j = pair.j.value;
      collider_.findContacts(pair, poses_[i], poses_[j], reach_[i] + reach_[j], contacts);
      if (!contacts.empty()) result.push_back(pair);
    }
    return result;
  }

  tests::CountingCollider collider_;
  DistanceCache memory_;
  std::vector<Pose> poses_;
  std::vector<double> radius_, reach_;
  std::vector<BodyPair> pairs_, touching_;
};

TEST(DistanceCache, AnswersAsAskingWould) {
  std::mt19937 random(kSeed);
  Crowd crowd;
  int touched = 0, changed = 0;
  std::vector<BodyPair> last;
  for (int k = 0; k < 600; ++k) {
    // Slowly, fast, not at all; and by a leap.
    const double step[] = {1e-7, 5e-6, 0, k % 97 == 0 ? 5e-3 : 1e-6};
    crowd.walk(random, step[k % 4]);
    for (double& reach : crowd.reach_) reach = 2e-5 + 3e-5 * static_cast<double>(random() % 3);
    crowd.remember();
    ASSERT_EQ(crowd.touching_, crowd.asked()) << k << ", seed " << kSeed;
    touched += static_cast<int>(crowd.touching_.size());
    changed += crowd.touching_ != last;
    last = crowd.touching_;
  }
  EXPECT_GT(touched, 100);
  EXPECT_GT(changed, 20) << "nothing came or went: the test tests nothing";
}

TEST(DistanceCache, AsksNobodyWherePlanesTellAll) {
  std::mt19937 random(kSeed);
  Crowd crowd(Box{kHalf});
  int touched = 0, more = 0;
  for (int k = 0; k < 600; ++k) {
    crowd.walk(random, k % 97 == 0 ? 5e-3 : 1e-5);
    crowd.collider_.count = 0;
    crowd.remember();
    EXPECT_EQ(crowd.collider_.count, 0);
    const std::vector<BodyPair> asked = crowd.asked();
    touched += static_cast<int>(asked.size());
    EXPECT_TRUE(std::includes(crowd.touching_.begin(), crowd.touching_.end(), asked.begin(), asked.end()));
    for (const BodyPair& pair : crowd.touching_) {
      if (std::binary_search(asked.begin(), asked.end(), pair)) continue;
      ++more;  // corners that face each other: no plane of theirs is as far from both as they are
      const int i = pair.i.value, j = pair.j.value;
      EXPECT_LE(
          -tests::overlapOf(tests::boxBody(kHalf, crowd.poses_[i]), tests::boxBody(kHalf, crowd.poses_[j])),
          crowd.reach_[i] + crowd.reach_[j]);
    }
  }
  EXPECT_GT(touched, 100);
  EXPECT_LT(more, touched / 20);
}

TEST(DistanceCache, AnswersAsAskingWouldWhenCylindersLeaveBoxes) {
  // How deep they are told to be in each other may be more than the way out.
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto any = [&] { return Vector3d(unit(random), unit(random), unit(random)); };
  const auto collider = makeBulletCollider();
  collider->addBody(Box{kHalf}, Vector3d::Zero(), true);
  collider->addBody(Cylinder{0.012, 0.008}, Vector3d::Zero(), true);
  const std::vector<double> radius{collider->radius(BodyId{0}), collider->radius(BodyId{1})},
      reach(2, 2.4e-5);
  const std::vector<BodyPair> pairs{{BodyId{0}, BodyId{1}}};
  for (int trial = 0; trial < 300; ++trial) {
    DistanceCache memory;
    std::vector<Pose> poses{{exponential(3 * any()), Vector3d::Zero()}, {exponential(3 * any()), {}}};
    const Vector3d way = any().normalized();
    const auto isIn = [&](double t) {
      ContactSet contacts;
      collider->findContacts(pairs[0], poses[0], {poses[1].q, t * way}, 0, contacts);
      return !contacts.empty();
    };
    double in = 0, out = 0.1;
    for (int k = 0; k < 40; ++k) (isIn(0.5 * (in + out)) ? in : out) = 0.5 * (in + out);
    std::vector<BodyPair> touching;
    for (double t = in - 2e-6; t < in + 2e-4; t += 5e-6) {
      poses[1].p = t * way;
      memory.findTouching(*collider, poses, radius, pairs, reach, touching);
      ContactSet contacts;
      collider->findContacts(pairs[0], poses[0], poses[1], reach[0] + reach[1], contacts);
      ASSERT_EQ(touching.empty(), contacts.empty()) << trial << ", " << t - in << ", seed " << kSeed;
    }
  }
}

TEST(DistanceCache, AsksSeldomWhereLittleMoves) {
  std::mt19937 random(kSeed);
  Crowd crowd;
  const auto run = [&](double step) {
    crowd.collider_.count = 0;
    for (int k = 0; k < 100; ++k) {
      crowd.walk(random, step);
      crowd.remember();
    }
    return crowd.collider_.count;
  };
  const int all = 100 * static_cast<int>(crowd.pairs_.size());
  run(0);
  EXPECT_EQ(run(0), 0);
  EXPECT_LT(run(1e-7), all / 20);
  EXPECT_GT(run(1e-3), all / 2) << "of leaps it knows nothing";
}

TEST(DistanceCache, AllocatesNothingASecondTime) {
  Crowd crowd;
  const std::vector<Pose> start = crowd.poses_;
  // The same way twice: the second time nothing is new to any buffer.
  const auto round = [&] {
    std::mt19937 random(kSeed);
    std::copy(start.begin(), start.end(), crowd.poses_.begin());
    for (int k = 0; k < 50; ++k) {
      crowd.walk(random, 1e-5);
      crowd.remember();
    }
  };
  round();
  round();
  const std::int64_t before = tests::allocationCount();
  round();
  EXPECT_EQ(tests::allocationCount(), before);
}

}  // namespace
}  // namespace tenon::physics
