// Which parts move on which paths: by a plan, or as recorded.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/plan/plan.h"
#include "runtime/record/session_reader.h"
#include "runtime/sweep/part_path.h"

namespace tenon::runtime {

/// A moving part and those that it must not meet.
struct SweptPart {
  int part = -1;
  int step = 0;             ///< of the plan, from 1; 0: of a session
  PartPath path;            ///< over the travel [m], from outside to its place, or the time [s]
  std::vector<int> others;  ///< ascending
};

struct SweptParts {
  std::vector<SweptPart> swept;
  std::vector<PartPath> others;  ///< by part of the scene: at rest in a plan, as recorded in a session
  bool isRecorded = false;       ///< paths are over time
  std::string gaps;              ///< why only the poses at keyframes are known; "": every step is
};

/// The insertions of a plan: parts of the step against those that are in place by then, or of its group,
/// without those that make way.
SweptParts plannedParts(const Assembly& assembly, const std::vector<PlanStep>& steps);

/// The recorded paths of all parts that are displaced, by every step where this program reproduces the
/// session, else by its keyframes. `progress` is called with the time [s]; returns early once it returns
/// false.
SweptParts recordedParts(SessionReader& session, const content::Scene& scene,
                         const std::function<bool(double)>& progress);

/// The path with the fewest poses so that points within `reach` [m] of the part's origin are displaced by at
/// most `tolerance` [m] at any time.
PartPath simplified(const PartPath& path, double reach, double tolerance);

}  // namespace tenon::runtime
