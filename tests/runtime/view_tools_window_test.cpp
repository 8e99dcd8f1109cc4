// View cube, projection, section handle and dimension line in the window of tenon preview, with a real mouse.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/preview_window.h"
#include "tests/support/program_run.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::view_tools_window_test {
namespace {

using Json = PreviewWindow::Json;

class ViewTools : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }
};

double camera(const Json& picture, const char* what) {
  return picture["camera"][what].get<double>();
}

double place(const Json& picture) {
  return picture["section"]["place_mm"].get<double>();
}

TEST_F(ViewTools, TheCubeTurnsTheViewAndOrbits) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  window.clickControl("cube Top");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return camera(picture, "elevation") > 1.5; }));
  window.clickControl("view cube");  // the middle of the top face, which fills it
  EXPECT_GT(camera(window.now(), "elevation"), 1.5);
  window.key("1");
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return std::abs(camera(picture, "elevation")) < 0.1; }));
  // The upper edge of the front face: between front and top.
  const Json at = window.now()["marks"]["view cube"];
  const double left = at[0], top = at[1], side = at[2].get<double>() - left;
  const double edge = 0.9 * side / (2 * std::numbers::sqrt3);
  window.moveTo(left + side / 2, top + side / 2 - edge);
  window.waitForPictures(2);
  window.click(1);
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return std::abs(camera(picture, "elevation") - std::numbers::pi / 4) < 1e-6;
  })) << window.now()["camera"];
  const double azimuth = camera(window.now(), "azimuth");
  window.press(1);
  window.waitForPictures(2);
  window.glideTo(left + side / 2 + 60, top + side / 2);
  window.release(1);
  window.waitForPictures(2);
  EXPECT_GT(std::abs(camera(window.now(), "azimuth") - azimuth), 0.05) << "a drag orbits";
}

TEST_F(ViewTools, TheProjectionKeepsWhatIsSeen) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  EXPECT_EQ(window.now()["camera"]["orthographic"], false);
  const Json before = window.now()["places"]["screw"];
  window.key("ctrl+5");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["camera"]["orthographic"] == true; }));
  const Json after = window.now()["places"]["screw"];
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(before[k].get<double>(), after[k].get<double>(), 60) << "about where it was";
  // The part under the mouse is found there, and can be pulled.
  window.moveTo(after[0].get<double>(), after[1].get<double>());
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["under"] == "screw"; }));
}

TEST_F(ViewTools, TheSectionFollowsItsHandle) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  window.key("s");
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return picture["marks"].contains("section handle"); }));
  const Json at = window.now()["marks"]["section handle"];
  const double x = (at[0].get<double>() + at[2].get<double>()) / 2,
               y = (at[1].get<double>() + at[3].get<double>()) / 2;
  EXPECT_EQ(place(window.now()), 0);
  window.moveTo(x, y);
  window.waitForPictures(2);
  window.press(1);
  window.waitForPictures(2);
  window.glideTo(x + 50, y);
  window.waitForPictures(2);
  EXPECT_GT(place(window.now()), 3) << "x points to the right in this view";
  const double from = at[0].get<double>();
  EXPECT_TRUE(window.waitFor([from](const Json& picture) {
    return picture["marks"]["section handle"][0].get<double>() > from + 20;
  })) << "the handle stays under the mouse";
  const double shown = place(window.now());
  window.release(1);
  window.waitForPictures(2);
  EXPECT_EQ(place(window.now()), shown);
}

}  // namespace
}  // namespace tenon::tests::view_tools_window_test
