// See opening_bottom.h. Which way a face looks follows from its triangles: those of all surfaces count.
#include "content/recognize/opening_bottom.h"

#include <algorithm>
#include <array>

namespace tenon::content {
namespace {

class BottomSearch {
 public:
  BottomSearch(const physics::BoundarySolid& solid, const std::vector<SolidFace>& faces,
               const FaceBorders& borders, const OpeningWalls& walls)
      : solid_(solid), faces_(faces), borders_(borders), walls_(walls) {}

  OpeningBottom find() const {
    const std::vector<int> below = trianglesBelow();
    OpeningBottom bottom;
    bottom.isOpen = !below.empty() && std::all_of(below.begin(), below.end(), [&](int t) {
      return t >= 0 && normalOf(t).dot(walls_.out) < -kAcross;
    });
    if (!bottom.isOpen) bottom.floor = floorFrom(below);
    return bottom;
  }

 private:
  /// Largest component of normals along the opening that count as across it [-].
  static constexpr double kAcross = 1e-4;
  /// Least component of the normal of a floor along the opening [-].
  static constexpr double kFloor = 0.95;
  /// Sine of the slope of edges that do not end a wall below.
  static constexpr double kSteep = 0.1;
  /// Rounding of heights [m].
  static constexpr double kHeight = 1e-6;

  const Vector3d& point(int vertex) const { return solid_.vertices[static_cast<std::size_t>(vertex)]; }
  double height(int vertex) const { return walls_.out.dot(point(vertex)); }
  const std::array<int, 3>& corners(int t) const { return solid_.triangles[static_cast<std::size_t>(t)]; }

  /// Unit; 0 of a triangle without an area.
  Vector3d normalOf(int t) const {
    const auto& [a, b, c] = corners(t);
    return (point(b) - point(a)).cross(point(c) - point(a)).normalized();
  }

  /// True if triangle t ends below at this edge.
  bool isLowerEnd(int t, const MeshSide& side) const {
    const Vector3d along = (point(side.second) - point(side.first)).normalized();
    return along.cross(normalOf(t)).dot(walls_.out) < -kSteep &&
           std::max(height(side.first), height(side.second)) < walls_.end + kHeight;
  }

  /// The triangles beyond the lower ends of the walls; −1: nothing.
  std::vector<int> trianglesBelow() const {
    std::vector<int> below;
    for (const int wall : walls_.faces)
      for (const int t : faces_[static_cast<std::size_t>(wall)].triangles)
        for (std::size_t k = 0; k < 3; ++k) {
          const MeshSide side = borders_.sideOf(static_cast<std::size_t>(t), k);
          if (isLowerEnd(t, side) && !walls_.faces.contains(borders_.faceBeyond(side)))
            below.push_back(borders_.triangleBeyond(side));
        }
    return below;
  }

  bool isFloor(int t) const {
    const int f = borders_.faceOf(t);
    return f >= 0 && faces_[static_cast<std::size_t>(f)].surface.kind == physics::SurfaceKind::plane &&
           solid_.surfaceOf[static_cast<std::size_t>(t)] >= 0 && normalOf(t).dot(walls_.out) > kFloor;
  }

  /// Height of the highest floor that these triangles, and those beside them that look to the mouth, lead to.
  std::optional<double> floorFrom(std::vector<int> open) const {
    std::optional<double> floor;
    std::set<int> seen;
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      if (t < 0 || normalOf(t).dot(walls_.out) < kAcross || !seen.insert(t).second) continue;
      if (isFloor(t)) {
        const auto& [a, b, c] = corners(t);
        const double top = std::max({height(a), height(b), height(c)});
        floor = std::max(floor.value_or(top), top);
        continue;
      }
      for (std::size_t k = 0; k < 3; ++k)
        open.push_back(borders_.triangleBeyond(borders_.sideOf(static_cast<std::size_t>(t), k)));
    }
    return floor;
  }

  const physics::BoundarySolid& solid_;
  const std::vector<SolidFace>& faces_;
  const FaceBorders& borders_;
  const OpeningWalls& walls_;
};

}  // namespace

OpeningBottom bottomOf(const physics::BoundarySolid& solid, const std::vector<SolidFace>& faces,
                       const FaceBorders& borders, const OpeningWalls& walls) {
  return BottomSearch(solid, faces, borders, walls).find();
}

}  // namespace tenon::content
