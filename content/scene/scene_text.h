// A scene file before it is read: for those who keep the text itself, as a record does.
#pragma once

#include <string>

namespace tenon::content {

/// The whole of a scene file, for parseScene(). Throws InputError where it is missing, cannot be read or is
/// larger than any scene.
std::string readSceneText(const std::string& file);

}  // namespace tenon::content
