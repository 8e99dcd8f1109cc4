// Contacts of an external in an internal thread against brute force over both surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/geometry/revolved_shapes.h"
#include "physics/collision/thread/thread_contacts.h"
#include "tests/physics/revolved_parts.h"
#include "tests/support/thread_reference.h"

namespace tenon::physics::thread_contacts_test {
namespace {

using test::Random;
using test::referenceThreadDistance;

constexpr double kTurn = 2 * std::numbers::pi, kPitch = 1.25e-3;
constexpr double kTolerance = 1e-8;  // of distances [m]

/// M8 × 1.25, 10 mm long, 28 µm thinner than basic, both ends chamfered at 45°.
Thread bolt(int starts = 1, bool isLeftHanded = false) {
  Thread t = basicThread(8e-3, kPitch, false, -5e-3, 5e-3);
  for (double* diameter : {&t.majorDiameter, &t.pitchDiameter, &t.minorDiameter}) *diameter -= 28e-6;
  t.ends = {ThreadEnd{t.majorDiameter / 2 - 1e-3, 1e-3}, ThreadEnd{t.majorDiameter / 2 - 1e-3, 1e-3}};
  t.starts = starts;
  t.isLeftHanded = isLeftHanded;
  return t;
}

/// Its nut, 6.5 mm high and 50 µm wider than basic, countersunk with 120°.
Thread nut(int starts = 1, bool isLeftHanded = false) {
  Thread t = basicThread(8e-3, kPitch, true, -3.25e-3, 3.25e-3);
  t.pitchDiameter += 50e-6;
  t.minorDiameter += 100e-6;
  const double width = 4.1e-3 - t.minorDiameter / 2;
  t.ends = {ThreadEnd{4.1e-3, width / std::tan(std::numbers::pi / 3)},
            ThreadEnd{4.1e-3, width / std::tan(std::numbers::pi / 3)}};
  t.starts = starts;
  t.isLeftHanded = isLeftHanded;
  return t;
}

/// A bolt and a nut, and the contacts at poses of the bolt in the nut's frame.
struct ThreadPair {
  Thread external, internal;
  ThreadGeometry a = prepareThread(external), b = prepareThread(internal);

  std::vector<SurfaceContact> contacts(const Pose& X_NB, double range) const {
    std::vector<SurfaceContact> found;
    threadContacts(a, b, X_NB, range, found);
    return found;
  }
  double least(const Pose& X_NB, double range) const {
    double separation = range;
    for (const SurfaceContact& c : contacts(X_NB, range)) separation = std::min(separation, c.separation);
    return separation;
  }
  /// Axial play of the coaxial threads to either side, from the middle [m].
  double play() const {
    return std::tan(external.halfAngle) * (internal.pitchDiameter - external.pitchDiameter) / 2;
  }
};

ThreadPair m8(Random& random) {
  const int starts = 1 + random.below(2);
  const bool isLeftHanded = random.below(2) == 1;
  ThreadPair pair{bolt(starts, isLeftHanded), nut(starts, isLeftHanded)};
  pair.external.phase = random.between(0, kTurn);
  pair.a = prepareThread(pair.external);
  return pair;
}

Quaterniond turned(Random& random, double tilt) {
  const double phase = random.between(0, kTurn);
  return exponential(tilt * Vector3d(std::cos(phase), std::sin(phase), 0)) *
         Quaterniond(Eigen::AngleAxisd(random.between(0, kTurn), Vector3d::UnitZ()));
}

/// The closest contact is as near as the surfaces are: no farther than brute force finds, and both of its
/// points lie on the surfaces, as do those of all other contacts that are apart.
void expectReference(const ThreadPair& pair, const Pose& X, double range) {
  const std::vector<SurfaceContact> contacts = pair.contacts(X, range);
  const double reference = referenceThreadDistance(pair.external, pair.internal, X);
  double least = range;
  for (const SurfaceContact& c : contacts) {
    least = std::min(least, c.separation);
    const Vector3d p_B = X.inverse() * c.p;
    if (c.separation < -1e-9) {
      EXPECT_EQ(referenceThreadDistance(pair.external, p_B), 0) << std::hex << c.feature;
      EXPECT_EQ(referenceThreadDistance(pair.internal, c.p), 0) << std::hex << c.feature;
    }
    if (c.separation <= 0) continue;
    const Vector3d onBolt = c.p - 0.5 * c.separation * c.n, onNut = c.p + 0.5 * c.separation * c.n;
    EXPECT_LE(referenceThreadDistance(pair.external, X.inverse() * onBolt), 1e-9) << std::hex << c.feature;
    EXPECT_LE(referenceThreadDistance(pair.internal, onNut), 1e-9) << std::hex << c.feature;
  }
  if (reference == 0) {
    EXPECT_LE(least, 1e-9) << "the threads overlap";
  } else if (reference < range) {
    EXPECT_LE(least, reference + kTolerance);
  }
}

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

TEST(ThreadContacts, ALargerRangeAddsContactsAndChangesNone) {
  Random random(14);
  for (int k = 0; k < 10; ++k) {
    const ThreadPair pair = m8(random);
    const double lead = pair.external.lead();
    const Pose X{turned(random, 2e-3), {2e-6, 0, lead * random.between(0, 1)}};
    const auto few = pair.contacts(X, 2e-5), many = pair.contacts(X, 2e-4);
    EXPECT_GE(many.size(), few.size());
    for (const SurfaceContact& c : few) {
      const auto same = std::find_if(many.begin(), many.end(),
                                     [&](const SurfaceContact& other) { return other.feature == c.feature; });
      ASSERT_NE(same, many.end()) << std::hex << c.feature;
      EXPECT_NEAR(same->separation, c.separation, 1e-14);
    }
    for (std::size_t i = 1; i < many.size(); ++i) EXPECT_LT(many[i - 1].feature, many[i].feature);
  }
}

TEST(ThreadContacts, SwappedThreadsHaveTheSameDistances) {
  Random random(15);
  for (int k = 0; k < 10; ++k) {
    const ThreadPair pair = m8(random);
    const Pose X{turned(random, 1e-3), {1e-6, 2e-6, random.between(-4e-3, 4e-3)}};
    std::vector<SurfaceContact> swapped;
    threadContacts(pair.b, pair.a, X.inverse(), 1e-4, swapped);
    double least = 1e-4;
    for (const SurfaceContact& c : swapped) least = std::min(least, c.separation);
    EXPECT_NEAR(least, pair.least(X, 1e-4), 1e-13);
  }
}

TEST(ThreadContacts, NormalsAreGradientsOfTheDistances) {
  Random random(16);
  const ThreadPair pair{bolt(), nut()};
  const Pose X{turned(random, 1e-3), {2e-6, -1e-6, kPitch / 2}};
  const double step = 1e-8;
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
    if (found == 2) {
      EXPECT_NEAR(change / (2 * step), -c.n.dot(d), 1e-4) << std::hex << c.feature;
    }
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
