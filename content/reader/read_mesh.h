// Reads parts whose shape is a mesh or STEP file.
#pragma once

#include <memory>

#include "content/input/json_cursor.h"
#include "content/recognize/prismatic_sites.h"
#include "content/recognize/recognized_part.h"

namespace tenon::content {

/// The mesh of a part: options in the scene file and result of the recognition.
struct MeshShape {
  std::string file;     ///< as in the scene file
  std::string product;  ///< of a STEP file, as in the scene file; or ""
  std::string unit;     ///< "mm", "cm", "m" or "in"; of a STEP file the name in that file
  BoreRule bores = BoreRule::flats;
  ThreadRule threads = ThreadRule::exact;
  std::string unitWarning;  ///< warning about an implausible unit, or ""
  double rounding = 0;      ///< largest rounding of a coordinate, of files that store floats [m]
  bool cached = false;      ///< `part` comes from the cache folder
  RecognizedPart part;
  PrismaticSites prismatic;  ///< openings and ends of `part` that are not round
};

/// True if a shape object is {"kind": "mesh", …}.
bool isMesh(const JsonCursor& shape);

/// Reads the mesh file and recognizes its shape. Each file is read once per scene. Throws MissingComponent
/// for STEP if the STEP reader is not installed, and InputError if the unit is missing, the path leaves the
/// folder of the scene, the file has errors, or no collision shape can be made of the mesh.
std::shared_ptr<const MeshShape> readMesh(const JsonCursor& at);

/// The part of a mesh file at `file` without a scene. `unit`: "mm", "cm", "m" or "in", for formats that
/// define none. Throws InputError as readMesh().
std::shared_ptr<const MeshShape> readMeshFile(const std::string& file, const std::string& unit,
                                              ReadContext& context);

/// A product of a STEP file, likewise.
std::shared_ptr<const MeshShape> readStepFile(const std::string& file, const std::string& product,
                                              ReadContext& context);

}  // namespace tenon::content
