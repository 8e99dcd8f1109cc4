// Assigns the triangles of a round region to straight profile lines.
#pragma once

#include <optional>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// Lines of `region` about `axis` with their rims, to within `maxDistance` [m] (or the length of a line, if
/// that is less); empty if at most 400 lines longer than facets.tolerance do not contain all triangles. A
/// plane perpendicular to the axis has one line. With a `stride` above 1, for a first axis, only every
/// stride-th triangle is used, all vertices count as rim, and unconnected triangles of one line stay
/// together. `areCut`: vertices may lie inside of facets that a cut has left, closer to the axis.
std::optional<std::vector<ProfileLine>> profileLines(const Facets& facets, const Region& region,
                                                     const Axis& axis, double maxDistance, std::size_t stride,
                                                     bool areCut = true);

/// The vertex of a line within facets.tolerance of the axis, if it is a single one. The line must not be a
/// plane.
std::optional<Vector3d> apexOf(const Facets& facets, const Axis& axis, const ProfileLine& line);

/// Computes the remaining members of a line from its triangles, n, d, rim and facetAngle.
void measureLine(const Facets& facets, const Axis& axis, ProfileLine& line);

/// The same for a line that is not a plane and has valid `low` and `high`.
void measureCircle(const Facets& facets, const Axis& axis, ProfileLine& line);

}  // namespace tenon::content
