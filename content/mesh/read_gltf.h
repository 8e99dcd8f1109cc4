// Reads glTF 2.0, as JSON (.gltf) and binary (.glb).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "content/input/file_source.h"
#include "content/mesh/triangle_mesh.h"

namespace tenon::content {

/// All triangles of the default scene with the transforms of its nodes applied [m]; positions have the
/// precision of a float. Buffers are read from `files`, in the folder of `file` or below. Materials and
/// textures are ignored. Parsed by tinygltf; all its numbers are checked here. Throws InputError for text
/// that is not glTF, buffers that are missing or outside the folder, accessors beyond their buffer,
/// compressed meshes, JSON nested deeper than kMaxNesting, and positions that are not finite.
TriangleMesh parseGltf(std::string_view bytes, const std::string& file, FileSource& files);

/// Triangles of a model that move together: those of a node and of all nodes below it that do not move by
/// themselves. Lengths are those of the model.
struct GltfPiece {
  std::string node;    ///< its name; "": the piece of the model itself
  int parent = -1;     ///< index of the piece that carries it, which is before it; −1: none
  physics::Pose X_PA;  ///< of the frame A that the node's pose is given in, in the parent's [m]
  double scale = 1;    ///< of positions in A, by the scales of the nodes above
  TriangleMesh mesh;   ///< in the node's frame [m]
};

/// The same triangles in pieces that move: the first is the model, the others are nodes whose names are in
/// `moving`. Nodes below a scale that differs by axis, and mirrored ones, do not move. Throws as parseGltf().
std::vector<GltfPiece> parseGltfPieces(std::string_view bytes, const std::string& file, FileSource& files,
                                       std::span<const std::string> moving);

}  // namespace tenon::content
