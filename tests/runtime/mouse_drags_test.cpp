// Drags of a real mouse in the preview's window, one after the other.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/preview_window.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::mouse_drags_test {
namespace {

using Json = PreviewWindow::Json;

/// Of a machine with a virtual screen and a Vulkan device.
class MouseDrags : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }
};

bool isHeld(const Json& picture, bool held) {
  const Json holds = held ? Json("screw") : Json();
  return picture["hands"][0]["holds"] == holds;
}

/// Pixels across from the window's left edge, and down from its top.
double at(const Json& picture, int k) {
  return picture["places"]["screw"][static_cast<std::size_t>(k)].get<double>();
}

TEST_F(MouseDrags, EveryOneMovesThePart) {
  PreviewWindow window({scenePath("bolt-in-plate")});
  window.key("1");
  ASSERT_TRUE(window.waitForPictures(3));
  for (int drag = 1; drag <= 4; ++drag) {
    const double x = at(window.now(), 0), y = at(window.now(), 1), side = drag % 2 == 0 ? -60 : 60;
    window.moveTo(x, y);
    ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["under"] == "screw"; })) << drag;
    window.press(1);
    ASSERT_TRUE(window.waitFor([](const Json& picture) { return isHeld(picture, true); }))
        << "drag " << drag << ": " << window.now()["hands"];
    window.glideTo(x + side, y - 40);
    ASSERT_TRUE(window.waitForRest());
    EXPECT_NEAR(at(window.now(), 0) - x, side, 15) << "drag " << drag;
    window.release(1);
    ASSERT_TRUE(window.waitFor([](const Json& picture) { return isHeld(picture, false); })) << drag;
    ASSERT_TRUE(window.waitForRest());
  }
  if (HasFailure()) ADD_FAILURE() << "the window is kept as " << window.keepPicture("EveryOneMovesThePart");
}

}  // namespace
}  // namespace tenon::tests::mouse_drags_test
