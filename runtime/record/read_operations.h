// The results of a recorded session for planning: operations, and the motions of the hands.
#pragma once

#include <functional>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/operations.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

struct SessionResults {
  std::vector<Operation> operations;  ///< in the order of the scene's goals
  MotionEstimate motions;
};

/// Reads a whole session, which must not have been read before. `seen` is called with each keyframe. Throws
/// content::InputError.
SessionResults resultsOf(SessionReader& session, const content::Scene& scene, const physics::World& world,
                         const std::function<void(const Keyframe&)>& seen);
/// The operations alone.
std::vector<Operation> operationsOf(SessionReader& session, const content::Scene& scene,
                                    const physics::World& world,
                                    const std::function<void(const Keyframe&)>& seen);

}  // namespace tenon::runtime
