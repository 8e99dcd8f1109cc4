// What a report on one page shows: figures without digits that do not count, each handling of a part once, no
// folder of the machine of the recording, all columns in the window.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "runtime/report/significant_text.h"
#include "runtime/report/svg_chart.h"
#include "tests/support/program_run.h"

namespace tenon::tests::html_report_test {
namespace {

using runtime::significantLengthText;
using runtime::significantText;

TEST(FigureText, HasThreeDigitsAndNoneBelowItsResolution) {
  EXPECT_EQ(significantText(0, 1e-3), "0");
  EXPECT_EQ(significantText(0.00042, 1e-3), "< 0.001");
  EXPECT_EQ(significantText(-0.00042, 1e-3), "< 0.001");
  EXPECT_EQ(significantText(0.001, 1e-3), "0.001");
  EXPECT_EQ(significantText(0.74653, 1e-3), "0.747");
  EXPECT_EQ(significantText(12.3456, 1e-3), "12.3");
  EXPECT_EQ(significantText(-12.3456, 1e-3), "-12.3");
  EXPECT_EQ(significantText(1234.5, 1e-3), "1234");
  EXPECT_EQ(significantText(270.61, 0.1), "271");
  EXPECT_EQ(significantLengthText(0, 0.01), "0 mm");
  EXPECT_EQ(significantLengthText(4e-9, 0.01), "< 0.01 µm");
  EXPECT_EQ(significantLengthText(2.3e-7, 0.01), "0.23 µm");
  EXPECT_EQ(significantLengthText(-5.32e-2, 0.01), "-53.2 mm");
}

/// A pin in two blocks, lifted a little by a scripted hand.
constexpr const char* kScene = R"({"tenon": 1, "title": "Pin in two blocks", "unit": "mm", "duration_s": 0.2,
  "rate_hz": 1000, "materials": [{"name": "steel", "density_kg_per_m3": 7850}], "parts": [
  {"name": "base", "material": "steel", "motion": "fixed", "position": [0, 0, -10],
   "shape": {"kind": "block", "size": [40, 40, 20], "holes": [{"name": "hole", "at": [0, 0], "diameter": 6.05, "depth": 12}]}},
  {"name": "flange", "material": "steel", "motion": "fixed", "position": [0, 0, 5],
   "shape": {"kind": "block", "size": [40, 40, 10], "holes": [{"name": "hole", "at": [0, 0], "diameter": 6.1, "through": true}]}},
  {"name": "pin", "material": "steel", "position": [0, 0, -12],
   "shape": {"kind": "turned", "profile": [[0, 0], [0, 2.5], [0.5, 3], [26, 3], [26, 0]]},
   "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}]}],
  "hands": [{"name": "right", "position": [0, 0, 12], "stiffness_n_per_m": 2000, "angular_stiffness_nm_per_rad": 20,
   "damping_ratio": 1, "max_force_n": 50, "max_torque_nm": 5, "break_distance": 50, "script": [
   {"at_s": 0.02, "grab": "pin"}, {"at_s": 0.15, "move": {"frame": "part", "position": [0, 0, -11.5]}}]}],
  "goals": [
   {"name": "pin in the base", "part": "pin", "feature": "tip", "into": "base", "hole": "hole", "depth": 12,
    "depth_tolerance": 0.1, "tilt_tolerance_deg": 0.5},
   {"name": "pin in the flange", "part": "pin", "feature": "tip", "into": "flange", "hole": "hole", "depth": 22,
    "depth_tolerance": 0.1, "tilt_tolerance_deg": 0.5}]})";

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t countOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

/// From one text of the page to before another one, or to its end.
std::string part(const std::string& page, const std::string& from, const std::string& to) {
  const std::size_t begin = page.find(from);
  if (begin == std::string::npos) return "";
  const std::size_t end = page.find(to, begin + from.size());
  return page.substr(begin, end == std::string::npos ? end : end - begin);
}

/// Takes out all that stands between these texts.
std::string without(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    const std::size_t end = text.find(to, at + from.size());
    text.erase(at, end == std::string::npos ? end : end + to.size() - at);
  }
  return text;
}

class HtmlReport : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    std::ofstream(*folder_ / "scene.json") << kScene;
    runTenon({"run", *folder_ / "scene.json", "--record", *folder_ / "s.tenon"});
    exported_ = runTenon({"export", *folder_ / "s.tenon", "--format", "html", "--out", *folder_ / "s.html"},
                         {{}, /*terminal=*/true, ""});
    page_ = contentOf(*folder_ / "s.html");
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override { ASSERT_EQ(exported_.exitCode, 0) << exported_.out; }

  static TemporaryFolder* folder_;
  static Outcome exported_;
  static std::string page_;
};

TemporaryFolder* HtmlReport::folder_ = nullptr;
Outcome HtmlReport::exported_;
std::string HtmlReport::page_;

TEST_F(HtmlReport, NamesTheSceneWithoutItsFolder) {
  EXPECT_NE(page_.find("<td>scene.json</td>"), std::string::npos);
  EXPECT_EQ(page_.find(folder_->path()), std::string::npos);
}

TEST_F(HtmlReport, OnlyTheLabelledEstimateIsInUnitsOfMotionAnalysis) {
  std::string text = part(page_, "<body>", "<script");
  // Letters of a picture's base64 may say anything.
  for (std::size_t at = 0; (at = text.find("base64,", at)) != std::string::npos;)
    text.erase(at, text.find_first_of("'\"", at) - at);
  const std::string estimate = part(text, "<h2>Time estimate by MTM-1</h2>", "<h2>");
  EXPECT_NE(estimate.find("<b>Estimate</b> from the paths of the hands, not from the times of the session"),
            std::string::npos);
  EXPECT_NE(estimate.find("G1A 2.0"), std::string::npos) << estimate;
  text = without(without(text, "<h2>Time estimate by MTM-1</h2>", "<h2>"), "<h2>Glossary</h2>", "</main>");
  EXPECT_EQ(text.find("TMU"), std::string::npos);
  EXPECT_NE(page_.find("not those of a person"), std::string::npos);
}

TEST_F(HtmlReport, HandlingOfAPartWithTwoGoalsIsShownOnce) {
  EXPECT_NE(page_.find("2 goals inserted (1 part)"), std::string::npos);
  const std::string table = part(page_, "id='summary'", "</table>");
  EXPECT_EQ(countOf(table, "<td rowspan='2'>0.02</td>"), 1U) << "grasped once: " << table;
  EXPECT_EQ(countOf(table, "0.02<"), 1U) << table;
  EXPECT_EQ(countOf(page_, "data-of='hand_path'"), 1U);
  EXPECT_EQ(countOf(page_, "data-of='depth'"), 2U);
  const std::string second = part(page_, "<section id='goal-1'>", "</section>");
  EXPECT_NE(second.find("The same part as in <a href='#goal-0'>pin in the base</a>"), std::string::npos)
      << second;
  // Rows of the time line have the goals' names: two rows with the part's would look as two parts.
  const std::string timeLine = part(page_, "class='wide timeline'>", "</svg>");
  EXPECT_NE(timeLine.find(">pin in the base<"), std::string::npos);
  EXPECT_EQ(timeLine.find("text-anchor='end'>pin<"), std::string::npos);
  EXPECT_NE(timeLine.find("class='inbar'"), std::string::npos) << "the hand's bar names the part";
}

TEST_F(HtmlReport, TablesSayWhichHandlingIsTheSame) {
  ASSERT_EQ(
      runTenon({"export", *folder_ / "s.tenon", "--format", "json", "--out", *folder_ / "s.json"}).exitCode,
      0);
  const auto operations = nlohmann::json::parse(contentOf(*folder_ / "s.json"))["operations"];
  EXPECT_TRUE(operations.at(0)["same_handling_as"].is_null());
  EXPECT_EQ(operations.at(1)["same_handling_as"], 0);
}

TEST_F(HtmlReport, NoFigureIsARowOfZeros) {
  const std::string text =
      without(without(part(page_, "<body>", "<script"), "<svg", "</svg>"), "src='", "'>");
  std::smatch found;
  EXPECT_FALSE(std::regex_search(text, found, std::regex("[^0-9.]0\\.0+[^0-9]"))) << found.str();
}

TEST_F(HtmlReport, SameCutOfAPartIsDrawnOnce) {
  if (page_.find("No pictures:") != std::string::npos) GTEST_SKIP() << "there is no Vulkan device";
  EXPECT_EQ(countOf(page_, "data:image/png"), 3U)
      << "all of the scene, the pin when grasped, and in both blocks";
  EXPECT_EQ(countOf(part(page_, "<section id='goal-0'>", "</section>"), "data:image/png"), 2U);
  EXPECT_NE(page_.find(">Grasped, 0.02 s<"), std::string::npos);
  EXPECT_EQ(countOf(part(page_, "<section id='goal-1'>", "</section>"), "data:image/png"), 0U);
}

TEST_F(HtmlReport, TolerancesPassOrFail) {
  // The pin is lifted out of its place in both blocks, and has no time limit but the session's end.
  const std::string first =
      part(part(page_, "<section id='goal-0'>", "</section>"), "class='tolerances'", "</table>");
  EXPECT_NE(first.find("<td>Depth</td><td>11.5"), std::string::npos) << first;
  EXPECT_NE(first.find("<td>12 ± 0.1 mm</td><td class='bad'>fail</td>"), std::string::npos) << first;
  EXPECT_NE(first.find("<td>at most 0.5°</td><td class='good'>pass</td>"), std::string::npos) << first;
}

TEST_F(HtmlReport, CurvesHaveTheirLimits) {
  const std::string first = part(page_, "<section id='goal-0'>", "</section>");
  const std::string push = part(first, "aria-label='Push against depth'", "</svg>");
  EXPECT_EQ(countOf(push, "class='limit'"), 2U) << "the least and the greatest depth: " << push;
  EXPECT_NE(push.find(">least depth<"), std::string::npos);
  EXPECT_EQ(page_.find("<b>Cycle time"), std::string::npos) << "the pin was never released";
}

TEST_F(HtmlReport, SaysWhyAPartStopped) {
  const std::string file = *folder_ / "jam.tenon";
  const Outcome run = runTenon({"run", scenePath("insertion-benchmark"), "--set", "clearance_um=5", "--set",
                                "friction=0.1", "--record", file, "--force"});
  ASSERT_EQ(run.exitCode, 1) << run.err;
  ASSERT_EQ(
      runTenon({"export", file, "--format", "html", "--out", *folder_ / "jam.html", "--force"}).exitCode, 0);
  const std::string why = part(contentOf(*folder_ / "jam.html"), "<p class='why'>", "</p>");
  EXPECT_TRUE(why.starts_with("<p class='why'>jammed: it rests at the mouth (shank on the bore edge")) << why;
  // The same sentence as of the run itself; the record's contacts are in single precision.
  const std::string sentence = part(why, "it rests at the mouth", ", the tip");
  EXPECT_NE(run.out.find(sentence), std::string::npos) << run.out;
  EXPECT_EQ(
      part(page_, "<section id='goal-1'>", "</section>").find("class='why'>pending") == std::string::npos,
      false)
      << "also of a part that was not yet there";
}

TEST_F(HtmlReport, ProgressIsShownOnATerminal) {
  EXPECT_NE(exported_.out.find("Reading the session: "), std::string::npos) << exported_.out;
  if (page_.find("No pictures:") == std::string::npos) {
    EXPECT_NE(exported_.out.find("Rendering images: "), std::string::npos) << exported_.out;
  }
}

/// The page in a frame of that width, and its tables that are wider than their place.
std::string wideTables(const std::string& page, int width) {
  const TemporaryFolder folder;
  std::string asking = page;
  asking.insert(
      asking.rfind("</body>"),
      "<script>addEventListener('load', () => {const wide = [...document.querySelectorAll('.wide')]"
      ".filter(e => e.scrollWidth > e.clientWidth + 1).map(e => `${e.scrollWidth} > ${e.clientWidth}`);"
      "parent.document.body.setAttribute('data-fit', `${innerWidth};${wide.join(' ')};`);})</script>");
  std::ofstream(folder / "frame.html")
      << "<!DOCTYPE html><body><iframe width='" << width << "' height='900' srcdoc='"
      << runtime::escapeMarkup(asking) << "'></iframe></body>";
  const std::string command =
      "HOME=" + folder.path() + " timeout 120 chromium --headless --no-sandbox --disable-gpu " +
      "--user-data-dir=" + (folder / "profile") + " --dump-dom 'file://" + (folder / "frame.html") + "' > " +
      (folder / "seen.html") + " 2> " + (folder / "log");
  EXPECT_EQ(std::system(command.c_str()), 0) << contentOf(folder / "log");
  const std::string seen = part(contentOf(folder / "seen.html"), "data-fit=\"", "\">");
  return seen;
}

TEST_F(HtmlReport, AllColumnsAreInTheWindow) {
  if (std::system("command -v chromium > /dev/null") != 0)
    GTEST_SKIP() << "there is no chromium: apt install chromium";
  for (const int width : {1000, 1400, 1920})
    EXPECT_EQ(wideTables(page_, width), "data-fit=\"" + std::to_string(width) + ";;");
}

}  // namespace
}  // namespace tenon::tests::html_report_test
