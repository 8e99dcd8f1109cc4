// Whether the sizes of a part suit the unit that its file is said to have.
#pragma once

#include <span>
#include <string>

namespace tenon::content {

/// A doubt in words, such as "looks like inches …", or nothing. `extent`: the largest side in the file's own
/// numbers; `diameters`: of round faces, likewise; `unit`: "mm", "cm", "m" or "in". A guess from what parts
/// are mostly like: sides from a tenth of a millimetre to three metres, and diameters that are round in their
/// unit.
std::string implausibleUnit(double extent, std::span<const double> diameters, const std::string& unit);

}  // namespace tenon::content
