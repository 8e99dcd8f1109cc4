// See iso286.h.
#include "content/fits/iso286.h"

#include <array>

namespace tenon::content {
namespace {

/// Deviations [µm] of diameters up to and including `upTo` [mm]. Source: tables of ISO 286-2 as printed by
/// precisemetal.in (h6, h7) and rulesofthumb.info (H7; g6, p6 at 50 mm), and derived from IT grades and
/// fundamental deviations; a test compares them with the formulas of ISO 286-1 within their rounding.
struct Row {
  double upTo = 0;
  Deviations H7, g6, h6, m6, p6;
};
constexpr std::array kRows{Row{3, {0, 10}, {-8, -2}, {-6, 0}, {2, 8}, {6, 12}},
                           Row{6, {0, 12}, {-12, -4}, {-8, 0}, {4, 12}, {12, 20}},
                           Row{10, {0, 15}, {-14, -5}, {-9, 0}, {6, 15}, {15, 24}},
                           Row{18, {0, 18}, {-17, -6}, {-11, 0}, {7, 18}, {18, 29}},
                           Row{30, {0, 21}, {-20, -7}, {-13, 0}, {8, 21}, {22, 35}},
                           Row{50, {0, 25}, {-25, -9}, {-16, 0}, {9, 25}, {26, 42}}};

struct FitRow {
  std::string_view text;
  Deviations Row::*shaft;
};
constexpr std::array kFits{FitRow{"H7/g6", &Row::g6}, FitRow{"H7/h6", &Row::h6}, FitRow{"H7/m6", &Row::m6},
                           FitRow{"H7/p6", &Row::p6}};

Deviations inMeters(const Deviations& d) {
  return {d.lower * 1e-6, d.upper * 1e-6};
}

/// Rounding of a diameter that is a decimal number of millimeters [m].
constexpr double kSameDiameter = 1e-9;

}  // namespace

FitKind classifyFit(double minClearance, double maxClearance) {
  if (minClearance >= -kSameDiameter) return FitKind::clearance;
  return maxClearance > kSameDiameter ? FitKind::transition : FitKind::interference;
}

std::string_view toText(FitKind kind) {
  switch (kind) {
    case FitKind::clearance:
      return "clearance fit";
    case FitKind::transition:
      return "transition fit";
    case FitKind::interference:
      return "interference fit";
  }
  return "";
}

std::string supportedFits() {
  std::string text;
  for (const FitRow& c : kFits) text.append(text.empty() ? "" : ", ").append(c.text);
  return text;
}

bool isFitClass(std::string_view text) {
  for (const FitRow& c : kFits)
    if (c.text == text) return true;
  return false;
}

std::optional<FitClass> fitClass(std::string_view text, double diameter) {
  if (diameter < kMinFitDiameter - kSameDiameter) return std::nullopt;
  for (const FitRow& c : kFits) {
    if (c.text != text) continue;
    for (const Row& row : kRows)
      if (diameter <= row.upTo * 1e-3 + kSameDiameter)
        return FitClass{std::string(text), inMeters(row.H7), inMeters(row.*c.shaft)};
  }
  return std::nullopt;
}

}  // namespace tenon::content
