// Standard parts by designation: "ISO 4762 M8x30".
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "content/input/json_cursor.h"
#include "content/parts/library_part.h"

namespace tenon::content {

/// Thrown for an unknown designation. `what()` is the problem.
class UnknownPart : public std::runtime_error {
 public:
  UnknownPart(const std::string& problem, std::string remedyText)
      : std::runtime_error(problem), remedy(std::move(remedyText)) {}
  std::string remedy;
};

/// One standard of the library, as listed by `tenon parts`.
struct StandardFamily {
  std::string name;         ///< "ISO 4762"
  std::string description;  ///< "hexagon socket head cap screw"
  std::string sizes;        ///< "M3 … M16"
  std::string example;      ///< "ISO 4762 M8x30"
  std::string frame;        ///< description of the part's frame and features
};
std::vector<StandardFamily> standardFamilies();

/// One row of a family's table: size, dimensions and available lengths.
struct FamilyRow {
  std::string size;
  std::vector<std::string> measures;  ///< one per FamilyTable::headings
};
struct FamilyTable {
  StandardFamily family;
  std::vector<std::string> headings;
  std::vector<FamilyRow> rows;
};
/// Throws UnknownPart.
FamilyTable familyTable(const std::string& family);

/// The part of a designation: "ISO 4762 M8x30", "iso4762 m8 x 30", "ISO 7089 M8", "ISO 2338 8x30",
/// "ISO 2936 6". Screws:
/// origin under the head, shank along −z. Nuts and washers: centered, axis along z. Pins: origin in the
/// center, along z. Screws and nuts have their threads, 6g and 6H (threaded_shapes.h), displayed as they
/// collide. Throws UnknownPart for an unknown family, size or length.
LibraryPart standardPart(const std::string& designation);

/// The same screw or nut with the thread of `thread`, or a smooth shank or bore where that is false. Throws
/// UnknownPart, and InputError for an invalid thread or a part without one.
LibraryPart standardPart(const std::string& designation, const JsonCursor& thread);

/// Nominal thread diameter of a library part by its name [m]: 8 mm for "ISO 4762 M8x30"; empty for washers,
/// pins and parametric parts.
std::optional<double> threadDiameterOf(const std::string& libraryName);

}  // namespace tenon::content
