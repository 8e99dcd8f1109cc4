// Reads the script of a hand: waypoints with times, and steps relative to parts and holes with speeds.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads "script" into the waypoints of `hand`, after the parts and goals. A step such as "insert" becomes
/// several waypoints, with the times that follow from its speed. Throws InputError.
void readScript(const JsonCursor& script, const Scene& scene, Hand& hand);

}  // namespace tenon::content
