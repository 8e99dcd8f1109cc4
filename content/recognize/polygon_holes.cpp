// See polygon_holes.h. Facets that meet in parallel, reentrant edges are followed around the hole.
#include "content/recognize/polygon_holes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <tuple>
#include <utility>

#include "content/recognize/chain_shapes.h"
#include "content/recognize/hole_profile.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;

constexpr std::size_t kLeastFacets = 7, kMostFacets = 13;
/// Sine of the angle between edges of one hole, where these are longer than the tolerance allows [-].
constexpr double kParallelEdges = 1e-4;
/// Of a full turn that the facets make [rad].
constexpr double kTurnRounding = 1e-2;
/// A rim is open, or a floor, where the normals beside it have this component along the axis [-].
constexpr double kFacesAlong = 0.05;

/// The edge of two plane regions.
struct Corner {
  int a = 0, b = 0;                        ///< regions, a < b
  Vector3d from = Vector3d::Zero(), to{};  ///< its outermost vertices [m]

  Vector3d direction() const { return (to - from).normalized(); }
  int other(int region) const { return region == a ? b : a; }
};

class PolygonHoleSearch {
 public:
  PolygonHoleSearch(const Facets& facets, const std::vector<Region>& regions)
      : f_(facets), regions_(regions) {
    regionOf_.assign(static_cast<std::size_t>(f_.count()), -1);
    for (std::size_t r = 0; r < regions.size(); ++r)
      for (const int t : regions[r].triangles) regionOf_[static_cast<std::size_t>(t)] = static_cast<int>(r);
  }

  std::vector<RoundSite> find() {
    findCorners();
    std::vector<char> isUsed(regions_.size(), 0);
    for (const Corner& corner : corners_) {
      if (isUsed[static_cast<std::size_t>(corner.a)] != 0 || isUsed[static_cast<std::size_t>(corner.b)] != 0)
        continue;
      const auto ring = ringFrom(corner);
      if (!ring) continue;
      for (const Corner* c : *ring)
        isUsed[static_cast<std::size_t>(c->a)] = isUsed[static_cast<std::size_t>(c->b)] = 1;
      if (auto site = siteOf(*ring)) sites_.push_back(std::move(*site));
    }
    const auto keyOf = [](const RoundSite& site) {
      const auto round = [](double v) { return std::llround(v * 1e5); };
      return std::tuple(sideName(site.X.q * Vector3d::UnitZ()), round(site.X.p.x()), round(site.X.p.y()),
                        round(site.X.p.z()));
    };
    std::stable_sort(sites_.begin(), sites_.end(),
                     [&](const RoundSite& x, const RoundSite& y) { return keyOf(x) < keyOf(y); });
    return std::move(sites_);
  }

 private:
  const Region& region(int r) const { return regions_[static_cast<std::size_t>(r)]; }
  int regionOf(int triangle) const { return regionOf_[static_cast<std::size_t>(triangle)]; }

  /// The reentrant edges of plane regions that turn as those of such a hole do.
  void findCorners() {
    std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> edges;  // triangle and side
    for (int t = 0; t < f_.count(); ++t)
      for (int side = 0; side < 3; ++side) {
        const int other = f_.neighbor(t, side), a = regionOf(t), b = other < 0 ? -1 : regionOf(other);
        if (b > a && a >= 0 && region(a).planar && region(b).planar) edges[{a, b}].emplace_back(t, side);
      }
    for (const auto& [pair, sides] : edges)
      if (const auto corner = cornerOf(pair.first, pair.second, sides)) {
        for (const int r : {corner->a, corner->b}) cornersOf_[r].push_back(corners_.size());
        corners_.push_back(*corner);
      }
  }

  std::optional<Corner> cornerOf(int a, int b, const std::vector<std::pair<int, int>>& sides) const {
    const Vector3d &na = region(a).normal, &nb = region(b).normal;
    const double turn = std::acos(std::clamp(na.dot(nb), -1.0, 1.0));
    constexpr double kFull = 2 * std::numbers::pi;
    if (!(turn > kFull / (kMostFacets + 1) && turn < kFull / (kLeastFacets - 1))) return std::nullopt;
    const Vector3d d = na.cross(nb).normalized();
    Corner corner{a, b, {}, {}};
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const auto& [t, side] : sides)
      for (const int k : {side, (side + 1) % 3}) {
        const double z = d.dot(f_.point(t, k));
        if (z < low) low = z, corner.from = f_.point(t, k);
        if (z > high) high = z, corner.to = f_.point(t, k);
      }
    if (!(high > low)) return std::nullopt;
    const auto& [t, side] = sides.front();
    const Vector3d& beside = f_.point(t, (side + 2) % 3);  // of facet a
    const bool isReentrant = nb.dot(beside - corner.from) > 0;
    return isReentrant ? std::optional(corner) : std::nullopt;
  }

  /// The corners of a closed ring of facets, from this one on.
  std::optional<std::vector<const Corner*>> ringFrom(const Corner& first) const {
    const Vector3d d = first.direction();
    std::vector<const Corner*> ring{&first};
    double turned = turnOf(first);
    for (int at = first.b; at != first.a;) {
      const Corner* next = nullptr;
      for (const std::size_t c : cornersOf_.at(at)) {
        const Corner& corner = corners_[c];
        const double length = std::min((corner.to - corner.from).norm(), (first.to - first.from).norm());
        if (&corner == ring.back() ||
            corner.direction().cross(d).norm() > std::max(kParallelEdges, f_.tolerance / length))
          continue;
        if (next != nullptr) return std::nullopt;  // no facet between two others
        next = &corner;
      }
      if (next == nullptr || ring.size() == kMostFacets) return std::nullopt;
      ring.push_back(next);
      turned += turnOf(*next);
      at = next->other(at);
    }
    const bool isClosed = std::abs(turned - 2 * std::numbers::pi) < kTurnRounding;
    return isClosed && ring.size() >= kLeastFacets ? std::optional(ring) : std::nullopt;
  }

  double turnOf(const Corner& corner) const {
    return std::acos(std::clamp(region(corner.a).normal.dot(region(corner.b).normal), -1.0, 1.0));
  }

  /// An end of a hole.
  struct Rim {
    double z = 0;  ///< of its outermost corner along the axis [m]
    bool isOpen = false;
  };

  std::optional<RoundSite> siteOf(const std::vector<const Corner*>& ring) const {
    Axis axis;
    Vector3d sum = Vector3d::Zero();
    for (const Corner* c : ring)
      sum += c->direction().dot(ring[0]->direction()) > 0 ? c->to - c->from : c->from - c->to;
    axis.setDirection(sum.normalized());
    axis.origin = Vector3d::Zero();
    const auto center = centerOf(ring, axis);
    if (!center) return std::nullopt;
    axis.origin = *center;
    double radius = HUGE_VAL;
    for (const Corner* c : ring)
      for (const int r : {c->a, c->b})
        radius = std::min(radius, region(r).offset - region(r).normal.dot(axis.origin) < 0
                                      ? region(r).normal.dot(axis.origin) - region(r).offset
                                      : 0.0);
    const Rim above = rimOf(ring, axis, true), below = rimOf(ring, axis, false);
    if (!(radius > kMinWall) || (!above.isOpen && !below.isOpen) || !(above.z - below.z > kMinWall))
      return std::nullopt;
    int main = 0;
    axis.z.cwiseAbs().maxCoeff(&main);
    const bool upwards = above.isOpen && below.isOpen ? axis.z[main] > 0 : above.isOpen;
    const double top = upwards ? above.z : below.z, depth = above.z - below.z;
    RoundSite site;
    site.X = {physics::shortestRotation(Vector3d::UnitZ(), upwards ? axis.z : Vector3d(-axis.z)),
              pointOnAxis(axis, top)};
    site.through = above.isOpen && below.isOpen;
    site.profile = {{0, radius}, {-depth, radius}};
    if (!site.through) site.profile.emplace_back(-depth, 0);
    return site;
  }

  /// A point of the axis, if the corners lie on a circle.
  std::optional<Vector3d> centerOf(const std::vector<const Corner*>& ring, const Axis& axis) const {
    Eigen::Matrix3d A = Eigen::Matrix3d::Zero();
    Vector3d b = Vector3d::Zero();
    const Vector3d start = ring[0]->from;
    const auto across = [&](const Vector3d& p) {
      return Vector2d(axis.x.dot(p - start), axis.y.dot(p - start));
    };
    for (const Corner* c : ring) {  // |q|² = 2 m · q + r² − |m|²
      const Vector2d q = across(0.5 * (c->from + c->to));
      const Vector3d row(2 * q.x(), 2 * q.y(), f_.tolerance);
      A += row * row.transpose();
      b += q.squaredNorm() * row;
    }
    const Vector3d x = A.ldlt().solve(b);
    const Vector2d middle = x.head<2>();
    const double squared = f_.tolerance * x[2] + middle.squaredNorm();
    if (!x.allFinite() || !(squared > 0)) return std::nullopt;
    for (const Corner* c : ring)
      for (const Vector3d& p : {c->from, c->to})
        if (std::abs((across(p) - middle).norm() - std::sqrt(squared)) > f_.tolerance) return std::nullopt;
    return Vector3d(start + middle.x() * axis.x + middle.y() * axis.y);
  }

  /// The rim at one end: open if most of what adjoins the facets in that half of the hole faces outwards.
  Rim rimOf(const std::vector<const Corner*>& ring, const Axis& axis, bool upper) const {
    const double sign = upper ? 1 : -1;
    const auto heightOf = [&](const Vector3d& p) { return sign * axis.z.dot(p - axis.origin); };
    double high = -HUGE_VAL, low = HUGE_VAL;
    std::vector<int> facets;
    for (const Corner* c : ring) {
      high = std::max({high, heightOf(c->from), heightOf(c->to)});
      low = std::min({low, heightOf(c->from), heightOf(c->to)});
      facets.insert(facets.end(), {c->a, c->b});
    }
    std::sort(facets.begin(), facets.end());
    facets.erase(std::unique(facets.begin(), facets.end()), facets.end());
    double outwards = 0, others = 0;  // lengths of edges [m]
    for (const int facet : facets)
      for (const int t : region(facet).triangles)
        for (int side = 0; side < 3; ++side) {
          const int other = f_.neighbor(t, side);
          if (other < 0 || std::binary_search(facets.begin(), facets.end(), regionOf(other))) continue;
          const double height =
              0.5 * heightOf(f_.point(t, side)) + 0.5 * heightOf(f_.point(t, (side + 1) % 3));
          if (height < 0.5 * (low + high)) continue;
          const bool isOutwards =
              sign * axis.z.dot(f_.normals[static_cast<std::size_t>(other)]) > kFacesAlong;
          (isOutwards ? outwards : others) += (f_.point(t, (side + 1) % 3) - f_.point(t, side)).norm();
        }
    return {sign * high, outwards > others};
  }

  const Facets& f_;
  const std::vector<Region>& regions_;
  std::vector<int> regionOf_;
  std::vector<Corner> corners_;
  std::map<int, std::vector<std::size_t>> cornersOf_;  ///< by region
  std::vector<RoundSite> sites_;
};

}  // namespace

std::vector<RoundSite> polygonHoles(const Facets& facets, const std::vector<Region>& regions) {
  return PolygonHoleSearch(facets, regions).find();
}

}  // namespace tenon::content
