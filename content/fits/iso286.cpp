// See iso286.h.
#include "content/fits/iso286.h"

#include <array>

namespace tenon::content {
namespace {

/// Tolerance grades and fundamental deviations [µm] of diameters up to and including `upTo` [mm]: es of g, ei
/// of k to s. Source: h6 and h7 as printed by precisemetal.in; g6 to s6 as in the table of JIS B 0401
/// (1999), which has the values of ISO 286-2, printed by Sumitomo Electric ("Dimensional tolerances for
/// regularly used shaft fits"). Tests compare them with such limits, and grades, g, m and p with the formulas
/// of ISO 286-1 within their rounding.
struct Row {
  double upTo = 0, it6 = 0, it7 = 0;
  double g = 0, k = 0, m = 0, n = 0, p = 0, r = 0, s = 0;
};
constexpr std::array kRows{
    Row{3, 6, 10, -2, 0, 2, 4, 6, 10, 14},     Row{6, 8, 12, -4, 1, 4, 8, 12, 15, 19},
    Row{10, 9, 15, -5, 1, 6, 10, 15, 19, 23},  Row{18, 11, 18, -6, 1, 7, 12, 18, 23, 28},
    Row{30, 13, 21, -7, 2, 8, 15, 22, 28, 35}, Row{50, 16, 25, -9, 2, 9, 17, 26, 34, 43}};

/// A shaft of grade 6 from its fundamental deviation, the lower one, upwards.
template <double Row::*Lower>
constexpr Deviations above(const Row& row) {
  return {row.*Lower, row.*Lower + row.it6};
}
constexpr Deviations holeH7(const Row& row) {
  return {0, row.it7};
}
constexpr Deviations shaftG6(const Row& row) {
  return {row.g - row.it6, row.g};
}
constexpr Deviations shaftH6(const Row& row) {
  return {-row.it6, 0};
}
constexpr Deviations shaftJs6(const Row& row) {
  return {-row.it6 / 2, row.it6 / 2};
}

struct Zone {
  std::string_view text;
  Deviations (*of)(const Row& row);  ///< [µm]
};
constexpr std::array kZones{Zone{"H7", holeH7},         Zone{"g6", shaftG6},
                            Zone{"h6", shaftH6},        Zone{"js6", shaftJs6},
                            Zone{"k6", above<&Row::k>}, Zone{"m6", above<&Row::m>},
                            Zone{"n6", above<&Row::n>}, Zone{"p6", above<&Row::p>},
                            Zone{"r6", above<&Row::r>}, Zone{"s6", above<&Row::s>}};
/// The hole of every supported fit; the other zones are of shafts.
constexpr std::string_view kHole = "H7", kHoleOfFit = "H7/";

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
  for (const Zone& zone : kZones)
    if (zone.text != kHole) text.append(text.empty() ? "" : ", ").append(kHoleOfFit).append(zone.text);
  return text;
}

std::string supportedZones() {
  std::string text;
  for (const Zone& zone : kZones) text.append(text.empty() ? "" : ", ").append(zone.text);
  return text;
}

bool isFitClass(std::string_view text) {
  return fitClass(text, kMinFitDiameter).has_value();
}

std::optional<Deviations> toleranceZone(std::string_view text, double diameter) {
  if (diameter < kMinFitDiameter - kSameDiameter) return std::nullopt;
  for (const Zone& zone : kZones) {
    if (zone.text != text) continue;
    for (const Row& row : kRows)
      if (diameter <= row.upTo * 1e-3 + kSameDiameter) return inMeters(zone.of(row));
  }
  return std::nullopt;
}

std::optional<FitClass> fitClass(std::string_view text, double diameter) {
  if (!text.starts_with(kHoleOfFit) || text.substr(kHoleOfFit.size()) == kHole) return std::nullopt;
  const auto hole = toleranceZone(kHole, diameter);
  const auto shaft = toleranceZone(text.substr(kHoleOfFit.size()), diameter);
  if (!hole || !shaft) return std::nullopt;
  return FitClass{std::string(text), *hole, *shaft};
}

}  // namespace tenon::content
