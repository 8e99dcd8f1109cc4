// See read_stl.h.
#include "content/mesh/read_stl.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "content/input/input_error.h"
#include "content/input/wording.h"
#include "content/mesh/text_scanner.h"

namespace tenon::content {
namespace {

constexpr std::size_t kHeader = 84, kFacet = 50;  // sizes in a binary file [bytes]

std::uint32_t littleEndian(const char* at) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(at[k]);
  return value;
}

void addFacet(const std::array<Vector3d, 3>& corners, TriangleMesh& mesh) {
  const int first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

TriangleMesh parseBinary(std::string_view bytes, const std::string& file) {
  const std::size_t count = littleEndian(bytes.data() + kHeader - 4);
  if (count > (bytes.size() - kHeader) / kFacet)
    throw InputError(
        file, "byte 80",
        fmt::format("claims {} facets, but has room for {}", count, (bytes.size() - kHeader) / kFacet),
        "the file is truncated, or not STL: export it again");
  if (count > kMaxTriangles)
    throw InputError(file, "byte 80", fmt::format("has {} facets, more than {}", count, kMaxTriangles),
                     "export the part with a coarser tolerance");
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const char* at = bytes.data() + kHeader + k * kFacet + 12;  // after the normal
    std::array<Vector3d, 3> corners;
    for (Vector3d& p : corners)
      for (int axis = 0; axis < 3; ++axis, at += 4) p[axis] = std::bit_cast<float>(littleEndian(at));
    for (const Vector3d& p : corners)
      if (!p.allFinite())
        throw InputError(file, fmt::format("facet {}", k), "has a vertex that is not a finite number",
                         "the file is damaged: export it again");
    addFacet(corners, mesh);
  }
  for (const Vector3d& p : mesh.vertices)
    mesh.rounding = std::max(mesh.rounding, kFloatRounding * p.cwiseAbs().maxCoeff());
  return mesh;
}

class TextStlReader {
 public:
  TextStlReader(std::string_view text, const std::string& file) : scanner_(text, file, "STL") {}

  TriangleMesh read() {
    bool inSolid = false;
    while (scanner_.nextLine()) {
      const std::string_view keyword = scanner_.nextWord();
      if (!inSolid && keyword == "solid")
        inSolid = true;  // its name is the rest of the line
      else if (inSolid && keyword == "endsolid")
        inSolid = false;
      else if (inSolid && keyword == "facet")
        readFacet();
      else
        scanner_.fail(fmt::format("has {} where facet or endsolid is expected", inQuotes(keyword)),
                      "the file is damaged, or not STL: export it again");
    }
    if (inSolid) scanner_.fail("ends within a solid", "the file is truncated: export it again");
    return std::move(mesh_);
  }

 private:
  void expect(std::string_view keyword) {
    const std::string_view found = scanner_.nextWordAcrossLines();
    if (found != keyword)
      scanner_.fail(fmt::format("has {} where \"{}\" is expected", inQuotes(found), keyword),
                    "the file is truncated or damaged: export it again");
  }
  void readFacet() {
    if (mesh_.triangles.size() >= kMaxTriangles)
      scanner_.fail(fmt::format("brings the mesh above {} triangles", kMaxTriangles),
                    "export the part with a coarser tolerance");
    expect("normal");
    // Some programs write "nan" for the normal of a sliver; it is not used.
    for (int k = 0; k < 3; ++k) scanner_.nextWord();
    expect("outer");
    expect("loop");
    std::array<Vector3d, 3> corners;
    for (Vector3d& p : corners) {
      expect("vertex");
      for (int axis = 0; axis < 3; ++axis) p[axis] = scanner_.number("a vertex's coordinate");
    }
    expect("endloop");
    expect("endfacet");
    addFacet(corners, mesh_);
  }

  TextScanner scanner_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh parseStl(std::string_view bytes, const std::string& file) {
  // A binary file may begin with "solid", too; it is binary if its size matches its number of facets.
  const bool hasHeader = bytes.size() >= kHeader;
  const bool sizeMatches =
      hasHeader && bytes.size() - kHeader == kFacet * std::size_t{littleEndian(bytes.data() + kHeader - 4)};
  const bool isText =
      !sizeMatches && TextScanner::afterBlanks(bytes).starts_with("solid") &&
      (bytes.starts_with("solid") || bytes.substr(0, kHeader - 4).find('\0') == std::string_view::npos);
  if (isText) return TextStlReader(bytes, file).read();
  if (!hasHeader)
    throw InputError(file, "",
                     fmt::format("is {} bytes long, less than the header of a binary STL", bytes.size()),
                     "the file is truncated, or not STL: export it again");
  return parseBinary(bytes, file);
}

}  // namespace tenon::content
