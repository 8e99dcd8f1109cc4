// Pictures of a study's worst cases: what they show, and that a page has them.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "runtime/study/case_pictures.h"
#include "tests/support/png_picture.h"
#include "tests/support/program_run.h"

namespace tenon::tests {
namespace {

/// Case 0 has an interference of 50 µm and cannot enter; case 1 is inserted, of the same diameter otherwise.
const std::string kPlan = R"({"tenon_study": 1, "scene": ")" + scenePath("insertion-benchmark") +
                          R"(", "rate_hz": 200, "design": "grid",
                          "variables": [{"parameter": "clearance_um", "list": [-50, 100]}]})";

PngPicture pictureOf(runtime::CasePictures& pictures, const runtime::CaseRun& run, const std::string& file) {
  std::ofstream(file, std::ios::binary) << pictures.draw(run);
  return readPng(file);
}

int countOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Mean brightness of the middle third of a row.
double brightness(const PngPicture& picture, int row) {
  double sum = 0;
  for (int column = picture.width / 3; column < 2 * picture.width / 3; ++column)
    sum += picture.rgb.at(3 * static_cast<std::size_t>(row * picture.width + column));
  const int columns = picture.width / 3;
  return sum / columns;
}

TEST(StudyPictures, ABlockedPartStandsOverItsHoleAndAnInsertedOneFillsIt) {
  const TemporaryFolder folder;
  const runtime::StudyScene scene(runtime::parsePlan(kPlan, "plan.json"));
  const std::atomic<bool> stop{false};
  const runtime::CaseRun blocked = scene.run(0, stop), inserted = scene.run(1, stop);
  EXPECT_LT(runtime::decisiveGoal(blocked.result).depth, 2e-3);
  EXPECT_GT(runtime::decisiveGoal(inserted.result).depth, 27e-3);
  runtime::CasePictures pictures;
  const PngPicture first = pictureOf(pictures, blocked, folder / "0.png");
  const PngPicture second = pictureOf(pictures, inserted, folder / "1.png");
  EXPECT_EQ(first.width, 480);
  EXPECT_EQ(first.height, 360);
  // Below the mouth the bore of the blocked part is empty: its dark wall is seen instead of the bright cut.
  EXPECT_LT(brightness(first, 3 * first.height / 4), brightness(first, first.height / 4) - 30);
  EXPECT_NEAR(brightness(second, second.height / 2), brightness(second, second.height / 4), 15);
  EXPECT_GT(difference(first, second).mean, 10);
  EXPECT_LT(difference(first, pictureOf(pictures, blocked, folder / "2.png")).worst, 1);
}

/// A box is lowered through a wide opening to its pose; in case 0 it starts beside, on the block.
const std::string kPoseScene = R"({
    "tenon": 1, "title": "box", "unit": "mm", "duration_s": 0.6, "rate_hz": 200, "gravity_m_per_s2": [0, 0, 0],
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "material_pairs": [{"materials": ["steel", "steel"], "friction": 0.1}],
    "parts": [
      {"name": "block", "material": "steel", "motion": "fixed", "position": [0, 0, -10],
       "shape": {"kind": "block", "size": [60, 40, 20], "holes": [{"name": "opening", "at": [0, 0], "diameter": 20, "through": true}]}},
      {"name": "bar", "material": "steel", "position": [0, 0, 20], "shape": {"kind": "box", "size": [8, 8, 30]}}],
    "hands": [{"name": "right", "position": [0, 0, 20], "script": [
      {"at_s": 0, "grab": "bar"}, {"at_s": 0, "move": {"frame": "part", "position": [0, 0, 20]}},
      {"at_s": 0.5, "move": {"frame": "part", "position": [0, 0, 8]}}]}],
    "goals": [{"part": "bar", "into": "block", "pose": {"position": [0, 0, 18]}, "along": [0, 0, -1], "depth": 8,
               "depth_tolerance": 0.3, "tolerance": 0.2, "tilt_tolerance_deg": 1}]})";

TEST(StudyPictures, AGoalWithAPoseShowsTheWholePart) {
  const TemporaryFolder folder;
  std::ofstream(folder / "scene.json") << kPoseScene;
  const runtime::StudyScene scene(runtime::parsePlan(
      R"({"tenon_study": 1, "scene": "scene.json", "design": "grid",
          "variables": [{"pointer": "/hands/0/script/2/move/position/0", "list": [16, 0]}]})",
      folder / "plan.json"));
  const std::atomic<bool> stop{false};
  runtime::CasePictures pictures;
  const runtime::CaseRun beside = scene.run(0, stop), reached = scene.run(1, stop);
  EXPECT_FALSE(runtime::isReached(runtime::decisiveGoal(beside.result).verdict));
  EXPECT_TRUE(runtime::isReached(runtime::decisiveGoal(reached.result).verdict));
  const PngPicture first = pictureOf(pictures, beside, folder / "0.png");
  const PngPicture second = pictureOf(pictures, reached, folder / "1.png");
  EXPECT_EQ(first.width, 480);
  // The bar is in the middle of both; the opening is beside it in the first, around it in the second.
  EXPECT_GT(difference(first, second).worst, 30);
}

TEST(StudyPictures, APageHasThemWithAVulkanDeviceAlone) {
  const TemporaryFolder folder;
  std::ofstream(folder / "plan.json") << kPlan;
  const std::string results = folder / "results", page = folder / "page.html";
  ASSERT_EQ(runTenon({"study", folder / "plan.json", "--out", results}).exitCode, 0);
  const Outcome none = runTenon({"study", "report", results, "--out", page, "--pictures"},
                                {{"VK_ICD_FILENAMES=/none.json", "VK_DRIVER_FILES=/none.json"}, false, ""});
  EXPECT_EQ(none.exitCode, 3);
  EXPECT_NE(none.err.find("install mesa-vulkan-drivers"), std::string::npos) << none.err;
  EXPECT_FALSE(std::filesystem::exists(page));
  const Outcome done = runTenon({"study", "report", results, "--out", page, "--pictures"});
  EXPECT_EQ(done.exitCode, 0) << done.err;
  std::ifstream stream(page);
  const std::string html{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(countOf(html, "src=\"data:image/png;base64,iVBORw0KGgo"), 2) << "a picture of each case";
  EXPECT_EQ(countOf(html, "<figcaption>Case 0: blocked, the part is wider than the bore; "), 1);
  EXPECT_EQ(countOf(html, "<figcaption>Case 1: inserted; "), 1);
  const Outcome csv = runTenon({"study", "report", results, "--format", "csv", "--pictures"});
  EXPECT_EQ(csv.exitCode, 2);
  EXPECT_NE(csv.err.find("--pictures: is given for a report without images"), std::string::npos) << csv.err;
}

}  // namespace
}  // namespace tenon::tests
