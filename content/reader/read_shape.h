// Shapes as a scene file writes them.
#pragma once

#include "content/input/json_cursor.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::content {

/// The shape at a place of the file. Throws InputError.
physics::Shape readShape(const JsonCursor& at);

}  // namespace tenon::content
