// What shall be done: goals, hands and their scripts, as a scene file writes them.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads "goals"; the parts and the duration are there. Throws InputError.
void readGoals(const JsonCursor& root, Scene& scene);

/// Reads "hands"; the parts are there. Throws InputError.
void readHands(const JsonCursor& root, Scene& scene);

}  // namespace tenon::content
