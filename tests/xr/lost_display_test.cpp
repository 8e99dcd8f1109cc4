// A window whose display is lost between two of its calls.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/support/screen.h"
#include "xr/display/window.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::xr {
namespace {

class LostDisplay : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = tests::whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (const VulkanProbe probe = probeVulkan(); !probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }

  /// Exits with 3 and the reason if `call` on a window whose display has just been killed reports it. For a
  /// process of its own: GLFW stays with the display that it lost.
  template <class Call>
  [[noreturn]] static void callOnLostDisplay(const Call& call) {
    tests::Screen screen;
    setenv("DISPLAY", screen.name().c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    try {
      Window window("lost", {});
      screen.kill();
      call(window);
    } catch (const GraphicsUnavailable& error) {
      std::cerr << error.what() << '\n';
      std::exit(3);
    }
    std::exit(0);
  }
};

constexpr const char* kLost = "the display was lost: its X server has ended, or the connection to it broke";

TEST_F(LostDisplay, IsNoticedBeforePanelsAreLaidOut) {
  EXPECT_EXIT(callOnLostDisplay([](Window& window) { window.beginPanels(); }), testing::ExitedWithCode(3),
              kLost);
}

TEST_F(LostDisplay, HasNoGeometry) {
  EXPECT_EXIT(callOnLostDisplay([](Window& window) { (void)window.geometry(); }), testing::ExitedWithCode(3),
              kLost);
}

}  // namespace
}  // namespace tenon::xr
