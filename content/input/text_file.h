// Reads a complete text file and reports every failure.
#pragma once

#include <cstddef>
#include <string>

namespace tenon::content {

/// The expected kind of a file, for messages, and its size limit.
struct TextFileKind {
  std::string name;              ///< "scene" in "name a scene file"
  std::size_t maxBytes = 0;      ///< larger files are rejected before parsing
  std::string remedyIfTooLarge;  ///< remedy of that error
};

/// Throws InputError if `file` is missing, not a regular file, not readable or too large.
std::string readTextFile(const std::string& file, const TextFileKind& kind);

}  // namespace tenon::content
