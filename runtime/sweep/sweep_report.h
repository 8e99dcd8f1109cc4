// Least clearances and swept volumes as text and JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/sweep/least_clearance.h"
#include "runtime/sweep/swept_parts.h"
#include "runtime/sweep/swept_volume.h"

namespace tenon::runtime {

/// Larger clearances are not searched for [m].
inline constexpr double kClearanceRange = 0.1;

/// What was found for one part.
struct SweepFinding {
  const SweptPart* swept = nullptr;
  struct To {
    int other = -1;
    std::optional<LeastClearance> clearance;  ///< empty: larger than kClearanceRange
  };
  std::vector<To> to;  ///< the smallest first
};

/// A volume that was written.
struct WrittenVolume {
  std::string file;
  double error = 0;   ///< [m]
  double volume = 0;  ///< [m³]
  std::size_t triangles = 0;
};

struct SweepReport {
  const content::Scene* scene = nullptr;
  const SweptParts* parts = nullptr;
  std::vector<SweepFinding> findings;
  std::optional<WrittenVolume> volume;
  double required = 0;  ///< least clearance that was required [m]; 0: none

  /// True if a clearance is smaller than required.
  bool isTooClose() const;
};

std::string toText(const SweepReport& report);
/// One JSON object, with a line end.
std::string toJson(const SweepReport& report);

}  // namespace tenon::runtime
