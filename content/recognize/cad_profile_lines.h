// Profile lines of faces with a surface from a CAD file.
#pragma once

#include <optional>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// Axis and lines of a region whose surface is a surface of revolution, exactly as in the file: one line for
/// a cylinder or a cone, one line per ring of facets for others. Empty if the region covers less than 0.4 of
/// the circle, or its triangles are not on the surface.
std::optional<AxisFit> cadAxisFit(const Facets& facets, const Region& region);

/// The lines of such a region about `axis`; empty also if this is not its own axis to within 1 µm over the
/// part.
std::optional<std::vector<ProfileLine>> cadProfileLines(const Facets& facets, const Region& region,
                                                        const Axis& axis);

}  // namespace tenon::content
