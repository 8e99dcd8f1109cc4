// Reads goals, hands and their scripts of a scene file.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads "goals" after the parts, the joints and the duration. Throws InputError.
void readGoals(const JsonCursor& root, Scene& scene);

/// Reads "hands" after the parts. Throws InputError.
void readHands(const JsonCursor& root, Scene& scene);

}  // namespace tenon::content
