// Paths of parts in few poses: no omitted pose differs by more than the tolerance.
#include "runtime/export/motion_track.h"

#include <gtest/gtest.h>

#include <random>

namespace tenon::runtime {
namespace {

using physics::Pose;
using physics::Vector3d;

/// How far `motion` is from (time, X), for a point `reach` from the origin [m].
double offFrom(const content::GlbAnimation& motion, double time, const Pose& X, double reach) {
  std::size_t k = 0;
  while (k + 2 < motion.times.size() && motion.times[k + 1] < time) ++k;
  const double share = (time - motion.times[k]) / (motion.times[k + 1] - motion.times[k]);
  const Vector3d p = motion.poses[k].p + share * (motion.poses[k + 1].p - motion.poses[k].p);
  const double angle = X.q.angularDistance(motion.poses[k].q.slerp(share, motion.poses[k + 1].q));
  return (X.p - p).norm() + reach * angle;
}

TEST(MotionTrack, KeepsFewPosesAndLosesNoMoreThanItMay) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> step(0, 1);
  Pose X;
  Vector3d v = Vector3d::Zero(), w = Vector3d::Zero();
  std::vector<Pose> all;
  constexpr double kReach = 0.05, kTolerance = 1e-4, kStep = 0.01;
  MotionTrack track(kReach, kTolerance);
  for (int k = 0; k < 3000; ++k) {
    const bool rests = k % 1000 > 600;
    if (!rests) {
      v = 0.98 * v + 0.002 * Vector3d(step(random), step(random), step(random));
      w = 0.98 * w + 0.02 * Vector3d(step(random), step(random), step(random));
      X.p += kStep * v;
      X.q = (physics::exponential(kStep * w) * X.q).normalized();
    }
    all.push_back(X);
    track.add(k * kStep, X);
  }
  const content::GlbAnimation motion = track.finish();
  EXPECT_LT(motion.times.size(), all.size() / 4);
  EXPECT_EQ(motion.times.front(), 0);
  EXPECT_EQ(motion.times.back(), (static_cast<double>(all.size()) - 1) * kStep);
  for (std::size_t k = 0; k < all.size(); ++k)
    ASSERT_LE(offFrom(motion, static_cast<double>(k) * kStep, all[k], kReach), kTolerance * (1 + 1e-9)) << k;
}

TEST(MotionTrack, OfWhatRestsIsOnePose) {
  MotionTrack track(0.1, 1e-4);
  for (int k = 0; k < 500; ++k) track.add(0.01 * k, Pose::at({1, 2, 3}));
  const content::GlbAnimation motion = track.finish();
  ASSERT_EQ(motion.times.size(), 1U);
  EXPECT_EQ(motion.poses.front().p, Vector3d(1, 2, 3));
}

TEST(MotionTrack, BeginsToMoveWhereItDid) {
  MotionTrack track(0, 1e-4);
  for (int k = 0; k <= 300; ++k) track.add(k, Pose::at({k < 200 ? 0.0 : k - 199.0, 0, 0}));
  const content::GlbAnimation motion = track.finish();
  ASSERT_EQ(motion.times, (std::vector<double>{0, 199, 300}));
  EXPECT_EQ(motion.poses[1].p.x(), 0);
  EXPECT_EQ(motion.poses[2].p.x(), 101);
}

}  // namespace
}  // namespace tenon::runtime
