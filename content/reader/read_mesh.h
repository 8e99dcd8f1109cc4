// Parts whose shape is a mesh file.
#pragma once

#include <memory>

#include "content/input/json_cursor.h"
#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// A mesh part as a scene names it.
struct MeshShape {
  std::string file;     ///< as the scene writes it
  std::string product;  ///< of a STEP file, as the scene names it; or ""
  std::string unit;     ///< "mm", "cm", "m" or "in"; of a STEP file what it calls it
  BoreRule bores = BoreRule::flats;
  std::string unitWarning;  ///< about the unit, or ""
  bool cached = false;
  RecognizedPart part;
};

/// Whether a shape is {"kind": "mesh", …}.
bool isMesh(const JsonCursor& shape);

/// Reads it: the file, in the folder of the scene's, and what is in it. The same file is read once a scene.
/// Throws MissingComponent for STEP where nothing reads it, and InputError: unit missing, a path that leads
/// out of the folder, whatever the reader of the format complains of, and a mesh that no shape can be made
/// of.
std::shared_ptr<const MeshShape> readMesh(const JsonCursor& at);

}  // namespace tenon::content
