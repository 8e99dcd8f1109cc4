// See mesh_streams.h.
#include "runtime/web/mesh_streams.h"

#include <nlohmann/json.hpp>

#include "runtime/web/number_track.h"
#include "xr/appearance/compose.h"
#include "xr/render/feature_edges.h"

namespace tenon::runtime {

namespace {

using Json = nlohmann::json;

constexpr double kMeshQuantum = 1e-7;  ///< of positions [m]; facets differ from the shape by up to 20 µm
constexpr double kNormalQuantum = 1.0 / 2048;  ///< 0.03° in the shading

Json coordinates(const std::vector<content::Vector3d>& vectors, double quantum, StreamTable& streams) {
  Json numbers = Json::array();
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    NumberTrack track(quantum, Prediction::last);
    for (const content::Vector3d& v : vectors) track.add(v[axis]);
    numbers.push_back(streams.add(track.bytes()));
  }
  return numbers;
}

template <class Tuples>
int indices(const Tuples& tuples, StreamTable& streams) {
  NumberTrack track(1, Prediction::last);
  for (const auto& tuple : tuples)
    for (const std::uint32_t index : tuple) track.add(index);
  return streams.add(track.bytes());
}

}  // namespace

Json meshStreams(const content::DisplayMesh& mesh, StreamTable& streams) {
  const auto edges = xr::featureEdges(xr::renderMesh(mesh));
  return {{"vertices", mesh.positions.size()},
          {"triangles", mesh.triangles.size()},
          {"edges", edges.size()},
          {"position", coordinates(mesh.positions, kMeshQuantum, streams)},
          {"position_quantum_m", kMeshQuantum},
          {"normal", coordinates(mesh.normals, kNormalQuantum, streams)},
          {"normal_quantum", kNormalQuantum},
          {"corner", indices(mesh.triangles, streams)},
          {"edge_end", indices(edges, streams)}};
}

}  // namespace tenon::runtime
