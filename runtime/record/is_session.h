// Distinguishes session files from others.
#pragma once

#include <string>

namespace tenon::runtime {

/// True if this is an SQLite file: what is wrong with it is then for SessionReader to report.
bool isSessionFile(const std::string& file);

}  // namespace tenon::runtime
