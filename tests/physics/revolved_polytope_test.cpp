// Solids of revolution against convex polytopes, proven by planes: a normal along which two convex solids
// are separated by their distance proves that distance, whoever found it.
#include "physics/collision/revolved/revolved_polytope.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/physics/revolved_parts.h"
#include "tests/support/share.h"

namespace tenon::physics {
namespace {

using test::kShare;
using test::Random;

Hull randomHull(Random& random) {
  Hull hull;
  for (int k = 0; k < 12; ++k) hull.vertices.push_back(0.02 * random.direction());
  return hull;
}

// max of d · p over the vertices: over their hull.
double reach(const Hull& hull, const Vector3d& d) {
  double most = -1e9;
  for (const Vector3d& v : hull.vertices) most = std::max(most, d.dot(v));
  return most;
}

// max of d · p over a cylinder of the given radius from z = 0 to `length`.
double cylinderReach(double radius, double length, const Pose& X, const Vector3d& d) {
  const Vector3d axis = X.q * Vector3d::UnitZ();
  return d.dot(X.p) + std::max(0.0, length * d.dot(axis)) + radius * (d - axis * axis.dot(d)).norm();
}

TEST(RevolvedPolytope, DistancesOfPointsAreProvenByPlanes) {
  SCOPED_TRACE("seed 51");
  Random random(51);
  for (int shape = 0; shape < 20; ++shape) {
    const Hull hull = randomHull(random);
    const PolytopeGeometry g = prepare(hullPolytope(hull));
    for (int k = 0; k < 1000; ++k) {
      const Vector3d p = 0.02 * random.vector();
      const SurfaceHit hit = nearestOn(g, p);
      ASSERT_NEAR(hit.normal.norm(), 1, 1e-12);
      const Vector3d foot = p - hit.distance * hit.normal;
      const double separation = hit.normal.dot(p) - reach(hull, hit.normal);
      ASSERT_NEAR(separation, hit.distance, 1e-12);
      double outermost = -1;
      for (const FlatFeatures::Face& face : g.flat.faces)
        outermost = std::max(outermost, face.normal.dot(foot) - face.offset);
      ASSERT_NEAR(outermost, 0, 1e-12);
    }
  }
}

TEST(RevolvedPolytope, LeastDistanceToAHullIsProvenByItsNormal) {
  Random random(52);
  int proven = 0;
  for (int k = 0; k < 3000 / kShare; ++k) {
    SCOPED_TRACE("seed 52, pose " + std::to_string(k));
    const Hull hull = randomHull(random);
    const PolytopeGeometry b = prepare(hullPolytope(hull));
    const RevolvedGeometry a = prepare(test::cylinder(0.005, 0.03));
    Pose X{exponential(2 * random.vector()), 0.03 * random.direction()};
    std::vector<SurfaceContact> contacts;
    const auto look = [&] {
      contacts.clear();
      revolvedPolytopeContacts(a, b, X, 1, contacts);
      return *std::min_element(contacts.begin(), contacts.end(),
                               [](auto& x, auto& y) { return x.separation < y.separation; });
    };
    SurfaceContact c = look();
    if (c.separation <= 1e-6) continue;
    for (const double gap : {1.0, 1e-4, 1e-7}) {
      if (c.separation > gap) X.p += (c.separation - gap) * c.n;
      c = look();
      const double separation = -reach(hull, -c.n) - cylinderReach(0.005, 0.03, X, c.n);
      ASSERT_NEAR(c.separation, separation, 1e-9) << "gap " << gap;
      ++proven;
    }
  }
  EXPECT_GT(proven, 3000 / kShare);
}

TEST(RevolvedPolytope, ABoxIsTheSameAsABlockWithoutCavities) {
  Random random(53);
  const Vector3d h(0.02, 0.015, 0.01);
  const PolytopeGeometry box = prepare(boxPolytope(h));
  const BlockGeometry block = prepare(BlockWithHoles{h, {}});
  const auto pegs = test::pegs();
  for (int k = 0; k < 2000; ++k) {
    SCOPED_TRACE("seed 53, pose " + std::to_string(k));
    const RevolvedGeometry a = prepare(pegs[static_cast<std::size_t>(k) % pegs.size()]);
    const Pose X{exponential(2 * random.vector()), 0.025 * random.vector()};
    std::vector<SurfaceContact> one, two;
    revolvedPolytopeContacts(a, box, X, 0.01, one);
    revolvedBlockContacts(a, block, X, 0.01, two);
    ASSERT_EQ(one.size(), two.size());
    const auto shallower = [](const SurfaceContact& x, const SurfaceContact& y) {
      return x.separation < y.separation;
    };
    std::sort(one.begin(), one.end(), shallower);
    std::sort(two.begin(), two.end(), shallower);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_NEAR(one[i].separation, two[i].separation, 1e-12);
  }
}

TEST(RevolvedPolytope, GluedPiecesAreRefused) {
  Polytope piece = boxPolytope({1, 1, 1});
  piece.faces[0].internal = true;
  EXPECT_THROW(prepare(piece), std::invalid_argument);
}

}  // namespace
}  // namespace tenon::physics
