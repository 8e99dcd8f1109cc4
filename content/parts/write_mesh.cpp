// See write_mesh.h.
#include "content/parts/write_mesh.h"

#include <fmt/format.h>

#include <iterator>

#include "content/input/printable.h"
#include "content/parts/glb_writer.h"

namespace tenon::content {

std::string glbOf(const DisplayMesh& mesh, const std::string& name, const std::array<double, 3>& color) {
  GlbWriter writer;
  writer.addPart(name, writer.addMesh(mesh, name, {"steel", color}), Pose());
  return writer.bytes();
}

std::string objOf(const DisplayMesh& mesh, const std::string& name) {
  std::string text = fmt::format("# {0}, in meters, z up; written by tenon\no {0}\n", printable(name));
  auto out = std::back_inserter(text);
  for (const Vector3d& p : mesh.positions) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  for (const Vector3d& n : mesh.normals) fmt::format_to(out, "vn {} {} {}\n", n.x(), n.y(), n.z());
  for (const auto& t : mesh.triangles)
    fmt::format_to(out, "f {0}//{0} {1}//{1} {2}//{2}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

}  // namespace tenon::content
