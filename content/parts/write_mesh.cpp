// See write_mesh.h.
#include "content/parts/write_mesh.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <iterator>

#include "content/input/printable.h"
#include "content/parts/glb_writer.h"

namespace tenon::content {

std::string glbOf(const DisplayMesh& mesh, const std::string& name, const std::array<double, 3>& color) {
  GlbWriter writer;
  writer.addPart(name, writer.addMesh(mesh, name, {"steel", color}), Pose());
  return writer.bytes();
}

std::string stlOf(const TriangleMesh& mesh) {
  constexpr std::size_t kHeader = 80;
  std::string bytes = "triangles in mm, z up; written by tenon";
  bytes.resize(kHeader, ' ');
  const auto append = [&](auto value) {
    const auto raw = std::bit_cast<std::array<char, sizeof(value)>>(value);
    bytes.append(raw.begin(), raw.end());
  };
  static_assert(std::endian::native == std::endian::little);
  append(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    const auto at = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(triangle[k])]; };
    const Vector3d n = (at(1) - at(0)).cross(at(2) - at(0)).stableNormalized();
    for (const Vector3d& v : {n, Vector3d(1e3 * at(0)), Vector3d(1e3 * at(1)), Vector3d(1e3 * at(2))})
      for (const double x : v) append(static_cast<float>(x));
    append(std::uint16_t{0});
  }
  return bytes;
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
