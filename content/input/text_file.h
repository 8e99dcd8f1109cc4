// A whole text file, read once, with every way that can fail told.
#pragma once

#include <cstddef>
#include <string>

namespace tenon::content {

/// What a file is to hold, for the messages.
struct TextFileKind {
  std::string name;              ///< "scene": a "scene file" is asked for
  std::size_t maxBytes = 0;      ///< more is refused before any of it is parsed
  std::string remedyIfTooLarge;  ///< what to do then
};

/// Throws InputError where `file` is missing, no regular file, cannot be read or is too large.
std::string readTextFile(const std::string& file, const TextFileKind& kind);

}  // namespace tenon::content
