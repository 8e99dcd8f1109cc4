// See border_lengths.h.
#include "physics/collision/brep/border_lengths.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace tenon::physics::brep {
namespace {

/// Corners this close to a line are on it [m]: rounding of floats, and below the sagitta of fine facets.
constexpr double kStraight = 2e-7;
/// Of one line, whose corners are compared with each further one.
constexpr std::size_t kMostCorners = 256;

class BorderLines {
 public:
  BorderLines(std::span<const Vector3d> vertices, std::span<const MeshBorder> borders)
      : vertices_(vertices), borders_(borders), at_(vertices.size()), isSeen_(borders.size(), 0) {
    for (std::size_t b = 0; b < borders.size(); ++b)
      for (const int v : {borders[b].from, borders[b].to}) at_[index(v)].push_back(static_cast<int>(b));
  }

  std::vector<double> longest() {
    std::vector<double> lengths(vertices_.size(), 0.0);
    for (std::size_t b = 0; b < borders_.size(); ++b) {
      raise(borders_[b].from, borders_[b].to, std::array{borders_[b].from, borders_[b].to}, lengths);
      if (isSeen_[b] != 0) continue;
      const std::vector<int> line = lineThrough(static_cast<int>(b));
      raise(line.front(), line.back(), line, lengths);
    }
    return lengths;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const Vector3d& point(int v) const { return vertices_[index(v)]; }
  const MeshBorder& border(int b) const { return borders_[index(b)]; }

  /// To the distance of two vertices.
  void raise(int from, int to, std::span<const int> at, std::vector<double>& lengths) const {
    const double length = (point(from) - point(to)).norm();
    for (const int v : at) lengths[index(v)] = std::max(lengths[index(v)], length);
  }

  /// The vertices along the straight line that border `first` belongs to.
  std::vector<int> lineThrough(int first) {
    std::vector<int> line{border(first).from, border(first).to};
    isSeen_[index(first)] = 1;
    for (int end = 0; end < 2; ++end) {
      std::reverse(line.begin(), line.end());
      int last = first;
      for (int next = nextOf(line, last); next >= 0; next = nextOf(line, last)) {
        isSeen_[index(next)] = 1;
        line.push_back(otherEnd(next, line.back()));
        last = next;
      }
    }
    return line;
  }

  int otherEnd(int b, int v) const { return border(b).from == v ? border(b).to : border(b).from; }

  /// The only other border between the same faces at the end of the line, if it goes straight on; else −1.
  int nextOf(const std::vector<int>& line, int last) const {
    int next = -1;
    for (const int b : at_[index(line.back())]) {
      if (b == last || facesOf(b) != facesOf(last)) continue;
      if (next >= 0) return -1;
      next = b;
    }
    if (next < 0 || isSeen_[index(next)] != 0 || line.size() == kMostCorners) return -1;
    const Vector3d &from = point(line.front()), to = point(otherEnd(next, line.back()));
    const Vector3d d = to - from;
    const bool isStraight = std::all_of(line.begin() + 1, line.end(), [&](int v) {
      return d.cross(point(v) - from).norm() <= kStraight * d.norm();
    });
    return isStraight ? next : -1;
  }

  std::pair<int, int> facesOf(int b) const { return std::minmax({border(b).before, border(b).after}); }

  std::span<const Vector3d> vertices_;
  std::span<const MeshBorder> borders_;
  std::vector<std::vector<int>> at_;  ///< borders by vertex
  std::vector<char> isSeen_;
};

}  // namespace

std::vector<double> longestBorders(std::span<const Vector3d> vertices, std::span<const MeshBorder> borders) {
  return BorderLines(vertices, borders).longest();
}

}  // namespace tenon::physics::brep
