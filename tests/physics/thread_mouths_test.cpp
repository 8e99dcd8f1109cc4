// Contacts of a bolt at the mouths of a nut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/physics/thread_pairs.h"

namespace tenon::physics::thread_contacts_test {
namespace {

/// Rotated by half a turn about x: threads whose phase is 0 and whose ends are equal are the same again.
Pose mirrored(const Pose& X) {
  const Pose half{exponential(Vector3d(kTurn / 2, 0, 0)), Vector3d::Zero()};
  return half * X * half.inverse();
}

std::vector<double> edgePairDistances(const std::vector<SurfaceContact>& contacts) {
  std::vector<double> distances;
  for (const SurfaceContact& c : contacts)
    if ((c.feature >> 29 & 3) == 2) distances.push_back(c.separation);
  std::sort(distances.begin(), distances.end());
  return distances;
}

/// A tilted bolt where it first touches the nut, from above (side = 1) or below.
Pose firstTouch(const ThreadPair& pair, Random& random, double tilt, double side) {
  const double away = random.between(0, 1e-4), phase = random.between(0, kTurn);
  Pose X{turned(random, tilt), {away * std::cos(phase), away * std::sin(phase), side * 9e-3}};
  double step = 2e-5;
  while (pair.least(X, 1e-4) >= 0 && side * X.p.z() > 0) X.p.z() -= side * step;
  for (; step > 1e-12; step *= 0.5)
    X.p.z() += pair.least(X, 1e-4) < 0 ? 0.5 * side * step : -0.5 * side * step;
  return X;
}

TEST(ThreadMouths, BothMouthsHaveTheSameContacts) {
  Random random(21);
  std::size_t edgePairs = 0;
  for (int k = 0; k < 60; ++k) {
    const int starts = 1 + random.below(2);
    const bool isLeftHanded = random.below(2) == 1;
    const ThreadPair pair{bolt(starts, isLeftHanded), nut(starts, isLeftHanded)};
    Pose X = firstTouch(pair, random, random.between(0, 0.1), 1);
    X.p.z() += random.between(-5e-6, 2e-5);
    const Pose Y = mirrored(X);
    SCOPED_TRACE(testing::Message() << "seed 21, pose " << k);
    EXPECT_NEAR(pair.least(X, 1e-4), pair.least(Y, 1e-4), 1e-12);
    const auto above = edgePairDistances(pair.contacts(X, 1e-4)),
               below = edgePairDistances(pair.contacts(Y, 1e-4));
    ASSERT_EQ(above.size(), below.size());
    for (std::size_t i = 0; i < above.size(); ++i) EXPECT_NEAR(above[i], below[i], 1e-12);
    edgePairs += above.size();
  }
  EXPECT_GE(edgePairs, 50U);
}

TEST(ThreadMouths, ThreadsAreAsFarApartAsBruteForceFinds) {
  Random random(22);
  for (int k = 0; k < 6; ++k) {
    const ThreadPair pair = m8(random);
    const double side = k % 2 == 0 ? 1 : -1;
    Pose X = firstTouch(pair, random, random.between(0, 0.1), side);
    X.p.z() += side * random.between(5e-7, 1e-5);
    SCOPED_TRACE(testing::Message() << "seed 22, pose " << k);
    expectReference(pair, X, 1e-4);
  }
}

TEST(ThreadMouths, OverlapIsAsDeepAsTheBoltHasMoved) {
  Random random(23);
  for (int k = 0; k < 200; ++k) {
    const ThreadPair pair = m8(random);
    const double side = k % 2 == 0 ? 1 : -1;
    Pose X = firstTouch(pair, random, random.between(0, k % 4 < 2 ? 0.1 : 0.005), side);
    const std::vector<SurfaceContact> contacts = pair.contacts(X, 1e-9);
    SCOPED_TRACE(testing::Message() << "seed 23, pose " << k);
    ASSERT_FALSE(contacts.empty());
    const auto touching = std::min_element(
        contacts.begin(), contacts.end(),
        [](const SurfaceContact& a, const SurfaceContact& b) { return a.separation < b.separation; });
    const double along = std::abs(touching->n.z());
    for (const double moved : {1e-8, 1e-7, 1e-6, 4e-6}) {
      Pose Y = X;
      Y.p.z() -= side * moved;
      EXPECT_GE(pair.least(Y, 1e-4), -moved - 1e-11) << "to be moved back by " << moved << " is sufficient";
      EXPECT_LE(pair.least(Y, 1e-4), -moved * along + 1e-11 + 3e3 * moved * moved) << moved;
    }
  }
}

TEST(ThreadMouths, ABoltTooThickRestsOnTheCountersink) {
  // The tip of an M10 ends in a circle of 8 mm, coaxial with the cone of the nut, 8.2 mm wide.
  ThreadPair pair{bolt(), nut()};
  pair.external = basicThread(10e-3, 1.5e-3, false, -5e-3, 5e-3);
  pair.external.ends = {ThreadEnd{4e-3, 1e-3}, ThreadEnd{4e-3, 1e-3}};
  pair.a = prepareThread(pair.external);
  const double slope = std::tan(kTurn / 6);  // of the countersink with 120°, radius over height
  for (const double side : {-1.0, 1.0}) {
    for (const double gap : {5e-6, -5e-6}) {
      const double z = 3.25e-3 - 0.1e-3 / slope + 5e-3;
      const Pose X{Quaterniond(Eigen::AngleAxisd(0.7, Vector3d::UnitZ())), {0, 0, side * (z + gap)}};
      const auto contacts = pair.contacts(X, 2e-5);
      EXPECT_NEAR(pair.least(X, 2e-5), gap * std::sin(kTurn / 6), 1e-12);
      // Around the axis: beyond any line through it some contacts are on either side.
      for (double angle = 0; angle < kTurn; angle += kTurn / 36) {
        const Vector3d outwards(std::cos(angle), std::sin(angle), 0);
        EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(), [&](const SurfaceContact& c) {
          return c.p.dot(outwards) > 1e-3;
        })) << angle;
      }
    }
  }
}

}  // namespace
}  // namespace tenon::physics::thread_contacts_test
