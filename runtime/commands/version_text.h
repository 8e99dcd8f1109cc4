// What --version prints.
#pragma once

#include <string>

namespace tenon::runtime {

/// The version on the first line, then the identity of this build, one "name: value" per line.
std::string versionText();

}  // namespace tenon::runtime
