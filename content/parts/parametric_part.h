// Parts of the library that are made to measure: plates, flanges, brackets, bushings, bearings, shafts.
#pragma once

#include <string>
#include <vector>

#include "content/input/json_cursor.h"
#include "content/parts/library_part.h"

namespace tenon::content {

/// A kind of part and its measures, as `tenon parts` lists it.
struct ParametricKind {
  std::string name, description;
  std::vector<std::pair<std::string, std::string>> fields;  ///< name and what it is
  std::string example;                                      ///< arguments of `tenon parts make`
};
std::vector<ParametricKind> parametricKinds();

/// The part at a place of a file, an object with "kind" and its measures. Throws InputError.
LibraryPart readParametricPart(const JsonCursor& at);

/// The same for a JSON object as text, in millimetres; `source` names it in messages.
LibraryPart parametricPart(const std::string& json, const std::string& source);

}  // namespace tenon::content
