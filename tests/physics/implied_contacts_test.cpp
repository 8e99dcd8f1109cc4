// Corners of a flat face whose contacts others imply: which remain, and that no motion makes one that was
// removed the nearest.
#include "physics/contact/implied_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "physics/collision/bullet/bullet_collider.h"
#include "physics/world.h"

namespace tenon::physics {
namespace {

const Vector3d kNormal = Vector3d(1, 2, 3).normalized();
const Vector3d kX = kNormal.unitOrthogonal(), kY = kNormal.cross(kX);

/// A corner at (x, y) of a face that leaves the plane by these slopes.
Contact corner(double x, double y, std::uint64_t feature, double slopeX = 1e-4, double slopeY = -2e-4) {
  Contact contact;
  contact.i = BodyId{0};
  contact.j = BodyId{1};
  contact.n = kNormal;
  contact.separation = 1e-6 + slopeX * x + slopeY * y;
  contact.p = Vector3d(0.3, -0.2, 0.1) + x * kX + y * kY + 0.5 * contact.separation * kNormal;
  contact.feature = feature;
  contact.isCorner = true;
  return contact;
}

std::vector<std::uint64_t> featuresAfter(ContactSet contacts, std::vector<double> compliance = {}) {
  compliance.resize(contacts.size());
  removeImplied(contacts, compliance);
  EXPECT_EQ(contacts.size(), compliance.size());
  std::vector<std::uint64_t> features;
  for (const Contact& contact : contacts) features.push_back(contact.feature);
  return features;
}

/// Corners of a square of 20 mm with others inside and on its sides.
ContactSet square() {
  return {corner(0, 0, 1),    corner(0.01, 0.01, 2),  corner(0.02, 0, 3),
          corner(0.01, 0, 4), corner(0.02, 0.02, 5),  corner(0.005, 0.015, 6),
          corner(0, 0.02, 7), corner(0.02, 0.005, 8), corner(0.019, 0.019, 9)};
}

TEST(ImpliedContacts, CornersInsideAndOnTheSidesAreRemoved) {
  EXPECT_EQ(featuresAfter(square()), (std::vector<std::uint64_t>{1, 3, 5, 7}));
}

TEST(ImpliedContacts, OfCornersOnALineTheEndsRemain) {
  ContactSet line;
  for (int k = 0; k < 6; ++k) line.push_back(corner(0.001 * k, 0.002 * k, static_cast<std::uint64_t>(k)));
  EXPECT_EQ(featuresAfter(line), (std::vector<std::uint64_t>{0, 5}));
}

TEST(ImpliedContacts, NoOtherContactIsRemoved) {
  ContactSet contacts = square();
  contacts[1].isCorner = false;                         // of an edge
  contacts[5].n = (kNormal + 1e-12 * kX).normalized();  // on another plane
  std::vector<double> compliance(contacts.size());
  compliance[3] = 1e-9;  // shares the load
  EXPECT_EQ(featuresAfter(contacts, compliance), (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(ImpliedContacts, ACornerBelowTheFaceKeepsAll) {
  ContactSet contacts = square();
  contacts[1].separation -= 2e-12;
  EXPECT_EQ(featuresAfter(contacts).size(), contacts.size());
}

/// Random flat faces, tilted and shifted at random: the nearest corner is one that remained.
TEST(ImpliedContacts, TheNearestCornerRemainsAtAnyTilt) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::size_t removed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    ContactSet contacts;
    std::vector<Eigen::Vector2d> places;
    const double sx = 1e-3 * unit(random), sy = 1e-3 * unit(random);
    for (std::uint64_t k = 0; k < 40; ++k) {
      places.emplace_back(0.02 * unit(random), 0.02 * unit(random));
      contacts.push_back(corner(places.back().x(), places.back().y(), k, sx, sy));
    }
    const std::vector<std::uint64_t> kept = featuresAfter(contacts);
    removed += contacts.size() - kept.size();
    for (int tilt = 0; tilt < 50; ++tilt) {
      const Eigen::Vector2d slope(unit(random), unit(random));
      const auto height = [&](std::uint64_t k) { return slope.dot(places[k]); };
      double least = HUGE_VAL, leastOfKept = HUGE_VAL;
      for (std::uint64_t k = 0; k < places.size(); ++k) least = std::min(least, height(k));
      for (const std::uint64_t k : kept) leastOfKept = std::min(leastOfKept, height(k));
      EXPECT_NEAR(leastOfKept, least, 2e-10) << trial << ", " << tilt;
    }
  }
  EXPECT_GT(removed, 200u * 20u);
}

TEST(ImpliedContacts, ACornerThatWasARowRemains) {
  ContactSet contacts = square();
  std::vector<double> compliance(contacts.size());
  const std::vector<std::uint64_t> kept{2, 6};
  removeImplied(contacts, compliance, kept);
  std::vector<std::uint64_t> features;
  for (const Contact& contact : contacts) features.push_back(contact.feature);
  EXPECT_EQ(features, (std::vector<std::uint64_t>{1, 2, 3, 5, 6, 7}));
}

/// A table of three legs in a row, 12 corners, on a floor.
TEST(ImpliedContacts, ATableStandsOnTheCornersOfItsHullAndOnAllWhereTheyYield) {
  BoundarySolid table;
  std::vector<Eigen::Vector2d> outline;
  for (const double x : {0.0, 4e-3, 8e-3}) {
    for (const auto& [dx, z] : {std::pair(0.0, 5e-3), {0.0, 0.0}, {2e-3, 0.0}, {2e-3, 5e-3}})
      if (!(x == 0 && dx == 0 && z > 0) && !(x == 8e-3 && dx > 0 && z > 0)) outline.emplace_back(x + dx, z);
  }
  outline.emplace_back(10e-3, 7e-3);
  outline.emplace_back(0, 7e-3);
  const auto n = static_cast<int>(outline.size());
  for (const double y : {-3e-3, 3e-3})
    for (const auto& p : outline) table.vertices.emplace_back(p.x(), y, p.y());
  // 0, 1, 2: first leg; 3, 4, 5, 6: second; 7, 8, 9: third; 10, 11: the top.
  const std::vector<std::array<int, 3>> cap{{0, 1, 2},  {0, 2, 11}, {11, 2, 3}, {3, 4, 5},  {3, 5, 6},
                                            {11, 3, 6}, {11, 6, 7}, {7, 8, 9},  {7, 9, 10}, {11, 7, 10}};
  for (const auto& [a, b, c] : cap) {
    table.triangles.push_back({a, b, c});
    table.triangles.push_back({a + n, c + n, b + n});
  }
  for (int k = 0; k < n; ++k) {
    const int next = (k + 1) % n;
    table.triangles.push_back({next, k, k + n});
    table.triangles.push_back({next, k + n, next + n});
  }
  for (const bool yields : {false, true}) {
    World world({.dt = 1e-3}, makeBulletCollider());
    world.setSurfaces({0}, {0}, {.friction = 0.3, .stiffness = yields ? 1e7 : HUGE_VAL});
    BodyDescription floor, standing;
    floor.shape = HalfSpace{};
    floor.motion = MotionType::fixed;
    standing.shape = table;
    standing.mass = massProperties(table, 7800);
    floor.material = standing.material = {0};
    world.addBody(floor);
    world.addBody(standing);
    double force = 0;
    std::size_t count = 0;
    for (int k = 0; k < 20; ++k) {
      const StepResult& result = world.step();
      ASSERT_TRUE(result.report.converged);
      force = 0;
      count = result.contacts.size();
      for (const ContactForce& contact : result.contacts) force += contact.force;
    }
    EXPECT_EQ(count, yields ? 12u : 4u);
    EXPECT_NEAR(force, standing.mass.mass * 9.81, 1e-3 * standing.mass.mass * 9.81);
  }
}

}  // namespace
}  // namespace tenon::physics
