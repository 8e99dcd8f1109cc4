// See profile_chains.h.
#include "content/recognize/profile_chains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace tenon::content {
namespace {

using Eigen::Vector2d;

/// Neighbors across an edge other than lines of the group: the end of the mesh, another surface.
constexpr int kOpen = -1, kOther = -2;

/// A circle in which a line ends.
struct Rim {
  int neighbor = kOther;  ///< line beyond the circle, kOpen or kOther
  int face = -1;          ///< region of the triangles beyond the circle
  Vector2d at = Vector2d::Zero();
};

/// A profile line and its end circles.
struct LineEnds {
  std::vector<Rim> rims;
  bool full = true;  ///< all its ends are full circles
};

std::optional<Vector2d> lineIntersection(const ExactLine& a, const ExactLine& b) {
  const double det = a.n.x() * b.n.y() - a.n.y() * b.n.x();
  if (std::abs(det) < 0.02) return std::nullopt;
  return Vector2d((a.d * b.n.y() - a.n.y() * b.d) / det, (a.n.x() * b.d - a.d * b.n.x()) / det);
}

/// The point of a line closest to `near`.
Vector2d pointOn(const ExactLine& line, const Vector2d& near) {
  return near - (line.n.dot(near) - line.d) * line.n;
}

class ChainFinder {
 public:
  ChainFinder(const Facets& facets, const std::vector<int>& regionOf, const RevolvedGroup& group,
              BoreRule rule)
      : f_(facets), regionOf_(regionOf), group_(group) {
    for (const ProfileLine& line : group.lines) exact_.emplace_back(line, rule);
    for (std::size_t k = 0; k < group.lines.size(); ++k)
      for (const int t : group.lines[k].triangles)
        facets.indexOfTriangle[static_cast<std::size_t>(t)] = static_cast<int>(k);
    for (std::size_t k = 0; k < group.lines.size(); ++k) nodes_.push_back(endsOf(static_cast<int>(k)));
  }

  ~ChainFinder() {
    for (const ProfileLine& line : group_.lines)
      for (const int t : line.triangles) f_.indexOfTriangle[static_cast<std::size_t>(t)] = -1;
  }
  ChainFinder(const ChainFinder&) = delete;
  ChainFinder& operator=(const ChainFinder&) = delete;

  std::vector<ProfileChain> find() {
    std::vector<ProfileChain> chains;
    used_.assign(nodes_.size(), 0);
    // Open chains first, from their ends; the rest are rings.
    for (const bool includeRings : {false, true})
      for (std::size_t k = 0; k < nodes_.size(); ++k) {
        if (used_[k] || !isLink(static_cast<int>(k))) continue;
        if (!includeRings && linkedEnds(static_cast<int>(k)) == 2) continue;
        if (auto chain = follow(static_cast<int>(k))) chains.push_back(std::move(*chain));
      }
    return chains;
  }

 private:
  const ProfileLine& line(int k) const { return group_.lines[static_cast<std::size_t>(k)]; }
  /// Line of a triangle; kOther: none.
  int lineOf(int t) const {
    const int k = f_.indexOfTriangle[static_cast<std::size_t>(t)];
    return k < 0 ? kOther : k;
  }
  const LineEnds& node(int k) const { return nodes_[static_cast<std::size_t>(k)]; }
  const ExactLine& exact(int k) const { return exact_[static_cast<std::size_t>(k)]; }

  /// True if a line can be part of a chain: it has one or two ends, all of them full circles.
  bool isLink(int k) const { return node(k).full && !node(k).rims.empty() && node(k).rims.size() <= 2; }
  /// Number of ends that connect to other links.
  int linkedEnds(int k) const {
    int count = 0;
    for (const Rim& rim : node(k).rims) count += rim.neighbor >= 0 && isLink(rim.neighbor) ? 1 : 0;
    return count;
  }

  /// An edge between a line and a neighbor.
  struct Border {
    int neighbor, face;
    Vector2d a, b;
  };

  std::vector<Border> bordersOf(int k) const {
    std::vector<Border> borders;
    for (const int t : line(k).triangles)
      for (int side = 0; side < 3; ++side) {
        const int other = f_.neighbor(t, side);
        const int neighbor = other < 0 ? kOpen : lineOf(other);
        if (neighbor == k) continue;
        borders.push_back({neighbor, other >= 0 ? regionOf_[static_cast<std::size_t>(other)] : -1,
                           group_.axis.meridian(f_.point(t, side)),
                           group_.axis.meridian(f_.point(t, (side + 1) % 3))});
      }
    return borders;
  }

  LineEnds endsOf(int k) const {
    LineEnds found;
    // A flat on a round face counts as a facet of it, but leaves a gap in its coverage.
    found.full = line(k).coverage > 1 - 1e-9;
    std::map<std::array<int, 3>, std::vector<Border>> rims;
    const ProfileLine& own = line(k);
    const double middle = 0.5 * (own.isPlane() ? outerRadius(own) : own.low + own.high);
    for (const Border& border : bordersOf(k)) {
      if (border.neighbor == kOther) found.full = false;
      // Separates the two open circles of a tube that is open at both ends.
      const bool upper = (own.isPlane() ? border.a.x() : border.a.y()) > middle;
      const int half = border.neighbor == kOpen && upper ? 1 : 0;
      rims[{border.neighbor, half, border.neighbor == kOther ? border.face : -1}].push_back(border);
    }
    for (const auto& [key, borders] : rims) {
      Rim rim{key[0], borders.front().face, Vector2d::Zero()};
      if (!isCircle(borders, rim.at)) found.full = false;
      found.rims.push_back(rim);
    }
    return found;
  }

  double outerRadius(const ProfileLine& own) const {
    double radius = 0;
    for (const int t : own.triangles)
      for (int c = 0; c < 3; ++c) radius = std::max(radius, group_.axis.meridian(f_.point(t, c)).x());
    return radius;
  }

  /// True if the edges lie on one circle; `at` returns its (r, z). Corners may lie inside a facet after a
  /// cut.
  bool isCircle(const std::vector<Border>& borders, Vector2d& at) const {
    Vector2d low = borders.front().a, high = low, sum = Vector2d::Zero();
    for (const Border& b : borders)
      for (const Vector2d& p : {b.a, b.b}) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
        sum += p;
      }
    at = sum / (2.0 * static_cast<double>(borders.size()));
    constexpr double kSagitta = 0.02;  // of the radius, for 16 facets
    return high.y() - low.y() <= 2 * f_.tolerance &&
           high.x() - low.x() <= 2 * f_.tolerance + kSagitta * high.x();
  }

  /// Follows the chain from `first`, which is an end of it or a link of a ring.
  std::optional<ProfileChain> follow(int first) {
    ProfileChain chain;
    chain.lines.push_back(first);
    used_[static_cast<std::size_t>(first)] = 1;
    int last = -1;  // the previous line
    for (int at = first;;) {
      int next = -1;
      for (const Rim& rim : node(at).rims)
        if (rim.neighbor >= 0 && rim.neighbor != last && isLink(rim.neighbor) &&
            (!used_[static_cast<std::size_t>(rim.neighbor)] ||
             (rim.neighbor == first && chain.lines.size() > 2)))
          next = rim.neighbor;
      if (next < 0) break;
      if (next == first) {
        chain.begin = chain.end = ChainEnd::closed;
        break;
      }
      chain.lines.push_back(next);
      used_[static_cast<std::size_t>(next)] = 1;
      last = at;
      at = next;
    }
    if (!placePoints(chain)) return std::nullopt;
    chain.isInner = true;
    for (const int k : chain.lines) chain.isInner = chain.isInner && (line(k).isPlane() || line(k).isInner());
    return chain;
  }

  const Rim* rimBetween(int a, int b) const {
    for (const Rim& rim : node(a).rims)
      if (rim.neighbor == b) return &rim;
    return nullptr;
  }

  bool placePoints(ProfileChain& chain) const {
    std::vector<Vector2d> between;
    for (std::size_t k = 0; k + 1 < chain.lines.size(); ++k) {
      const auto p = corner(chain.lines[k], chain.lines[k + 1]);
      if (!p) return false;
      between.push_back(*p);
    }
    if (chain.begin == ChainEnd::closed) {
      const auto p = corner(chain.lines.back(), chain.lines.front());
      if (!p) return false;
      chain.points.push_back(*p);
      chain.points.insert(chain.points.end(), between.begin(), between.end());
      chain.points.push_back(*p);
      return true;
    }
    const int second = chain.lines.size() > 1 ? chain.lines[1] : -1;
    const int beforeLast = chain.lines.size() > 1 ? chain.lines[chain.lines.size() - 2] : -1;
    const Rim* usedRim = nullptr;
    chain.points.push_back(
        endOf(chain.lines.front(), second, nullptr, chain.begin, chain.beginFace, &usedRim));
    chain.points.insert(chain.points.end(), between.begin(), between.end());
    chain.points.push_back(endOf(chain.lines.back(), beforeLast, chain.lines.size() == 1 ? usedRim : nullptr,
                                 chain.end, chain.endFace, nullptr));
    return true;
  }

  /// The intersection of two exact lines; empty if it is far from their common circle.
  std::optional<Vector2d> corner(int a, int b) const {
    const Rim* rim = rimBetween(a, b);
    if (!rim) return std::nullopt;
    const auto p = lineIntersection(exact(a), exact(b));
    if (!p) return rim->at;  // nearly collinear: any point of the circle is accurate
    const double maxDistance = 5 * f_.tolerance + 0.02 * rim->at.x();
    return (*p - rim->at).norm() < maxDistance ? p : std::nullopt;
  }

  /// The free end of line k: not the one that leads to the line `inwards`, and not `taken`.
  Vector2d endOf(int k, int inwards, const Rim* taken, ChainEnd& kind, int& face, const Rim** used) const {
    for (const Rim& rim : node(k).rims) {
      if (&rim == taken || (rim.neighbor >= 0 && rim.neighbor == inwards)) continue;
      if (used) *used = &rim;
      if (rim.neighbor == kOpen) {
        kind = ChainEnd::open;
        return atHeight(k, rim.at);
      }
      kind = rim.neighbor >= 0 && line(rim.neighbor).isPlane() ? ChainEnd::face : ChainEnd::other;
      face = rim.face;
      const auto p = rim.neighbor >= 0 ? lineIntersection(exact(k), exact(rim.neighbor)) : std::nullopt;
      return p ? *p : pointOn(exact(k), rim.at);
    }
    kind = ChainEnd::axis;
    const ExactLine& own = exact(k);
    return {0, std::abs(own.n.y()) > 0 ? own.d / own.n.y() : 0};
  }

  Vector2d atHeight(int k, const Vector2d& rim) const {
    const ExactLine& own = exact(k);
    if (own.n.x() == 0) return {rim.x(), own.d / own.n.y()};
    return {(own.d - own.n.y() * rim.y()) / own.n.x(), rim.y()};
  }

  const Facets& f_;
  const std::vector<int>& regionOf_;
  const RevolvedGroup& group_;
  std::vector<ExactLine> exact_;
  std::vector<LineEnds> nodes_;
  std::vector<char> used_;
};

}  // namespace

std::vector<ProfileChain> profileChains(const Facets& facets, const std::vector<int>& regionOf,
                                        const RevolvedGroup& group, BoreRule rule) {
  return ChainFinder(facets, regionOf, group, rule).find();
}

}  // namespace tenon::content
