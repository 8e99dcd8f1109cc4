// See iso286.h.
#include "content/fits/iso286.h"

#include <array>

namespace tenon::content {
namespace {

/// Tolerance grades and fundamental deviations [µm] of diameters up to and including `upTo` [mm]: es of g and
/// h, ei of k to s. Source: the tables of ISO 286-1 (grades) and ISO 286-2; a test compares them with the
/// formulas of ISO 286-1 within their rounding.
struct Row {
  double upTo = 0, it6 = 0, it7 = 0;
  double g = 0, k = 0, m = 0, n = 0, p = 0, r = 0, s = 0;
};
constexpr std::array kRows{
    Row{3, 6, 10, -2, 0, 2, 4, 6, 10, 14},     Row{6, 8, 12, -4, 1, 4, 8, 12, 15, 19},
    Row{10, 9, 15, -5, 1, 6, 10, 15, 19, 23},  Row{18, 11, 18, -6, 1, 7, 12, 18, 23, 28},
    Row{30, 13, 21, -7, 2, 8, 15, 22, 28, 35}, Row{50, 16, 25, -9, 2, 9, 17, 26, 34, 43}};

struct Zone {
  std::string_view text;
  Deviations (*of)(const Row& row);  ///< [µm]
};
constexpr std::array kZones{Zone{"H7",
                                 [](const Row& r) {
                                   return Deviations{0, r.it7};
                                 }},
                            Zone{"g6",
                                 [](const Row& r) {
                                   return Deviations{r.g - r.it6, r.g};
                                 }},
                            Zone{"h6",
                                 [](const Row& r) {
                                   return Deviations{-r.it6, 0};
                                 }},
                            Zone{"js6",
                                 [](const Row& r) {
                                   return Deviations{-r.it6 / 2, r.it6 / 2};
                                 }},
                            Zone{"k6",
                                 [](const Row& r) {
                                   return Deviations{r.k, r.k + r.it6};
                                 }},
                            Zone{"m6",
                                 [](const Row& r) {
                                   return Deviations{r.m, r.m + r.it6};
                                 }},
                            Zone{"n6",
                                 [](const Row& r) {
                                   return Deviations{r.n, r.n + r.it6};
                                 }},
                            Zone{"p6",
                                 [](const Row& r) {
                                   return Deviations{r.p, r.p + r.it6};
                                 }},
                            Zone{"r6",
                                 [](const Row& r) {
                                   return Deviations{r.r, r.r + r.it6};
                                 }},
                            Zone{"s6", [](const Row& r) {
                                   return Deviations{r.s, r.s + r.it6};
                                 }}};
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
