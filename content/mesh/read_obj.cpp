// See read_obj.h.
#include "content/mesh/read_obj.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "content/input/wording.h"
#include "content/mesh/text_scanner.h"
#include "content/mesh/triangulate.h"

namespace tenon::content {
namespace {

/// Keywords without effect on the solid.
constexpr std::array<std::string_view, 31> kIgnored{
    "vt",     "vn",         "vp",        "g",      "o",     "s",     "l",        "p",
    "usemtl", "mtllib",     "usemap",    "maplib", "mg",    "bevel", "c_interp", "d_interp",
    "lod",    "shadow_obj", "trace_obj", "ctech",  "stech", "call",  "csh",      "parm",
    "trim",   "hole",       "scrv",      "sp",     "end",   "con",   "deg"};
/// Keywords of free-form curves and surfaces, which are not supported.
constexpr std::array<std::string_view, 5> kCurved{"cstype", "surf", "curv", "curv2", "bmat"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& file) : scanner_(text, file, "OBJ") {}

  TriangleMesh read() {
    while (scanner_.nextLine()) {
      const std::string_view keyword = scanner_.nextWord();
      if (keyword == "v")
        readVertex();
      else if (keyword == "f" || keyword == "fo")
        readFace();
      else if (contains(kCurved, keyword))
        scanner_.fail(fmt::format("describes a curved surface ({})", keyword),
                      "export the part as triangles");
      else if (!contains(kIgnored, keyword))
        scanner_.fail(fmt::format("begins with {}, which is not an OBJ keyword", inQuotes(keyword)),
                      "export it again as OBJ, or correct the file extension");
    }
    return std::move(mesh_);
  }

 private:
  void readVertex() {
    const double x = scanner_.number("a vertex's x");
    const double y = scanner_.number("a vertex's y");
    const double z = scanner_.number("a vertex's z");
    mesh_.vertices.emplace_back(x, y, z);
  }

  /// "7", "7/1", "7//3", "7/1/3" or relative to the last vertex, "-1".
  int readCorner(std::string_view token) {
    const long index = scanner_.integer(token.substr(0, token.find('/')), "a vertex's number");
    const long count = static_cast<long>(mesh_.vertices.size());
    const long k = index > 0 ? index - 1 : count + index;
    if (index == 0 || k < 0 || k >= count)
      scanner_.fail(fmt::format("refers to vertex {} of {}", index, count),
                    "the file is truncated or damaged: export it again");
    return static_cast<int>(k);
  }

  void readFace() {
    corners_.clear();
    for (std::string_view token = scanner_.nextWord(); !token.empty(); token = scanner_.nextWord())
      corners_.push_back(readCorner(token));
    if (corners_.size() < 3)
      scanner_.fail(fmt::format("is a face of {} corners", corners_.size()),
                    "the file is truncated or damaged: export it again");
    if (corners_.size() > kMaxCorners)
      scanner_.fail(fmt::format("is a face of {} corners, more than {}", corners_.size(), kMaxCorners),
                    "export the part as triangles");
    if (mesh_.triangles.size() + corners_.size() > kMaxTriangles)
      scanner_.fail(fmt::format("brings the mesh above {} triangles", kMaxTriangles),
                    "export the part with a coarser tolerance");
    addPolygon(corners_, mesh_);
  }

  TextScanner scanner_;
  TriangleMesh mesh_;
  std::vector<int> corners_;
};

}  // namespace

TriangleMesh parseObj(std::string_view text, const std::string& file) {
  return ObjReader(text, file).read();
}

}  // namespace tenon::content
