// Contact states from contacts put by hand.
#include "runtime/assess/insertion_contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "tests/runtime/contact_tick.h"

namespace tenon::runtime {
namespace {

using tests::ContactTick;
using tests::goalScene;

constexpr double kR = 0.0049;  // of the peg

InsertionContact contactIn(const content::Scene& scene, const ContactTick& made) {
  const InsertionView view(scene, scene.goals[0]);
  const InsertionPose stand = view.insertionPoseAt(made.tick);
  std::vector<InsertionContactPoint> points;
  view.contactPoints(made.tick, stand, points);
  return classifyContact(points, insertionFitOf(scene, scene.goals[0]), stand.tilt());
}

/// Contacts all round the peg's tip edge, pushing inwards and up by 45°.
ContactTick& addRing(ContactTick& made, int count, double force) {
  for (int k = 0; k < count; ++k) {
    const double phase = 2 * std::numbers::pi * k / count;
    const Vector3d out(std::cos(phase), std::sin(phase), 0);
    made.add({.p_P = kR * out, .n_H = Vector3d::UnitZ() - out, .force = force});
  }
  return made;
}

TEST(InsertionContact, OfNothingOrOfContactsWithoutForceIsNone) {
  const content::Scene scene = goalScene();
  ContactTick made(scene, {.depth = 0.01});
  EXPECT_EQ(contactIn(scene, made).state, ContactState::none);
  made.add({.p_P = {0, kR, 0}, .n_H = -Vector3d::UnitY()});
  made.add({.p_P = {0, kR, 0}, .n_H = -Vector3d::UnitY(), .force = 1e-5});
  EXPECT_EQ(contactIn(scene, made).state, ContactState::none);
  EXPECT_TRUE(contactIn(scene, made).clusters.empty());
}

TEST(InsertionContact, JoinsNeighbouringPointsOfOneRim) {
  const content::Scene scene = goalScene();
  ContactTick made(scene, {.depth = 0.01});
  for (const double phase : {-0.4, 0.0, 0.4}) {
    const Vector3d out(std::sin(phase), std::cos(phase), 0);
    made.add({.p_P = kR * out, .n_H = -out, .force = 2, .friction_H = {0, 0, 0.5}, .mu = 0.3});
  }
  made.add({.p_P = {0, -kR, 0}, .n_H = Vector3d::UnitY(), .force = 0.001});  // carries next to nothing
  const InsertionContact contact = contactIn(scene, made);
  EXPECT_EQ(contact.state, ContactState::onePoint);
  ASSERT_EQ(contact.clusters.size(), 1u);
  const ContactCluster& c = contact.clusters[0];
  EXPECT_EQ(c.feature, PartFeature::tipEdge);
  EXPECT_EQ(c.surface, HoleSurface::boreWall);
  EXPECT_EQ(c.points, 3);
  EXPECT_NEAR(c.force, 6, 1e-12);
  EXPECT_NEAR(c.friction_H.z(), 1.5, 1e-12);
  EXPECT_NEAR(c.mu, 0.3, 1e-12);
  EXPECT_NEAR(c.depth(), 0.01, 1e-12);
  EXPECT_NEAR(c.radius, kR, 1e-12);
  EXPECT_NEAR(c.phase(), std::numbers::pi / 2, 1e-12);
  EXPECT_NEAR(c.arc, 0.8, 1e-12);
}

TEST(InsertionContact, OnOppositeSidesAtTwoDepthsIsTwoPoint) {
  const content::Scene scene = goalScene();
  for (const bool pegFirst : {false, true}) {
    ContactTick made(scene, {.depth = 0.006, .tilt = 0.01}, pegFirst);
    made.add({.p_P = {0, kR, 0}, .n_H = -Vector3d::UnitY(), .force = 20, .mu = 0.3});
    made.add({.p_P = made.shankAt(-kR, 0.001), .n_H = {0, 1, 0.01}, .force = 15, .mu = 0.2});
    const InsertionContact contact = contactIn(scene, made);
    ASSERT_EQ(contact.state, ContactState::twoPoint);
    EXPECT_EQ(contact.twoPoint->lower.feature, PartFeature::tipEdge);
    EXPECT_EQ(contact.twoPoint->lower.surface, HoleSurface::boreWall);
    EXPECT_EQ(contact.twoPoint->upper.feature, PartFeature::shank);
    EXPECT_EQ(contact.twoPoint->upper.surface, HoleSurface::boreEdge);
    EXPECT_NEAR(contact.twoPoint->length, 0.006 - kR * std::sin(0.01) - 0.001, 1e-12);
    EXPECT_NEAR(contact.twoPoint->side_H.y(), 1, 1e-9);
    EXPECT_EQ(contact.twoPoint->mu, 0.2);
  }
}

TEST(InsertionContact, OfATiltedRimLeftAndRightOfTheMiddleIsStillTwoPoint) {
  const content::Scene scene = goalScene();
  ContactTick made(scene, {.depth = 0.006, .tilt = 0.01});
  for (const double phase : {-0.9, 0.9}) {
    const Vector3d out(std::sin(phase), std::cos(phase), 0);
    made.add({.p_P = kR * out, .n_H = -out, .force = 10});
  }
  made.add({.p_P = made.shankAt(-kR, 0.001), .n_H = Vector3d::UnitY(), .force = 15});
  const InsertionContact contact = contactIn(scene, made);
  EXPECT_EQ(contact.state, ContactState::twoPoint);
  EXPECT_EQ(contact.clusters.size(), 3u);
}

TEST(InsertionContact, OnOneSideAtTwoDepthsOrAllRoundIsALine) {
  const content::Scene scene = goalScene();
  ContactTick side(scene, {.depth = 0.006});
  side.add({.p_P = {0, kR, 0}, .n_H = -Vector3d::UnitY(), .force = 5});
  side.add({.p_P = side.shankAt(kR, 0.001), .n_H = -Vector3d::UnitY(), .force = 5});
  EXPECT_EQ(contactIn(scene, side).state, ContactState::line);
  EXPECT_FALSE(contactIn(scene, side).allRound);
  ContactTick round(scene, {.depth = 0.006});
  EXPECT_EQ(contactIn(scene, addRing(round, 8, 3)).state, ContactState::line);
  EXPECT_TRUE(contactIn(scene, round).allRound);
  EXPECT_EQ(contactIn(scene, round).clusters.size(), 1u);
}

TEST(InsertionContact, AtTheMouthNamesFaceRimAndChamfer) {
  const content::Scene scene = goalScene();
  ContactTick face(scene, {.depth = 0, .lateral = 0.003});
  face.add({.p_P = {0, kR, 0}, .n_H = Vector3d::UnitZ(), .force = 4});
  face.add({.p_P = {0.003, 0.0035, 0}, .n_H = Vector3d::UnitZ(), .force = 4});
  EXPECT_EQ(contactIn(scene, face).state, ContactState::onFace);

  ContactTick rim(scene, {.depth = 0, .lateral = 0.0011});
  rim.add({.p_P = {0, kR, 0}, .n_H = {0, -0.3, 1}, .force = 4});
  EXPECT_EQ(contactIn(scene, rim).state, ContactState::onRim);

  ContactTick chamfer(scene, {.depth = 0.0005, .lateral = 0.0006});
  chamfer.add({.p_P = {0, kR, 0}, .n_H = {0, -1, 1}, .force = 4});
  const InsertionContact one = contactIn(scene, chamfer);
  EXPECT_EQ(one.state, ContactState::onChamfer);
  EXPECT_FALSE(one.allRound);
  ContactTick ring(scene, {.depth = 0.0005});
  for (const int count : {2, 4, 16}) {  // two: as a tilted rim in a cone
    const InsertionContact round = contactIn(scene, addRing(ring, count, 3));
    EXPECT_EQ(round.state, ContactState::onChamfer);
    EXPECT_TRUE(round.allRound) << count;
    ring.tick.contacts.clear();
  }
}

TEST(InsertionContact, OfAScrewDistinguishesHeadAndTipChamfer) {
  content::Scene scene = goalScene();
  scene.parts[1].shape = physics::SolidOfRevolution{
      {{0, 0}, {0, 0.0039}, {0.001, kR}, {0.018, kR}, {0.018, 0.008}, {0.026, 0.008}, {0.026, 0}}};
  scene.goals[0].depth = 0.018;
  ContactTick head(scene, {.depth = 0.018});
  head.add({.p_P = {0, 0.0065, 0.018}, .n_H = Vector3d::UnitZ(), .force = 4});
  head.add({.p_P = {0, -0.008, 0.018}, .n_H = Vector3d::UnitZ(), .force = 4});
  head.add({.p_P = {0, kR, 0.005}, .n_H = -Vector3d::UnitY(), .force = 4});
  EXPECT_EQ(contactIn(scene, head).state, ContactState::seated);
  EXPECT_EQ(contactIn(scene, head).clusters[0].feature, PartFeature::head);

  ContactTick tip(scene, {.depth = 0.0015, .lateral = 0.0006});
  tip.add({.p_P = {0, 0.0044, 0.0005}, .n_H = {0, -1, 1}, .force = 4});
  const InsertionContact edgeTolerance = contactIn(scene, tip);
  EXPECT_EQ(edgeTolerance.state, ContactState::onChamfer);
  EXPECT_EQ(edgeTolerance.clusters[0].feature, PartFeature::tipChamfer);
  EXPECT_EQ(edgeTolerance.clusters[0].surface, HoleSurface::boreEdge);
  ContactTick shoulder(scene, {.depth = 0.01});
  shoulder.add({.p_P = {0, kR, 0.001}, .n_H = -Vector3d::UnitY(), .force = 4});
  EXPECT_EQ(contactIn(scene, shoulder).clusters[0].feature, PartFeature::tipShoulder);
}

/// What the peg's point at `radius` and `depth` lies on, pushed by a force that points out of the hole by
/// `up` and inwards by the rest.
HoleSurface surfaceIn(const content::Scene& scene, double radius, double depth, double up) {
  ContactTick made(scene, {.depth = depth});
  made.add({.p_P = {0, radius, 0}, .n_H = {0, up - 1, up}, .force = 4});
  return contactIn(scene, made).clusters.at(0).surface;
}

TEST(InsertionContact, NamesTheSurfacesOfACounterboredBlindHole) {
  content::Scene scene = goalScene();
  scene.parts[0].shape = physics::BlockWithHoles{{0.05, 0.05, 0.02},
                                                 {{"h",
                                                   physics::Pose::at({0.01, -0.02, 0.02}),
                                                   {{0, 0.008},
                                                    {-0.004, 0.008},
                                                    {-0.004, 0.0055},
                                                    {-0.0045, 0.005},
                                                    {-0.025, 0.005},
                                                    {-0.025, 0.004},
                                                    {-0.03, 0.004},
                                                    {-0.032, 0}},
                                                   false}}};
  EXPECT_EQ(surfaceIn(scene, 0.009, 0, 1), HoleSurface::mouthFace);
  EXPECT_EQ(surfaceIn(scene, 0.008, 0, 0.5), HoleSurface::mouthEdge);
  EXPECT_EQ(surfaceIn(scene, 0.008, 0.002, 0), HoleSurface::counterboreWall);
  EXPECT_EQ(surfaceIn(scene, 0.008, 0.004, 0), HoleSurface::counterboreWall);
  EXPECT_EQ(surfaceIn(scene, 0.007, 0.004, 1), HoleSurface::counterboreFloor);
  EXPECT_EQ(surfaceIn(scene, 0.0055, 0.004, 0.7), HoleSurface::counterboreEdge);
  EXPECT_EQ(surfaceIn(scene, 0.00525, 0.00425, 0.5), HoleSurface::chamfer);
  EXPECT_EQ(surfaceIn(scene, 0.005, 0.0045, 0.3), HoleSurface::boreEdge);
  EXPECT_EQ(surfaceIn(scene, 0.005, 0.01, 0), HoleSurface::boreWall);
  EXPECT_EQ(surfaceIn(scene, 0.0045, 0.025, 1), HoleSurface::step);
  EXPECT_EQ(surfaceIn(scene, 0.004, 0.025, 0.3), HoleSurface::innerEdge);
  EXPECT_EQ(surfaceIn(scene, 0.002, 0.031, 0.7), HoleSurface::drillPoint);

  const auto stateIn = [&](double radius, double depth, double up) {
    ContactTick made(scene, {.depth = depth});
    made.add({.p_P = {0, radius, 0}, .n_H = {0, up - 1, up}, .force = 4});
    return contactIn(scene, made).state;
  };
  EXPECT_EQ(stateIn(0.007, 0.004, 1), ContactState::onFace);
  EXPECT_EQ(stateIn(0.00525, 0.00425, 0.5), ContactState::onChamfer);
  EXPECT_EQ(stateIn(0.0045, 0.025, 1), ContactState::seated);
  EXPECT_EQ(stateIn(0.002, 0.031, 0.7), ContactState::seated);
}

TEST(InsertionContact, OnTheBottomIsSeatedAndFarAwayIsElsewhere) {
  content::Scene scene = goalScene();
  auto& block = std::get<physics::FacetedBlock>(scene.parts[0].shape);
  block.holes[0].depth = 0.012;
  ContactTick bottom(scene, {.depth = 0.012});
  bottom.add({.p_P = {0, kR, 0}, .n_H = Vector3d::UnitZ(), .force = 4});
  bottom.add({.p_P = {0, -kR, 0}, .n_H = Vector3d::UnitZ(), .force = 4});
  const InsertionContact seated = contactIn(scene, bottom);
  EXPECT_EQ(seated.state, ContactState::seated);
  EXPECT_EQ(seated.clusters[0].surface, HoleSurface::bottom);
  EXPECT_EQ(seated.clusters.size(), 1u);
  ContactTick away(scene, {.depth = 0.01, .lateral = 0.05});
  away.add({.p_P = {0, -kR, 0}, .n_H = Vector3d::UnitY(), .force = 4});
  EXPECT_EQ(contactIn(scene, away).state, ContactState::elsewhere);
}

TEST(InsertionContact, OfPartsWithoutKnownSizesIsNamedByItsNormals) {
  const content::Scene scene = goalScene();
  ContactTick made(scene, {.depth = 0.006});
  made.add({.p_P = {0, kR, 0}, .n_H = -Vector3d::UnitY(), .force = 20});
  const InsertionView view(scene, scene.goals[0]);
  std::vector<InsertionContactPoint> points;
  view.contactPoints(made.tick, view.insertionPoseAt(made.tick), points);
  const InsertionContact contact = classifyContact(points, {}, 0);
  EXPECT_EQ(contact.state, ContactState::onePoint);
  EXPECT_EQ(contact.clusters[0].surface, HoleSurface::wall);
}

}  // namespace
}  // namespace tenon::runtime
