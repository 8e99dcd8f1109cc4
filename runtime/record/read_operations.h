// The operations of a recorded session.
#pragma once

#include <functional>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/operations.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Reads a whole session, which must not have been read before. `seen` is called with each keyframe. Throws
/// content::InputError.
std::vector<Operation> operationsOf(SessionReader& session, const content::Scene& scene,
                                    const physics::World& world,
                                    const std::function<void(const Keyframe&)>& seen);

}  // namespace tenon::runtime
