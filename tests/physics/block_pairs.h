// Pairs with a block with holes, and paths on which the other part approaches it, for the tests of their
// contacts.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "physics/collision/revolved/block_contacts.h"
#include "physics/collision/revolved/capsule_contacts.h"
#include "tests/physics/revolved_parts.h"
#include "tests/support/block_reference.h"
#include "tests/support/revolved_reference.h"

namespace tenon::test {

using Contacts = std::vector<physics::SurfaceContact>;

/// A solid P that moves about a solid K.
struct Pairing {
  std::string name;
  /// At X_KP: in K's frame, normals from P into K.
  std::function<Contacts(const Pose& X_KP, double range)> contacts;
  std::function<double(const Pose& X_KP)> separation;            ///< by brute force [m]
  std::function<double(const Vector3d&p)> toMoving, toStanding;  ///< distances, each in its frame [m]
  BlockWithHoles block;                                          ///< K, where it is one
};

/// Contacts found with K as A, in P's frame, as a Pairing needs them.
inline Contacts fromStanding(Contacts contacts, const Pose& X_KP) {
  for (physics::SurfaceContact& c : contacts) {
    c.p = X_KP * c.p;
    c.n = -(X_KP.q * c.n);
  }
  return contacts;
}

inline std::vector<Vector3d> boxCorners(const Vector3d& h) {
  std::vector<Vector3d> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(h.cwiseProduct(Vector3d(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  return corners;
}

inline Pairing hullInBlock(const std::string& name, const std::vector<Vector3d>& vertices,
                           const BlockWithHoles& block) {
  const ConvexSolid solid(vertices);
  const physics::PolytopeGeometry hull = prepare(physics::hullPolytope({vertices}));
  const physics::BlockGeometry b = prepare(block);
  return {name,
          [=](const Pose& X, double range) {
            Contacts found;
            blockPolytopeContacts(b, hull, X.inverse(), range, found);
            return fromStanding(found, X);
          },
          [=](const Pose& X) { return referenceSeparation(solid, block, X); },
          [=](const Vector3d& p) { return solid.distance(p); },
          [=](const Vector3d& p) { return referenceDistance(block, p); },
          block};
}

inline Pairing blockInBlock(const std::string& name, const BlockWithHoles& small,
                            const BlockWithHoles& block) {
  const physics::BlockGeometry a = prepare(small), b = prepare(block);
  return {name,
          [=](const Pose& X, double range) {
            Contacts found;
            blockBlockContacts(a, b, X, range, found);
            return found;
          },
          [=](const Pose& X) { return referenceSeparation(small, block, X); },
          [=](const Vector3d& p) { return referenceDistance(small, p); },
          [=](const Vector3d& p) { return referenceDistance(block, p); },
          block};
}

inline Pairing capsuleInBlock(const std::string& name, double radius, double halfLength,
                              const BlockWithHoles& block) {
  const CapsuleSolid solid{radius, halfLength};
  const physics::CapsuleGeometry capsule = physics::prepareCapsule(radius, halfLength);
  const physics::BlockGeometry b = prepare(block);
  return {name,
          [=](const Pose& X, double range) {
            Contacts found;
            blockCapsuleContacts(b, capsule, X.inverse(), range, found);
            return fromStanding(found, X);
          },
          [=](const Pose& X) { return referenceSeparation(solid, block, X); },
          [=](const Vector3d& p) { return solid.distance(p); },
          [=](const Vector3d& p) { return referenceDistance(block, p); },
          block};
}

/// The block of the pairing is only the end of paths.
inline Pairing capsuleAtTurned(const std::string& name, double radius, double halfLength,
                               const SolidOfRevolution& turned) {
  const CapsuleSolid solid{radius, halfLength};
  const physics::CapsuleGeometry capsule = physics::prepareCapsule(radius, halfLength);
  const physics::RevolvedGeometry b = prepare(turned);
  return {name,
          [=](const Pose& X, double range) {
            Contacts found;
            revolvedCapsuleContacts(b, capsule, X.inverse(), range, found);
            return fromStanding(found, X);
          },
          [=](const Pose& X) { return referenceSeparation(solid, turned, X); },
          [=](const Vector3d& p) { return solid.distance(p); },
          [=](const Vector3d& p) { return referenceDistance(turned, p); },
          boredBlock(1e-4)};
}

/// The other way round: K moves about P.
inline Pairing swapped(const BlockWithHoles& small, const BlockWithHoles& block) {
  Pairing pairing = blockInBlock("swapped", small, block);
  const physics::BlockGeometry a = prepare(small), b = prepare(block);
  pairing.contacts = [=](const Pose& X, double range) {
    Contacts found;
    blockBlockContacts(b, a, X.inverse(), range, found);
    return fromStanding(found, X);
  };
  return pairing;
}

/// A block of 12 × 10 × 16 mm with a chamfered hole of Ø 5 mm through it, a counterbored one, and a blind
/// one.
inline BlockWithHoles smallBlock() {
  BlockWithHoles block;
  block.halfExtents = {0.006, 0.005, 0.008};
  const Pose side{physics::exponential(Vector3d(0, std::numbers::pi / 2, 0)), {0.006, 0, -0.005}};
  block.cavities = {
      {"through", Pose::at({-0.0025, 0.001, 0.008}), {{0, 0.003}, {-0.0005, 0.0025}, {-0.016, 0.0025}}, true},
      {"blind", side, {{0, 0.0012}, {-0.001, 0.0012}, {-0.001, 0.0008}, {-0.0025, 0}}, false}};
  return block;
}

inline std::vector<Pairing> blockPairings() {
  const BlockWithHoles block = boredBlock(1e-4);
  Random random(60);
  std::vector<Vector3d> hull, spike{{0, 0, -0.006}};
  for (int k = 0; k < 10; ++k) hull.push_back(0.0035 * random.direction());
  for (int k = 0; k < 5; ++k)
    spike.push_back({0.0015 * std::cos(k * 1.2566), 0.0015 * std::sin(k * 1.2566), 0.012});
  return {hullInBlock("box for a side hole", boxCorners({0.0015, 0.001, 0.004}), block),
          hullInBlock("box for a counterbore", boxCorners({0.004, 0.004, 0.01}), block),
          hullInBlock("large box", boxCorners({0.015, 0.01, 0.008}), block),
          hullInBlock("hull", hull, block),
          hullInBlock("spike", spike, block),
          blockInBlock("cube with holes", smallBlock(), block),
          blockInBlock("two blocks", boredBlock(1e-3), block),
          blockInBlock("rod in a block",
                       BlockWithHoles{{0.0018, 0.0018, 0.012},
                                      {{"end", Pose::at({0, 0, 0.012}), {{0, 0.001}, {-0.004, 0}}, false}}},
                       block),
          capsuleInBlock("capsule for a counterbore", 0.0045, 0.01, block),
          capsuleInBlock("thin capsule", 0.0012, 0.006, block),
          capsuleInBlock("long capsule", 0.003, 0.06, block),
          capsuleAtTurned("capsule and a shaft with a groove", 0.002, 0.01, pegs()[3]),
          capsuleAtTurned("capsule and a screw", 0.004, 0.02, pegs()[2]),
          capsuleAtTurned("capsule and a cup", 0.0015, 0.004, pegs()[5])};
}

inline const physics::SurfaceContact& nearest(const Contacts& contacts) {
  return *std::min_element(contacts.begin(), contacts.end(),
                           [](const auto& x, const auto& y) { return x.separation < y.separation; });
}

constexpr double kEverything = 0.3;  ///< a range that leaves nothing out [m]

inline double least(const Pairing& pairing, const Pose& X) {
  // A small range is queried first: it is quicker.
  Contacts contacts = pairing.contacts(X, 0.005);
  if (contacts.empty()) contacts = pairing.contacts(X, kEverything);
  return contacts.empty() ? kEverything : nearest(contacts).separation;
}

struct ApproachToBlock {
  Pose X_KP;
  Vector3d towards = Vector3d::Zero();  ///< unit
};

/// Into a mouth, across its rim, from within a hole to anywhere, or from outside to anywhere.
inline ApproachToBlock approachToBlock(const Pairing& pairing, Random& random) {
  const BlockWithHoles& block = pairing.block;
  const auto rotation = [&] {
    const double tilt = random.below(2) == 0 ? std::pow(10, random.between(-6, -1)) : random.between(0, 3);
    const double azimuth = random.between(0, 2 * std::numbers::pi);
    const Vector3d axis(std::cos(azimuth), std::sin(azimuth), 0);
    return (physics::exponential(tilt * axis) *
            physics::exponential(Vector3d(0, 0, random.between(0, 2 * std::numbers::pi))))
        .normalized();
  };
  const int kind = random.below(4);
  const Pose X_KH = mouth(block, random.below(static_cast<int>(block.cavities.size())));
  if (kind < 2) {
    const double aside = kind == 0 ? std::pow(10, random.between(-6, -2.5)) : random.between(2e-3, 9e-3);
    const double azimuth = random.between(0, 2 * std::numbers::pi);
    const Vector3d p(aside * std::cos(azimuth), aside * std::sin(azimuth), 0.15);
    return {X_KH * Pose{rotation(), p}, X_KH.q * Vector3d(0, 0, -1)};
  }
  if (kind == 2) return {X_KH * Pose{rotation(), {0, 0, random.between(-0.008, 0.001)}}, random.direction()};
  const Vector3d u = random.direction();
  return {{rotation(), random.vector().cwiseProduct(0.7 * block.halfExtents) - 0.2 * u}, u};
}

/// P moved towards K until `gap` is left, by the reference's distances.
inline bool bringNear(const Pairing& pairing, double gap, ApproachToBlock& approach) {
  const bool isFarAway = approach.X_KP.p.norm() > 0.12;
  if (!isFarAway && pairing.separation(approach.X_KP) < gap) return false;
  for (int step = 0; step < 100; ++step) {
    const double d = least(pairing, approach.X_KP);
    if (d - gap < 1e-9) return true;
    if (approach.X_KP.p.norm() > 0.5) return false;
    approach.X_KP.p += (d - gap) * approach.towards;
  }
  return false;
}

}  // namespace tenon::test
