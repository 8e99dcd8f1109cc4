// Text of a session's events, and names of goals, for lists.
#pragma once

#include <string>

#include "content/model/scene.h"
#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// Name of a goal: the scene's, or "PART into PART/HOLE"; "?" for an index that is no goal.
std::string goalName(const content::Scene& scene, int index);

/// One line without its time: "right grasps screw", "Contact: screw, plate".
std::string describeEvent(const SessionEvent& event, const content::Scene& scene);

}  // namespace tenon::runtime
