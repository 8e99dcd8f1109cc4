// The scene that `tenon new` writes.
#pragma once

#include <string>

namespace tenon::runtime {

/// A scene file with comments that explain it: a pin goes into a hole. `title` may be any text.
std::string starterScene(const std::string& title);

}  // namespace tenon::runtime
