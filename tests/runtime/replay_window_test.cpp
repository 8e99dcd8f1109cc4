// tenon replay in a real window: the time line, events, recorded states, the re-simulation beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "runtime/record/session_frames.h"
#include "tests/runtime/session_file.h"
#include "tests/support/png_picture.h"
#include "tests/support/preview_window.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::replay_window_test {
namespace {

using Json = PreviewWindow::Json;

double number(const Json& json) {
  return json.get<double>();
}

Setting onScreen(const Screen& screen, const TemporaryFolder& folder) {
  return {{"DISPLAY=" + screen.name(), "WAYLAND_DISPLAY=", "XDG_CONFIG_HOME=" + folder.path()}, false, ""};
}

/// A session of a bolt that goes into its plate, on a machine with a virtual screen.
class ReplayCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    record("bolt-in-plate", "4.4", session());
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }

  static std::string session() { return *folder_ / "s.tenon"; }
  static std::string inFolder(const std::string& name) { return *folder_ / name; }
  /// A copy that SQL has changed.
  static std::string changed(const std::string& name, const std::string& sql) {
    const std::string copy = inFolder(name);
    std::ofstream(copy, std::ios::binary) << std::ifstream(session(), std::ios::binary).rdbuf();
    change(copy, sql);
    return copy;
  }
  static runtime::SessionEvent event(const std::string& kind) {
    for (const runtime::SessionEvent& one : runtime::SessionReader(session()).events())
      if (one.kind == kind) return one;
    ADD_FAILURE() << "no " << kind;
    return {};
  }

  static bool isAt(PreviewWindow& window, double time, double tolerance = 1e-6) {
    return window.waitFor([&](const Json& picture) {
      return std::abs(number(picture["replay"]["time_s"]) - time) <= tolerance;
    });
  }
  void keepOnFailure(PreviewWindow& window) {
    if (!HasFailure()) return;
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    ADD_FAILURE() << "the window is kept as " << window.keepPicture(name) << "; it said: " << window.said()
                  << "\nlast: " << window.now()["replay"];
  }

  static TemporaryFolder* folder_;
};

TemporaryFolder* ReplayCommand::folder_ = nullptr;

TEST_F(ReplayCommand, AClickOnTheTimeLineShowsTheRecordedState) {
  PreviewWindow window({session()}, {}, "replay");
  const double length = number(window.now()["replay"]["length_s"]);
  EXPECT_NEAR(length, 4.4, 1e-9);
  const Json at = window.now()["marks"]["time line"];
  const double left = number(at[0]), right = number(at[2]), middle = (number(at[1]) + number(at[3])) / 2;
  window.moveTo(left + 0.6 * (right - left), middle);
  window.waitForPictures(2);
  window.press(1);
  EXPECT_TRUE(isAt(window, 0.6 * length, 0.01));
  window.glideTo(left + 0.3 * (right - left), middle);
  EXPECT_TRUE(isAt(window, 0.3 * length, 0.01)) << "a drag goes on";
  window.release(1);
  window.waitForPictures(2);
  window.key("Right");  // to a recorded state
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return picture["replay"]["tick"].get<int>() % 10 == 0; }));
  const runtime::SessionReader reader(session());
  runtime::SessionFrames frames(reader);
  runtime::RecordedFrame frame;
  frames.read(window.now()["replay"]["tick"].get<std::int64_t>(), frame);
  const auto screw = static_cast<std::size_t>(
      std::find(reader.bodies().begin(), reader.bodies().end(), "screw") - reader.bodies().begin());
  const physics::Quaterniond& q = frame.world.bodies[screw].X_WC.q;
  const Json& pose = window.now()["poses"]["screw"];
  for (const auto& [k, value] : {std::pair{3, q.w()}, {4, q.x()}, {5, q.y()}, {6, q.z()}})
    EXPECT_NEAR(number(pose[static_cast<std::size_t>(k)]), value, 1e-12) << k;
  keepOnFailure(window);
}

TEST_F(ReplayCommand, EventsAreReachedByKeyAndByClick) {
  PreviewWindow window({session()}, {}, "replay");
  window.key("Next");
  EXPECT_TRUE(isAt(window, event("grab").time));
  window.key("Next");
  EXPECT_TRUE(isAt(window, event("seated").time));
  window.key("Next");
  EXPECT_TRUE(isAt(window, event("release").time));
  window.key("Prior");
  EXPECT_TRUE(isAt(window, event("seated").time));
  // The list in the column: the first event that is no touch.
  const auto events = runtime::SessionReader(session()).events();
  const auto grab =
      std::find_if(events.begin(), events.end(), [](const auto& e) { return e.kind == "grab"; });
  window.clickControl("event " + std::to_string(grab - events.begin()));
  EXPECT_TRUE(isAt(window, grab->time));
  keepOnFailure(window);
}

TEST_F(ReplayCommand, AStepGoesToTheNextRecordedStateAndBack) {
  PreviewWindow window({session(), "--time", "2.0"}, {}, "replay");
  EXPECT_TRUE(isAt(window, 2.0));
  window.key("Left");
  EXPECT_TRUE(isAt(window, 1.99));
  window.key("Left");
  EXPECT_TRUE(isAt(window, 1.98));
  window.key("Right");
  EXPECT_TRUE(isAt(window, 1.99));
  window.key("Home");
  EXPECT_TRUE(isAt(window, 0));
  window.key("Left");
  window.waitForPictures(2);
  EXPECT_TRUE(isAt(window, 0)) << "there is nothing before the start";
  keepOnFailure(window);
}

TEST_F(ReplayCommand, FastPlaybackStopsAtTheEnd) {
  PreviewWindow window({session(), "--time", "3.0"}, {}, "replay");
  window.key("Up");
  window.key("Up");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["replay"]["speed"] == 4; }));
  window.key("space");
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return picture["replay"]["time_s"] == picture["replay"]["length_s"] && !picture["replay"]["playing"];
  }));
  EXPECT_EQ(window.now()["goals"][0]["verdict"], "inserted");
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

TEST_F(ReplayCommand, TheScreenshotShowsTheRequestedTime) {
  const Screen screen;
  const auto pictureAt = [&](const std::string& time) {
    const std::string file = inFolder("at-" + time + ".png");
    const Outcome outcome = runTenon({"replay", session(), "--time", time, "--size", "960x600", "--frames",
                                      "3", "--screenshot", file, "--force", "--quit"},
                                     onScreen(screen, *folder_));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("length"), std::string::npos) << "it also lists the contents of the session";
    return readPng(file);
  };
  const PngPicture start = pictureAt("0"), later = pictureAt("2.6"), again = pictureAt("2.6");
  ASSERT_EQ(later.width, 960);
  ASSERT_EQ(later.height, 600);
  // Of the picture alone, left of the panels and above the time line.
  const auto differences = [&](const PngPicture& a, const PngPicture& b) {
    int count = 0;
    for (std::size_t y = 45; y < 490; ++y)
      for (std::size_t x = 0; x < 600; ++x)
        count += std::abs(a.rgb[3 * (960 * y + x)] - b.rgb[3 * (960 * y + x)]) > 24;
    return count;
  };
  EXPECT_GT(differences(start, later), 2000);
  EXPECT_LT(differences(later, again), 20);
}

TEST_F(ReplayCommand, AnIdenticalReSimulationIsReported) {
  PreviewWindow window({session()}, {}, "replay");
  EXPECT_FALSE(window.now()["replay"].contains("ghost"));
  window.clickControl("re-simulate");
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return picture["replay"].contains("ghost") && picture["replay"]["ghost"]["done"].get<bool>();
  }));
  const Json ghost = window.now()["replay"]["ghost"];
  EXPECT_EQ(ghost["same"], true);
  EXPECT_EQ(ghost["greatest_m"], 0);
  EXPECT_EQ(ghost["problem"], "");
  EXPECT_EQ(ghost["time_s"], window.now()["replay"]["length_s"]);
  keepOnFailure(window);
}

/// The states are those of the session, and the hand's path is not: from 1 s on it is 2 mm higher.
TEST_F(ReplayCommand, ADifferentReSimulationIsShownBesideTheRecord) {
  const std::string file =
      changed("other.tenon", "UPDATE command SET pz_m = pz_m + 0.002 WHERE kind = 'move' AND tick > 1000");
  mendChain(file);
  PreviewWindow window({file, "--time", "1.5", "--resimulate"}, {}, "replay");
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return picture["replay"].contains("ghost") && picture["replay"]["ghost"]["done"].get<bool>();
  }));
  const Json ghost = window.now()["replay"]["ghost"];
  EXPECT_EQ(ghost["same"], false);
  EXPECT_EQ(ghost["shown"], true);
  EXPECT_GT(number(ghost["greatest_m"]), 0.0015);
  keepOnFailure(window);
}

TEST_F(ReplayCommand, ARecordOfOtherArithmeticPlaysFromItsStatesWithANotice) {
  const std::string file = changed("elsewhere.tenon", "UPDATE session SET arithmetic = 'another one'");
  PreviewWindow window({file, "--time", "1.5"}, {}, "replay");
  EXPECT_TRUE(isAt(window, 1.5));
  EXPECT_NE(window.now()["replay"]["not_exact"].get<std::string>().find("another one"), std::string::npos);
  keepOnFailure(window);
}

TEST_F(ReplayCommand, DamageIsReportedWhereItIsShown) {
  const std::string file =
      changed("damaged.tenon", "UPDATE body_state SET px_m = px_m + 0.001 WHERE tick = 2000 AND body = 1");
  PreviewWindow window({file, "--time", "1.5"}, {}, "replay");
  EXPECT_EQ(window.now()["replay"]["damage"], "");
  const Json at = window.now()["marks"]["time line"];
  window.moveTo(number(at[0]) + 2.0 / 4.4 * (number(at[2]) - number(at[0])),
                (number(at[1]) + number(at[3])) / 2);
  window.waitForPictures(2);
  window.click(1);
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["replay"]["damage"] != ""; }));
  keepOnFailure(window);
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 2);
  EXPECT_NE(window.said().find("another hash"), std::string::npos) << window.said();
}

TEST(ReplayWithoutDisplay, IsOneClearLineAndTextNeedsNone) {
  const TemporaryFolder folder;
  record("stack", "0.1", folder / "s.tenon");
  const Setting nowhere{{"DISPLAY=", "WAYLAND_DISPLAY="}, false, ""};
  const Outcome outcome = runTenon({"replay", folder / "s.tenon"}, nowhere);
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no display to open a window on"), std::string::npos) << outcome.err;
  const Outcome text = runTenon({"replay", folder / "s.tenon", "--text"}, nowhere);
  EXPECT_EQ(text.exitCode, 0) << text.err;
  EXPECT_EQ(text.out, outcome.out) << "the contents of the session are listed either way";
}

TEST(ReplayWithoutDisplay, BadInputIsReportedFirst) {
  const TemporaryFolder folder;
  record("stack", "0.1", folder / "s.tenon");
  const Setting nowhere{{"DISPLAY=", "WAYLAND_DISPLAY="}, false, ""};
  const auto refused = [&](std::vector<std::string> arguments, const std::string& part) {
    arguments.insert(arguments.begin(), "replay");
    const Outcome outcome = runTenon(arguments, nowhere);
    EXPECT_EQ(outcome.exitCode, 2) << part;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
  };
  refused({scenePath("stack")}, "not an SQLite file");
  refused({folder / "s.tenon", "--time", "7"}, "after the end");
  refused({folder / "s.tenon", "--screenshot", folder / "s.tenon", "--frames", "1"}, "the session itself");
}

}  // namespace
}  // namespace tenon::tests::replay_window_test
