// Reads "standard" and "library" parts of a scene.
#pragma once

#include <optional>

#include "content/input/json_cursor.h"
#include "content/parts/library_part.h"

namespace tenon::content {

struct NamedLibraryPart {
  LibraryPart part;
  JsonCursor at;  ///< the field that defines it
};

/// The library part of the part object at `at`; empty if it has a "shape". Throws InputError, also if both
/// are given.
std::optional<NamedLibraryPart> readLibraryPart(const JsonCursor& at);

}  // namespace tenon::content
