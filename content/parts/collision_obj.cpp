// See collision_obj.h.
#include "content/parts/collision_obj.h"

#include <fmt/format.h>

#include <iterator>

#include "content/input/printable.h"
#include "content/parts/display_mesh.h"
#include "physics/collision/convex_part.h"

namespace tenon::content {
namespace {

class ObjWriter {
 public:
  explicit ObjWriter(double perMeter) : perMeter_(perMeter) {}

  void add(const Part& part) {
    fmt::format_to(std::back_inserter(text_), "o {}\n", printable(part.name));
    shapes_ = 0;
    add(part.shape, part.X_WP);
  }
  std::string text() && { return std::move(text_); }

 private:
  void add(const physics::Shape& shape, const Pose& X) {
    if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
      for (const physics::PlacedShape& child : compound->children) add(child.shape, X * child.X_PS);
      return;
    }
    fmt::format_to(std::back_inserter(text_), "g shape_{}\n", ++shapes_);
    if (std::holds_alternative<physics::FacetedBlock>(shape)) {
      for (const physics::ConvexPart& convexPart : physics::convexPartsOf(shape, X))
        addPolytope(convexPart.polytope);
      return;
    }
    DisplayMesh mesh;
    MeshBuilder(mesh).shape(shape, X);
    const int first = vertices_ + 1;
    for (const Vector3d& p : mesh.positions) addVertex(p);
    for (const auto& [a, b, c] : mesh.triangles)
      fmt::format_to(std::back_inserter(text_), "f {} {} {}\n", first + static_cast<int>(a),
                     first + static_cast<int>(b), first + static_cast<int>(c));
  }

  void addVertex(const Vector3d& p) {
    fmt::format_to(std::back_inserter(text_), "v {:.9g} {:.9g} {:.9g}\n", p.x() * perMeter_,
                   p.y() * perMeter_, p.z() * perMeter_);
    ++vertices_;
  }

  void addPolytope(const physics::Polytope& polytope) {
    const int first = vertices_ + 1;
    for (const Vector3d& p : polytope.vertices) addVertex(p);
    for (const physics::Polytope::Face& face : polytope.faces) {
      if (face.internal) continue;
      text_ += 'f';
      for (int k = 0; k < face.borderCount; ++k)
        fmt::format_to(std::back_inserter(text_), " {}",
                       first + polytope.borders[static_cast<std::size_t>(face.firstBorder) + k].vertex);
      text_ += '\n';
    }
  }

  double perMeter_;
  std::string text_;
  int vertices_ = 0, shapes_ = 0;
};

}  // namespace

std::string collisionObj(const Scene& scene) {
  const double perMeter = scene.unit == "mm" ? 1000 : scene.unit == "in" ? 1 / 0.0254 : 1;
  ObjWriter writer(perMeter);
  for (const Part& part : scene.parts) writer.add(part);
  return fmt::format("# Collision shapes of {}, in {}\n", printable(scene.name), scene.unit) +
         std::move(writer).text();
}

}  // namespace tenon::content
