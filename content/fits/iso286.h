// Limits and fits of ISO 286: holes H7 with shafts g6, h6, js6, k6, m6, n6, p6, r6 and s6, 1 to 50 mm.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::content {

/// Lower and upper deviation (EI/ES, ei/es) from a nominal diameter [m].
struct Deviations {
  double lower = 0, upper = 0;
};

struct FitClass {
  std::string text;  ///< "H7/g6"
  Deviations hole, shaft;

  double minClearance() const { return hole.lower - shaft.upper; }  ///< [m], negative: interference
  double maxClearance() const { return hole.upper - shaft.lower; }  ///< [m]
};

enum class FitKind {
  clearance,    ///< the shaft always fits
  transition,   ///< some shafts fit, some must be pressed in
  interference  ///< every shaft must be pressed in
};
FitKind classifyFit(double minClearance, double maxClearance);
/// "clearance fit", "transition fit", "interference fit".
std::string_view toText(FitKind kind);

inline constexpr double kMinFitDiameter = 1e-3;   ///< [m]
inline constexpr double kMaxFitDiameter = 50e-3;  ///< [m]

/// The supported fits, for messages: "H7/g6, H7/h6, …".
std::string supportedFits();
/// The supported tolerance zones of holes and shafts, for messages: "H7, g6, h6, …".
std::string supportedZones();
/// True for a supported fit.
bool isFitClass(std::string_view text);

/// Deviations of a supported zone at a nominal diameter [m]; empty for other zones and diameters.
std::optional<Deviations> toleranceZone(std::string_view text, double diameter);

/// Limits of a supported fit at a nominal diameter [m]; empty for other fits and diameters.
std::optional<FitClass> fitClass(std::string_view text, double diameter);

}  // namespace tenon::content
