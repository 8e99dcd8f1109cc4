// Triangles of a round region sorted by the straight lines of its profile.
#pragma once

#include <optional>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// Lines of `region` about `axis`, found to within `slack` [m] (or the length of a line, where that is less),
/// with their rims; nothing where some triangles lie on none of at most 400 lines that are longer than
/// facets.tolerance. Of a plane across the axis: the one line. With a `stride` above 1 only
/// every so many triangles are looked at, vertices that a cut left inside a facet count as rim, and pieces
/// that are not connected stay together: for a first axis.
std::optional<std::vector<ProfileLine>> profileLines(const Facets& facets, const Region& region,
                                                     const Axis& axis, double slack, std::size_t stride);

/// Fills in all that a line says of itself, its n, d, rim and step being right.
void measureLine(const Facets& facets, const Axis& axis, ProfileLine& line);

/// The same for a line that is no plane and whose ends are right.
void measureCircle(const Facets& facets, const Axis& axis, ProfileLine& line);

}  // namespace tenon::content
