// Reads shapes from a scene file.
#pragma once

#include "content/input/json_cursor.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// Reads the shape object at `at`. Throws InputError.
physics::Shape readShape(const JsonCursor& at);

}  // namespace tenon::content
