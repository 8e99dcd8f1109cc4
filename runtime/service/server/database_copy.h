// Copies of SQLite files that others may write.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>

namespace tenon::service {

inline constexpr std::size_t kCopyChunkBytes = 256 * 1024;

/// A consistent copy of a record or a study's results as one file without a name, in the same folder. Throws
/// StatusError.
std::ifstream copyOfDatabase(const std::string& file);

}  // namespace tenon::service
