// Text of a session's events, for lists.
#pragma once

#include <string>

#include "content/model/scene.h"
#include "runtime/record/session_events.h"

namespace tenon::runtime {

/// One line without its time: "right grasps screw", "Contact: screw, plate".
std::string describeEvent(const SessionEvent& event, const content::Scene& scene);

}  // namespace tenon::runtime
