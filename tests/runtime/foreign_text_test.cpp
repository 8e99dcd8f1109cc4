// Names and titles from a file, on their way out: terminal, CSV, HTML, Markdown, OBJ.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/record/session_tables.h"
#include "runtime/report/svg_chart.h"
#include "runtime/report/text_table.h"
#include "runtime/session/terminal.h"
#include "tests/support/program_run.h"

namespace tenon::tests::foreign_text_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kFormula = "=HYPERLINK(\"http://x\",\"y\")";
constexpr const char* kMarkup = "<img src=x onerror=alert(1)>[a](javascript:b)";
constexpr const char* kTurned = "gulp\u202enoitamina";

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string linesWith(const std::string& text, const std::string& word) {
  std::string found, line;
  for (std::istringstream lines(text); std::getline(lines, line);)
    if (line.find(word) != std::string::npos) found += line + "\n";
  return found;
}

/// The bolt in its plate, with hostile names.
class ForeignText : public testing::Test {
 protected:
  void SetUp() override {
    Json scene = Json::parse(contentOf(scenePath("bolt-in-plate")));
    scene["title"] = "A \x1b[31mred\x1b[0m title\nwith <b>two</b> lines, turned \u202e";
    scene["parts"][0]["name"] = kMarkup;
    scene["parts"][1]["name"] = kFormula;
    scene["goals"][0]["part"] = kFormula;
    scene["goals"][0]["into"] = kMarkup;
    for (Json& waypoint : scene["hands"][0]["script"])
      if (waypoint.contains("grab")) waypoint["grab"] = kFormula;
    scene["parts"][0]["shape"]["holes"][0]["name"] = kTurned;
    scene["goals"][0]["hole"] = kTurned;
    std::ofstream(scene_) << scene;
  }

  Outcome tenon(std::vector<std::string> words) const {
    const Outcome outcome = runTenon(words);
    for (const std::string* text : {&outcome.out, &outcome.err}) {
      EXPECT_EQ(text->find('\x1b'), std::string::npos) << *text;
      EXPECT_EQ(text->find("\u202e"), std::string::npos) << *text;
    }
    return outcome;
  }

  TemporaryFolder folder_;
  std::string scene_ = folder_ / "scene.json";
};

TEST_F(ForeignText, IsPrintedAndNotObeyed) {
  const Outcome run = tenon({"run", scene_, "--duration", "0.05"});
  EXPECT_EQ(run.exitCode, 1) << run.err;
  EXPECT_NE(run.out.find("A \\u001b[31mred\\u001b[0m title\\u000awith"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("gulp\\u202enoitamina"), std::string::npos) << run.out;
  const Outcome check = tenon({"check", scene_});
  EXPECT_NE(check.out.find("A \\u001b[31mred"), std::string::npos) << check.out;
}

TEST_F(ForeignText, StaysTheSameInJson) {
  const Json goal = Json::parse(tenon({"run", scene_, "--duration", "0.05", "--json"}).out)["goals"][0];
  EXPECT_EQ(goal["part"], kFormula);
  const Json parts = Json::parse(tenon({"check", scene_, "--json"}).out)["parts"];
  EXPECT_EQ(parts[0]["holes"][0], kTurned);
}

TEST_F(ForeignText, IsNoMarkupInReports) {
  tenon({"run", scene_, "--duration", "0.05", "--report", folder_ / "r.md", "--record", folder_ / "s.tenon"});
  const std::string report = contentOf(folder_ / "r.md");
  for (const char* markup : {"<img", "<b>", "[a](javascript", "\u202e", "\x1b"})
    EXPECT_EQ(report.find(markup), std::string::npos) << linesWith(report, markup);
  ASSERT_EQ(tenon({"export", folder_ / "s.tenon", "--format", "html", "--out", folder_ / "r.html"}).exitCode,
            0);
  const std::string page = contentOf(folder_ / "r.html");
  for (const char* markup : {"<img src=x", "<b>two", "\x1b"})
    EXPECT_EQ(page.find(markup), std::string::npos) << linesWith(page, markup);
  const std::string shown = page.substr(0, page.find("<script"));
  EXPECT_EQ(shown.find("\u202e"), std::string::npos) << linesWith(shown, "\u202e");
}

TEST_F(ForeignText, IsNoFormulaInTables) {
  tenon({"run", scene_, "--duration", "0.05", "--record", folder_ / "s.tenon"});
  ASSERT_EQ(tenon({"export", folder_ / "s.tenon", "--format", "csv", "--out", folder_ / "csv"}).exitCode, 0);
  int cells = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "csv")) {
    const std::string table = contentOf(entry.path());
    for (const char* start : {"\n=", ",=", "\"=", "\u202e"})
      EXPECT_EQ(table.find(start), std::string::npos) << entry.path() << linesWith(table, start);
    for (auto at = table.find("'=HYPERLINK"); at != table.npos; at = table.find("'=HYPERLINK", at + 1))
      ++cells;
  }
  EXPECT_GT(cells, 3);
}

TEST_F(ForeignText, IsOneNameInAnObjFile) {
  ASSERT_EQ(tenon({"check", scene_, "--collision-out", folder_ / "c.obj"}).exitCode, 0);
  EXPECT_NE(contentOf(folder_ / "c.obj").find(std::string("\no ") + kFormula + "\n"), std::string::npos);
}

TEST_F(ForeignText, NamesOfFilesMayBeAnyBytes) {
  const std::string odd = folder_ / "\xff\x1b[2J\n.json";
  fs::copy_file(scene_, odd);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", odd, "--duration", "0.01"},
                                                {"check", odd},
                                                {"check", odd, "--json"}}) {
    const Outcome outcome = tenon(words);
    EXPECT_LE(outcome.exitCode, 1) << outcome.err;
  }
  fs::remove(odd);
  const Outcome missing = tenon({"check", odd});
  EXPECT_NE(missing.err.find("\\xff\\u001b[2J\\u000a.json: does not exist"), std::string::npos)
      << missing.err;
  const Outcome report = tenon({"run", scene_, "--duration", "0.01", "--report", folder_ / "\x1b[2J.md"});
  EXPECT_NE(report.err.find("report written to "), std::string::npos) << report.err;
}

TEST(CsvField, QuotesAndDefusesTextAndLeavesNumbers) {
  using runtime::csvField;
  for (const char* same : {"", "peg", "-1.5", "-1e-9", "+5", "-inf", "a-b", "7"})
    EXPECT_EQ(csvField(same), same);
  EXPECT_EQ(csvField("=1+1"), "'=1+1");
  EXPECT_EQ(csvField("-peg"), "'-peg");
  EXPECT_EQ(csvField("+peg"), "'+peg");
  EXPECT_EQ(csvField("@sum"), "'@sum");
  EXPECT_EQ(csvField("-1+cmd|' /C calc'!A0"), "'-1+cmd|' /C calc'!A0");
  EXPECT_EQ(csvField("  =1"), "'  =1");
  EXPECT_EQ(csvField("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
  EXPECT_EQ(csvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csvField("\t=1\r"), "\\u0009=1\\u000d");
}

TEST(Escaped, IsTextInHtml) {
  EXPECT_EQ(runtime::escapeMarkup("<a href='x' b=\"y\">&"),
            "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt;&amp;");
  EXPECT_EQ(runtime::escapeMarkup("\u202e\xff\x1b"), "\\u202e\\xff\\u001b");
}

TEST(InMarkdown, IsTextInMarkdown) {
  EXPECT_EQ(runtime::escapeMarkdown("a|b <i> [x](y) `c` *d* &\n"),
            "a\\|b &lt;i> \\[x\\](y) \\`c\\` \\*d\\* &amp;\\\\u000a");
}

TEST(TerminalText, OnlyTheProgramsOwnColorsPass) {
  const std::string text = "\x1b[31mjammed\x1b[0m\n\x1b]0;title\a\x1b[2J";
  EXPECT_EQ(runtime::terminalText(text, true), "\x1b[31mjammed\x1b[0m\n\\u001b]0;title\\u0007\\u001b[2J");
  EXPECT_EQ(runtime::terminalText(text, false),
            "\\u001b[31mjammed\\u001b[0m\n\\u001b]0;title\\u0007\\u001b[2J");
  runtime::TextTable table({"name", "verdict"});
  table.add({"\x1b[31mpeg", "jammed"});
  table.paint(1, runtime::Color::red);
  EXPECT_EQ(table.text(0), "name           verdict\n\\u001b[31mpeg  \x1b[31mjammed\x1b[0m\n");
}

}  // namespace
}  // namespace tenon::tests::foreign_text_test
