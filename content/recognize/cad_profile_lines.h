// Profile lines of faces whose surface a CAD file says.
#pragma once

#include <optional>

#include "content/recognize/axis_fit.h"

namespace tenon::content {

/// The axis and the lines of a region that is known to be round, exactly as the file has them: one line of a
/// cylinder or a cone, those between the rings of facets of anything else. Nothing where less than 0.4 of the
/// turn is there, or triangles do not lie on the surface.
std::optional<AxisFit> cadAxisFit(const Facets& facets, const Region& region);

/// Its lines about `axis`, which must be its own to within 1 µm over the part; likewise.
std::optional<std::vector<ProfileLine>> cadProfileLines(const Facets& facets, const Region& region,
                                                        const Axis& axis);

}  // namespace tenon::content
