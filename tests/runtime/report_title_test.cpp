// The head of a report, its parts list and its table of fits.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/runtime/session_file.h"

namespace tenon::tests::report_title_test {
namespace {

/// A PNG file of one pixel.
constexpr unsigned char kPixel[] = {
    0x89, 'P',  'N',  'G',  13,  10,  26,  10,   0,    0,    0,    13,  'I',  'H',  'D',  'R',  0,
    0,    0,    1,    0,    0,   0,   1,   8,    0,    0,    0,    0,   0x3a, 0x7e, 0x9b, 0x55, 0,
    0,    0,    10,   'I',  'D', 'A', 'T', 0x78, 0x9c, 0x63, 0x60, 0,   0,    0,    2,    0,    1,
    0x48, 0xaf, 0xa4, 0x71, 0,   0,   0,   0,    'I',  'E',  'N',  'D', 0xae, 0x42, 0x60, 0x82};

TEST(ReportTitle, HeadPartsAndFitsAreShown) {
  const TemporaryFolder folder;
  record("peg-board", "0.05", folder / "s.tenon");
  std::ofstream(folder / "logo.png", std::ios::binary)
      .write(reinterpret_cast<const char*>(kPixel), sizeof kPixel);
  std::ofstream(folder / "title.json")
      << R"({"project": "Pump <7>", "author": "M. Weiß", "revision": "B", "company": "Tenon & Co", "logo": "logo.png"} // mine)";
  const Outcome outcome = runTenon({"export", folder / "s.tenon", "--format", "html", "--title-block",
                                    folder / "title.json", "--out", folder / "r.html"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const std::string page = fileText(folder / "r.html");
  for (const char* part : {"Pump &lt;7&gt;", "M. Weiß", "Tenon &amp; Co", "data:image/png;base64,iVBORw0KGgo",
                           "<th>Quantity</th>", "H7/g6", "Clearance, diametral"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_LT(page.find("<header class='title'>"), page.find("class='verdict"));
  EXPECT_LT(page.find("id='fits'"), page.find("Timeline"));
}

TEST(ReportTitle, BadTitleBlocksAreRefusedInOneLine) {
  const TemporaryFolder folder;
  record("bolt-in-plate", "0.02", folder / "s.tenon");
  std::ofstream(folder / "text.png") << "no picture";
  const auto refused = [&](const char* json, const std::string& says) {
    std::ofstream(folder / "title.json") << json;
    const Outcome outcome = runTenon({"export", folder / "s.tenon", "--format", "html", "--title-block",
                                      folder / "title.json", "--out", folder / "r.html"});
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused("{\"projct\": \"x\"}", "projct");
  refused("{\"project\": 7}", "/project");
  refused("{\"logo\": \"text.png\"}", "/logo: ");
  refused("{\"logo\": \"none.png\"}", "does not exist");
  refused("{\"logo\": \"../../etc/passwd\"}", "is not in the folder");
  refused("{", "not valid JSON");
  std::ofstream(folder / "title.json") << "{}";
  const Outcome csv = runTenon({"export", folder / "s.tenon", "--format", "csv", "--title-block",
                                folder / "title.json", "--out", folder / "csv"});
  EXPECT_EQ(csv.exitCode, 2);
  EXPECT_NE(csv.err.find("is for --format html and pdf alone"), std::string::npos) << csv.err;
}

}  // namespace
}  // namespace tenon::tests::report_title_test
