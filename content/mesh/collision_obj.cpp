// See collision_obj.h.
#include "content/mesh/collision_obj.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>

#include "content/input/printable.h"
#include "physics/collision/convex_part.h"
#include "physics/collision/geometry/shape_conversions.h"

namespace tenon::content {
namespace {

using physics::Pose;
constexpr int kFacets = 96;

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
    if (const auto* solid = std::get_if<physics::SolidOfRevolution>(&shape))
      return addRevolved(solid->profile, X);
    if (const auto* sphere = std::get_if<physics::Sphere>(&shape)) return addCapsule(sphere->radius, 0, X);
    if (const auto* capsule = std::get_if<physics::Capsule>(&shape))
      return addCapsule(capsule->radius, capsule->halfLength, X);
    if (const auto* cylinder = std::get_if<physics::Cylinder>(&shape))
      return addRevolved(physics::revolvedOf(*cylinder).profile, X);
    if (const auto* frustum = std::get_if<physics::Frustum>(&shape))
      return addRevolved(physics::revolvedOf(*frustum).profile, X);
    if (const auto* solid = std::get_if<physics::BoundarySolid>(&shape)) return addBoundary(*solid, X);
    for (const physics::ConvexPart& convexPart : physics::convexPartsOf(shape, X))
      if (convexPart.kind == physics::ConvexPartKind::polytope) addPolytope(convexPart.polytope);
  }

  int vertex(const Vector3d& p) {
    fmt::format_to(std::back_inserter(text_), "v {:.9g} {:.9g} {:.9g}\n", p.x() * perMeter_,
                   p.y() * perMeter_, p.z() * perMeter_);
    return ++vertices_;
  }

  void addRevolved(const std::vector<Eigen::Vector2d>& profile, const Pose& X) {
    std::vector<int> first;
    for (const auto& zr : profile) {
      const int ring = zr.y() > 0 ? kFacets : 1;
      first.push_back(vertices_ + 1);
      for (int k = 0; k < ring; ++k) {
        const double angle = 2 * std::numbers::pi * k / kFacets;
        vertex(X * Vector3d(zr.y() * std::cos(angle), zr.y() * std::sin(angle), zr.x()));
      }
    }
    for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
      const auto at = [&](std::size_t ring, int k) {
        return profile[ring].y() > 0 ? first[ring] + k % kFacets : first[ring];
      };
      for (int k = 0; k < kFacets; ++k) {
        fmt::format_to(std::back_inserter(text_), "f {} {}", at(i, k),
                       at(i, k + 1) != at(i, k) ? at(i, k + 1) : at(i + 1, k + 1));
        if (at(i, k + 1) != at(i, k)) fmt::format_to(std::back_inserter(text_), " {}", at(i + 1, k + 1));
        if (at(i + 1, k) != at(i + 1, k + 1)) fmt::format_to(std::back_inserter(text_), " {}", at(i + 1, k));
        text_ += '\n';
      }
    }
  }

  void addCapsule(double radius, double halfLength, const Pose& X) {
    std::vector<Eigen::Vector2d> profile;
    constexpr int kArc = 24;
    for (const double side : {-1.0, 1.0})
      for (int k = 0; k <= kArc; ++k) {
        const double angle = (side < 0 ? k - kArc : k) * std::numbers::pi / (2 * kArc);
        const bool pole = std::abs(std::abs(angle) - std::numbers::pi / 2) < 1e-9;
        if (side > 0 && k == 0 && halfLength == 0) continue;
        profile.emplace_back(side * halfLength + radius * std::sin(angle),
                             pole ? 0 : radius * std::cos(angle));
      }
    addRevolved(profile, X);
  }

  void addBoundary(const physics::BoundarySolid& solid, const Pose& X) {
    const int first = vertices_ + 1;
    for (const Vector3d& p : solid.vertices) vertex(X * p);
    for (const auto& t : solid.triangles)
      fmt::format_to(std::back_inserter(text_), "f {} {} {}\n", first + t[0], first + t[1], first + t[2]);
  }

  void addPolytope(const physics::Polytope& polytope) {
    const int first = vertices_ + 1;
    for (const Vector3d& p : polytope.vertices) vertex(p);
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
