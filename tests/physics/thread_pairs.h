// Bolts and nuts for the tests of thread contacts, and their comparison with brute force.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "physics/collision/thread/thread_contacts.h"
#include "tests/physics/revolved_parts.h"
#include "tests/support/thread_reference.h"

namespace tenon::physics::thread_contacts_test {

using test::Random;
using test::referenceThreadDistance;

inline constexpr double kTurn = 2 * std::numbers::pi, kPitch = 1.25e-3;
inline constexpr double kTolerance = 1e-8;  // of distances [m]

/// M8 × 1.25, 10 mm long, 28 µm thinner than basic, both ends chamfered at 45°.
inline Thread bolt(int starts = 1, bool isLeftHanded = false) {
  Thread t = basicThread(8e-3, kPitch, false, -5e-3, 5e-3);
  for (double* diameter : {&t.majorDiameter, &t.pitchDiameter, &t.minorDiameter}) *diameter -= 28e-6;
  t.ends = {ThreadEnd{t.majorDiameter / 2 - 1e-3, 1e-3}, ThreadEnd{t.majorDiameter / 2 - 1e-3, 1e-3}};
  t.starts = starts;
  t.isLeftHanded = isLeftHanded;
  return t;
}

/// Its nut, 6.5 mm high and 50 µm wider than basic, countersunk with 120°.
inline Thread nut(int starts = 1, bool isLeftHanded = false) {
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
  /// Pose of the coaxial bolt, rotated by `angle`, in the middle of its play, and `dz` [m] above it.
  Pose engaged(double angle, double dz = 0) const {
    const double z = external.lead() * (angle + external.phase) / kTurn + external.pitch / 2;
    return {Quaterniond(Eigen::AngleAxisd(angle, Vector3d::UnitZ())), {0, 0, z + dz}};
  }
};

inline ThreadPair m8(Random& random) {
  const int starts = 1 + random.below(2);
  const bool isLeftHanded = random.below(2) == 1;
  ThreadPair pair{bolt(starts, isLeftHanded), nut(starts, isLeftHanded)};
  pair.external.phase = random.between(0, kTurn);
  pair.a = prepareThread(pair.external);
  return pair;
}

inline Quaterniond tilted(Random& random, double tilt) {
  const double phase = random.between(0, kTurn);
  return exponential(tilt * Vector3d(std::cos(phase), std::sin(phase), 0));
}

inline Quaterniond turned(Random& random, double tilt) {
  const Quaterniond q = tilted(random, tilt);
  return q * Quaterniond(Eigen::AngleAxisd(random.between(0, kTurn), Vector3d::UnitZ()));
}

/// A pose within the play of the engaged threads.
inline Pose engagedPose(const ThreadPair& pair, Random& random) {
  Pose X = pair.engaged(random.between(0, kTurn), random.between(-0.4, 0.4) * pair.play());
  X.q = tilted(random, 1e-3) * X.q;
  X.p += Vector3d(random.between(-2e-6, 2e-6), random.between(-2e-6, 2e-6), 0);
  return X;
}

/// The closest contact is as near as the surfaces are: no farther than brute force finds, and both of its
/// points lie on the surfaces, as do those of all other contacts that are apart.
inline void expectReference(const ThreadPair& pair, const Pose& X, double range) {
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

}  // namespace tenon::physics::thread_contacts_test
