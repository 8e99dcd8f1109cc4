// Limits and fits of ISO 286 that the library knows: holes H7 with shafts g6, h6, m6 and p6, 1 to 50 mm.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::content {

/// Deviations from a nominal diameter [m].
struct Deviations {
  double low = 0, high = 0;
};

struct FitClass {
  std::string text;  ///< "H7/g6"
  Deviations hole, shaft;

  double minClearance() const { return hole.low - shaft.high; }  ///< [m], negative: interference
  double maxClearance() const { return hole.high - shaft.low; }  ///< [m]
};

enum class FitKind {
  clearance,    ///< the part always goes in
  transition,   ///< some go in, some must be pressed
  interference  ///< none goes in by itself
};
FitKind classifyFit(double minClearance, double maxClearance);
/// "clearance fit", "transition fit", "interference fit".
std::string_view toText(FitKind kind);

inline constexpr double kMinFitDiameter = 1e-3;   ///< [m]
inline constexpr double kMaxFitDiameter = 50e-3;  ///< [m]

/// Names of the fits, for messages: "H7/g6, H7/h6, H7/m6, H7/p6".
std::string supportedFits();
/// True for one of them.
bool isFitClass(std::string_view text);

/// Of a known class at a nominal diameter [m] within the range; none otherwise.
std::optional<FitClass> fitClass(std::string_view text, double diameter);

}  // namespace tenon::content
