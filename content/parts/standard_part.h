// Parts by the designation of their standard: "ISO 4762 M8x30".
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "content/parts/library_part.h"

namespace tenon::content {

/// A designation that names no part. `what()` is the problem, `remedy` what to write instead.
class UnknownPart : public std::runtime_error {
 public:
  UnknownPart(const std::string& problem, std::string remedyText)
      : std::runtime_error(problem), remedy(std::move(remedyText)) {}
  std::string remedy;
};

/// One standard of the library, as `tenon parts` lists it.
struct StandardFamily {
  std::string name;         ///< "ISO 4762"
  std::string description;  ///< "hexagon socket head cap screw"
  std::string sizes;        ///< "M3 … M16"
  std::string example;      ///< "ISO 4762 M8x30"
  std::string frame;        ///< where the part's frame is, and its features
};
std::vector<StandardFamily> standardFamilies();

/// One row of a family's table: size, measures, and the lengths it is made in.
struct FamilyRow {
  std::string size;
  std::vector<std::string> measures;  ///< as many as FamilyTable::headings
};
struct FamilyTable {
  StandardFamily of;
  std::vector<std::string> headings;
  std::vector<FamilyRow> rows;
};
/// Throws UnknownPart.
FamilyTable familyTable(const std::string& family);

/// The part that a designation names: "ISO 4762 M8x30", "iso4762 m8 x 30", "ISO 7089 M8", "ISO 2338 8x30".
/// Screws: origin under the head, shank along −z. Nuts and washers: centred. Pins: origin in the middle,
/// along z. Throws UnknownPart for a family, size or length that is none.
LibraryPart standardPart(const std::string& designation);

/// Nominal diameter of the thread of a part of the library by its name [m]: of "ISO 4762 M8x30" 8 mm; none of
/// washers, pins and parts of no standard.
std::optional<double> threadDiameterOf(const std::string& libraryName);

}  // namespace tenon::content
