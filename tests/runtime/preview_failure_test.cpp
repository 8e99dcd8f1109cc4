// What becomes of a window and its session when device, display, monitor or file go away.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/support/desktop_window.h"
#include "tests/support/drop_file.h"
#include "tests/support/preview_window.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::preview_failure_test {
namespace {

namespace fs = std::filesystem;
using Json = PreviewWindow::Json;

class PreviewFailure : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }

  /// Variables with which calls of Vulkan fail as `fault()` says.
  std::vector<std::string> faults() const {
    return {"VK_INSTANCE_LAYERS=VK_LAYER_TENON_faults", "VK_LAYER_PATH=" TENON_FAULTS_FOLDER,
            "TENON_FAULTS=" + (folder_ / "fault")};
  }

  /// From now on, as tests/support/faults says.
  void fault(const std::string& line) const {
    std::ofstream(folder_ / "next") << line;
    fs::rename(folder_ / "next", folder_ / "fault");
  }

  std::string session() const { return folder_ / "s.tenon"; }

  /// One line that says this, exit code 3, and a session that is whole up to there.
  void expectEnd(PreviewWindow& window, const std::string& line) const {
    EXPECT_EQ(window.exitCode(), 3);
    const std::string said = window.said();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
    EXPECT_NE(said.find(line), std::string::npos) << said;
    EXPECT_NE(said.find("the session until then is in " + session()), std::string::npos) << said;
    const Outcome verified = runTenon({"replay", session(), "--verify"});
    EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
    EXPECT_EQ(verified.out.find("cut off"), std::string::npos) << verified.out;
  }

  const TemporaryFolder folder_;
};

TEST_F(PreviewFailure, LostDeviceIsOneLineAndKeepsTheSession) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play", "--record", session()}, faults());
  fault("submit -4");
  expectEnd(window, "the Vulkan device failed (vk::Queue::submit2: ErrorDeviceLost)");
}

TEST_F(PreviewFailure, LostSurfaceIsOneLineAndKeepsTheSession) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play", "--record", session()}, faults());
  fault("present -1000000000");
  expectEnd(window, "ErrorSurfaceLostKHR");
}

TEST_F(PreviewFailure, DeadDisplayIsOneLineAndKeepsTheSession) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play", "--record", session()});
  window.screen().kill();
  expectEnd(window, "the display was lost");
}

TEST_F(PreviewFailure, OutOfDateSwapchainIsRecreated) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play"}, faults());
  for (const char* call : {"acquire", "present"}) {
    fault(std::string(call) + " -1000001004 once");
    EXPECT_TRUE(window.waitForPictures(3)) << call;
    EXPECT_FALSE(fs::exists(folder_ / "fault")) << call << " was not called";
  }
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

TEST_F(PreviewFailure, MinimizedWindowDoesNotRenderButSimulates) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play"});
  if (!window.screen().start("openbox")) GTEST_SKIP() << "no window manager; install openbox";
  ASSERT_TRUE(window.waitForPictures(3));
  // Until the window manager has taken the window over, it hears no wish to minimise it.
  const unsigned long number = std::stoul(window.number());
  ASSERT_TRUE(waitForState(window.screen().name(), number, WindowState::normal));
  window.screen().xdotool("windowminimize " + window.number());
  ASSERT_TRUE(waitForState(window.screen().name(), number, WindowState::iconic));
  ASSERT_TRUE(window.waitForNothing());
  const Json before = window.now();
  window.screen().xdotool("windowactivate --sync " + window.number());
  EXPECT_TRUE(window.waitForPictures(1));
  // What was due meanwhile was done, or given up where something else kept the machine busy; and some was
  // done.
  const auto since = [&](const char* name) {
    return window.now()[name].get<double>() - before[name].get<double>();
  };
  EXPECT_GT(since("time_s") + since("given_up") / before["rate_hz"].get<double>(),
            0.5 * since("since_start_s"))
      << "physics stood still behind the closed window";
  EXPECT_GT(since("steps"), 0);
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

TEST_F(PreviewFailure, RemovedMonitorAndEmptyWindowAreHandled) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play"});
  if (window.screen().said("xrandr").find('*') == std::string::npos)
    GTEST_SKIP() << "no xrandr that prints the mode of a monitor; install x11-xserver-utils";
  window.screen().said("xrandr --output screen --off");
  ASSERT_EQ(window.screen().said("xrandr").find('*'), std::string::npos) << "a mode is still on";
  EXPECT_TRUE(window.waitForPictures(3));
  window.resize(1, 1);
  window.resize(900, 600);
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["picture"][3].get<double>() > 400; }));
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

TEST_F(PreviewFailure, SceneFileMayBeDeletedWhileOpen) {
  const std::string file = folder_ / "scene.json";
  fs::copy_file(scenePath("pendulum"), file);
  PreviewWindow window({file, "--record", session()});
  fs::remove(file);
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["time_s"].get<double>() > 0.1; }));
  window.key("space");  // so that the start is still there when a picture comes
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["paused"].get<bool>(); }));
  window.key("BackSpace");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["time_s"].get<double>() < 0.1; }));
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
  const Outcome verified = runTenon({"replay", session(), "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
}

TEST_F(PreviewFailure, DroppedSceneIsOpenedAndAMissingOneReported) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  const std::string file = folder_ / "a scene.json";
  fs::copy_file(scenePath("hinge"), file);
  // As a file manager writes it.
  const auto asUri = [](std::string path) { return path.replace(path.find(' '), 1, "%20"); };
  dropFile(window.screen().name(), window.number(), asUri(file));
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["scene"] == "a scene"; }))
      << window.now()["scene"];
  fs::remove(file);
  dropFile(window.screen().name(), window.number(), asUri(file));
  EXPECT_TRUE(window.waitFor([&](const Json& picture) {
    return picture["notice"].get<std::string>().find(file) != std::string::npos;
  })) << window.now()["notice"];
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

}  // namespace
}  // namespace tenon::tests::preview_failure_test
