// Ear clipping (Meisters 1975).
#include "content/mesh/triangulate.h"

#include <vector>

namespace tenon::content {
namespace {

/// Newell's method: twice the area of the polygon along its mean normal [m²].
Vector3d areaNormal(std::span<const int> corners, const std::vector<Vector3d>& v) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& o = v[static_cast<std::size_t>(corners[0])];
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    sum +=
        (v[static_cast<std::size_t>(corners[k])] - o).cross(v[static_cast<std::size_t>(corners[k + 1])] - o);
  return sum;
}

class EarClipper {
 public:
  EarClipper(std::span<const int> corners, TriangleMesh& mesh)
      : mesh_(mesh), normal_(areaNormal(corners, mesh.vertices)), rest_(corners.begin(), corners.end()) {}

  bool isConvex() const {
    for (std::size_t k = 0; k < rest_.size(); ++k)
      if (turn(k) < 0) return false;
    return true;
  }

  void clip() {
    while (rest_.size() > 3) {
      std::size_t ear = 0;
      while (ear < rest_.size() && !isEar(ear)) ++ear;
      if (ear == rest_.size()) break;
      mesh_.triangles.push_back({at(ear, -1), at(ear, 0), at(ear, 1)});
      rest_.erase(rest_.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    fan();
  }

  void fan() {
    for (std::size_t k = 1; k + 1 < rest_.size(); ++k)
      mesh_.triangles.push_back({rest_[0], rest_[k], rest_[k + 1]});
  }

 private:
  int at(std::size_t k, int step) const {
    const auto n = static_cast<std::ptrdiff_t>(rest_.size());
    return rest_[static_cast<std::size_t>((static_cast<std::ptrdiff_t>(k) + step + n) % n)];
  }
  const Vector3d& point(std::size_t k, int step) const {
    return mesh_.vertices[static_cast<std::size_t>(at(k, step))];
  }
  double side(const Vector3d& a, const Vector3d& b, const Vector3d& c) const {
    return (b - a).cross(c - b).dot(normal_);
  }
  double turn(std::size_t k) const { return side(point(k, -1), point(k, 0), point(k, 1)); }
  bool isEar(std::size_t k) const {
    if (!(turn(k) > 0)) return false;
    const Vector3d &a = point(k, -1), &b = point(k, 0), &c = point(k, 1);
    for (const int other : rest_) {
      if (other == at(k, -1) || other == at(k, 0) || other == at(k, 1)) continue;
      const Vector3d& p = mesh_.vertices[static_cast<std::size_t>(other)];
      if (side(a, b, p) >= 0 && side(b, c, p) >= 0 && side(c, a, p) >= 0) return false;
    }
    return true;
  }

  TriangleMesh& mesh_;
  Vector3d normal_;
  std::vector<int> rest_;
};

}  // namespace

void addPolygon(std::span<const int> corners, TriangleMesh& mesh) {
  if (corners.size() == 3) {
    mesh.triangles.push_back({corners[0], corners[1], corners[2]});
    return;
  }
  EarClipper clipper(corners, mesh);
  if (clipper.isConvex())
    clipper.fan();
  else
    clipper.clip();
}

}  // namespace tenon::content
