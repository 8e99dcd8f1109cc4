// Copies the triangles of open bodies behind them, and joins both along the border.
#include "content/mesh/thicken_sheets.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tenon::content {
namespace {

class Sheets {
 public:
  explicit Sheets(const RepairedMesh& mesh) : given_(mesh), neighbors_(mesh.neighbors) {
    for (std::size_t t = 0; t < neighbors_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        if (neighbors_[t][k] >= 0 && !runsAgainst(neighbors_[t][k], from(t, k), to(t, k)))
          neighbors_[t][k] = -1;
    findOpenBodies();
  }

  RepairedMesh thicken() {
    splitCorners();
    RepairedMesh out;
    out.mesh.vertices = corners_;
    const auto behind = static_cast<int>(corners_.size());
    for (std::size_t v = 0; v < corners_.size(); ++v)
      out.mesh.vertices.push_back(corners_[v] - kSheetThickness * normals_[v].normalized());
    const auto add = [&](int a, int b, int c, std::size_t t) {
      out.mesh.triangles.push_back({a, b, c});
      out.sources.push_back(given_.sources[t]);
      return static_cast<int>(out.mesh.triangles.size()) - 1;
    };
    std::vector<int> back(triangles_.size(), -1);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      add(triangles_[t][0], triangles_[t][1], triangles_[t][2], t);
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (const auto [a, b, c] = triangles_[t]; isOpen_[t] != 0)
        back[t] = add(behind + a, behind + c, behind + b, t);
    out.neighbors = neighbors_;
    out.neighbors.resize(out.mesh.triangles.size(), {-1, -1, -1});
    // Rims by the corner at which they begin and end: a corner of a border has one of each.
    std::vector<int> begins(corners_.size(), -1), ends(corners_.size(), -1);
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
      if (isOpen_[t] == 0) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        // The sides of the back run the other way.
        const auto below = [&]() -> int& { return out.neighbors[static_cast<std::size_t>(back[t])][2 - k]; };
        if (neighbors_[t][k] >= 0) {
          below() = back[static_cast<std::size_t>(neighbors_[t][k])];
          continue;
        }
        const int p = triangles_[t][k], q = triangles_[t][(k + 1) % 3];
        const int upper = add(q, p, behind + p, t), lower = add(q, behind + p, behind + q, t);
        out.neighbors.push_back({static_cast<int>(t), -1, lower});
        out.neighbors.push_back({upper, back[t], -1});
        out.neighbors[t][k] = upper;
        below() = lower;
        begins[static_cast<std::size_t>(p)] = upper;
        ends[static_cast<std::size_t>(q)] = lower;
      }
    }
    for (std::size_t v = 0; v < corners_.size(); ++v) {
      if (begins[v] < 0) continue;
      out.neighbors[static_cast<std::size_t>(begins[v])][1] = ends[v];
      out.neighbors[static_cast<std::size_t>(ends[v])][2] = begins[v];
    }
    return out;
  }

 private:
  int from(std::size_t t, std::size_t k) const { return given_.mesh.triangles[t][k]; }
  int to(std::size_t t, std::size_t k) const { return given_.mesh.triangles[t][(k + 1) % 3]; }

  /// True if triangle t has the side q → p.
  bool runsAgainst(int t, int p, int q) const {
    for (std::size_t k = 0; k < 3; ++k)
      if (from(static_cast<std::size_t>(t), k) == q && to(static_cast<std::size_t>(t), k) == p) return true;
    return false;
  }

  /// Marks the triangles that are connected to an open side.
  void findOpenBodies() {
    isOpen_.assign(neighbors_.size(), 0);
    std::vector<std::size_t> stack;
    for (std::size_t t = 0; t < neighbors_.size(); ++t)
      if (std::any_of(neighbors_[t].begin(), neighbors_[t].end(), [](int n) { return n < 0; })) {
        isOpen_[t] = 1;
        stack.push_back(t);
      }
    while (!stack.empty()) {
      const std::size_t t = stack.back();
      stack.pop_back();
      for (const int n : neighbors_[t]) {
        if (n < 0 || isOpen_[static_cast<std::size_t>(n)] != 0) continue;
        isOpen_[static_cast<std::size_t>(n)] = 1;
        stack.push_back(static_cast<std::size_t>(n));
      }
    }
  }

  /// A corner for each fan of triangles about a vertex, with the sum of their normals by area.
  void splitCorners() {
    triangles_.assign(neighbors_.size(), {-1, -1, -1});
    std::vector<std::pair<std::size_t, std::size_t>> fan;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) {
        if (triangles_[t][k] >= 0) continue;
        const int v = from(t, k), corner = static_cast<int>(corners_.size());
        corners_.push_back(given_.mesh.vertices[static_cast<std::size_t>(v)]);
        Vector3d& normal = normals_.emplace_back(Vector3d::Zero());
        fan.assign(1, {t, k});
        triangles_[t][k] = corner;
        for (std::size_t n = 0; n < fan.size(); ++n) {
          const auto [at, c] = fan[n];
          normal += areaNormal(at);
          for (const std::size_t side : {c, (c + 2) % 3}) {
            if (neighbors_[at][side] < 0) continue;
            const auto next = static_cast<std::size_t>(neighbors_[at][side]);
            for (std::size_t m = 0; m < 3; ++m)
              if (from(next, m) == v && triangles_[next][m] < 0) {
                triangles_[next][m] = corner;
                fan.emplace_back(next, m);
              }
          }
        }
      }
  }

  Vector3d areaNormal(std::size_t t) const {
    const auto at = [&](std::size_t k) -> const Vector3d& {
      return given_.mesh.vertices[static_cast<std::size_t>(from(t, k))];
    };
    return (at(1) - at(0)).cross(at(2) - at(0));
  }

  const RepairedMesh& given_;
  std::vector<std::array<int, 3>> neighbors_;  ///< −1: the surface ends there
  std::vector<char> isOpen_;                   ///< of each triangle: its body is not closed
  std::vector<Vector3d> corners_, normals_;
  std::vector<std::array<int, 3>> triangles_;  ///< of corners_
};

}  // namespace

RepairedMesh thickenSheets(const RepairedMesh& mesh) {
  RepairedMesh out = Sheets(mesh).thicken();
  out.extent = mesh.extent;
  out.weldDistance = mesh.weldDistance;
  out.report = mesh.report;
  out.report.thickened = true;
  separateEdges(out);
  out.report.remaining = out.mesh.triangles.size();
  return out;
}

}  // namespace tenon::content
