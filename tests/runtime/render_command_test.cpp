// tenon render from outside: pictures against golden ones, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/png_picture.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

namespace fs = std::filesystem;

std::string goldenPath(const std::string& name) {
  return std::string(TENON_SOURCE_DIR) + "/tests/runtime/golden/" + name + ".png";
}

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

/// Keeps the picture that differs beside the test program's other output.
void expectGolden(const std::string& name, std::vector<std::string> arguments) {
  const TemporaryFolder folder;
  const std::string out = folder / (name + ".png");
  arguments.insert(arguments.begin(), "render");
  arguments.insert(arguments.end(), {"--size", "320x180", "--out", out});
  const Outcome outcome = runTenon(arguments);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const PictureDifference d = difference(readPng(goldenPath(name)), readPng(out));
  EXPECT_LT(d.rmse, 0.001);
  EXPECT_LE(d.off, 0.005);
  if (!::testing::Test::HasFailure()) return;
  const fs::path kept = fs::temp_directory_path() / ("tenon-differs-" + name + ".png");
  fs::copy_file(out, kept, fs::copy_options::overwrite_existing);
  ADD_FAILURE() << "the picture is kept as " << kept;
}

TEST(RenderCommand, FlangeAtTheStartLooksAsItDid) {
  expectGolden("flange", {scenePath("flange")});
}

TEST(RenderCommand, SectionWithForcesLooksAsItDid) {
  expectGolden("section", {scenePath("bolt-in-plate"), "--time", "2", "--forces", "--section", "y=0"});
}

TEST(RenderCommand, XrayLooksAsItDid) {
  expectGolden("xray", {scenePath("bolt-in-plate"), "--time", "3", "--xray", "plate"});
}

TEST(RenderCommand, PictureHasTheSizeThatWasAskedFor) {
  const Picture wide = render({scenePath("stack"), "--size", "64x48"});
  EXPECT_EQ(wide.outcome.exitCode, 0) << wide.outcome.err;
  EXPECT_EQ(wide.outcome.out, "");
  EXPECT_EQ(wide.picture.width, 64);
  EXPECT_EQ(wide.picture.height, 48);
}

TEST(RenderCommand, EveryNamedViewShowsSomethingElse) {
  std::vector<PngPicture> pictures;
  for (const char* view : {"iso", "front", "back", "left", "right", "top", "bottom", "screw"}) {
    const Picture one = render({scenePath("bolt-in-plate"), "--size", "48x32", "--view", view});
    ASSERT_EQ(one.outcome.exitCode, 0) << view << ": " << one.outcome.err;
    for (const PngPicture& other : pictures) EXPECT_GT(difference(one.picture, other).rmse, 0.002) << view;
    pictures.push_back(one.picture);
  }
}

TEST(RenderCommand, ValidationFindsNoMistakeInTheUseOfVulkan) {
  const Picture checked =
      render({scenePath("bolt-in-plate"), "--time", "1", "--forces", "--section", "y=0", "--xray", "screw",
              "--size", "64x48"},
             {{"VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation",
               "VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT"},
              false,
              ""});
  EXPECT_EQ(checked.outcome.exitCode, 0);
  for (const std::string& said : {checked.outcome.out, checked.outcome.err}) {
    EXPECT_EQ(said.find("VUID"), std::string::npos) << said;
    EXPECT_EQ(said.find("SYNC-HAZARD"), std::string::npos) << said;
  }
}

TEST(RenderCommand, WithoutAVulkanDeviceItSaysWhatToInstallAndWritesNothing) {
  const Picture none = render({scenePath("stack"), "--size", "64x48"},
                              {{"VK_ICD_FILENAMES=/none.json", "VK_DRIVER_FILES=/none.json"}, false, ""});
  EXPECT_EQ(none.outcome.exitCode, 3);
  EXPECT_NE(none.outcome.err.find("install mesa-vulkan-drivers"), std::string::npos) << none.outcome.err;
  EXPECT_EQ(none.picture.width, 0);
}

TEST(RenderCommand, BadInputIsOneLineThatNamesTheMistake) {
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
        Case{{scene, "--section", "w=1"}, "is not a plane across an axis"},
        Case{{scene, "--section", "x="}, "is not a plane across an axis"},
        Case{{scene, "--xray", "nothing"}, "is not a part that can be seen"},
        Case{{scene, "--time", "-1"}, "--time"}, Case{{scene + "x"}, "bolt-in-plate.jsonx"}}) {
    const Picture bad = render(c.arguments);
    EXPECT_EQ(bad.outcome.exitCode, 2) << c.says;
    EXPECT_NE(bad.outcome.err.find(c.says), std::string::npos) << bad.outcome.err;
    EXPECT_EQ(std::count(bad.outcome.err.begin(), bad.outcome.err.end(), '\n'), 1) << bad.outcome.err;
    EXPECT_EQ(bad.picture.width, 0) << c.says;
  }
}

TEST(RenderCommand, PictureIsNeverWrittenOverItsScene) {
  const TemporaryFolder folder;
  const std::string scene = folder / "scene.json";
  fs::copy_file(scenePath("stack"), scene);
  const auto before = fs::file_size(scene);
  const Outcome outcome = runTenon({"render", scene, "--out", scene});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_EQ(fs::file_size(scene), before);
}

}  // namespace
}  // namespace tenon::tests
