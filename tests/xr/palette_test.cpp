// The palette: each color has contrast with the grounds on which it stands, and differs from those beside it.
#include "xr/appearance/palette.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/contrast.h"

namespace tenon::tests {
namespace {

using namespace xr::palette;
using xr::Color;
using xr::colorOf;

constexpr double kTextContrast = 4.5, kGraphicContrast = 3;  ///< WCAG 2.1, 1.4.3 (AA) and 1.4.11
/// Of two colors of a set; eight times what is just noticeable.
constexpr double kDistance = 18;
/// Of what is switched off in a window: ImGuiStyle::DisabledAlpha, see ui_style.cpp.
constexpr double kDisabled = 0.7;
/// The ground of the parts in an image of a scene, as rendered.
constexpr Color kSceneGround = colorOf(0xdbdcde), kBlack{};

using Colors = std::vector<Color>;

void expectContrast(const Colors& colors, const Colors& grounds, double least) {
  for (const Color color : colors)
    for (const Color ground : grounds)
      EXPECT_GE(contrast(color, ground), least) << xr::hexOf(color) << " on " << xr::hexOf(ground);
}

void expectDistances(const Colors& colors) {
  for (std::size_t a = 0; a < colors.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (const Eye eye : kEyes)
        EXPECT_GE(distance(colors[a], colors[b], eye), kDistance)
            << xr::hexOf(colors[a]) << " and " << xr::hexOf(colors[b]) << ", eye " << static_cast<int>(eye);
}

TEST(Contrast, IsThatOfTheStandardsExamples) {
  EXPECT_NEAR(contrast(colorOf(0xffffff), kBlack), 21, 1e-9);
  EXPECT_NEAR(contrast(colorOf(0x777777), colorOf(0xffffff)), 4.48, 0.005);  // known to just fail
  EXPECT_NEAR(contrast(colorOf(0xff0000), colorOf(0xffffff)), 1.05 / (0.2126 + 0.05), 1e-9);
}

TEST(ColorDistance, IsThatOfCie1976AndShrinksForRedAndGreen) {
  EXPECT_NEAR(distance(colorOf(0xffffff), kBlack, Eye::normal), 100, 0.01);
  // L*a*b* of sRGB red and green: (53.24, 80.09, 67.20), (87.73, -86.18, 83.18).
  EXPECT_NEAR(distance(colorOf(0xff0000), colorOf(0x00ff00), Eye::normal), 170.6, 0.1);
  const Color red = colorOf(0xb3261e), green = colorOf(0x4d6b1e);
  EXPECT_LT(distance(red, green, Eye::deuteranope), 0.5 * distance(red, green, Eye::normal));
  EXPECT_GT(distance(red, green, Eye::tritanope), 0.8 * distance(red, green, Eye::normal));
}

TEST(Palette, TextsOfPanelsCanBeReadOnAllTheirGrounds) {
  expectContrast({kText, kFaint, kGoodText, kBadText, kCautionText, kUndoText},
                 {kPanel, kWell, kRaised, kHovered, kChosen}, kTextContrast);
  expectContrast({kText}, {kGoodFill, kBadFill, kNeutralFill, kHeldFill}, kTextContrast);
  for (const Color ground : {kWell, kRaised, kChosen})
    EXPECT_GE(contrast(blended(kText, kDisabled, kPanel), blended(ground, kDisabled, kPanel)), kTextContrast)
        << "switched off, on " << xr::hexOf(ground);
}

TEST(Palette, GraphicsOfPanelsAreSeen) {
  expectContrast({kAccent}, {kPanel, kWell, kRaised, kHovered, kChosen}, kGraphicContrast);
  expectContrast({kEdge, kGoodText, kBadText, kCautionText, kUndoText, kFaint}, {kPanel, kWell},
                 kGraphicContrast);
  expectContrast({kGoodFill, kBadFill, kNeutralFill, kHeldFill}, {kWell}, kGraphicContrast);
  // A control that is on has an edge of its own: unlike that of others, and seen on the panel.
  expectDistances({kAccent, kEdge});
}

TEST(Palette, TextsOfReportsAndPagesCanBeRead) {
  expectContrast({kInk, kSoft}, {kPaper, kGround, kBlueGround}, kTextContrast);
  expectContrast({kGood, kBad, kWait, kBlue}, {kPaper, kGround}, kTextContrast);
  expectContrast({kGood}, {kGoodGround}, kTextContrast);
  expectContrast({kBad}, {kBadGround}, kTextContrast);
  expectContrast({kWait}, {kWaitGround}, kTextContrast);
  expectContrast({kPaper}, {kBlue, kBlueHovered, kBad}, kTextContrast);  // on buttons and bars
  expectContrast({kInk}, {kMark}, kTextContrast);                        // name of who points
}

TEST(Palette, GraphicsOfReportsAndPagesAreSeen) {
  expectContrast({kBlue, kGood, kBad, kMark, kLightEdge, kInk, kContact, kHand}, {kPaper, kGround},
                 kGraphicContrast);
}

TEST(Palette, LinesOverScenesAreSeenOnTheirHaloAndArrowsOnTheGround) {
  expectContrast({kContact, kHand, kMeasure, kSection, kXAxis, kYAxis, kZAxis}, {kHalo, kSceneGround},
                 kGraphicContrast);
  expectContrast({kNext, kSoft}, {kSceneGround}, kGraphicContrast);  // the next part; leader lines
  expectContrast({kCautionText}, {kInk}, kGraphicContrast);          // what is active, in a dark halo
}

TEST(Palette, LabelsOverScenesCanBeReadWhateverIsBehindThem) {
  for (const Color scene : {kBlack, colorOf(0xffffff)}) {
    const Color paper = blended(kPaper, kPaperOpacity / 255.0, scene);
    expectContrast({kInk}, {paper}, kTextContrast);
    expectContrast({kContact, kHand, kMeasure}, {paper}, kGraphicContrast);  // lines of the legend
  }
  expectContrast({kInk}, {kGround, kAccent}, kTextContrast);  // faces of the view cube
}

TEST(Palette, ColorsOfASetDifferForEveryEye) {
  expectDistances({kGoodText, kBadText, kCautionText, kUndoText, kFaint});
  expectDistances({kGood, kBad, kMark, kBlue, kInk});
  expectDistances({kContact, kHand, kMeasure, kSection});
  expectDistances({kXAxis, kYAxis, kZAxis});
  expectDistances({kContact, kHand, kNext, kLightEdge});  // hands in the headset
}

TEST(Palette, ConversionsAreThoseOfSrgb) {
  EXPECT_EQ(xr::hexOf(colorOf(0x0a72b2)), "#0a72b2");
  EXPECT_NEAR(xr::decodeSrgb(0.5), 0.21404, 1e-5);
  EXPECT_NEAR(xr::linearOf(colorOf(0x808080)).y(), 0.21586, 1e-5);
  EXPECT_EQ(xr::linearOf(colorOf(0xff0000)), Eigen::Vector3d(1, 0, 0));
}

}  // namespace
}  // namespace tenon::tests
