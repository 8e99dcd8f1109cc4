// What was found in a mesh, in words.
#pragma once

#include <string>
#include <vector>

#include "content/mesh/repair_mesh.h"

namespace tenon::content {

/// The report, one finding a line, with what follows from it; empty where nothing was wrong.
std::vector<std::string> describeMeshReport(const MeshReport& report);

/// Why a mesh encloses nothing, with the number of edges and a place: "has 3 open edges, one at (1, 2, 3)
/// mm". Empty for a closed one.
std::string describeOpenEdges(const MeshReport& report);

}  // namespace tenon::content
