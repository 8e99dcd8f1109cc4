// Text of a mesh report.
#pragma once

#include <string>
#include <vector>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// The findings of the report, one per line, each with its consequence; empty for a clean mesh.
std::vector<std::string> describeMeshReport(const MeshReport& report);

/// The reason why a mesh is not closed: "has 3 open edges, the first at (1, 2, 3) mm". Empty for a closed
/// one.
std::string describeOpenEdges(const MeshReport& report);

/// A warning about a shape that the rounding of its coordinates [m] changes, with what to do; or "".
std::string roundingText(double rounding);

}  // namespace tenon::content
