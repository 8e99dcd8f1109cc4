// Contacts of an external in an internal thread against brute force over both surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/geometry/revolved_shapes.h"
#include "tests/physics/thread_pairs.h"

namespace tenon::physics::thread_contacts_test {
namespace {

TEST(ThreadContacts, BasicProfileHasTheDiametersOfIso724) {
  // ISO 724:1993, M8 × 1.25: d2 = 7.188, d1 = 6.647; M10 × 1.5: 9.026, 8.376; M24 × 3: 22.051, 20.752 mm.
  const double table[][4] = {{8, 1.25, 7.188, 6.647}, {10, 1.5, 9.026, 8.376}, {24, 3, 22.051, 20.752}};
  for (const auto& row : table) {
    const Thread t = basicThread(1e-3 * row[0], 1e-3 * row[1], true, 0, 0.02);
    EXPECT_NEAR(1e3 * t.pitchDiameter, row[2], 5.1e-4);
    EXPECT_NEAR(1e3 * t.minorDiameter, row[3], 5.1e-4);
  }
}

TEST(ThreadContacts, TheirFlanksAreAsFarApartAsTheirPlay) {
  const ThreadPair pair{bolt(), nut()};
  // Two equal helicoids displaced along the axis are closest at the smallest common radius.
  const double h = kPitch / kTurn, inner = pair.internal.minorDiameter / 2;
  for (const double gap : {1e-9, 1e-7, 1e-6, 5e-6}) {
    const double expected = gap / std::sqrt(1 + 1.0 / 3 + h * h / (inner * inner));
    const double z = kPitch / 2 - pair.play() + gap;
    const double secondOrder = 1e-12 + 0.5 * gap * gap;  // with a curvature below 1/m
    EXPECT_NEAR(pair.least(Pose::at({0, 0, z}), 1e-4), expected, secondOrder) << gap;
    EXPECT_NEAR(pair.least(Pose::at({0, 0, kPitch / 2 + pair.play() - gap}), 1e-4), expected, secondOrder)
        << gap;
  }
}

TEST(ThreadContacts, ABoltAdvancesByItsLeadInATurn) {
  Random random(7);
  for (int k = 0; k < 4; ++k) {
    const ThreadPair pair = m8(random);
    const auto contactHeight = [&](double angle, double near) {
      double low = near - 2e-6, high = near + 2e-6;  // overlap below
      while (high - low > 1e-12) {
        const double z = 0.5 * (low + high);
        const Pose X{Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())), {0, 0, z}};
        (pair.least(X, 1e-4) < 0 ? low : high) = z;
      }
      return 0.5 * (low + high);
    };
    const double lead = pair.external.lead();
    const double start = lead * pair.external.phase / kTurn + kPitch / 2 - pair.play();
    const double first = contactHeight(0, start - std::floor(start / std::abs(lead)) * std::abs(lead));
    for (const double turns : {0.1, 0.37, 0.5, 1.0, 2.0})
      EXPECT_NEAR(contactHeight(turns * kTurn, first + turns * lead) - first, turns * lead, 1e-9) << turns;
  }
}

TEST(ThreadContacts, EngagedThreadsAreAsFarApartAsBruteForceFinds) {
  Random random(11);
  for (int k = 0; k < 4; ++k) {
    const ThreadPair pair = m8(random);
    Pose X{turned(random, random.between(0, 2e-3)),
           {random.between(-8e-6, 8e-6), random.between(-8e-6, 8e-6), random.between(-6e-3, 6e-3)}};
    double best = -1, height = 0;
    for (int step = 0; step < 64; ++step) {
      Pose Y = X;
      Y.p.z() += step * kPitch / 64;
      const double separation = pair.least(Y, 2e-4);
      if (separation > best) best = separation, height = Y.p.z();
    }
    X.p.z() = height + random.between(-8e-6, 8e-6);
    SCOPED_TRACE(testing::Message() << "seed 11, pose " << k);
    expectReference(pair, X, 1e-4);
  }
}

/// Four starts on 4 mm, with a lead angle of 30° at the crests of the nut, which is 60 µm wider.
ThreadPair steep() {
  Thread external = basicThread(4e-3, kPitch, false, -5e-3, 5e-3);
  Thread internal = basicThread(4e-3, kPitch, true, -3e-3, 3e-3);
  external.starts = internal.starts = 4;
  for (double* diameter : {&internal.majorDiameter, &internal.pitchDiameter, &internal.minorDiameter})
    *diameter += 60e-6;
  return {external, internal};
}

TEST(ThreadContacts, ALargerRangeAddsContactsAndChangesNone) {
  Random random(14);
  for (int k = 0; k < 10; ++k) {
    const ThreadPair pair = k % 2 == 0 ? m8(random) : steep();
    const Pose X = engagedPose(pair, random);
    const auto few = pair.contacts(X, 2.5e-5), many = pair.contacts(X, 2e-4);
    SCOPED_TRACE(testing::Message() << "seed 14, pose " << k);
    EXPECT_GE(few.size(), 10U);
    const auto contains = [](const std::vector<SurfaceContact>& contacts, const SurfaceContact& c) {
      return std::any_of(contacts.begin(), contacts.end(), [&](const SurfaceContact& other) {
        return other.feature == c.feature && std::abs(other.separation - c.separation) < 1e-14;
      });
    };
    for (const SurfaceContact& c : few) EXPECT_TRUE(contains(many, c)) << std::hex << c.feature;
    for (const SurfaceContact& c : many) {
      if (c.separation > 1e-6) {
        EXPECT_TRUE(contains(pair.contacts(X, 1.0001 * c.separation), c)) << std::hex << c.feature;
      }
    }
    for (std::size_t i = 1; i < many.size(); ++i) EXPECT_LT(many[i - 1].feature, many[i].feature);
  }
}

TEST(ThreadContacts, SwappedThreadsHaveTheSameDistances) {
  Random random(15);
  for (int k = 0; k < 10; ++k) {
    const ThreadPair pair = m8(random);
    const Pose X = engagedPose(pair, random);
    std::vector<SurfaceContact> swapped;
    threadContacts(pair.b, pair.a, X.inverse(), 1e-4, swapped);
    double least = 1e-4;
    for (const SurfaceContact& c : swapped) least = std::min(least, c.separation);
    EXPECT_NEAR(least, pair.least(X, 1e-4), 1e-13);
    EXPECT_LT(least, 5e-5) << "seed 15, pose " << k;
  }
}

TEST(ThreadContacts, NormalsAreGradientsOfTheDistances) {
  Random random(16);
  const double step = 1e-8;
  for (int k = 0; k < 4; ++k) {
    const ThreadPair pair = m8(random);
    const Pose X = engagedPose(pair, random);
    int compared = 0;
    for (const SurfaceContact& c : pair.contacts(X, 5e-5)) {
      const Vector3d d = random.direction();
      double change = 0;
      int found = 0;
      for (const double side : {-1.0, 1.0}) {
        Pose Y = X;
        Y.p += side * step * d;
        for (const SurfaceContact& other : pair.contacts(Y, 1e-4))
          if (other.feature == c.feature) change += side * other.separation, ++found;
      }
      if (found != 2) continue;
      EXPECT_NEAR(change / (2 * step), -c.n.dot(d), 1e-4) << std::hex << c.feature;
      ++compared;
    }
    EXPECT_GE(compared, 10) << "seed 16, pose " << k;
  }
}

/// The same contact point of the same part, in the part's frame.
bool isSame(const SurfaceContact& a, const Pose& X_NA, const SurfaceContact& b, const Pose& X_NB) {
  const bool isOfBolt = a.feature >> 31 == 0;
  const Vector3d p = isOfBolt ? Vector3d(X_NA.inverse() * a.p - X_NB.inverse() * b.p) : Vector3d(a.p - b.p);
  const Vector3d n =
      isOfBolt ? Vector3d(X_NA.q.conjugate() * a.n - X_NB.q.conjugate() * b.n) : Vector3d(a.n - b.n);
  return a.feature >> 29 == b.feature >> 29 && p.norm() < 1e-9 && n.norm() < 1e-6;
}

TEST(ThreadContacts, FeaturesAreTheSameOverAWholeRevolution) {
  Random random(17);
  for (int k = 0; k < 4; ++k) {
    const ThreadPair pair = m8(random);
    int compared = 0;
    Pose X = pair.engaged(0);
    std::vector<SurfaceContact> contacts = pair.contacts(X, 5e-5);
    for (int step = 1; step <= 180; ++step) {
      const Pose next = pair.engaged(kTurn * step / 180);
      const std::vector<SurfaceContact> following = pair.contacts(next, 5e-5);
      for (const SurfaceContact& c : contacts) {
        bool isFound = false, hasItsFeature = false;
        for (const SurfaceContact& other : following) {
          if (!isSame(c, X, other, next)) continue;
          isFound = true;
          hasItsFeature = hasItsFeature || other.feature == c.feature;
        }
        compared += isFound ? 1 : 0;
        EXPECT_EQ(hasItsFeature, isFound)
            << "seed 17, pair " << k << ", step " << step << std::hex << ' ' << c.feature;
      }
      X = next;
      contacts = following;
    }
    EXPECT_GE(compared, 1800);
  }
}

TEST(ThreadContacts, OverlapOfFlanksIsAsDeepAsTheirPlayIsExceeded) {
  const ThreadPair pair{bolt(), nut()};
  // Two equal helicoids that overlap along the axis are deepest at the largest common radius.
  const double h = kPitch / kTurn, outer = pair.external.majorDiameter / 2;
  for (const double overlap : {1e-8, 1e-7, 1e-6, 5e-6}) {
    const double expected = -overlap / std::sqrt(1 + 1.0 / 3 + h * h / (outer * outer));
    for (const double side : {-1.0, 1.0})
      EXPECT_NEAR(pair.least(pair.engaged(0.3, side * (pair.play() + overlap)), 1e-4), expected,
                  1e-12 + 0.5 * overlap * overlap)
          << side * overlap;
  }
}

TEST(ThreadContacts, InvalidThreadsAreRefused) {
  const auto problem = [](auto change) {
    Thread t = nut();
    change(t);
    return problemWith(t).value_or("");
  };
  EXPECT_EQ(problem([](Thread&) {}), "");
  EXPECT_NE(problem([](Thread& t) { t.pitch = 0; }).find("pitch"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.minorDiameter = -1e-3; }).find("ascend"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.minorDiameter = 4e-3; }).find("teeth"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.majorDiameter = 9e-3; }).find("grooves"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.starts = 5; }).find("starts"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.high = t.low; }).find("longer"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.ends[0].length = 7e-3; }).find("meet"), std::string::npos);
  EXPECT_NE(problem([](Thread& t) { t.ends[1].radius = 3e-3; }).find("countersink"), std::string::npos);
  SolidOfRevolution solid = threadedSolid(nut());
  EXPECT_EQ(problemWith(solid).value_or(""), "");
  solid.thread->high += 1e-3;
  EXPECT_NE(problemWith(solid).value_or("").find("blank"), std::string::npos);
  EXPECT_EQ(problemWith(threadedSolid(bolt())).value_or(""), "");
}

}  // namespace
}  // namespace tenon::physics::thread_contacts_test
