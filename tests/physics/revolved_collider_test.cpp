// Solids of revolution and blocks with holes through the collider, a hundred thousand poses against distances
// from their definitions; and the pairs for which Bullet's dispatcher finds them.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "physics/body/mass_properties.h"
#include "physics/collision/bullet/bullet_collider.h"
#include "physics/collision/bullet/narrowphase.h"
#include "physics/collision/geometry/shape_conversions.h"
#include "tests/physics/revolved_parts.h"
#include "tests/support/revolved_reference.h"
#include "tests/support/share.h"

namespace tenon::physics::revolved_collider_test {
namespace {

using std::numbers::pi;
using test::kShare;
using test::Random;

const BodyPair kPair{BodyId{0}, BodyId{1}};

// Two bodies, the first one first.
struct Two {
  std::unique_ptr<Collider> collider = makeBulletCollider();
  Two(const Shape& i, const Shape& j) {
    collider->addBody(i, Vector3d::Zero(), true);
    collider->addBody(j, Vector3d::Zero(), true);
  }
  ContactSet contacts(const Pose& X_WI, const Pose& X_WJ, double range) const {
    ContactSet found;
    collider->findContacts(kPair, X_WI, X_WJ, range, found);
    return found;
  }
};

double least(const ContactSet& contacts, double otherwise) {
  double separation = otherwise;
  for (const Contact& c : contacts) separation = std::min(separation, c.separation);
  return separation;
}

// Over a mouth of the block: coaxial, within the clearance, tilted up to 90°, the other way round, across the
// rim; or anywhere.
Pose poseAbout(const BlockWithHoles& block, double length, Random& random) {
  const Pose X_BH = test::mouth(block, random.below(static_cast<int>(block.cavities.size())));
  const int kind = random.below(6);
  const double spin = random.between(0, 2 * pi), azimuth = random.between(0, 2 * pi);
  double tilt = 0, aside = 0, z = random.between(-0.02, 0.002);
  if (kind == 1)
    tilt = std::pow(10, random.between(-6, -1.3)), aside = std::pow(10, random.between(-7, -3.5));
  if (kind == 2) tilt = random.between(0, pi / 2), aside = random.between(0, 0.01);
  if (kind == 3) tilt = pi - std::pow(10, random.between(-6, -0.5)), z += length;
  if (kind == 4)
    tilt = random.between(0, 0.6), aside = random.between(0.003, 0.008), z = random.between(-1e-3, 1e-3);
  const Quaterniond q = exponential(tilt * Vector3d(std::cos(azimuth), std::sin(azimuth), 0)) *
                        exponential(Vector3d(0, 0, spin));
  if (kind == 5)
    return {exponential(pi * random.direction()), random.vector().cwiseProduct(Vector3d(0.03, 0.03, 0.02))};
  return X_BH * Pose{q.normalized(), Vector3d(aside * std::cos(spin), aside * std::sin(spin), z)};
}

// Every contact is a point of one surface and the point of the other surface closest to it.
void expectTrueDistance(const Contact& c, const SolidOfRevolution& peg, const Pose& X_WP,
                        const BlockWithHoles& block, const Pose& X_WB) {
  ASSERT_NEAR(c.n.norm(), 1, 1e-12);
  if (c.separation < 0 && (c.feature >> 3 & 3) == 3)
    return;  // an axis in the other part: reported, not measured
  const Vector3d onPeg = X_WP.inverse() * (c.p - 0.5 * c.separation * c.n);
  const Vector3d onBlock = X_WB.inverse() * (c.p + 0.5 * c.separation * c.n);
  ASSERT_LE(std::abs(test::referenceDistance(peg, onPeg)), 1e-9) << "δ " << c.separation;
  ASSERT_LE(std::abs(test::referenceDistance(block, onBlock)), 1e-9) << "δ " << c.separation;
  if (c.separation < 0 && (c.feature >> 3 & 3) == 2)
    return;  // crossed edges: measured along their common normal
  const double fromPeg = test::referenceDistance(block, X_WB.inverse() * (X_WP * onPeg));
  const double fromBlock = test::referenceDistance(peg, X_WP.inverse() * (X_WB * onBlock));
  ASSERT_LE(std::min(std::abs(fromPeg - c.separation), std::abs(fromBlock - c.separation)), 1e-9)
      << "δ " << c.separation;
}

TEST(RevolvedCollider, EveryContactOfAHundredThousandPosesIsTheDistanceOfItsPoint) {
  Random random(71);
  const auto pegs = test::pegs();
  std::size_t checked = 0;
  for (int k = 0; k < 50 / kShare + 1; ++k) {
    const SolidOfRevolution& peg = pegs[static_cast<std::size_t>(k) % pegs.size()];
    const BlockWithHoles block = test::boredBlock(std::pow(10, random.between(-6, -3)));
    const Two bodies(peg, block);
    for (int pose = 0; pose < 2000; ++pose) {
      SCOPED_TRACE("seed 71, block " + std::to_string(k) + ", pose " + std::to_string(pose));
      const Pose X_WB{exponential(random.vector()), random.vector()};
      const Pose X_WP = X_WB * poseAbout(block, peg.profile.back().x(), random);
      const ContactSet contacts = bodies.contacts(X_WP, X_WB, 1e-3);
      if (least(contacts, 1) < -1e-4) continue;  // no assembly: how deep, is for the shallow ones
      for (const Contact& c : contacts)
        ASSERT_NO_FATAL_FAILURE(expectTrueDistance(c, peg, X_WP, block, X_WB));
      checked += contacts.size();
    }
  }
  EXPECT_GT(checked, 100000U / kShare);
}

TEST(RevolvedCollider, SwappedBodiesAndAnyFrameGiveTheSameContacts) {
  Random random(72);
  const auto pegs = test::pegs();
  int compared = 0, sameNearest = 0;
  for (int k = 0; k < 5000 / kShare; ++k) {
    SCOPED_TRACE("seed 72, pose " + std::to_string(k));
    const SolidOfRevolution& peg = pegs[static_cast<std::size_t>(k) % pegs.size()];
    static const BlockWithHoles block = test::boredBlock(1e-5);
    static std::vector<std::unique_ptr<Two>> forth, back;
    if (forth.size() < pegs.size()) {
      forth.push_back(std::make_unique<Two>(peg, block));
      back.push_back(std::make_unique<Two>(block, peg));
    }
    const std::size_t which = static_cast<std::size_t>(k) % pegs.size();
    const Pose X_BP = poseAbout(block, peg.profile.back().x(), random);
    const Pose X_WB{exponential(random.vector()), random.vector()};
    const ContactSet one = forth[which]->contacts(X_BP, Pose{}, 1e-3);
    const ContactSet two = back[which]->contacts(X_WB, X_WB * X_BP, 1e-3);
    // Borders of what is listed may fall between the roundings of two frames.
    if (one.size() != two.size()) continue;
    if (least(one, 1) < -1e-4) continue;  // deep inside, the nearest of two exits is as uncertain
    ++compared;
    std::vector<double> a, b;
    for (const Contact& c : one) a.push_back(c.separation);
    for (const Contact& c : two) b.push_back(c.separation);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-11);
    // The nearest of them is the same point, unless another one is as near.
    if (a.empty() || a[0] < 1e-8 || (a.size() > 1 && a[1] < a[0] + 1e-7)) continue;
    const auto nearer = [](const Contact& x, const Contact& y) { return x.separation < y.separation; };
    const Contact &c = *std::min_element(one.begin(), one.end(), nearer),
                  &d = *std::min_element(two.begin(), two.end(), nearer);
    // Along a rim of a part that is hardly tilted its place is as uncertain as rounding is to the tilt.
    const Vector3d axis = (X_BP.q * Vector3d::UnitZ()).cwiseAbs();
    if (axis.maxCoeff() > 0.9999 || axis.minCoeff() < 0.01) continue;
    ++sameNearest;
    ASSERT_LE((X_WB * c.p - d.p).norm(), 1e-7);
    ASSERT_LE((X_WB.q * c.n + d.n).norm(), 1e-6);
  }
  EXPECT_GT(compared, 1000 / kShare);
  EXPECT_GT(sameNearest, 50 / kShare);
}

TEST(RevolvedCollider, FeaturesAreUniqueAndOrdered) {
  Random random(73);
  const SolidOfRevolution peg = test::pegs()[2];
  const BlockWithHoles block = test::boredBlock(1e-4);
  const Compound screw{{{Cylinder{0.0055, 0.0025}, Pose::at({0, 0, 0.0325})},
                        {Cylinder{0.0025, 0.015}, Pose::at({0, 0, 0.015})}}};
  const Two whole(peg, block), glued(screw, block);
  for (int k = 0; k < 2000; ++k) {
    const Pose X = poseAbout(block, 0.035, random);
    for (const Two* bodies : {&whole, &glued}) {
      const ContactSet contacts = bodies->contacts(X, Pose{}, 1e-3);
      for (std::size_t i = 1; i < contacts.size(); ++i)
        ASSERT_LT(contacts[i - 1].feature, contacts[i].feature);
    }
  }
}

// Cylinders and frustums, alone or glued together, meet a block with holes as the solid of revolution that
// they are.
TEST(RevolvedCollider, ACompoundOfCylindersIsAsNearAsTheTurnedPart) {
  Random random(74);
  const BlockWithHoles block = test::boredBlock(1e-4);
  const Compound screw{{{Cylinder{0.0055, 0.0025}, Pose::at({0, 0, 0.0325})},
                        {Cylinder{0.0025, 0.015}, Pose::at({0, 0, 0.015})}}};
  const Two whole(test::pegs()[2], block), glued(screw, block);
  int near = 0;
  for (int k = 0; k < 5000; ++k) {
    SCOPED_TRACE("seed 74, pose " + std::to_string(k));
    const Pose X = poseAbout(block, 0.035, random);
    const double expected = least(whole.contacts(X, Pose{}, 1e-3), 1e-3);
    if (expected < 0) continue;
    ASSERT_NEAR(least(glued.contacts(X, Pose{}, 1e-3), 1e-3), expected, 1e-12);
    near += expected < 1e-3 ? 1 : 0;
  }
  EXPECT_GT(near, 300);
}

TEST(RevolvedCollider, TheFacetedBlockTendsToTheExactOne) {
  Random random(75);
  const double radius = 0.00505;
  BlockWithHoles exact{{0.02, 0.02, 0.01}, {}};
  exact.cavities.push_back(
      {"h", Pose::at({0, 0, 0.01}), {{0, radius + 1e-3}, {-1e-3, radius}, {-0.02, radius}}, true});
  const SolidOfRevolution peg = test::cylinder(0.005, 0.06);
  const Two reference(peg, exact);
  for (const int sectors : {32, 64, 128, 256}) {
    const Two faceted(peg,
                      FacetedBlock{exact.halfExtents, {{"h", {0, 0}, radius, 1e-3, 1e-3, 0.02}}, sectors});
    // Corners of the facets are further out by this.
    const double corner = (radius + 1e-3) * (1 / std::cos(pi / sectors) - 1);
    for (int k = 0; k < 100; ++k) {
      SCOPED_TRACE("seed 75, sectors " + std::to_string(sectors) + ", pose " + std::to_string(k));
      const double azimuth = random.between(0, 2 * pi);
      const Quaterniond q =
          exponential(random.between(0, 4e-3) * Vector3d(std::cos(azimuth), std::sin(azimuth), 0));
      const Pose X{
          q, Vector3d(random.between(-1e-5, 1e-5), random.between(-1e-5, 1e-5), random.between(-0.008, 0.0))};
      const double a = least(reference.contacts(X, Pose{}, 1e-3), 1e-3),
                   b = least(faceted.contacts(X, Pose{}, 1e-3), 1e-3);
      if (a < 0) continue;
      ASSERT_GE(b, a - 1e-9);
      ASSERT_LE(b, a + corner + 1e-9);
    }
  }
}

TEST(RevolvedCollider, BoredBlocksStandOnFloorsAndOnEachOther) {
  const BlockWithHoles block = test::boredBlock(1e-4);
  for (const Shape& below : {Shape(HalfSpace{}), Shape(Box{{0.1, 0.1, 0.01}}), Shape(block)}) {
    const double top = std::holds_alternative<HalfSpace>(below) ? 0 : 0.01;
    auto collider = makeBulletCollider();
    collider->addBody(below, Vector3d::Zero(), false);
    collider->addBody(block, Vector3d::Zero(), true);
    for (const double gap : {1e-6, -1e-6}) {
      ContactSet contacts;
      collider->findContacts(kPair, Pose{}, Pose::at({0, 0, top + 0.01 + gap}), 1e-5, contacts);
      ASSERT_GE(contacts.size(), 3U) << below.index();
      for (const Contact& c : contacts) EXPECT_NEAR(c.n.z(), 1, 1e-9) << below.index();
      EXPECT_NEAR(least(contacts, 1), gap, 1e-9) << below.index();
    }
  }
}

// --- spheres
// -------------------------------------------------------------------------------------------------

TEST(RevolvedCollider, BallsAreAsNearAsTheirCentresLessTheRadius) {
  Random random(76);
  const BlockWithHoles block = test::boredBlock(1e-4);
  const auto pegs = test::pegs();
  for (int k = 0; k < 20000 / kShare; ++k) {
    SCOPED_TRACE("seed 76, ball " + std::to_string(k));
    static std::vector<std::unique_ptr<Two>> bodies;
    const std::size_t which = static_cast<std::size_t>(k) % (pegs.size() + 1);
    const double radius = 0.0021;
    if (bodies.size() <= pegs.size())
      bodies.push_back(
          std::make_unique<Two>(Sphere{radius}, which < pegs.size() ? Shape(pegs[which]) : Shape(block)));
    const bool isPeg = which < pegs.size();
    const Vector3d p = isPeg ? Vector3d(random.vector().cwiseProduct(Vector3d(0.008, 0.008, 0.03)))
                             : Vector3d(random.vector().cwiseProduct(Vector3d(0.03, 0.02, 0.008)));
    const double distance =
        isPeg ? test::referenceDistance(pegs[which], p) : test::referenceDistance(block, p);
    if (distance < 1e-6 || distance > radius + 5e-4) continue;
    const ContactSet contacts = bodies[which]->contacts(Pose::at(p), Pose{}, 1e-3);
    ASSERT_NEAR(least(contacts, 1), distance - radius, 1e-12) << p.transpose();
    for (const Contact& c : contacts) {
      ASSERT_NEAR(c.n.norm(), 1, 1e-12);
      ASSERT_NEAR((c.p + 0.5 * c.separation * c.n - p).norm(), radius + c.separation, 1e-12);
    }
  }
}

TEST(RevolvedCollider, ABallWhoseCentreIsInTheMaterialIsPushedOut) {
  const BlockWithHoles block = test::boredBlock(1e-4);
  const ContactSet contacts =
      Two(Sphere{0.002}, block).contacts(Pose::at({0.03, 0.02, 0.0095}), Pose{}, 1e-4);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_NEAR(contacts[0].separation, -0.0025, 1e-15);
  EXPECT_LE((contacts[0].n - Vector3d(0, 0, -1)).norm(), 1e-12);
}

TEST(RevolvedCollider, ABallOnAHoleIsHeldAllRound) {
  const BlockWithHoles block = test::boredBlock(1e-4);  // mouth of radius 6.55 mm at z = 10 mm
  const double radius = 0.02, rim = 0.00655;
  const Two bodies(Sphere{radius}, block);
  const ContactSet contacts =
      bodies.contacts(Pose::at({0, 0, 0.01 + std::sqrt(radius * radius - rim * rim)}), Pose{}, 1e-6);
  EXPECT_GE(contacts.size(), 8U);
  Vector3d sum = Vector3d::Zero();
  for (const Contact& c : contacts) {
    EXPECT_NEAR(c.separation, 0, 1e-12);
    sum += c.n;
  }
  EXPECT_LT(sum.z(), 0);
}

// --- Bullet's dispatcher -----------------------------------------------------------------------------------

TEST(Narrowphase, TheDispatcherFindsTheExactAlgorithmInBothOrdersWhereOneIsRevolvedOrABlockWithHoles) {
  const bullet::Narrowphase narrowphase;
  const Hull hull{{{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}}};
  const std::vector<Shape> exact{test::cylinder(0.005, 0.06), test::boredBlock(1e-4)};
  const std::vector<Shape> others{
      Box{{0.01, 0.02, 0.03}}, hull,         Capsule{0.01, 0.02}, Capsule{0.01, 0},
      Cylinder{0.01, 0.02},    Sphere{0.01}, HalfSpace{},         Frustum{0.01, 0.02, 0.03}};
  for (const Shape& a : exact) {
    for (const auto* list : {&exact, &others})
      for (const Shape& b : *list) {
        EXPECT_TRUE(narrowphase.isExact(bullet::Element(a), bullet::Element(b))) << a.index() << b.index();
        EXPECT_TRUE(narrowphase.isExact(bullet::Element(b), bullet::Element(a))) << a.index() << b.index();
      }
    const bullet::Element faceted(
        FacetedBlock{{0.02, 0.02, 0.01}, {{"hole", {0, 0}, 0.005, 0, 0, 0.02}}, 16});
    const bool isBlock = std::holds_alternative<BlockWithHoles>(a);
    EXPECT_EQ(narrowphase.isExact(bullet::Element(a), faceted), isBlock) << a.index();
    EXPECT_EQ(narrowphase.isExact(faceted, bullet::Element(a)), isBlock) << a.index();
  }
  for (const Shape& a : others)
    for (const Shape& b : others)
      EXPECT_FALSE(narrowphase.isExact(bullet::Element(a), bullet::Element(b))) << a.index() << b.index();
}

TEST(Narrowphase, BothOrdersOfAnExactPairHaveTheSameContacts) {
  const BlockWithHoles block = test::boredBlock(1e-4);
  const std::vector<Shape> others{test::cylinder(0.005, 0.06), Cylinder{0.005, 0.03}, Sphere{0.005},
                                  Capsule{0.005, 0.01}};
  const Pose X = Pose::at({1e-5, 0, -0.005});
  for (const Shape& shape : others) {
    const ContactSet forth = Two(shape, block).contacts(X, Pose{}, 1e-4);
    const ContactSet back = Two(block, shape).contacts(Pose{}, X, 1e-4);
    ASSERT_GT(forth.size(), 2U) << shape.index();
    ASSERT_EQ(forth.size(), back.size()) << shape.index();
    for (std::size_t k = 0; k < forth.size(); ++k) {
      EXPECT_EQ(forth[k].feature, back[k].feature) << shape.index();
      EXPECT_NEAR(forth[k].separation, back[k].separation, 1e-14) << shape.index();
      EXPECT_LE((forth[k].p - back[k].p).norm(), 1e-14) << shape.index();
      EXPECT_LE((forth[k].n + back[k].n).norm(), 1e-14) << shape.index();
    }
  }
}

TEST(RevolvedCollider, AFacetedBlockFitsIntoEachHoleOfABlock) {
  // Bores Ø 10 in +z, twice, and in +x.
  BlockWithHoles block{{0.02, 0.04, 0.02}, {}};
  constexpr double h = std::numbers::sqrt2 / 2;
  const auto bore = [&](const char* name, const Pose& X) {
    block.cavities.push_back({name, X, {{0, 0.005}, {-0.01, 0.005}, {-0.01, 0}}, false});
  };
  bore("a", Pose::at({0, 0.02, 0.02}));
  bore("b", Pose::at({0, -0.02, 0.02}));
  bore("c", {Quaterniond(h, 0, h, 0), {0.02, 0, 0}});
  // Corners 4.243 mm from the axis, and an end 6 mm deep.
  const FacetedBlock stick{{0.003, 0.003, 0.006}, {}, 16};
  for (const Cavity& cavity : block.cavities) {
    const ContactSet contacts = Two(block, stick).contacts(Pose{}, cavity.X_BH, 1e-3);
    ASSERT_GE(contacts.size(), 4U) << cavity.name;
    for (const Contact& c : contacts)
      EXPECT_NEAR(c.separation, 0.005 - 0.003 * std::numbers::sqrt2, 1e-9) << cavity.name;
    const Pose low = cavity.X_BH * Pose::at({0, 0, -0.0035});
    EXPECT_NEAR(least(Two(block, stick).contacts(Pose{}, low, 1e-3), 1), 0.5e-3, 1e-12) << cavity.name;
  }
}

// --- conversions -------------------------------------------------------------------------------------------

TEST(RevolvedConversions, FrustumsOfAProfileHaveItsVolume) {
  for (const SolidOfRevolution& peg : test::pegs()) {
    Compound slabs{frustumsOf(peg)};
    const double whole = massProperties(peg, 1000).mass, sum = massProperties(slabs, 1000).mass;
    // An undercut counts as filled.
    bool undercut = false;
    for (std::size_t i = 1; i < peg.profile.size(); ++i)
      undercut = undercut || peg.profile[i].x() < peg.profile[i - 1].x();
    if (undercut)
      EXPECT_GT(sum, whole);
    else
      EXPECT_NEAR(sum, whole, 1e-12 * whole);
  }
}

}  // namespace
}  // namespace tenon::physics::revolved_collider_test
