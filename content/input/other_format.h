// Files that are often given where a scene is wanted.
#pragma once

#include <string>

namespace tenon::content {

/// Throws InputError that says what `text` is and what to do with it, where it is a mesh, a STEP file, a
/// recorded session or a picture. What begins as a JSON object is none of them, whatever its name is, but
/// glTF.
void rejectOtherFormats(const std::string& text, const std::string& file);

}  // namespace tenon::content
