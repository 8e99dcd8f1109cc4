// The menu above the wrist, pressed with a pointer and no headset.
#include "runtime/vr/vr_menu.h"

#include <gtest/gtest.h>

#include "content/reader/load_scene.h"
#include "runtime/session/output_files.h"
#include "runtime/vr/vr_panels.h"
#include "runtime/vr/world_labels.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

using physics::Vector3d;
using runtime::HandSection;
using runtime::MenuPage;
using runtime::VrMenu;

class VrMenuTest : public testing::Test {
 protected:
  /// One picture with the pointer there.
  void frame(const xr::PanelPointer& pointer) {
    ui_.begin(pointer, 1.0 / 90);
    runtime::PanelContext context{state_, sceneView_, moment_, history_, device_, 1};
    drawVrMenu(context, menu_);
    ui_.end();
  }
  /// Points at a control, presses and releases it.
  void press(const std::string& name) {
    frame({});
    ASSERT_TRUE(state_.marks.contains(name)) << name;
    const auto& box = state_.marks.at(name);
    const Eigen::Vector2d at(0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]));
    EXPECT_GT(std::min(box[2] - box[0], box[3] - box[1]), 0.02 * runtime::kMenuWidth / runtime::Wrist::kWidth)
        << name << " is smaller than a finger";
    EXPECT_LT(box[3], runtime::kMenuHeight) << name;
    frame({at, false});
    frame({at, true});
    frame({at, false});
  }

  xr::PanelUi ui_{runtime::kMenuWidth, runtime::kMenuHeight + runtime::kLabelsHeight, 1.9};
  runtime::ViewState state_;
  runtime::SceneView sceneView_{
      std::make_shared<const content::Scene>(content::loadScene(scenePath("bolt-in-plate"), {}))};
  runtime::SimulationFrame moment_;
  runtime::History history_;
  std::string device_ = "none";
  VrMenu menu_;
};

TEST_F(VrMenuTest, EachButtonMakesItsRequest) {
  moment_.status.undoable = moment_.status.redoable = 1;
  press("pause");
  press("reset");
  press("undo");
  press("redo");
  press("guidance");
  press("record");
  press("quit");
  const auto& requests = menu_.requests;
  EXPECT_TRUE(requests.playPause && requests.reset && requests.undo && requests.redo && requests.record &&
              requests.quit);
  EXPECT_TRUE(requests.guidance);
  EXPECT_FALSE(requests.recenter);
  EXPECT_FALSE(requests.scene || requests.solver || requests.scale);
}

TEST_F(VrMenuTest, UnavailableButtonsAreDisabled) {
  press("undo");
  press("redo");
  EXPECT_FALSE(menu_.requests.undo || menu_.requests.redo);
}

TEST_F(VrMenuTest, SwitchesToggle) {
  ASSERT_TRUE(state_.settings.forces);
  press("forces");
  EXPECT_FALSE(state_.settings.forces);
  press("targets");
  EXPECT_FALSE(menu_.switches.forceValues) << "values cover the work";
  press("values");
  EXPECT_TRUE(menu_.switches.forceValues);
  press("controls");
  EXPECT_FALSE(menu_.switches.controls);
  EXPECT_FALSE(state_.settings.targets);
  for (const HandSection section : {HandSection::inHand, HandSection::fixed, HandSection::off}) {
    press("section");
    EXPECT_EQ(menu_.switches.section, section);
  }
  press("room");
  EXPECT_EQ(menu_.page, MenuPage::room);
  press("vignette");
  EXPECT_FALSE(menu_.switches.comfort.vignette);
  press("left-handed");
  EXPECT_TRUE(menu_.switches.comfort.leftHanded);
  for (const char* text : {"45", "smooth", "off", "30"}) {
    press(std::string("turn ") + text);
    EXPECT_EQ(menu_.switches.comfort.turning, *runtime::parseTurnMode(text));
  }
  press("higher");
  press("higher");
  press("lower");
  EXPECT_NEAR(menu_.requests.raise, 0.02, 1e-12);
  press("recentre");
  EXPECT_TRUE(menu_.requests.recenter);
  press("table");
  EXPECT_TRUE(menu_.requests.table);
  press("back");
  EXPECT_EQ(menu_.page, MenuPage::main);
}

TEST_F(VrMenuTest, ScaleGoesFromOneToTenAndBack) {
  menu_.page = MenuPage::room;
  press("smaller");
  EXPECT_FALSE(menu_.requests.scale) << "it is as large as it is already";
  for (const double scale : {2.0, 5.0, 10.0}) {
    press("larger");
    ASSERT_EQ(menu_.requests.scale, scale);
    menu_.scale = scale;
    menu_.requests = {};
  }
  press("larger");
  EXPECT_FALSE(menu_.requests.scale);
  menu_.scale = 3;  // as by the command line
  press("smaller");
  EXPECT_EQ(menu_.requests.scale, 2);
}

TEST_F(VrMenuTest, LargerScaleIsOfferedWhereClearancesCannotBeSeen) {
  press("enlarge");
  EXPECT_FALSE(menu_.requests.scale);
  menu_.offersScale = true;
  press("enlarge");
  EXPECT_EQ(menu_.requests.scale, 5);
}

TEST_F(VrMenuTest, ScenesAndSolversAreChosenFromLists) {
  for (int k = 0; k < 9; ++k) menu_.scenes.push_back({"s" + std::to_string(k) + ".json", "Scene"});
  press("scenes");
  press("s2.json");
  EXPECT_EQ(menu_.requests.scene, "s2.json");
  EXPECT_EQ(menu_.page, MenuPage::main);
  press("scenes");
  press("more");
  press("s8.json");
  EXPECT_EQ(menu_.requests.scene, "s8.json");
  press("solvers");
  press("gauss-seidel");
  EXPECT_EQ(menu_.requests.solver, physics::SolverName::gaussSeidel);
}

TEST_F(VrMenuTest, LabelsBecomePanelsThatFaceTheHead) {
  ui_.begin({}, 0.01);
  xr::RenderScene picture;
  picture.labels = {{{0, 0, 0.1}, {0, 0, 0}, "12.3 N"}, {{0.1, 0, 0}, {0, 0, 0}, "4 N"}};
  const physics::Pose head = physics::Pose::at({0, 1.5, 0.6});
  const runtime::Room room =
      runtime::placedRoom(head, Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Zero()), {}, -1, 5);
  addLabels(room, head, ui_, picture);
  ui_.end();
  ASSERT_EQ(picture.panels.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const xr::Panel& panel = picture.panels[k];
    const Vector3d z = panel.X_WP.q * Vector3d::UnitZ();
    EXPECT_NEAR(z.dot((room.inWorld(head.p) - picture.labels[k].at).normalized()), 1, 1e-9);
    // A line has the same angle in the view, whatever the scale; its plate is half as high again.
    const double distance = room.scale * (room.inWorld(head.p) - picture.labels[k].at).norm();
    EXPECT_NEAR(room.scale * panel.height / distance, 1.5 * runtime::kTextAngle, 0.003);
    EXPECT_GT(panel.width, panel.height);
    EXPECT_TRUE(panel.onTop) << "a force inside a hole can be read";
    EXPECT_GE(panel.top, static_cast<double>(runtime::kMenuHeight) / ui_.height()) << "not on the menu";
    EXPECT_LE(panel.bottom, 1);
  }
  EXPECT_GT((picture.panels[0].X_WP.p - picture.labels[0].at).z(), 0) << "beyond the arrow's end";
  ASSERT_EQ(picture.arrows.size(), 2U) << "leader lines";
  for (std::size_t k = 0; k < 2; ++k) {
    const xr::Arrow& leader = picture.arrows[k];
    EXPECT_EQ(leader.tail, picture.labels[k].at);
    EXPECT_GT(room.scale * leader.vector.norm(), 0.015);
    const Vector3d end = picture.panels[k].X_WP.inverse() * (leader.tail + leader.vector);
    EXPECT_NEAR(end.z(), 0, 1e-9) << "it ends at the panel";
    EXPECT_LE(std::abs(end.x()), 0.5 * picture.panels[k].width + 1e-9);
    EXPECT_LE(std::abs(end.y()), 0.5 * picture.panels[k].height + 1e-9);
  }
  const xr::Panel &a = picture.panels[0], &b = picture.panels[1];
  EXPECT_TRUE(a.right <= b.left || a.bottom <= b.top) << "each has a piece of its own";
}

TEST(LabelGroups, NearLabelsShareAPanel) {
  const Vector3d head(0, 0, 1);
  std::vector<xr::Label> labels = {{{0, 0, 0}, {0, 0, -0.01}, "a"},
                                   {{0.3, 0, 0}, {0.3, 0, -0.01}, "b"},
                                   {{0.01, 0.02, 0}, {0, 0, -0.01}, "c"},
                                   {{0, 0, 0}, {0, 0, 0}, "a text of its own"}};
  const auto groups = runtime::groupLabels(labels, head);
  EXPECT_EQ(groups, (std::vector<std::vector<std::size_t>>{{0, 2}, {1}, {3}}));
  EXPECT_EQ(runtime::groupText(labels, groups[0]), "a\nc");
  EXPECT_EQ(runtime::groupText(labels, {0, 1, 2, 0}), "a\nb\nc\na");
  EXPECT_EQ(runtime::groupText(labels, {0, 1, 2, 0, 1, 2}), "a\nb\nc\n3 more");
}

TEST_F(VrMenuTest, PanelsOfNearLabelsDoNotCoverEachOther) {
  const physics::Pose head = physics::Pose::at({0, 1.5, 0.6});
  const runtime::Room room =
      runtime::placedRoom(head, Eigen::AlignedBox3d(Vector3d::Zero(), Vector3d::Zero()), {}, -1, 1);
  ui_.begin({}, 0.01);
  xr::RenderScene picture;
  for (int k = 0; k < 6; ++k) {
    const Vector3d at(0.05 * k, 0, 0.01 * (k % 2));
    picture.labels.push_back({at, at - Vector3d(0, 0, 0.02), std::to_string(k) + "00 N"});
  }
  addLabels(room, head, ui_, picture);
  ui_.end();
  ASSERT_GE(picture.panels.size(), 3U);
  EXPECT_EQ(picture.arrows.size(), 6U) << "a leader line for each";
  const Vector3d eye = room.inWorld(head.p);
  for (std::size_t a = 0; a < picture.panels.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      // In the plane of the first one, as seen from the head.
      const xr::Panel &one = picture.panels[a], &other = picture.panels[b];
      const Vector3d from = one.X_WP.inverse() * eye, to = one.X_WP.inverse() * other.X_WP.p;
      const Vector3d seen = from + from.z() / (from.z() - to.z()) * (to - from);
      EXPECT_TRUE(std::abs(seen.x()) > 0.49 * (one.width + other.width) ||
                  std::abs(seen.y()) > 0.49 * (one.height + other.height))
          << a << ' ' << b << ": " << seen.transpose();
    }
}

TEST(VrPanels, ButtonHeldWhileTheMenuHidesIsReleased) {
  runtime::ViewState state;
  runtime::SceneView sceneView(
      std::make_shared<const content::Scene>(content::loadScene(scenePath("bolt-in-plate"), {})));
  const runtime::SimulationFrame simulationFrame;
  const runtime::History history;
  const std::string device = "none";
  VrMenu menu;
  runtime::VrPanels panels;
  xr::XrFrame seen;
  seen.eyes.resize(2);
  seen.X_SH.p = {0, 1.6, 0};
  xr::Controller &wrist = seen.hands[0], &finger = seen.hands[1];
  wrist.tracked = finger.tracked = true;
  wrist.X_SH.p = {-0.1, 1.35, -0.4};
  finger.X_SH.p = {1, 1, 0};
  const auto frame = [&] {
    xr::RenderScene picture;
    panels.point(seen, {}, menu.switches.comfort);
    runtime::PanelContext context{state, sceneView, simulationFrame, history, device, 1};
    panels.draw(context, menu, nullptr, {}, seen.X_SH, 1.0 / 90, picture);
  };
  const auto pressMenuButton = [&] {
    for (const bool down : {true, false}) {
      wrist.menu = down;
      frame();
    }
  };
  const auto pull = [&](double trigger) {
    finger.trigger = trigger;
    frame();
  };
  pressMenuButton();
  const runtime::MenuTrace shown = panels.trace(state, menu);
  ASSERT_TRUE(shown.controlPositions.contains("quit"));
  finger.X_SH = {shown.X_SP.q, shown.controlPositions.at("quit") + 0.3 * (shown.X_SP.q * Vector3d::UnitZ())};
  frame();
  pull(1);
  ASSERT_TRUE(panels.trace(state, menu).pressed);
  pressMenuButton();
  ASSERT_FALSE(panels.isShown());
  pull(0);
  pressMenuButton();
  frame();
  ASSERT_TRUE(panels.isShown());
  EXPECT_FALSE(menu.requests.quit);
  pull(1);
  pull(0);
  EXPECT_TRUE(menu.requests.quit) << "it works as before";
}

TEST(UniqueFileName, HasTheDateAndTheEnding) {
  const std::string name = runtime::uniqueFileName("", ".tenon");
  EXPECT_TRUE(name.starts_with("tenon-2") && name.ends_with(".tenon")) << name;
}

}  // namespace
}  // namespace tenon::tests
