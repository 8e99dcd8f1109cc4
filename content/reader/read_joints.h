// Reads the joints of a scene file.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads "joints" after the parts. Throws InputError.
void readJoints(const JsonCursor& root, Scene& scene);

}  // namespace tenon::content
