// See faceted_sites.h.
#include "content/recognize/faceted_sites.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "content/model/hole_sites.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using physics::SurfaceKind;

/// Radii of a point and of its wall that differ by less are equal [m].
constexpr double kSameRadius = 1e-6;
/// Diameters of the same cylinder, through the vertices or along the flats of facets below 26° [-].
constexpr double kSameDiameter = 0.03;

/// A wall of a hole that collides as facets.
struct Wall {
  bool isCylinder = false;
  double radius = 0;                                ///< of a cylinder as recognized [m]
  double clear = HUGE_VAL;                          ///< least distance of its facets from the axis [m]
  double ratio = 1;                                 ///< least distance over that on the surface [-]
  double low = HUGE_VAL, high = -HUGE_VAL;          ///< of its vertices along the axis [m]
  double narrowest = HUGE_VAL, widest = -HUGE_VAL;  ///< of its vertices [m]

  bool contains(const Vector2d& zr, double tolerance) const {
    return zr.x() > low - tolerance && zr.x() < high + tolerance && zr.y() > narrowest - tolerance &&
           zr.y() < widest + tolerance;
  }
};

class FacetedSiteFinder {
 public:
  FacetedSiteFinder(const Facets& facets, const physics::BoundarySolid& solid,
                    const std::vector<int>& recognized)
      : f_(facets), solid_(solid), recognized_(solid) {
    recognized_.surfaceOf = recognized;
  }

  std::vector<RoundSite> find(const std::vector<char>& isNamed) const {
    std::vector<RoundSite> sites;
    if (recognized_.surfaceOf == solid_.surfaceOf) return sites;
    for (RoundSite& site : roundSites(f_, recognized_, isNamed)) {
      if (!isNew(site)) continue;
      if (site.isHole()) narrow(site);
      sites.push_back(std::move(site));
    }
    return sites;
  }

 private:
  bool collidesAsFacet(int t) const { return solid_.surfaceOf[static_cast<std::size_t>(t)] < 0; }
  const physics::Surface& surfaceOf(int t) const {
    return solid_.surfaces[static_cast<std::size_t>(recognized_.surfaceOf[static_cast<std::size_t>(t)])];
  }

  /// True if a wall collides as facets; of a hole one that a pin can reach and that is not in another hole.
  bool isNew(const RoundSite& site) const {
    return std::any_of(site.triangles.begin(), site.triangles.end(), [&](int t) {
      if (!collidesAsFacet(t)) return false;
      const physics::Surface& wall = surfaceOf(t);
      return !site.isHole() || (wall.kind == SurfaceKind::cylinder && isReachable(site, wall.radius) &&
                                !isKnown(site, wall.radius));
    });
  }

  /// False for a chamber: what is as wide as a cylinder of this radius passes through no mouth.
  static bool isReachable(const RoundSite& site, double radius) {
    const auto isOwn = [&](const Vector2d& zr) { return std::abs(zr.y() - radius) < kSameRadius; };
    const auto isNarrower = [&](const Vector2d& zr) { return zr.y() < radius - kSameRadius; };
    const auto& p = site.profile;
    const auto first = std::find_if(p.begin(), p.end(), isOwn);
    const auto last = std::find_if(p.rbegin(), p.rend(), isOwn).base();
    return first != p.end() && (std::none_of(p.begin(), first, isNarrower) ||
                                (site.through && std::none_of(last, p.end(), isNarrower)));
  }

  /// True if `solid_` has a hole about the same axis, at some of the same heights, that is as wide.
  bool isKnown(const RoundSite& site, double radius) const {
    constexpr double kSameDirection = 1e-3;
    const Vector3d axis = site.X.q * Vector3d::UnitZ();
    const double bottom = site.profile.back().x();
    return std::any_of(solid_.holes.begin(), solid_.holes.end(), [&](const physics::Cavity& hole) {
      const HoleSite other{hole.name, hole.X_BH, hole.profile, hole.through};
      const Vector3d direction = hole.X_BH.q * Vector3d::UnitZ(), between = hole.X_BH.p - site.X.p;
      if (std::abs(other.diameter() - 2 * radius) > kSameDiameter * 2 * radius ||
          axis.cross(direction).norm() > kSameDirection || axis.cross(between).norm() > f_.tolerance)
        return false;
      const double mouth = axis.dot(between), end = mouth - axis.dot(direction) * other.depth();
      return std::min(0.0, std::max(mouth, end)) - std::max(bottom, std::min(mouth, end)) > f_.tolerance;
    });
  }

  /// The walls of a site that collide as facets, by their surfaces.
  std::vector<Wall> wallsOf(const RoundSite& site) const {
    std::map<int, Wall> walls;
    const Pose X_HB = site.X.inverse();
    for (const int t : site.triangles) {
      if (!collidesAsFacet(t)) continue;
      const int surface = recognized_.surfaceOf[static_cast<std::size_t>(t)];
      Wall& wall = walls[surface];
      wall.isCylinder = surfaceOf(t).kind == SurfaceKind::cylinder;
      wall.radius = surfaceOf(t).radius;
      for (int side = 0; side < 3; ++side)
        addEdge(X_HB * f_.point(t, side), X_HB * f_.point(t, (side + 1) % 3), wall);
    }
    std::vector<Wall> list;
    for (auto& [surface, wall] : walls) list.push_back(wall);
    return list;
  }

  /// The points of an edge: its ends, and the one nearest to the axis z.
  static void addEdge(const Vector3d& a, const Vector3d& b, Wall& wall) {
    const Vector2d p = a.head<2>(), d = b.head<2>() - p;
    const double rise = d.squaredNorm();
    const double nearest = rise > 0 ? std::clamp(-p.dot(d) / rise, 0.0, 1.0) : 0;
    const double onSurface = p.norm() + nearest * (b.head<2>().norm() - p.norm());
    const double clear = (p + nearest * d).norm();
    wall.clear = std::min(wall.clear, clear);
    if (onSurface > 0) wall.ratio = std::min(wall.ratio, clear / onSurface);
    wall.low = std::min(wall.low, a.z());
    wall.high = std::max(wall.high, a.z());
    wall.narrowest = std::min(wall.narrowest, p.norm());
    wall.widest = std::max(wall.widest, p.norm());
  }

  /// The radii of the profile become those between the facets: all of a cylinder the same.
  void narrow(RoundSite& site) const {
    const std::vector<Wall> walls = wallsOf(site);
    for (Vector2d& zr : site.profile) {
      const Vector2d given = zr;
      double cylinder = HUGE_VAL, other = given.y();
      for (const Wall& wall : walls)
        if (wall.isCylinder && std::abs(given.y() - wall.radius) < kSameRadius)
          cylinder = std::min(cylinder, wall.clear);
        else if (!wall.isCylinder && wall.contains(given, f_.tolerance))
          other = std::min(other, wall.ratio * given.y());
      zr.y() = std::isfinite(cylinder) ? cylinder : other;
    }
  }

  using Pose = physics::Pose;
  const Facets& f_;
  const physics::BoundarySolid& solid_;
  physics::BoundarySolid recognized_;  ///< `solid_` with the surfaces as recognized
};

}  // namespace

std::vector<RoundSite> facetedSites(const Facets& facets, const physics::BoundarySolid& solid,
                                    const std::vector<int>& recognized, const std::vector<char>& isNamed) {
  return FacetedSiteFinder(facets, solid, recognized).find(isNamed);
}

}  // namespace tenon::content
