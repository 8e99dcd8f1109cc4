// The parameters of a scene as sliders in the window of tenon preview, and a study from there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/preview_window.h"
#include "tests/support/program_run.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::parameters_window_test {
namespace {

namespace fs = std::filesystem;
using Json = PreviewWindow::Json;

class ParametersWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    file_ = folder_ / "benchmark.json";
    fs::copy_file(scenePath("insertion-benchmark"), file_);
  }

  static void openParameters(PreviewWindow& window) {
    for (const char* section : {"Goals", "View", "Parameters"}) {
      if (!window.now()["marks"].contains(section)) continue;
      window.clickControl(section);
      window.waitForPictures(2);
    }
  }

  void keepOnFailure(PreviewWindow& window) {
    if (HasFailure())
      ADD_FAILURE() << "the window is kept as "
                    << window.keepPicture(testing::UnitTest::GetInstance()->current_test_info()->name())
                    << "; notice: " << window.now()["notice"] << "; study: " << window.now()["study"];
  }

  const TemporaryFolder folder_;
  std::string file_;
};

double parameter(const Json& picture, const char* name) {
  return picture["parameters"][name].get<double>();
}

std::string textOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(ParametersWindow, ASliderChangesTheSceneAndDefaultsRestoreIt) {
  PreviewWindow window({file_, "--paused"});
  EXPECT_EQ(parameter(window.now(), "clearance_um"), 100);
  openParameters(window);
  window.clickControl("parameter clearance_um");  // the middle of -50 to 1000
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return std::abs(parameter(picture, "clearance_um") - 475) < 20;
  })) << window.now()["parameters"];
  window.clickControl("default parameters");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return parameter(picture, "clearance_um") == 100; }));
  keepOnFailure(window);
}

TEST_F(ParametersWindow, ValuesAreKeptInTheFileThatIsArranged) {
  PreviewWindow window({file_, "--paused"});
  window.key("ctrl+e");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["arranging"] == true; }));
  for (const char* section : {"Scene", "Goals", "Properties", "Parameters"}) {
    window.clickControl(section);
    window.waitForPictures(2);
  }
  window.clickControl("parameter friction");
  ASSERT_TRUE(window.waitFor([](const Json& picture) {
    return std::abs(parameter(picture, "friction") - 0.5) < 0.03 && picture["reading_bench"] == false;
  }));
  EXPECT_EQ(window.now()["modified"], false) << "a slider does not change the file";
  const double friction = parameter(window.now(), "friction");
  window.clickControl("keep parameters");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == true; }));
  window.key("ctrl+s");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["modified"] == false; }));
  const Json saved = Json::parse(textOf(file_));
  EXPECT_NEAR(saved["parameters"][1]["default"].get<double>(), friction, 1e-8);
  EXPECT_EQ(saved["parameters"][0]["default"], 100);
  keepOnFailure(window);
}

TEST_F(ParametersWindow, AStudyRunsInTheBackgroundAndLeavesPlanResultsAndReport) {
  PreviewWindow window({file_, "--paused"});
  openParameters(window);
  window.clickControl("study");
  window.waitForPictures(2);
  window.clickControl("vary clearance_um");
  window.waitForPictures(2);
  window.clickControl("run study");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["study"]["running"] == true; }));
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["study"]["running"] == false; }));
  EXPECT_EQ(window.now()["study"]["text"], "200 cases");
  keepOnFailure(window);
  const Json plan = Json::parse(textOf(folder_ / "benchmark-study.json"));
  EXPECT_EQ(plan["variables"].size(), 1u);
  EXPECT_EQ(plan["variables"][0]["parameter"], "clearance_um");
  EXPECT_TRUE(fs::exists(folder_ / "benchmark-study.study"));
  EXPECT_NE(textOf(folder_ / "benchmark-study.html").find("clearance_um"), std::string::npos);
  const Outcome again =
      runTenon({"study", folder_ / "benchmark-study.json", "--out", folder_ / "benchmark-study.study"});
  EXPECT_EQ(again.exitCode, 0) << "the command goes on with the results: " << again.err;
  EXPECT_NE(again.out.find("200 of 200 cases"), std::string::npos) << again.out;
}

}  // namespace
}  // namespace tenon::tests::parameters_window_test
