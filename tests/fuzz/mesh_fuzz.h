// Invariants of a mesh that a reader returns for any bytes.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "content/mesh/mesh_mass.h"
#include "content/mesh/mesh_report_text.h"
#include "content/mesh/repair_mesh.h"
#include "content/reader/load_scene.h"

namespace tenon::fuzz {

/// Reads the bytes and aborts if the mesh is invalid, or the error has more than one line.
template <class Read>
void readMesh(const std::uint8_t* data, std::size_t size, Read read) {
  try {
    const content::TriangleMesh mesh = read(std::string_view(reinterpret_cast<const char*>(data), size));
    const int count = static_cast<int>(mesh.vertices.size());
    for (const auto& p : mesh.vertices)
      if (!p.allFinite()) std::abort();
    for (const auto& t : mesh.triangles)
      for (const int k : t)
        if (k < 0 || k >= count) std::abort();
    const content::RepairedMesh repaired = content::repairMesh(mesh);
    if (repaired.neighbors.size() != repaired.mesh.triangles.size()) std::abort();
    content::volumeOf(repaired.mesh);
    content::describeMeshReport(repaired.report);
  } catch (const content::InputError& error) {
    if (std::string(error.what()).find_first_of("\r\n") != std::string::npos) std::abort();
  }
}

}  // namespace tenon::fuzz
