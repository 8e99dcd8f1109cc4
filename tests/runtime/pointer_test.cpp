// The mouse in the picture, event by event as the window reports them, without a window.
#include "runtime/live_view/pointer.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"
#include "xr/hands/mouse_hands.h"

namespace tenon::tests::pointer_test {
namespace {

using namespace runtime;
using Kind = xr::WindowInput::Kind;

/// bolt-in-plate.json seen from the front, in a picture that fills the window.
class Mouse {
 public:
  Mouse() {
    for (const content::Part& part : sceneView_.scene->parts) X_WP_.push_back(part.X_WP);
    state_.camera.lookFrom({0, -1, 0});
    state_.camera.frame(sceneView_.corners(X_WP_, std::nullopt), kAspect);
    onScrew();
  }

  /// The pointer's place: the middle of the screw, and so much beside it [fractions of the picture].
  void onScrew(double across = 0, double down = 0) {
    const Eigen::AlignedBox3d& box = sceneView_.boxes[1];
    const physics::Vector3d seen =
        xr::projected(state_.camera.view(kAspect), X_WP_[1] * physics::Vector3d(box.center()));
    x_ = seen.x() + across;
    y_ = seen.y() + down;
  }
  void move() { handleInput(Kind::move); }
  void press(xr::MouseButton button = xr::MouseButton::left) { handleInput(Kind::press, button); }
  void release(xr::MouseButton button = xr::MouseButton::left) { handleInput(Kind::release, button); }
  /// A picture goes by.
  void updateHover() { pointer_.updateHover(scene()); }

  bool holds() const { return sceneView_.hands.holds(0); }
  const std::string& notice() const { return state_.notice; }
  int changes() const { return changes_; }  ///< how often the hands' change was reported
  xr::MouseHands& hands() { return sceneView_.hands; }

  bool scripted = false;

 private:
  static constexpr double kAspect = 16.0 / 9;

  PointerScene scene() {
    return {state_, sceneView_, X_WP_, {0, 0, 1, 1}, kAspect, scripted, false, [this] { ++changes_; }};
  }
  void handleInput(Kind kind, xr::MouseButton button = xr::MouseButton::left) {
    xr::WindowInput input;
    input.kind = kind;
    input.button = button;
    input.x = x_;
    input.y = y_;
    pointer_.handleInput(input, scene());
  }

  SceneView sceneView_{
      std::make_shared<content::Scene>(xr::withTwoHands(content::loadScene(scenePath("bolt-in-plate"))))};
  ViewState state_;
  std::vector<physics::Pose> X_WP_;
  Pointer pointer_;
  double x_ = 0, y_ = 0;
  int changes_ = 0;
};

TEST(Pointer, EveryDragGraspsThePart) {
  Mouse mouse;
  for (int drag = 1; drag <= 20; ++drag) {
    mouse.onScrew();
    mouse.move();
    mouse.updateHover();
    mouse.press();
    EXPECT_TRUE(mouse.holds()) << "drag " << drag;
    mouse.onScrew(0.1, -0.1);
    mouse.move();
    mouse.updateHover();
    EXPECT_TRUE(mouse.holds()) << "drag " << drag;
    mouse.release();
    EXPECT_FALSE(mouse.holds()) << "drag " << drag;
    EXPECT_EQ(mouse.changes(), 2 * drag) << "closing and opening are reported at once";
    mouse.updateHover();
  }
}

TEST(Pointer, ReleasedByEscTheNextDragGraspsAgain) {
  Mouse mouse;
  mouse.press();
  ASSERT_TRUE(mouse.holds());
  mouse.hands().releaseAll();  // as Esc does
  EXPECT_FALSE(mouse.holds());
  mouse.move();
  EXPECT_FALSE(mouse.holds()) << "the button is still down";
  mouse.release();
  mouse.press();
  EXPECT_TRUE(mouse.holds());
}

TEST(Pointer, AfterTheScriptHasTakenOverAndReturnedADragGrasps) {
  Mouse mouse;
  mouse.press();
  ASSERT_TRUE(mouse.holds());
  mouse.scripted = true;
  mouse.updateHover();
  EXPECT_FALSE(mouse.holds());
  mouse.release();
  mouse.press();
  EXPECT_FALSE(mouse.holds());
  EXPECT_NE(mouse.notice().find("Press P"), std::string::npos) << mouse.notice();
  mouse.release();
  mouse.scripted = false;
  mouse.updateHover();
  mouse.press();
  EXPECT_TRUE(mouse.holds());
}

}  // namespace
}  // namespace tenon::tests::pointer_test
