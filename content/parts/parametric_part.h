// Parametric library parts: plates, flanges, brackets, bushings, bearings, shafts, drivers.
#pragma once

#include <string>
#include <vector>

#include "content/input/json_cursor.h"
#include "content/parts/library_part.h"

namespace tenon::content {

/// A kind of part and its dimensions, as listed by `tenon parts`.
struct ParametricKind {
  std::string name, description;
  std::vector<std::pair<std::string, std::string>> fields;  ///< name and description
  std::string example;                                      ///< arguments of `tenon parts make`
};
std::vector<ParametricKind> parametricKinds();

/// Reads a part from an object with "kind" and dimensions. Throws InputError.
LibraryPart readParametricPart(const JsonCursor& at);

/// The same for a JSON object as text, in millimeters; `source` is its name in messages.
LibraryPart parametricPart(const std::string& json, const std::string& source);

}  // namespace tenon::content
