// Designations of standard parts: "ISO 4762 M8x30".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "content/parts/standard_tables.h"

namespace tenon::content {

/// The supported standards, in the order of standardFamilies().
enum class PartFamily { iso4762, iso4014, iso4017, iso4032, iso7089, iso2338, iso2936 };

/// A parsed designation. One of `thread`, `pin` and `key` is set; they point into static tables.
struct Designation {
  PartFamily family = PartFamily::iso4762;
  const ThreadSize* thread = nullptr;
  const PinSize* pin = nullptr;
  const KeySize* key = nullptr;
  double length = 0;  ///< [mm]; 0: the family has no lengths
};

/// Parses a designation in any common spelling. Throws UnknownPart for an unknown family, size or length.
Designation parseDesignation(const std::string& text);

/// The canonical text of a designation.
std::string designationText(const Designation& d);

/// The family at the start of a designation; empty if it is not supported.
std::optional<PartFamily> findFamily(const std::string& text);

/// The same; throws UnknownPart with the replacing standard, if there is one.
PartFamily familyOf(const std::string& text);

/// The available lengths of a size [mm], ascending; empty for families without lengths.
std::vector<double> lengthsOf(const Designation& d);

/// Numbers separated by commas.
std::string numberList(const std::vector<double>& numbers);

}  // namespace tenon::content
