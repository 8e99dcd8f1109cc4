// A drawn hand shows where it is, where it holds, and how near that is to breaking.
#include "runtime/vr/hand_appearance.h"

#include <gtest/gtest.h>

#include "content/input/input_error.h"
#include "content/parts/glb_writer.h"
#include "xr/appearance/palette.h"

namespace tenon::runtime {
namespace {

using physics::Pose;
using physics::Vector3d;

/// All that is drawn.
xr::RenderScene withDevice(const ShownHand& hand, const HandAppearance& appearance = {}) {
  xr::RenderScene picture;
  appearance.add(hand, picture);
  return picture;
}

/// Without the device, which comes first.
xr::RenderScene shown(const ShownHand& hand) {
  xr::RenderScene picture = withDevice(hand);
  if (hand.X_WH) picture.instances.erase(picture.instances.begin());
  return picture;
}

/// It holds part 0 at the origin, and is itself so far to the right.
ShownHand holding(double apart) {
  ShownHand hand;
  hand.X_WH = hand.drawn.X_WH = Pose::at({apart, 0, 0});
  hand.drawn.part = 0;
  hand.closed = true;
  hand.maxForce = 150;
  hand.breakDistance = 0.15;
  hand.drawn.force = Vector3d(2000 * apart, 0, 0);
  return hand;
}

TEST(HandAppearance, HandAtItsGraspPointIsOneBall) {
  const xr::RenderScene picture = shown(holding(0.5 * HandAppearance::kGhostDistance));
  EXPECT_EQ(picture.instances.size(), 1U);
  EXPECT_TRUE(picture.arrows.empty());
}

TEST(HandAppearance, HandAwayFromItsGraspPointHasAGhostAndATether) {
  const xr::RenderScene picture = shown(holding(0.02));
  ASSERT_EQ(picture.instances.size(), 2U);
  EXPECT_EQ(picture.instances[0].X_WM.p, Vector3d::Zero()) << "the hand's ball stays with the part";
  EXPECT_EQ(picture.instances[1].X_WM.p, Vector3d(0.02, 0, 0));
  EXPECT_LT(picture.instances[1].surface.opacity, picture.instances[0].surface.opacity);
  ASSERT_EQ(picture.arrows.size(), 1U);
  EXPECT_EQ(picture.arrows[0].tail, Vector3d::Zero());
  EXPECT_EQ(picture.arrows[0].vector, Vector3d(0.02, 0, 0));
}

TEST(HandAppearance, TetherTakesTheColorOfContactForcesTowardItsLimits) {
  double before = -1;
  for (const double apart : {0.005, 0.02, 0.05, 0.075}) {
    const auto color = shown(holding(apart)).arrows.at(0).color;
    EXPECT_GT(color.x() - color.z(), before);
    before = color.x() - color.z();
  }
  ShownHand soft = holding(0.149);  // a weak spring, about to break
  soft.drawn.force.setZero();
  const auto color = shown(soft).arrows.at(0).color;
  EXPECT_LT((color - xr::linearOf(xr::palette::kContact)).norm(), 0.05) << color.transpose();
}

TEST(HandAppearance, TetherInFineMotionShowsTheSpringLoad) {
  ShownHand fine = holding(0.005);
  const auto color = shown(fine).arrows.at(0).color;
  fine.X_WH = Pose::at({0.14, 0, 0});
  EXPECT_EQ(shown(fine).arrows.at(0).vector, Vector3d(0.14, 0, 0));
  EXPECT_EQ(shown(fine).arrows.at(0).color, color) << "nothing is about to break";
}

TEST(HandAppearance, UntrackedHandIsAGhostWithAPartAndInvisibleWithout) {
  ShownHand hand = holding(0);
  hand.X_WH.reset();
  EXPECT_EQ(shown(hand).instances.size(), 2U);
  hand.drawn.part = -1;
  EXPECT_TRUE(shown(hand).instances.empty());
}

TEST(HandAppearance, RayEndsAtThePointedOrHeldPart) {
  ShownHand hand;
  hand.X_WH = Pose::at({0, -1, 0});
  EXPECT_TRUE(shown(hand).arrows.empty()) << "it points at nothing";
  hand.aimPoint = Vector3d(0, 0.2, 0);
  ASSERT_EQ(shown(hand).arrows.size(), 1U);
  EXPECT_EQ(shown(hand).arrows[0].tail, hand.X_WH->p);
  EXPECT_EQ(shown(hand).arrows[0].vector, Vector3d(0, 1.2, 0));
  ShownHand far = holding(0);
  far.far = true;
  far.X_WH = Pose::at({0, -1, 0});
  const xr::RenderScene picture = shown(far);
  ASSERT_EQ(picture.arrows.size(), 1U) << "a rod is no tether";
  EXPECT_EQ(picture.arrows[0].vector, Vector3d(0, 1, 0));
  EXPECT_EQ(picture.instances.size(), 2U);
}

/// A plate of 0.2 m x 0.1 m, 2 mm thick, as binary glTF. The writer turns z up into y up.
std::string plateGlb() {
  content::GlbWriter writer;
  const int mesh = writer.addMesh(content::displayMeshOf(physics::Box{{0.1, 0.05, 0.001}}), "plate",
                                  content::GlbMaterial());
  writer.addPart("plate", mesh, Pose());
  return writer.bytes();
}

Eigen::AlignedBox3d boundsOf(const xr::Mesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vector3d& p : mesh.positions) box.extend(p);
  return box;
}

TEST(HandDevice, HandleShowsTheOrientationOfEachHand) {
  ShownHand hand;
  hand.X_WH = Pose::at({1, 2, 3});
  const xr::RenderScene left = withDevice(hand);
  hand.side = 1;
  const xr::RenderScene right = withDevice(hand);
  EXPECT_EQ(left.instances[0].X_WM.p, Vector3d(1, 2, 3));
  const auto leftBox = boundsOf(*left.instances[0].mesh), rightBox = boundsOf(*right.instances[0].mesh);
  EXPECT_GT(leftBox.min().z(), 0) << "behind the grip, which the ball marks";
  EXPECT_LT(leftBox.min().x(), -1.4 * leftBox.max().x()) << "the fin is on the back of the left hand";
  EXPECT_GT(rightBox.max().x(), -1.4 * rightBox.min().x());
}

TEST(HandDevice, IsTransparentWhileTheHandIsClosed) {
  ShownHand hand;
  hand.X_WH = Pose();
  const double open = withDevice(hand).instances[0].surface.opacity;
  hand.closed = true;
  EXPECT_LT(withDevice(hand).instances[0].surface.opacity, open);
}

TEST(HandDevice, JointsOfABareHandAreDrawn) {
  ShownHand hand;
  hand.X_WH = Pose();
  for (int k = 0; k < 26; ++k) hand.joints.emplace_back(0.01 * k, 0, 0);
  const xr::RenderScene picture = withDevice(hand);
  ASSERT_EQ(picture.instances.size(), 27U) << "and the ball at its grip";
  EXPECT_EQ(picture.instances[25].X_WM.p, Vector3d(0.25, 0, 0));
}

TEST(HandDevice, ModelOfTheRuntimeReplacesTheHandle) {
  HandAppearance appearance;
  appearance.model(1).set({plateGlb(), {}});
  appearance.model(1).setState(xr::ControllerModelState());
  ShownHand hand;
  hand.X_WH = Pose();
  hand.side = 1;
  EXPECT_NEAR(boundsOf(*withDevice(hand, appearance).instances[0].mesh).sizes().x(), 0.2, 1e-6);
  appearance.setScale(5);
  EXPECT_NEAR(boundsOf(*withDevice(hand, appearance).instances[0].mesh).sizes().x(), 0.04, 1e-6)
      << "as large in the room";
  hand.side = 0;
  EXPECT_LT(boundsOf(*withDevice(hand, appearance).instances[0].mesh).sizes().x(), 0.02);
  hand.side = 1;
  appearance.model(1).setState(std::nullopt);
  EXPECT_LT(boundsOf(*withDevice(hand, appearance).instances[0].mesh).sizes().x(), 0.02)
      << "the handle, while it is not known where the model is";
}

TEST(HandDevice, ModelThatCannotBeReadLeavesTheHandle) {
  HandAppearance appearance;
  ShownHand hand;
  hand.X_WH = Pose();
  for (const std::string& bytes : {std::string("no glTF"), plateGlb().substr(0, 200)}) {
    EXPECT_THROW(appearance.model(0).set({bytes, {}}), content::InputError);
    EXPECT_LT(boundsOf(*withDevice(hand, appearance).instances[0].mesh).sizes().x(), 0.05);
  }
}

}  // namespace
}  // namespace tenon::runtime
