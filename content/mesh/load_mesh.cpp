// See load_mesh.h.
#include "content/mesh/load_mesh.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "content/input/input_error.h"
#include "content/mesh/read_gltf.h"
#include "content/mesh/read_obj.h"
#include "content/mesh/read_stl.h"

namespace tenon::content {

std::optional<MeshFormat> meshFormatOf(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".obj") return MeshFormat::obj;
  if (extension == ".stl") return MeshFormat::stl;
  if (extension == ".gltf" || extension == ".glb") return MeshFormat::gltf;
  return std::nullopt;
}

bool definesUnit(MeshFormat format) {
  return format == MeshFormat::gltf;
}

TriangleMesh parseMesh(std::string_view bytes, MeshFormat format, const std::string& file,
                       FileSource& files) {
  TriangleMesh mesh;
  switch (format) {
    case MeshFormat::obj:
      mesh = parseObj(bytes, file);
      break;
    case MeshFormat::stl:
      mesh = parseStl(bytes, file);
      break;
    case MeshFormat::gltf:
      mesh = parseGltf(bytes, file, files);
      break;
  }
  if (mesh.triangles.empty())
    throw InputError(file, "", "has no triangle", "export the part's surface as triangles");
  return mesh;
}

}  // namespace tenon::content
