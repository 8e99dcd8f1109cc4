// Pictures of scenes for lists: made once, kept, and only where there is something to read.
#include "runtime/live_view/thumbnails.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "content/reader/load_scene.h"
#include "runtime/workbench/part_pictures.h"
#include "tests/support/program_run.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::runtime {
namespace {

namespace fs = std::filesystem;

class ThumbnailsTest : public testing::Test {
 protected:
  void SetUp() override {
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }

  static void wait(const Thumbnails& thumbnails) {
    while (thumbnails.isBusy()) std::this_thread::yield();
  }

  tests::TemporaryFolder folder_;
};

/// Different colors in a cell of the sheet; one is a blank rectangle.
std::size_t colorsIn(const xr::Image& sheet, const PictureCell& cell) {
  std::set<std::array<std::uint8_t, 3>> colors;
  const auto pixel = [](float share, int size) {
    return static_cast<int>(std::lround(share * static_cast<float>(size)));
  };
  for (int y = pixel(cell[1], sheet.height); y < pixel(cell[3], sheet.height); ++y)
    for (int x = pixel(cell[0], sheet.width); x < pixel(cell[2], sheet.width); ++x) {
      const std::uint8_t* at = &sheet.rgba[4 * static_cast<std::size_t>(y * sheet.width + x)];
      colors.insert({at[0], at[1], at[2]});
    }
  return colors.size();
}

TEST_F(ThumbnailsTest, AreMadeOnceAndKept) {
  int parsed = 0;
  const auto counted = [&](const char* scene) {
    ThumbnailRequest request = sceneThumbnail(tests::scenePath(scene));
    request.parse = [&parsed, parse = request.parse](const std::string& text) {
      ++parsed;
      return parse(text);
    };
    return request;
  };
  for (int window = 0; window < 2; ++window) {
    Thumbnails thumbnails(folder_.path());
    EXPECT_FALSE(thumbnails.changedSheet());
    for (const char* scene : {"bolt-in-plate", "stack", "bolt-in-plate"}) thumbnails.request(counted(scene));
    wait(thumbnails);
    EXPECT_EQ(parsed, 2) << "of window " << window;
    const auto sheet = thumbnails.changedSheet();
    ASSERT_TRUE(sheet);
    EXPECT_FALSE(thumbnails.changedSheet()) << "once";
    const auto cells = thumbnails.cells();
    ASSERT_EQ(cells.size(), 2u);
    for (const auto& [key, cell] : cells) EXPECT_GT(colorsIn(*sheet, cell), 50u) << key;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(folder_.path()) / "thumbnails"), {}), 2);
}

TEST_F(ThumbnailsTest, ADamagedPictureIsMadeAgainAndAMissingSceneHasNone) {
  {
    Thumbnails first(folder_.path());
    first.request(sceneThumbnail(tests::scenePath("stack")));
    first.request(sceneThumbnail(folder_ / "none.json"));
    wait(first);
    EXPECT_EQ(first.cells().size(), 1u);
  }
  for (const auto& file : fs::directory_iterator(fs::path(folder_.path()) / "thumbnails"))
    fs::resize_file(file.path(), 100);
  Thumbnails second(folder_.path());
  second.request(sceneThumbnail(tests::scenePath("stack")));
  wait(second);
  EXPECT_EQ(second.cells().size(), 1u);
  for (const auto& file : fs::directory_iterator(fs::path(folder_.path()) / "thumbnails"))
    EXPECT_EQ(file.file_size(), 4u * Thumbnails::kWidth * Thumbnails::kHeight);
}

TEST_F(ThumbnailsTest, EveryPartOfTheLibraryHasOne) {
  Thumbnails thumbnails(folder_.path());
  requestPartPictures(thumbnails);
  wait(thumbnails);
  const auto cells = thumbnails.cells();
  for (const char* name : {"ISO 4762", "ISO 2338", "plate", "box", "driver", "flange"})
    EXPECT_TRUE(cells.contains(partPictureKey(name))) << name;
}

}  // namespace
}  // namespace tenon::runtime
