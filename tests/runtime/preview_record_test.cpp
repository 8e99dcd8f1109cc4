// A record that is begun in the window, and what is said where nothing is recorded.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/support/preview_window.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::preview_record_test {
namespace {

namespace fs = std::filesystem;
using Json = PreviewWindow::Json;

/// Of a machine with a virtual screen and a Vulkan device.
class PreviewRecord : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  }
};

bool says(PreviewWindow& window, const std::string& text) {
  return window.waitFor([&](const Json& picture) {
    return picture["notice"].get<std::string>().find(text) != std::string::npos;
  });
}

/// The only session in a folder; empty: there is none.
std::string sessionIn(const std::string& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".tenon") return entry.path().string();
  return "";
}

TEST_F(PreviewRecord, BookmarksAndNotesNeedARecord) {
  PreviewWindow window({scenePath("bolt-in-plate")});
  const std::string folder = window.folder().path();
  window.key("b");
  EXPECT_TRUE(says(window, "Bookmark not saved: no recording is active. Ctrl+R")) << window.now()["notice"];
  window.key("w");
  EXPECT_TRUE(says(window, "Note not saved")) << window.now()["notice"];
  EXPECT_FALSE(window.now()["marks"].contains("note line"));
  EXPECT_EQ(sessionIn(folder), "");

  window.key("ctrl+r");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["recording"] == true; }))
      << window.said();
  EXPECT_TRUE(says(window, "Recording from the scene's start"));
  window.key("b");
  window.key("w");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["marks"].contains("note line"); }));
  ASSERT_TRUE(window.waitForPictures(3));
  window.screen().xdotool("type 'it sticks'");
  ASSERT_TRUE(window.waitForPictures(3));
  window.key("Return");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return !picture["marks"].contains("note line"); }));
  window.clickControl("record");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["recording"] == false; }));
  EXPECT_TRUE(says(window, "Recorded: tenon-"));
  const Json before = window.now();
  EXPECT_TRUE(window.waitFor([&](const Json& picture) {
    return picture["steps"].get<long>() > before["steps"].get<long>();
  })) << "the session goes on";

  const std::string session = sessionIn(folder);
  ASSERT_NE(session, "") << window.said();
  EXPECT_NE(window.said().find(fs::path(session).filename().string()), std::string::npos) << window.said();
  const Outcome verified = runTenon({"replay", session, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
  for (const char* entry : {"bookmark", "note (it sticks)"})
    EXPECT_NE(verified.out.find(entry), std::string::npos) << entry << " is missing in " << verified.out;
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
}

TEST_F(PreviewRecord, TheScriptPlaysFromTheStartWithNotices) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--play"});
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["time_s"].get<double>() > 1; }));
  window.key("p");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["scripted"] == false; }));
  window.key("p");
  ASSERT_TRUE(window.waitFor([](const Json& picture) {
    return picture["scripted"] == true && picture["time_s"].get<double>() < 1;
  })) << "in the middle it would knock over what has fallen";
  EXPECT_TRUE(says(window, "The script plays from the start"));
  EXPECT_TRUE(window.waitFor([](const Json& picture) {
    return picture["goals"][0]["verdict"] == "inserted" && picture["script_ended"] == true;
  }));
}

}  // namespace
}  // namespace tenon::tests::preview_record_test
