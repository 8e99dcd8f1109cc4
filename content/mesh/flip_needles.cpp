// See flip_needles.h.
#include "content/mesh/flip_needles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_set>

namespace tenon::content {
namespace {

class Needles {
 public:
  Needles(double height, RepairedMesh& mesh) : height_(height), mesh_(mesh) {
    for (const auto& t : mesh.mesh.triangles)
      for (std::size_t k = 0; k < 3; ++k) edges_.insert(edge(t[k], t[(k + 1) % 3]));
  }

  /// False if there was none to flip.
  bool flipAll() {
    bool isAny = false;
    for (std::size_t t = 0; t < mesh_.mesh.triangles.size(); ++t)
      if (isNeedle(t)) isAny = flip(t) || isAny;
    return isAny;
  }

 private:
  static std::uint64_t edge(int a, int b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
  }
  std::array<int, 3>& corners(std::size_t t) { return mesh_.mesh.triangles[t]; }
  std::array<int, 3>& neighbors(std::size_t t) { return mesh_.neighbors[t]; }
  const Vector3d& at(std::size_t t, std::size_t k) {
    return mesh_.mesh.vertices[static_cast<std::size_t>(corners(t)[k % 3])];
  }
  std::size_t sideFrom(std::size_t t, int vertex) {
    return static_cast<std::size_t>(std::find(corners(t).begin(), corners(t).end(), vertex) -
                                    corners(t).begin());
  }

  std::size_t longestSide(std::size_t t) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if ((at(t, k + 1) - at(t, k)).norm() > (at(t, longest + 1) - at(t, longest)).norm()) longest = k;
    return longest;
  }
  bool isNeedle(std::size_t t) {
    const std::size_t k = longestSide(t);
    const Vector3d side = at(t, k + 1) - at(t, k);
    return side.cross(at(t, k + 2) - at(t, k)).norm() <= height_ * side.norm();
  }
  /// The triangle beyond the side a → b of triangle t, if there is one, has `next` there from now on.
  void relink(int other, int a, int next) {
    if (other >= 0)
      neighbors(static_cast<std::size_t>(other))[sideFrom(static_cast<std::size_t>(other), a)] = next;
  }

  /// (a, c, b) and (c, a, d) become (b, a, d) and (c, b, d).
  bool flip(std::size_t t) {
    const std::size_t k = longestSide(t);
    if (neighbors(t)[k] < 0) return false;
    const auto u = static_cast<std::size_t>(neighbors(t)[k]);
    const int a = corners(t)[k], c = corners(t)[(k + 1) % 3], b = corners(t)[(k + 2) % 3];
    const std::size_t j = sideFrom(u, c);
    if (u == t || j == 3 || corners(u)[(j + 1) % 3] != a || isNeedle(u)) return false;
    const int d = corners(u)[(j + 2) % 3];
    if (d == b || !edges_.insert(edge(b, d)).second) return false;
    edges_.erase(edge(a, c));
    const int beyondCb = neighbors(t)[(k + 1) % 3], beyondBa = neighbors(t)[(k + 2) % 3];
    const int beyondAd = neighbors(u)[(j + 1) % 3], beyondDc = neighbors(u)[(j + 2) % 3];
    const auto first = static_cast<int>(t), second = static_cast<int>(u);
    relink(beyondAd, d, first);
    relink(beyondCb, b, second);
    corners(t) = {b, a, d};
    neighbors(t) = {beyondBa, beyondAd, second};
    corners(u) = {c, b, d};
    neighbors(u) = {beyondCb, first, beyondDc};
    mesh_.sources[t] = mesh_.sources[u];
    return true;
  }

  double height_;  // [m]
  RepairedMesh& mesh_;
  std::unordered_set<std::uint64_t> edges_;
};

}  // namespace

void flipNeedles(double height, RepairedMesh& mesh) {
  constexpr int kMaxFlipPasses = 20;
  Needles needles(height, mesh);
  for (int pass = 0; pass < kMaxFlipPasses && needles.flipAll(); ++pass) {
  }
}

}  // namespace tenon::content
