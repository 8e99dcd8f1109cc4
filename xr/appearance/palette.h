// The palette: every color that is text or has a meaning, of windows, images, headset, reports and web page.
//
// Text has a contrast of at least 4.5 with each ground that it is written on, lines and marks one of at least
// 3 (WCAG 2.1, 1.4.3 and 1.4.11). Colors of one set differ for every eye: hues are those of M. Okabe and K.
// Ito, "Color Universal Design" (2008), and luminances differ as well. tests/xr/palette_test.cpp has the
// pairs.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

namespace tenon::xr {

/// An sRGB color.
struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;

  bool operator==(const Color&) const = default;
};

/// Of 0xrrggbb.
constexpr Color colorOf(std::uint32_t rgb) {
  return {static_cast<std::uint8_t>(rgb >> 16 & 0xff), static_cast<std::uint8_t>(rgb >> 8 & 0xff),
          static_cast<std::uint8_t>(rgb & 0xff)};
}

/// sRGB to linear, 0…1 (IEC 61966-2-1).
double decodeSrgb(double encoded);
/// Red, green and blue as the renderer takes them: linear, 0…1.
Eigen::Vector3d linearOf(Color color);
/// "#rrggbb".
std::string hexOf(Color color);

namespace palette {

// --- panels of windows and headset: light on dark
inline constexpr Color kPanel = colorOf(0x1f242a), kWell = colorOf(0x15191e);  ///< grounds: panels, fields
/// Grounds: controls and titles; under the mouse; pressed, selected or on.
inline constexpr Color kRaised = colorOf(0x2b323b), kHovered = colorOf(0x353e49), kChosen = colorOf(0x1e4468);
inline constexpr Color kEdge = colorOf(0x68737f), kRule = colorOf(0x424d59);   ///< of controls; between rows
inline constexpr Color kText = colorOf(0xe8edf2), kFaint = colorOf(0xa9b4c0);  ///< text
/// Text and marks of states; kFaint is neutral.
inline constexpr Color kGoodText = colorOf(0x7be8bd), kBadText = colorOf(0xff9670),
                       kCautionText = colorOf(0xffe45c), kUndoText = colorOf(0xd99bff);
/// Fills in a field, behind kText: bars of goals, held parts on a time line and handles of sliders.
inline constexpr Color kGoodFill = colorOf(0x1d7658), kBadFill = colorOf(0xa45031),
                       kNeutralFill = colorOf(0x5e6a75), kHeldFill = colorOf(0x286d9f);
inline constexpr Color kAccent = colorOf(0x56b4e9);  ///< curves, check marks, edge of what is on

// --- reports, web page, and labels in images: dark on light
inline constexpr Color kPaper = colorOf(0xffffff), kGround = colorOf(0xf3f5f7);  ///< grounds
inline constexpr Color kInk = colorOf(0x1b2631), kSoft = colorOf(0x566472);      ///< text
/// Edges of controls, curves in the background; lines of tables and grids.
inline constexpr Color kLightEdge = colorOf(0x76838f), kLightRule = colorOf(0xdbe1e7);
/// Text and marks of states, and the grounds of their words.
inline constexpr Color kGood = colorOf(0x00533c), kBad = colorOf(0x9c2f00), kWait = colorOf(0x6b5000),
                       kGoodGround = colorOf(0xe2f2ec), kBadGround = colorOf(0xfbe9e1),
                       kWaitGround = colorOf(0xfbf2d8);
inline constexpr Color kMark = colorOf(0xb58500);  ///< notes and marks, pointers of others
/// Curves, bars, links, what is on; under the mouse; the ground of what is selected.
inline constexpr Color kBlue = colorOf(0x0072b2), kBlueHovered = colorOf(0x005a8e),
                       kBlueGround = colorOf(0xe0eefa);

// --- in images of scenes: arrows, lines, marks, tints
/// The ground of labels and legends: kPaper with this opacity, of 255.
inline constexpr int kPaperOpacity = 232;
inline constexpr Color kHalo = kPaper;                               ///< around lines and marks
inline constexpr Color kContact = colorOf(0xc65200), kHand = kBlue;  ///< forces
inline constexpr Color kMeasure = colorOf(0xa8608a);                 ///< dimensions, guidance axes
inline constexpr Color kSection = colorOf(0x523400);                 ///< the section plane's handle
inline constexpr Color kXAxis = kContact, kYAxis = colorOf(0x008560), kZAxis = colorOf(0x00528f);
inline constexpr Color kNext = kGood;                ///< the next part of a training, hands in fine motion
inline constexpr Color kTarget = colorOf(0x009e73);  ///< glass where parts shall go, within dark edges

}  // namespace palette
}  // namespace tenon::xr
