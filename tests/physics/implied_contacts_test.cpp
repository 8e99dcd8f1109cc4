// Corners of a flat face whose contacts others imply: which remain, and that no motion makes one that was
// removed the nearest.
#include "physics/contact/implied_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

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

}  // namespace
}  // namespace tenon::physics
