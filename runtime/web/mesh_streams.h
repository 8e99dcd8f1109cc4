// A part's mesh as streams of a session document.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "content/model/display_mesh.h"
#include "runtime/web/stream_table.h"

namespace tenon::runtime {

/// Adds positions (in steps of 0.1 µm), normals, triangles and sharp edges of a mesh to `streams`. Returns
/// {"vertices", "triangles", "edges"}: their numbers; {"position", "normal"}: numbers of the streams of x, y
/// and z, {"corner", "edge_end"}: of the stream of vertex indices; {"position_quantum_m", "normal_quantum"}.
nlohmann::json meshStreams(const content::DisplayMesh& mesh, StreamTable& streams);

}  // namespace tenon::runtime
