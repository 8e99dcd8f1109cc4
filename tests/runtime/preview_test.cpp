// tenon preview in a real window: pictures, mouse, keys, and what happens where there is no display.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/runtime/screw_by_mouse.h"
#include "tests/support/png_picture.h"
#include "tests/support/preview_window.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::preview_test {
namespace {

namespace fs = std::filesystem;
using Json = PreviewWindow::Json;

/// Of a machine with a virtual screen and a Vulkan device.
class PreviewCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }

  void keepOnFailure(PreviewWindow& window) {
    if (!HasFailure()) return;
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    ADD_FAILURE() << "the window is kept as " << window.keepPicture(name) << "; it said: " << window.said();
  }
};

/// The middle of an empty part of the picture: the upper left.
Place besideParts(const Json& picture) {
  const Json& area = picture["picture"];
  return {number(area[0]) + 0.06 * number(area[2]), number(area[1]) + 0.06 * number(area[3])};
}

TEST_F(PreviewCommand, ScreenshotShowsSceneAndPanels) {
  const TemporaryFolder folder;
  const Screen screen;
  const std::string file = folder / "picture.png";
  const Outcome outcome = runTenon(
      {"preview", scenePath("bolt-in-plate"), "--paused", "--size", "960x600", "--frames", "3",
       "--screenshot", file, "--quit"},
      {{"DISPLAY=" + screen.name(), "WAYLAND_DISPLAY=", "XDG_CONFIG_HOME=" + folder.path()}, false, ""});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const PngPicture picture = readPng(file);
  ASSERT_EQ(picture.width, 960);
  ASSERT_EQ(picture.height, 600);
  const auto grey = [&](int x, int y) { return picture.rgb[3 * (static_cast<std::size_t>(y) * 960 + x)]; };
  EXPECT_GT(grey(20, 60), 80) << "the wall behind the parts is light";
  EXPECT_LT(grey(955, 590), 60) << "the panels are dark";
  EXPECT_TRUE(fs::exists(folder / "tenon/preview.json")) << "the window is remembered";
}

TEST_F(PreviewCommand, OrbitPanAndZoomMoveOnlyTheCamera) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  const Json start = window.now();
  const Place at = besideParts(start);
  const auto drag = [&](int button) {
    window.moveTo(at.x, at.y);
    window.waitForPictures(2);
    window.press(button);
    window.glideTo(at.x + 120, at.y + 60);
    window.release(button);
    window.waitForPictures(2);
    return window.now()["camera"];
  };
  const Json orbited = drag(2);
  EXPECT_GT(std::abs(number(orbited["azimuth"]) - number(start["camera"]["azimuth"])), 0.2);
  EXPECT_NEAR(number(orbited["distance"]), number(start["camera"]["distance"]), 1e-9);
  const Json panned = drag(3);
  EXPECT_EQ(panned["azimuth"], orbited["azimuth"]);
  EXPECT_NE(panned["eye"], orbited["eye"]);
  window.click(4, 3);
  EXPECT_TRUE(window.waitFor([&](const Json& picture) {
    return number(picture["camera"]["distance"]) < 0.75 * number(panned["distance"]);
  }));
  EXPECT_EQ(window.now()["poses"], start["poses"]);
  EXPECT_EQ(window.now()["steps"], 0);
  keepOnFailure(window);
}

TEST_F(PreviewCommand, ScriptReachesTheGoalInRealTime) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play"});
  EXPECT_TRUE(
      window.waitFor([](const Json& picture) { return picture["goals"][0]["verdict"] == "inserted"; }));
  keepOnFailure(window);
}

TEST_F(PreviewCommand, MouseInsertsTheScrew) {
  PreviewWindow window({scenePath("bolt-in-plate")});
  insertScrewByMouse(window);
  EXPECT_GE(number(window.now()["latency_ms"]), 0) << "the latency from mouse to picture is measured";
  // The placement can be taken back.
  window.key("ctrl+z");
  EXPECT_TRUE(
      window.waitFor([](const Json& picture) { return picture["goals"][0]["verdict"] != "inserted"; }));
  keepOnFailure(window);
}

TEST_F(PreviewCommand, PauseStepAndResetMoveTime) {
  PreviewWindow window({scenePath("pendulum")});
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return number(picture["time_s"]) > 0.1; }));
  window.key("space");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["paused"] == true; }));
  const double stopped = number(window.now()["time_s"]);
  window.key("Right");
  ASSERT_TRUE(window.waitFor([&](const Json& picture) { return number(picture["time_s"]) > stopped; }));
  EXPECT_NEAR(number(window.now()["time_s"]) - stopped, 1 / number(window.now()["rate_hz"]), 1e-9);
  window.key("BackSpace");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return number(picture["time_s"]) == 0; }));
  keepOnFailure(window);
}

TEST_F(PreviewCommand, PanelsSetSectionSolverAndScene) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  window.clickControl("section y");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["section"]["axis"] == 1; }));
  const Json slider = window.now()["marks"]["section slider"];
  const double y = (number(slider[1]) + number(slider[3])) / 2;
  window.moveTo(number(slider[0]) + 0.5 * (number(slider[2]) - number(slider[0])), y);
  window.waitForPictures(2);
  window.press(1);
  window.waitForPictures(2);
  window.glideTo(number(slider[0]) + 0.75 * (number(slider[2]) - number(slider[0])), y);
  window.waitForPictures(2);
  window.release(1);
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return std::abs(number(picture["section"]["place_mm"])) > 10; }));
  window.clickControl("open");
  window.clickControl("hinge");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["scene"] == "hinge"; }));
  keepOnFailure(window);
}

TEST_F(PreviewCommand, DynamicsPanelAndThrusterKeysChangeTheMotion) {
  const TemporaryFolder folder;
  const std::string scene = folder / "lander.json", record = folder / "lander.tenon";
  std::ofstream(scene) << R"({"tenon": 1, "title": "lander", "unit": "mm", "duration_s": 5,
    "parts": [{"name": "ground", "motion": "fixed", "shape": {"kind": "half_space"}},
              {"name": "lander", "mass": {"mass_kg": 1}, "position": [0, 0, 20],
               "shape": {"kind": "box", "size": [40, 40, 40]},
               "thrusters": [{"name": "up", "key": "I", "force_n": [0, 0, 15]}]}]})";
  PreviewWindow window({scene, "--record", record});
  for (const char* section : {"View", "Events", "Dynamics"}) window.clickControl(section);  // closes two
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["marks"].contains("gravity"); }));
  const auto height = [](const Json& picture) { return number(picture["poses"]["lander"][2]); };
  const auto level = [](const Json& picture) { return number(picture["thrusters"][0]); };
  window.keyDown("i");
  EXPECT_TRUE(
      window.waitFor([&](const Json& picture) { return level(picture) == 1 && height(picture) > 0.025; }));
  window.keyUp("i");
  EXPECT_TRUE(window.waitFor([&](const Json& picture) { return level(picture) == 0; }));
  // The right end of the slider of the linear damping.
  const Json slider = window.now()["marks"]["linear damping"];
  window.moveTo(number(slider[2]) - 5, (number(slider[1]) + number(slider[3])) / 2);
  window.waitForPictures(2);
  window.click(1);
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return number(picture["dynamics"]["linear_damping_per_s"]) > 15; }));
  window.clickControl("scene values");
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return number(picture["dynamics"]["linear_damping_per_s"]) == 0; }));
  keepOnFailure(window);
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0);
  const Outcome verified = runTenon({"replay", record, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
}

TEST_F(PreviewCommand, TwoPickedFeaturesAreMeasured) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--paused"});
  window.keyDown("ctrl");
  for (const char* what : {"screw", "plate/hole"}) {
    const Place at = placeOf(window.now(), what);
    window.moveTo(at.x, at.y);
    window.waitForPictures(2);
    window.click(1);
    window.waitForPictures(2);
  }
  window.keyUp("ctrl");
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return picture["reading"].get<std::string>().find("clearance") != std::string::npos;
  })) << window.now()["reading"];
  keepOnFailure(window);
}

TEST_F(PreviewCommand, WindowOfAnySizeRendersAndEscExits) {
  PreviewWindow window({scenePath("flange"), "--play"});
  for (const auto& [width, height] : {std::pair{900, 500}, {1500, 950}, {700, 420}}) {
    window.resize(width, height);
    EXPECT_TRUE(window.waitFor([&, w = width, h = height](const Json& picture) {
      const Json& area = picture["picture"];
      return number(area[0]) + number(area[2]) < w && number(area[2]) > w - 400 &&
             number(area[3]) > h - 100 && number(area[3]) < h;
    })) << width;
  }
  keepOnFailure(window);
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

/// By mouse.
void carryScrewAside(PreviewWindow& window) {
  const Place screw = placeOf(window.now(), "screw");
  window.moveTo(screw.x, screw.y);
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["under"] == "screw"; }));
  window.press(1);
  window.glideTo(screw.x + 60, screw.y - 80);
  window.release(1);
  ASSERT_TRUE(window.waitForRest());
}

TEST_F(PreviewCommand, SessionByMouseIsRecordedAndVerified) {
  const TemporaryFolder folder;
  const std::string session = folder / "s.tenon";
  {
    PreviewWindow window({scenePath("bolt-in-plate"), "--record", session});
    ASSERT_NO_FATAL_FAILURE(carryScrewAside(window));
    window.key("Escape");
    ASSERT_EQ(window.exitCode(), 0) << window.said();
  }
  const Outcome verified = runTenon({"replay", session, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
}

TEST_F(PreviewCommand, UndoBookmarkAndNoteAreInTheRecordThatIsVerified) {
  const TemporaryFolder folder;
  const std::string session = folder / "s.tenon";
  {
    PreviewWindow window({scenePath("bolt-in-plate"), "--record", session});
    const Json start = window.now()["poses"]["screw"];
    ASSERT_NO_FATAL_FAILURE(carryScrewAside(window));
    window.key("b");
    window.key("ctrl+z");
    EXPECT_TRUE(window.waitFor([&](const Json& picture) {
      return std::abs(number(picture["poses"]["screw"][0]) - number(start[0])) < 1e-4;
    })) << "it is back where it was";
    window.key("w");
    ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["marks"].contains("note line"); }));
    window.waitForPictures(3);
    window.screen().xdotool("type 'too far left'");
    window.waitForPictures(3);
    window.key("Return");
    EXPECT_TRUE(window.waitFor([](const Json& picture) { return !picture["marks"].contains("note line"); }));
    keepOnFailure(window);
    window.key("Escape");
    ASSERT_EQ(window.exitCode(), 0) << window.said();
  }
  const Outcome verified = runTenon({"replay", session, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
  for (const char* entry : {"bookmark", "undo (screw by right)", "note (too far left)"})
    EXPECT_NE(verified.out.find(entry), std::string::npos) << entry << " is missing in " << verified.out;
}

TEST_F(PreviewCommand, BrokenSettingsAreReportedAndReset) {
  const TemporaryFolder folder;
  const Screen screen;
  fs::create_directories(folder / "tenon");
  std::ofstream(folder / "tenon/preview.json") << "{\"window\": [1, ";
  const Outcome outcome = runTenon(
      {"preview", scenePath("stack"), "--frames", "1", "--quit"},
      {{"DISPLAY=" + screen.name(), "WAYLAND_DISPLAY=", "XDG_CONFIG_HOME=" + folder.path()}, false, ""});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("is not a valid settings file"), std::string::npos) << outcome.err;
}

TEST_F(PreviewCommand, ValidationFindsNoMistakeInTheUseOfVulkan) {
  const TemporaryFolder folder;
  // Remarks on best practices show that the layer is there and is heard.
  std::ofstream(folder / "vk_layer_settings.txt")
      << "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
         "khronos_validation.log_filename = stdout\n"
         "khronos_validation.report_flags = error,warn,perf\n"
         "khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,"
         "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT\n";
  PreviewWindow window({scenePath("flange"), "--play"}, {"VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation",
                                                         "VK_LAYER_SETTINGS_PATH=" + folder.path()});
  window.resize(800, 500);
  window.waitForPictures(5);
  window.keepPicture("validation");
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0);
  const std::string said = window.said();
  if (said.find("UNASSIGNED-BestPractices") == std::string::npos)
    GTEST_SKIP() << "the validation layers say nothing; install vulkan-validationlayers";
  EXPECT_EQ(said.find("Validation Error"), std::string::npos) << said;
  EXPECT_EQ(said.find("SYNC-HAZARD"), std::string::npos) << said;
}

TEST(PreviewWithoutDisplay, IsOneClearLine) {
  const Outcome outcome =
      runTenon({"preview", scenePath("stack")}, {{"DISPLAY=", "WAYLAND_DISPLAY="}, false, ""});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no display to open a window on"), std::string::npos) << outcome.err;
}

TEST(PreviewWithoutDisplay, BadInputIsReportedFirst) {
  const Outcome outcome =
      runTenon({"preview", "nowhere.json"}, {{"DISPLAY=", "WAYLAND_DISPLAY="}, false, ""});
  EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
}

TEST(PreviewWithoutDisplay, AnExcessivelyNestedFileIsRejected) {
  const TemporaryFolder folder;
  const std::string file = folder / "deep.json";
  std::ofstream(file) << R"({"title": "x", "hands": )" << std::string(400000, '[') << std::string(400000, ']')
                      << "}";
  for (const char* command : {"preview", "vr"}) {
    const Outcome outcome = runTenon({command, file});
    EXPECT_EQ(outcome.exitCode, 2) << command;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST(PreviewWithoutDisplay, NothingIsWrittenOverTheScene) {
  if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), file);
  const auto size = fs::file_size(file);
  const Screen screen;
  for (const char* option : {"--trace", "--screenshot"}) {
    const Outcome outcome = runTenon(
        {"preview", file, option, file, "--frames", "1", "--quit"},
        {{"DISPLAY=" + screen.name(), "WAYLAND_DISPLAY=", "XDG_CONFIG_HOME=" + folder.path()}, false, ""});
    EXPECT_EQ(outcome.exitCode, 2) << option << outcome.err;
    EXPECT_EQ(fs::file_size(file), size);
  }
}

}  // namespace
}  // namespace tenon::tests::preview_test
