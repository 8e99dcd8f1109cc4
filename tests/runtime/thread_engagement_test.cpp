// Phases of a pair of threads, from poses and contacts, and the words for them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "content/fits/iso965.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/report/diagnosis_text.h"

namespace tenon::runtime {
namespace {

using physics::Pose;
using physics::Quaterniond;
using std::numbers::pi;

constexpr double kPitch = 1.25e-3, kDegree = pi / 180;

content::ThreadPair pairOf(double boltPitch = kPitch, bool isLeft = false) {
  content::ThreadPair pair;
  pair.external = physics::basicThread(8e-3, boltPitch, false, 0, 20e-3);
  pair.external.pitchDiameter -= 0.2e-3;
  pair.external.isLeftHanded = isLeft;
  pair.internal = physics::basicThread(8e-3, kPitch, true, -16e-3, 0);
  return pair;
}

/// A bolt above the hole, its tip at the origin of its part; the hole's mouth is at z = 0.
struct Screw {
  explicit Screw(const content::ThreadPair& pair) : watch(pair) {}

  /// The bolt at this depth, angle and tilt, with this force inside the hole.
  void go(double depth, double turns, double tilt, double force, double seconds = 0.001) {
    time += seconds;
    const Quaterniond turned(Eigen::AngleAxisd(-2 * pi * turns, Vector3d::UnitZ()));
    const Quaterniond tilted(Eigen::AngleAxisd(tilt, Vector3d::UnitY()));
    const Pose X_HP{tilted * turned, {0, 0, -depth}};
    InsertionPose stand;
    stand.tip_H = X_HP.p;
    stand.direction_H = X_HP.q * Vector3d(0, 0, -1);
    std::vector<InsertionContactPoint> points(1);
    points[0].p_H = {3.5e-3, 0, -std::max(depth, 0.0) / 2};
    points[0].force = force;
    watch.add(time, X_HP, stand, points, 0, true);
  }
  /// At two turns, with an axial force out of the bolt's threads [N].
  void pull(double force, bool converged) {
    time += 0.001;
    const Pose X_HP = Pose::at({0, 0, -2 * kPitch});
    InsertionPose stand;
    stand.tip_H = X_HP.p;
    stand.direction_H = Vector3d(0, 0, -1);
    std::vector<InsertionContactPoint> points(1);
    points[0].p_H = {3.5e-3, 0, -kPitch};
    points[0].n_H = Vector3d(0, 0, -1);
    points[0].force = force;
    watch.add(time, X_HP, stand, points, 0, converged);
  }
  const ThreadEngagement& state() const { return watch.state(); }

  ThreadWatch watch;
  double time = 0;
};

TEST(ThreadEngagement, countsTheTurnsOfAStartedThread) {
  Screw screw(pairOf());
  screw.go(-5e-3, 0, 0, 0);
  EXPECT_EQ(screw.state().phase, ThreadPhase::apart);
  for (int k = 0; k <= 400; ++k) screw.go(k * 0.01 * kPitch, k * 0.01, 0, 1);
  EXPECT_EQ(screw.state().phase, ThreadPhase::started);
  EXPECT_NEAR(screw.state().turns, 4, 1e-9);
  EXPECT_NEAR(screw.state().driven, 4, 0.011);
  EXPECT_NEAR(screw.state().startedTurns(), 4, 1e-9);
  EXPECT_NEAR(screw.state().freeTilt,
              (pairOf().internal.pitchDiameter - pairOf().external.pitchDiameter) * std::tan(pi / 6) /
                  pairOf().external.pitchDiameter,
              1e-12);
  for (int k = 400; k >= 0; --k) screw.go(k * 0.01 * kPitch, k * 0.01, 0, 1);
  EXPECT_EQ(screw.state().phase, ThreadPhase::atMouth);
  EXPECT_NEAR(screw.state().driven, 0, 0.011);
  screw.go(-3e-3, 0, 0, 0);
  EXPECT_EQ(screw.state().phase, ThreadPhase::apart);
}

TEST(ThreadEngagement, countsTheTurnsOfALeftHandedThreadTheOtherWay) {
  content::ThreadPair pair = pairOf(kPitch, true);
  pair.internal.isLeftHanded = true;
  Screw screw(pair);
  for (int k = 0; k <= 200; ++k) screw.go(k * 0.01 * kPitch, -k * 0.01, 0, 1);
  EXPECT_TRUE(screw.state().isMatching);
  EXPECT_NEAR(screw.state().driven, 2, 0.011);
}

TEST(ThreadEngagement, isCrossedWhileItIsTiltedAndDoesNotFollowItsHelix) {
  Screw screw(pairOf());
  for (int k = 0; k <= 100; ++k) screw.go(0.2e-3, k * 0.01, 5 * kDegree, 3);
  EXPECT_TRUE(screw.state().isCrossed());
  EXPECT_NEAR(screw.state().tilt, 5 * kDegree, 1e-9);
  EXPECT_LE(screw.state().boundAt, 0.5);
  EXPECT_NEAR(screw.state().boundDepth, 0.2e-3, 1e-12);
  // It stays crossed after the release, and not once it is upright.
  screw.go(0.2e-3, 1, 5 * kDegree, 0, 0.5);
  EXPECT_TRUE(screw.state().isCrossed());
  screw.go(0.2e-3, 1, 0.1 * kDegree, 1);
  EXPECT_FALSE(screw.state().isCrossed());
}

TEST(ThreadEngagement, isNotCrossedAtItsMouthWithoutATurn) {
  Screw screw(pairOf());
  for (int k = 0; k < 500; ++k) screw.go(-0.1e-3, 0, 5 * kDegree, 3);
  EXPECT_EQ(screw.state().phase, ThreadPhase::atMouth);
  Screw free(pairOf());  // within the play of its flanks
  for (int k = 0; k < 500; ++k) free.go(0.2e-3, 0.01 * k, 1.2 * free.state().freeTilt, 3);
  EXPECT_EQ(free.state().phase, ThreadPhase::atMouth);
}

TEST(ThreadEngagement, besideTheHoleIsApart) {
  content::ThreadPair pair = pairOf();
  pair.X_HI = Pose::at({20e-3, 0, 0});
  Screw screw(pair);
  for (int k = 0; k <= 200; ++k) screw.go(k * 0.01 * kPitch, k * 0.01, 0, 1);
  EXPECT_EQ(screw.state().phase, ThreadPhase::apart);
  EXPECT_EQ(screw.state().turns, 0);
}

// Forces that pull the bolt into the hole: −z on it.
TEST(ThreadEngagement, theLargestPreloadIsThatOfStepsThatConverged) {
  Screw screw(pairOf());
  for (int k = 0; k <= 200; ++k) screw.go(k * 0.01 * kPitch, k * 0.01, 0, 1);
  EXPECT_EQ(screw.state().maxPreload, 0);
  screw.pull(300, true);
  EXPECT_NEAR(screw.state().maxPreload, 300, 1e-9);
  screw.pull(9000, false);
  EXPECT_NEAR(screw.state().preload, 9000, 1e-9);
  screw.pull(100, true);
  EXPECT_NEAR(screw.state().maxPreload, 300, 1e-9) << "it stays";
}

TEST(ThreadEngagement, isDescribedInWords) {
  content::Goal goal;
  goal.turns = 3;
  goal.depth = 5e-3;
  GoalResult result;
  const auto after = [&](const content::ThreadPair& pair, double turns, double tilt, Verdict verdict) {
    Screw screw(pair);
    for (int k = 0; k <= 200; ++k) screw.go(turns * k / 200 * kPitch + 0.1e-3, turns * k / 200, tilt, 2);
    result.thread = screw.state();
    result.verdict = verdict;
    return explanationOf(result, goal);
  };
  EXPECT_NE(after(pairOf(), 3.5, 0, Verdict::started).find("started: 3.58 turns of M8 in M8"),
            std::string::npos);
  EXPECT_NE(after(pairOf(), 2, 0, Verdict::pending).find("the thread is started: 2.08 of 3 turns"),
            std::string::npos);
  EXPECT_NE(after(pairOf(), 0.2, 0, Verdict::released).find("not started: at its mouth"), std::string::npos);
  EXPECT_NE(after(pairOf(1e-3), 2, 0, Verdict::jammed).find("wrong pitch: M8x1 in M8"), std::string::npos);
  EXPECT_NE(after(pairOf(kPitch, true), 2, 0, Verdict::jammed).find("wrong hand: M8 left-handed in M8"),
            std::string::npos);
  const std::string crossed = after(pairOf(), 2, 5 * kDegree, Verdict::crossThreaded);
  EXPECT_EQ(crossed.find("cross-threaded by 5.000°: "), 0u) << crossed;
  EXPECT_NE(crossed.find("it bound after"), std::string::npos) << crossed;
}

}  // namespace
}  // namespace tenon::runtime
