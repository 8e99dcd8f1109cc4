// Reports and the web page have the palette's colors, and no other hexadecimal ones in rules and texts.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "runtime/report/html_style.h"
#include "runtime/report/svg_chart.h"
#include "runtime/web/page_assets.h"
#include "xr/appearance/palette.h"

namespace tenon::tests {
namespace {

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.insert((*at)[1].str());
  return found;
}

/// The rules without the block of the palette's variables, which comes first.
std::string rulesOf(const std::string& style) {
  return style.substr(style.find('}') + 1);
}

void expectPalette(const std::string& style) {
  EXPECT_TRUE(style.starts_with(":root { --ink: " + xr::hexOf(xr::palette::kInk) + ";"))
      << style.substr(0, 80);
  // Names of elements follow '#' without a colon before them.
  EXPECT_EQ(matches(rulesOf(style), ":[^;{}]*(#[0-9a-fA-F]{3,8})\\b"), std::set<std::string>());
  std::set<std::string> defined = matches(style, "[ {](--[a-z-]+):");
  defined.merge(std::set<std::string>{"--from", "--to"});  // of bars, by timeline.js
  const std::set<std::string> used = matches(style, "var\\((--[a-z-]+)");
  for (const std::string& name : used) EXPECT_TRUE(defined.contains(name)) << name;
  EXPECT_GT(used.size(), 8U);
}

TEST(PageColors, ReportsHaveOnlyThoseOfThePalette) {
  expectPalette(runtime::styleSheet());
}

TEST(PageColors, TheWebPageHasOnlyThoseOfThePalette) {
  expectPalette(runtime::pageStyle());
  EXPECT_EQ(matches(std::string(runtime::pageHtml()), "=\"(#[0-9a-f]{3,8})\""), std::set<std::string>());
  for (const auto& scripts : {runtime::viewerScripts(), runtime::serverScripts(), runtime::fileScripts()})
    for (const runtime::PageAsset& script : scripts) {
      const std::string text(script.text);
      EXPECT_EQ(matches(text, "[\"'](#[0-9a-fA-F]{3,8})[\"']"), std::set<std::string>()) << script.name;
      for (const std::string& name : matches(text, "[cC]olor\\(\"([a-z-]+)\"\\)"))
        EXPECT_NE(runtime::pageStyle().find("--" + name + ": #"), std::string::npos) << name;
    }
}

TEST(PageColors, MarksOfATimeLineDifferByShapeToo) {
  const std::string svg = runtime::svgOf(
      {{"pin in the plate",
        {},
        {{1, "contact", "first contact"}, {2, "jam", "jam"}, {3, "seated", "seated"}, {4, "mark", "note"}}}},
      5);
  EXPECT_NE(svg.find("<circle class='contact'"), std::string::npos);  // a ring, by the style sheet
  EXPECT_NE(svg.find("<rect class='jam'"), std::string::npos);
  EXPECT_NE(svg.find("<circle class='seated'"), std::string::npos);
  EXPECT_NE(svg.find("<path class='mark'"), std::string::npos);
  EXPECT_EQ(matches(runtime::styleSheet(), "\\.contact \\{ fill: (none);"), std::set<std::string>{"none"});
}

}  // namespace
}  // namespace tenon::tests
