// The settings file of the preview: whatever is in it, the window opens as a desktop can show it.
#include "runtime/live_view/view_settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <tuple>

#include "tests/support/program_run.h"
#include "tests/support/screen.h"
#include "tests/support/traced_program.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::view_settings_test {
namespace {

namespace fs = std::filesystem;
using runtime::ViewSettings;

auto valuesOf(const ViewSettings& s) {
  return std::tuple(s.window.width, s.window.height, s.window.x, s.window.y, s.window.maximized, s.panels,
                    s.forces, s.contacts, s.targets, s.names, s.leftHand, s.orthographic);
}

std::string contentOf(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string writtenText() {
  const TemporaryFolder folder;
  ViewSettings settings;
  settings.window.x = 20;
  settings.window.y = -30;
  const std::string file = folder / "preview.json";
  writeSettings(file, settings);
  return contentOf(file);
}

TEST(ViewSettings, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  ViewSettings settings;
  settings.window = {1000, 700, 20, -30, true};
  settings.panels = settings.forces = settings.targets = settings.names = false;
  settings.contacts = settings.leftHand = settings.orthographic = true;
  const std::string file = folder / "tenon/preview.json";
  ASSERT_TRUE(writeSettings(file, settings));
  std::string problem;
  EXPECT_EQ(valuesOf(runtime::readSettings(file, problem)), valuesOf(settings));
  EXPECT_EQ(problem, "");
}

TEST(ViewSettings, RecentFilesAreKeptNewestFirst) {
  const TemporaryFolder folder;
  ViewSettings settings;
  for (int k = 0; k < 9; ++k) {
    const std::string file = folder / ("scene " + std::to_string(k) + ".json");
    std::ofstream(file) << "{}";
    settings.noteRecent(file);
  }
  settings.noteRecent(folder / "scene 5.json");
  settings.noteRecent(folder / "none.json");
  ASSERT_EQ(settings.recent.size(), 7u);
  EXPECT_EQ(fs::path(settings.recent[0]).filename(), "scene 5.json") << "again: in front";
  EXPECT_EQ(fs::path(settings.recent[1]).filename(), "scene 8.json");
  const std::string file = folder / "preview.json";
  ASSERT_TRUE(writeSettings(file, settings));
  std::string problem;
  EXPECT_EQ(runtime::readSettings(file, problem).recent, settings.recent);
  EXPECT_TRUE(runtime::settingsFrom(R"({"recent": [1, "a", {}]})")->recent == std::vector<std::string>{"a"});
}

TEST(ViewSettings, ValuesOutOfRangeGetDefaults) {
  const auto first = valuesOf(ViewSettings());
  for (const char* text :
       {R"({"window": {"width": 0, "height": 700}})", R"({"window": {"width": 99999, "height": 700}})",
        R"({"window": {"width": 1e9, "height": 1e9}})",
        R"({"window": {"width": 18446744073709551615, "height": 9}})",
        R"({"window": {"width": "1280", "height": 720}})", R"({"window": {"width": 800}})",
        R"({"window": {"x": 5}})", R"({"window": {"x": -99999, "y": 0}})", R"({"window": [1280, 720]})",
        R"({"window": null, "panels": 1, "forces": "yes", "contacts": [], "left_hand": {}})", "{}"}) {
    const auto settings = runtime::settingsFrom(text);
    ASSERT_TRUE(settings) << text;
    EXPECT_EQ(valuesOf(*settings), first) << text;
  }
  for (const char* text : {"", "[]", "3", "{\"window\": ", "\xff\xfe{}"})
    EXPECT_FALSE(runtime::settingsFrom(text)) << text;
}

TEST(ViewSettings, MutatedFilesGiveValuesInRange) {
  const std::string good = writtenText();
  constexpr unsigned kSeed = 20261;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  const std::string pieces = "0123456789-.eE{}[]\",: truefalsn";
  int read = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text = good;
    for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.insert(at, 1, pieces[below(pieces.size())]);
          break;
        case 2:
          text.erase(at, 1 + below(8));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), 1 + below(20)));
      }
    }
    const auto settings = runtime::settingsFrom(text);
    if (!settings) continue;
    ++read;
    const xr::WindowGeometry& place = settings->window;
    ASSERT_TRUE(place.width >= 1 && place.width <= 16384 && place.height >= 1 && place.height <= 16384)
        << text;
    ASSERT_EQ(place.x.has_value(), place.y.has_value()) << text;
    ASSERT_LE(std::abs(place.x.value_or(0)), 16384) << text;
    ASSERT_LE(std::abs(place.y.value_or(0)), 16384) << text;
  }
  EXPECT_GT(read, 1000) << "most changes leave a file that is read";
}

TEST(ViewSettings, ReadsOnlySmallPlainFiles) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe", large = folder / "large.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::ofstream(large) << "{\"panels\": false, \"filler\": \"" << std::string(1 << 17, 'x') << "\"}";
  for (const std::string& file : {pipe, large, folder.path()}) {
    std::string problem;
    EXPECT_EQ(valuesOf(runtime::readSettings(file, problem)), valuesOf(ViewSettings())) << file;
    EXPECT_NE(problem.find("is not a valid settings file"), std::string::npos) << file;
  }
}

/// Two digits too many, each in range: drawn so large the window would take gigabytes.
TEST(ViewSettings, AWindowLargerThanTheDesktopIsMadeToFit) {
  if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
  const xr::VulkanProbe probe = xr::probeVulkan();
  if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  const TemporaryFolder folder;
  const Screen screen;  // 1600 × 1000
  fs::create_directories(folder / "tenon");
  const std::string trace = folder / "trace.jsonl";
  std::ofstream(folder / "tenon/preview.json")
      << R"({"window": {"width": 12800, "height": 7200}, "panels": false})";
  const Outcome outcome = runTenon(
      {"preview", scenePath("stack"), "--trace", trace, "--frames", "1", "--quit"},
      {{"DISPLAY=" + screen.name(), "WAYLAND_DISPLAY=", "XDG_CONFIG_HOME=" + folder.path()}, false, ""});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  std::ifstream in(trace);
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  const auto picture = TracedProgram::Json::parse(line)["picture"];
  EXPECT_LE(picture[2].get<double>(), 1600);
  EXPECT_LE(picture[3].get<double>(), 1000);
  EXPECT_GE(picture[2].get<double>(), 1000) << "as large as the desktop allows";
}

}  // namespace
}  // namespace tenon::tests::view_settings_test
