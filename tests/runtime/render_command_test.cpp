// tenon render from outside: pictures against golden ones, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/support/png_picture.h"
#include "tests/support/program_run.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests {
namespace {

namespace fs = std::filesystem;

/// Of a machine with a Vulkan device.
class RenderCommand : public testing::Test {
 protected:
  void SetUp() override {
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }
};

struct Picture {
  Outcome outcome;
  PngPicture picture;
};

Picture render(std::vector<std::string> arguments, const Setting& setting = {}) {
  const TemporaryFolder folder;
  const std::string out = folder / "picture.png";
  arguments.insert(arguments.begin(), "render");
  arguments.insert(arguments.end(), {"--out", out});
  Picture result;
  result.outcome = runTenon(arguments, setting);
  result.picture = readPng(out);
  return result;
}

void expectGolden(const std::string& name, std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const std::string out = folder / (name + ".png");
  arguments.insert(arguments.begin(), "render");
  arguments.insert(arguments.end(), {"--size", "320x180", "--out", out});
  const Outcome outcome = runTenon(arguments);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_EQ(unlikeGolden(name, out), "");
}

TEST_F(RenderCommand, HingeAtTheStartMatchesItsGoldenImage) {
  expectGolden("hinge", {scenePath("hinge")});
}

TEST_F(RenderCommand, SectionWithForcesMatchesItsGoldenImage) {
  expectGolden("section", {scenePath("bolt-in-plate"), "--time", "2", "--forces", "--section", "y=0"});
}

TEST_F(RenderCommand, XrayMatchesItsGoldenImage) {
  expectGolden("xray", {scenePath("bolt-in-plate"), "--time", "3", "--xray", "plate"});
}

/// A peg that its file describes, floating above the origin.
TEST_F(RenderCommand, PartOfAMeshFileIsDrawn) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  const auto pictureOf = [&](const char* parts) {
    std::ofstream(scene) << R"({"tenon": 1, "title": "mesh", "unit": "mm", "duration_s": 1, "rate_hz": 500,
      "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "parts": [{"name": "box", "material": "steel",
      "motion": "fixed", "shape": {"kind": "box", "size": [80, 80, 2]}})"
                         << parts << "]}";
    return render({scene, "--size", "160x90", "--view", "box"},
                  {{"XDG_CACHE_HOME=" + folder.path()}, false, ""});
  };
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x30", "--out", folder / "pin.obj"}).exitCode, 0);
  const Picture without = pictureOf("");
  const Picture with =
      pictureOf(R"(, {"name": "pin", "material": "steel", "motion": "fixed", "position": [0, 0, 20],
      "shape": {"kind": "mesh", "file": "pin.obj", "unit": "m"}})");
  ASSERT_EQ(with.outcome.exitCode, 0) << with.outcome.err;
  EXPECT_GT(difference(with.picture, without.picture).worst, 16);
}

TEST_F(RenderCommand, ImageHasTheRequestedSize) {
  const Picture wide = render({scenePath("stack"), "--size", "64x48"});
  EXPECT_EQ(wide.outcome.exitCode, 0) << wide.outcome.err;
  EXPECT_EQ(wide.outcome.out, "");
  EXPECT_EQ(wide.picture.width, 64);
  EXPECT_EQ(wide.picture.height, 48);
}

TEST_F(RenderCommand, NamedViewsDiffer) {
  std::vector<PngPicture> pictures;
  for (const char* view : {"iso", "back", "top", "bottom", "pin"}) {
    const Picture one = render({scenePath("hinge"), "--size", "48x32", "--view", view});
    ASSERT_EQ(one.outcome.exitCode, 0) << view << ": " << one.outcome.err;
    for (const PngPicture& other : pictures) EXPECT_GT(difference(one.picture, other).worst, 16) << view;
    pictures.push_back(one.picture);
  }
}

TEST_F(RenderCommand, ValidationFindsNoMistakeInTheUseOfVulkan) {
  const TemporaryFolder folder;
  // Remarks on best practices show that the layer is there and is heard.
  std::ofstream(folder / "vk_layer_settings.txt")
      << "khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG\n"
         "khronos_validation.log_filename = stdout\n"
         "khronos_validation.report_flags = error,warn,perf\n"
         "khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,"
         "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT\n";
  const Picture checked =
      render({scenePath("bolt-in-plate"), "--time", "1", "--forces", "--section", "y=0", "--xray", "screw",
              "--size", "64x48"},
             {{"VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation", "VK_LAYER_SETTINGS_PATH=" + folder.path()},
              false,
              ""});
  EXPECT_EQ(checked.outcome.exitCode, 0) << checked.outcome.err;
  if (checked.outcome.out.find("BestPractices") == std::string::npos)
    GTEST_SKIP() << "the validation layers say nothing; install vulkan-validationlayers";
  for (const char* mistake : {"VUID", "SYNC-HAZARD", "Validation Error"})
    EXPECT_EQ(checked.outcome.out.find(mistake), std::string::npos) << checked.outcome.out;
}

TEST(RenderWithoutAVulkanDevice, SaysWhatToInstallAndWritesNothing) {
  const Picture none = render({scenePath("stack"), "--size", "64x48"},
                              {{"VK_ICD_FILENAMES=/none.json", "VK_DRIVER_FILES=/none.json"}, false, ""});
  EXPECT_EQ(none.outcome.exitCode, 3);
  EXPECT_NE(none.outcome.err.find("install mesa-vulkan-drivers"), std::string::npos) << none.outcome.err;
  EXPECT_EQ(none.picture.width, 0);
}

TEST_F(RenderCommand, BadInputIsOneLineThatNamesTheMistake) {
  struct Case {
    std::vector<std::string> arguments;
    std::string says;
  };
  const std::string scene = scenePath("bolt-in-plate");
  for (const Case& c :
       {Case{{scene, "--size", "12"}, "--size: 12: is not a size in pixels"},
        Case{{scene, "--size", "8x8"}, "is not a size in pixels"},
        Case{{scene, "--size", "99999x10"}, "is not a size in pixels"},
        Case{{scene, "--view", "nowhere"}, "is neither a view nor a part"},
        Case{{scene, "--section", "w=1"}, "is not a plane perpendicular to an axis"},
        Case{{scene, "--section", "x="}, "is not a plane perpendicular to an axis"},
        Case{{scene, "--xray", "nothing"}, "is not a visible part"}, Case{{scene, "--time", "-1"}, "--time"},
        Case{{scene + "x"}, "bolt-in-plate.jsonx"}}) {
    const Picture bad = render(c.arguments);
    EXPECT_EQ(bad.outcome.exitCode, 2) << c.says;
    EXPECT_NE(bad.outcome.err.find(c.says), std::string::npos) << bad.outcome.err;
    EXPECT_EQ(std::count(bad.outcome.err.begin(), bad.outcome.err.end(), '\n'), 1) << bad.outcome.err;
    EXPECT_EQ(bad.picture.width, 0) << c.says;
  }
}

TEST_F(RenderCommand, OnlyPngNamesAreAccepted) {
  const TemporaryFolder folder;
  const Outcome outcome = runTenon({"render", scenePath("stack"), "--out", folder / "x.jpg"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("end its name in .png"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(RenderCommand, ImageNeverOverwritesItsScene) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.png";  // the content counts, not the name
  fs::copy_file(scenePath("stack"), scene);
  const auto before = fs::file_size(scene);
  const Outcome outcome = runTenon({"render", scene, "--out", scene});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(fs::file_size(scene), before);
}

}  // namespace
}  // namespace tenon::tests
