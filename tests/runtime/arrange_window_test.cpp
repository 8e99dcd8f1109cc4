// The arrange mode of tenon preview with a real mouse: from an empty window to a scene that runs, without
// JSON typed.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "content/reader/load_scene.h"
#include "tests/support/drop_file.h"
#include "tests/support/preview_window.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::arrange_window_test {
namespace {

namespace fs = std::filesystem;
using Json = PreviewWindow::Json;

class ArrangeWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }

  void keepOnFailure(PreviewWindow& window) {
    if (!HasFailure()) return;
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    ADD_FAILURE() << "the window is kept as " << window.keepPicture(name) << "; it said: " << window.said()
                  << "; notice: " << window.now()["notice"] << "; problem: " << window.now()["problem"];
  }
};

double value(const Json& json) {
  return json.get<double>();
}

std::string textOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool waitForParts(PreviewWindow& window, int count) {
  return window.waitFor(
      [&](const Json& picture) { return picture["parts"] == count && picture["reading_bench"] == false; });
}

void addFromLibrary(PreviewWindow& window, const std::string& name) {
  window.clickControl("add part");
  window.clickControl("library " + name);
  window.clickControl("add to scene");
}

/// Types a text into a field, in place of what is there.
void typeInto(PreviewWindow& window, const std::string& field, const std::string& text) {
  window.clickControl(field);
  window.key("ctrl+a");
  window.waitForPictures(2);
  window.screen().xdotool("type --delay 30 -- '" + text + "'");
  window.waitForPictures(2);
  window.key("Return");
  window.waitForPictures(3);
}

void clickPart(PreviewWindow& window, const std::string& part) {
  const Json at = window.now()["places"][part];
  window.moveTo(value(at[0]), value(at[1]));
  window.waitForPictures(2);
  window.click(1);
  window.waitForPictures(2);
}

void drag(PreviewWindow& window, double x, double y, double across, double down) {
  window.moveTo(x, y);
  window.waitForPictures(2);
  window.press(1);
  window.waitForPictures(2);
  window.glideTo(x + across, y + down);
  window.waitForPictures(2);
  window.release(1);
  window.waitForPictures(2);
}

TEST_F(ArrangeWindow, FromAnEmptyWindowToASavedSceneThatRuns) {
  PreviewWindow window({});
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  EXPECT_EQ(window.now()["parts"], 1) << "the floor";
  addFromLibrary(window, "plate");
  ASSERT_TRUE(waitForParts(window, 2));
  EXPECT_EQ(window.now()["selected"], "plate");
  addFromLibrary(window, "ISO 4762");
  ASSERT_TRUE(waitForParts(window, 3));
  EXPECT_EQ(window.now()["problem"], "");
  window.clickControl("accept all");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["bench_goals"] == 1; }));
  window.clickControl("script for goals");
  window.clickControl("save");
  window.clickControl("choose file");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == false; }));
  const std::string file = window.now()["file"];
  ASSERT_TRUE(fs::exists(file)) << file;
  window.clickControl("run");
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return picture["arranging"] == false && value(picture["time_s"]) > 0.2; }));
  keepOnFailure(window);
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
  const Outcome checked = runTenon({"check", file});
  EXPECT_EQ(checked.exitCode, 0) << checked.out << checked.err;
  const Outcome run = runTenon({"run", file});
  EXPECT_EQ(run.exitCode, 0) << run.out << run.err << textOf(file);
}

TEST_F(ArrangeWindow, TwoScrewsAndADowelAreArrangedRecordedAndReportedWithoutWriting) {
  PreviewWindow window({});
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  window.clickControl("add part");
  window.clickControl("library plate");
  for (int k = 0; k < 2; ++k) window.clickControl("new holes more");
  typeInto(window, "new holes 2 at 0", "25");
  typeInto(window, "new holes 3 at 0", "-25");
  typeInto(window, "new holes 3 diameter", "8");
  window.clickControl("add to scene");
  ASSERT_TRUE(waitForParts(window, 2)) << window.now()["notice"];
  for (const char* part : {"ISO 4762", "ISO 4762", "ISO 2338"}) {
    const int before = window.now()["parts"];
    addFromLibrary(window, part);
    ASSERT_TRUE(waitForParts(window, before + 1)) << part;
  }
  window.clickControl("accept all");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["bench_goals"] == 3; }));
  window.clickControl("goal pin into plate/hole 2 3");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["selected_goal"] == true; }));
  typeInto(window, "goal fit", "H7/m6");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["reading_bench"] == false; }));
  EXPECT_EQ(window.now()["problem"], "") << "steel is elastic, so that dowels can be pressed in";
  window.clickControl("script for goals");
  window.clickControl("save");
  window.clickControl("choose file");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == false; }));
  window.clickControl("run");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == false; }));
  window.key("ctrl+r");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["recording"] == true; }))
      << window.now()["notice"];
  window.key("p");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return value(picture["time_s"]) > 2; }));
  window.key("ctrl+r");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["recording"] == false; }));
  std::string record;
  for (const auto& entry : fs::directory_iterator(window.folder().path()))
    if (entry.path().extension() == ".tenon") record = entry.path().string();
  keepOnFailure(window);
  ASSERT_NE(record, "");
  const std::string report = window.folder() / "report.html";
  const Outcome exported = runTenon({"export", record, "--format", "html", "--out", report});
  EXPECT_EQ(exported.exitCode, 0) << exported.err;
  EXPECT_NE(textOf(report).find("H7/m6"), std::string::npos);
}

TEST_F(ArrangeWindow, HandlesKeysAndFieldsEditTheFileAndUndoRestoresIt) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), file);
  const std::string before = textOf(file);
  PreviewWindow window({file, "--paused"});
  window.key("ctrl+e");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  clickPart(window, "screw");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["selected"] == "screw"; }));
  const auto x = [&] { return value(window.now()["poses"]["screw"][0]); };
  const double start = x();
  const Json handle = window.now()["handles"][0];
  drag(window, value(handle[0]), value(handle[1]), -60, 0);
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == true; }));
  EXPECT_GT(std::abs(x() - start), 0.002);
  EXPECT_NEAR(value(window.now()["poses"]["screw"][1]), 0, 1e-9) << "along x only";
  window.key("ctrl+z");
  EXPECT_TRUE(window.waitFor([&](const Json& picture) {
    return picture["modified"] == false && std::abs(value(picture["poses"]["screw"][0]) - start) < 1e-9;
  }));
  typeInto(window, "position x", "-45.5");
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return std::abs(value(picture["poses"]["screw"][0]) + 0.0455) < 1e-9; }));
  window.clickControl("part plate");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["selected"] == "plate"; }));
  window.clickControl("part screw");
  window.key("ctrl+d");
  EXPECT_TRUE(waitForParts(window, 3));
  EXPECT_EQ(window.now()["selected"], "screw 2");
  window.key("Delete");
  EXPECT_TRUE(waitForParts(window, 2));
  window.key("ctrl+s");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == false; }));
  keepOnFailure(window);
  window.key("Escape");
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
  std::string expected = before;
  const std::string place = "\"position\": [-28, 0, 8],";
  expected.replace(expected.find(place), place.size(), "\"position\": [-45.5, 0, 8],");
  EXPECT_EQ(textOf(file), expected) << "only the one number has changed";
}

TEST_F(ArrangeWindow, AnOverlapIsShownAndDoesNotRun) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), file);
  PreviewWindow window({file, "--paused"});
  window.key("ctrl+e");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  window.clickControl("part screw");
  typeInto(window, "position z", "0");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["problem"] != ""; }))
      << window.now()["poses"]["screw"] << window.now()["selected"] << window.keepPicture("overlap");
  EXPECT_NE(window.now()["problem"].get<std::string>().find("overlap"), std::string::npos)
      << window.now()["problem"];
  window.key("ctrl+e");
  window.waitForPictures(4);
  EXPECT_EQ(window.now()["arranging"], true);
  // Saved, it is opened by another window, which begins with the arrange mode.
  window.key("ctrl+s");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == false; }));
  {
    PreviewWindow other({file});
    EXPECT_TRUE(other.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
    EXPECT_EQ(other.now()["problem"], window.now()["problem"]);
    EXPECT_EQ(other.now()["parts"], window.now()["parts"]);
    keepOnFailure(other);
  }
  window.key("ctrl+z");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["problem"] == ""; }));
  window.key("ctrl+e");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == false; }));
  keepOnFailure(window);
}

TEST_F(ArrangeWindow, UnsavedChangesRequireAnAnswerAndAChangedFileIsReadAgain) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), file);
  PreviewWindow window({file, "--paused"});
  window.key("ctrl+e");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  const Json camera = window.now()["camera"];
  const auto write = [&](const std::string& from, const std::string& to) {
    std::string text = textOf(file);
    text.replace(text.find(from), from.size(), to);
    std::ofstream(file) << text;
  };
  write("[-28, 0, 8]", "[-35, 0, 8]");
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return std::abs(value(picture["poses"]["screw"][0]) + 0.035) < 1e-9;
  })) << "read again";
  EXPECT_EQ(window.now()["camera"], camera) << "with the same view";
  EXPECT_EQ(window.now()["modified"], false);
  window.clickControl("part screw");
  typeInto(window, "position x", "-50");
  write("[-35, 0, 8]", "[-36, 0, 8]");
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return picture["marks"].contains("answer Keep mine"); }));
  window.clickControl("answer Keep mine");
  EXPECT_NEAR(value(window.now()["poses"]["screw"][0]), -0.05, 1e-9);
  write("[-36, 0, 8]", "[-37, 0, 8]");
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return picture["marks"].contains("answer Take theirs"); }));
  window.clickControl("answer Take theirs");
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return std::abs(value(picture["poses"]["screw"][0]) + 0.037) < 1e-9; }));
  typeInto(window, "position x", "-60");
  window.key("Escape");  // selection
  window.waitForPictures(2);
  window.key("Escape");
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return picture["marks"].contains("answer Discard"); }));
  keepOnFailure(window);
  window.clickControl("answer Discard");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
  EXPECT_NE(textOf(file).find("[-37, 0, 8]"), std::string::npos);
}

TEST_F(ArrangeWindow, AnEditReplacesARejectedOneAndASignalKeepsUnsavedChanges) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), file);
  const std::string before = textOf(file);
  PreviewWindow window({file, "--paused"});
  window.key("ctrl+e");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  window.clickControl("part screw");
  typeInto(window, "density", "-1");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["problem"] != ""; }));
  typeInto(window, "density", "7000");
  EXPECT_TRUE(window.waitFor(
      [](const Json& picture) { return picture["problem"] == "" && picture["reading_bench"] == false; }));
  EXPECT_EQ(window.now()["selected"], "screw");
  keepOnFailure(window);
  kill(window.process(), SIGTERM);
  EXPECT_EQ(window.exitCode(), 130);
  const std::string unsaved = folder / "scene.unsaved.json";
  EXPECT_NE(window.said().find(unsaved), std::string::npos) << window.said();
  EXPECT_NE(textOf(unsaved).find("7000"), std::string::npos) << textOf(unsaved);
  EXPECT_EQ(textOf(unsaved).find("-1}"), std::string::npos);
  EXPECT_EQ(textOf(file), before);
}

TEST_F(ArrangeWindow, AFileIsDroppedAndAGoalMadeByTwoClicks) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), scene);
  std::string text = textOf(scene);
  text.erase(text.find(",\n  \"goals\""));
  std::ofstream(scene) << text << "\n}\n";
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x30", "--out", folder / "pin.glb"}).exitCode, 0);
  PreviewWindow window({scene, "--paused"});
  window.key("ctrl+e");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  dropFile(window.screen().name(), window.number(), folder / "pin.glb");
  EXPECT_TRUE(waitForParts(window, 3));
  EXPECT_EQ(window.now()["selected"], "pin");
  window.key("o");
  for (const char* what : {"screw", "plate/hole"}) clickPart(window, what);
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["bench_goals"] == 1; }));
  window.key("a");
  for (const char* what : {"screw", "plate/hole"}) clickPart(window, what);
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return std::abs(value(picture["poses"]["screw"][0])) < 1e-9;
  })) << "the screw is on the axis of the hole";
  keepOnFailure(window);
}

TEST_F(ArrangeWindow, FilesDroppedOnTheRunningSceneAreAddedAndTheWindowGoesOn) {
  if (const std::string why = stepIsMissing(); !why.empty()) GTEST_SKIP() << why;
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  fs::copy_file(scenePath("bolt-in-plate"), scene);
  fs::copy_file(std::string(TENON_SOURCE_DIR) + "/runtime/tutorial/bench.step", folder / "bench.step");
  std::ofstream(folder / "broken.step") << "no STEP";
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x30", "--out", folder / "pin.glb"}).exitCode, 0);
  PreviewWindow window({scene, "--paused"});
  dropFiles(window.screen().name(), window.number(),
            {folder / "bench.step", folder / "pin.glb", folder / "broken.step"});
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }))
      << "parts are added in the arrange mode";
  bool drawnMeanwhile = false;
  EXPECT_TRUE(window.waitFor([&](const Json& picture) {
    drawnMeanwhile = drawnMeanwhile || picture["importing"] != "";
    return picture["parts"] == 7 && picture["reading_bench"] == false;
  })) << "two parts, an assembly of four, and a pin";
  EXPECT_TRUE(drawnMeanwhile) << "pictures while files are read";
  EXPECT_NE(window.now()["notice"].get<std::string>().find("broken.step"), std::string::npos)
      << window.now()["notice"];
  const Json& poses = window.now()["poses"];
  for (const char* part : {"base", "left bolt", "bolt M8", "pin", "pin 2"})
    EXPECT_TRUE(poses.contains(part)) << part;
  const Json at = window.now()["places"]["pin 2"], image = window.now()["picture"];
  EXPECT_LT(value(at[0]), value(image[0]) + value(image[2])) << "what is added is in the image";
  keepOnFailure(window);
}

}  // namespace
}  // namespace tenon::tests::arrange_window_test
