// Limits and fits of ISO 286: holes H7 with shafts g6, h6, m6 and p6, 1 to 50 mm.
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

/// The supported fits, for messages: "H7/g6, H7/h6, H7/m6, H7/p6".
std::string supportedFits();
/// True for a supported fit.
bool isFitClass(std::string_view text);

/// Limits of a supported fit at a nominal diameter [m]; empty for other fits and diameters.
std::optional<FitClass> fitClass(std::string_view text, double diameter);

}  // namespace tenon::content
