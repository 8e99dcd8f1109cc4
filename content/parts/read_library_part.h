// A part of the library where a scene names one: "standard" or "library".
#pragma once

#include <optional>

#include "content/input/json_cursor.h"
#include "content/parts/library_part.h"

namespace tenon::content {

struct NamedLibraryPart {
  LibraryPart part;
  JsonCursor at;  ///< the field that names it
};

/// What the part at this place of a file is made of, if that is a part of the library. Throws InputError,
/// also where a shape is given beside it.
std::optional<NamedLibraryPart> readLibraryPart(const JsonCursor& at);

}  // namespace tenon::content
