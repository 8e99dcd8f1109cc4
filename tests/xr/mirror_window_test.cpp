// The mirror window while no headset draws into it.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/support/desktop_window.h"
#include "tests/support/screen.h"
#include "xr/display/mirror_window.h"

namespace tenon::xr {
namespace {

using Clock = std::chrono::steady_clock;

TEST(MirrorWindow, IsDestroyedWhenClosedWithoutAMirror) {
  if (const std::string why = tests::whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
  const tests::Screen screen;
  setenv("DISPLAY", screen.name().c_str(), 1);
  unsetenv("WAYLAND_DISPLAY");
  const auto window = MirrorWindow::open("seen beside");
  if (!window) GTEST_SKIP() << "no Vulkan that draws on a screen";
  const auto search = [&] { return screen.said("xdotool search --onlyvisible --name 'seen beside'"); };
  const auto pollUntil = [&](const auto& is) {
    const auto start = Clock::now();
    while (!is() && Clock::now() - start < std::chrono::minutes(1)) {
      window->poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return is();
  };
  ASSERT_TRUE(pollUntil([&] { return !search().empty(); }));
  tests::askToClose(screen.name(), std::stoul(search()));
  ASSERT_TRUE(pollUntil([&] { return window->closed(); }));
  window->poll();
  EXPECT_TRUE(pollUntil([&] { return search().empty(); })) << "a window that does nothing more";
}

}  // namespace
}  // namespace tenon::xr
