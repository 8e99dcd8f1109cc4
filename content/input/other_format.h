// Detection of files of other formats that are given in place of a scene.
#pragma once

#include <string>

namespace tenon::content {

/// Throws InputError with the detected format and the matching command if `text` is a mesh, a STEP file, a
/// recorded session or an image. Text that begins as a JSON object is rejected only if its file is glTF.
void rejectOtherFormats(const std::string& text, const std::string& file);

}  // namespace tenon::content
