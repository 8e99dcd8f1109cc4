// See round_sites.h. Each cylinder votes by its outlines in half-planes all around its axis.
#include "content/recognize/round_sites.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>
#include <utility>

#include "content/recognize/chain_shapes.h"
#include "content/recognize/hole_profile.h"
#include "content/recognize/round_section.h"

namespace tenon::content {
namespace {

using physics::SurfaceKind;

/// Number of half-planes in which a cylinder is cut, from the first on at kFirstCut of a step.
constexpr int kCuts = 128;
constexpr double kFirstCut = 0.318;
/// Rounding of the width of a gap: that of vertices within the tolerance on a radius of 1 mm [rad].
constexpr double kGapRounding = 0.01;

double azimuthOf(int cut) {
  return 2 * std::numbers::pi * (cut + kFirstCut) / kCuts;
}

/// Triangles of one cylinder at overlapping heights.
struct RoundFace {
  std::vector<int> triangles;
  Axis axis;
  double area = 0;  ///< [m²]
  bool isInner = false;
};

struct Interval {
  double from = 0, to = 0;
};

/// The widest gap that is left of a full turn [rad].
double widestGap(const Facets& f, const RoundFace& face) {
  constexpr double kTurn = 2 * std::numbers::pi;
  std::vector<Interval> arcs;
  for (const int t : face.triangles) {
    const double first = face.axis.azimuth(f.point(t, 0));
    double from = 0, to = 0;
    for (int k = 1; k < 3; ++k) {
      const double turn = std::remainder(face.axis.azimuth(f.point(t, k)) - first, kTurn);
      from = std::min(from, turn);
      to = std::max(to, turn);
    }
    arcs.push_back({first + from, first + to});
  }
  std::sort(arcs.begin(), arcs.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
  double widest = 0, reached = arcs.front().to;
  for (const Interval& arc : arcs) {
    widest = std::max(widest, arc.from - reached);
    reached = std::max(reached, arc.to);
  }
  return std::max(widest, arcs.front().from + kTurn - reached);
}

class SiteFinder {
 public:
  SiteFinder(const Facets& facets, const physics::BoundarySolid& solid, const std::vector<char>& isNamed)
      : f_(facets), solid_(solid), isUsed_(isNamed), onSurface_(solid.surfaces.size()) {
    for (std::size_t t = 0; t < solid.surfaceOf.size(); ++t)
      if (const int s = solid.surfaceOf[t]; s >= 0 && isNamed[t] == 0)
        onSurface_[static_cast<std::size_t>(s)].push_back(static_cast<int>(t));
  }

  std::vector<RoundSite> find() {
    std::vector<RoundFace> faces = roundFaces();
    std::stable_sort(faces.begin(), faces.end(),
                     [](const RoundFace& a, const RoundFace& b) { return a.area > b.area; });
    for (const RoundFace& face : faces) {
      const double gap = widestGap(f_, face) - std::numbers::pi;
      if (gap > kGapRounding || (!face.isInner && gap > -kGapRounding)) continue;
      if (isUsed_[static_cast<std::size_t>(face.triangles.front())] == 0) addSites(face);
    }
    sortSites();
    return std::move(sites_);
  }

 private:
  /// All cylinders: the triangles of equal surfaces and orientation, by their heights.
  std::vector<RoundFace> roundFaces() const {
    std::vector<RoundFace> faces;
    std::vector<char> isDone(onSurface_.size(), 0);
    for (std::size_t s = 0; s < onSurface_.size(); ++s) {
      const physics::Surface& surface = solid_.surfaces[s];
      if (isDone[s] != 0 || onSurface_[s].empty() || surface.kind != SurfaceKind::cylinder) continue;
      std::vector<int> triangles;
      for (std::size_t k = s; k < onSurface_.size(); ++k) {
        if (isDone[k] != 0 || !isSameCylinder(surface, solid_.surfaces[k])) continue;
        isDone[k] = 1;
        triangles.insert(triangles.end(), onSurface_[k].begin(), onSurface_[k].end());
      }
      addFaces(surface, triangles, faces);
    }
    return faces;
  }

  bool isSameCylinder(const physics::Surface& a, const physics::Surface& b) const {
    constexpr double kSame = 1e-6;  // [m]
    const Vector3d z = a.X_BS.R.col(2), between = b.X_BS.p - a.X_BS.p;
    return b.kind == SurfaceKind::cylinder && std::abs(a.radius - b.radius) < kSame &&
           z.cross(b.X_BS.R.col(2)).norm() * f_.extent < kSame && z.cross(between).norm() < kSame;
  }

  void addFaces(const physics::Surface& surface, const std::vector<int>& triangles,
                std::vector<RoundFace>& faces) const {
    Axis axis;
    axis.origin = surface.X_BS.p;
    axis.setDirection(surface.X_BS.R.col(2));
    std::array<std::vector<std::pair<Interval, int>>, 2> spans;  // of outer and inner faces
    for (const int t : triangles) {
      Interval span{HUGE_VAL, -HUGE_VAL};
      Vector3d middle = Vector3d::Zero();
      for (int k = 0; k < 3; ++k) {
        const double z = axis.z.dot(f_.point(t, k) - axis.origin);
        span = {std::min(span.from, z), std::max(span.to, z)};
        middle += (f_.point(t, k) - axis.origin) / 3;
      }
      const Vector3d& n = f_.normals[static_cast<std::size_t>(t)];
      const bool isInner = n.dot(middle - axis.z.dot(middle) * axis.z) < 0;
      spans[isInner ? 1 : 0].emplace_back(span, t);
    }
    for (std::size_t inner = 0; inner < 2; ++inner) {
      auto& all = spans[inner];
      std::stable_sort(all.begin(), all.end(),
                       [](const auto& a, const auto& b) { return a.first.from < b.first.from; });
      double reached = -HUGE_VAL;
      for (const auto& [span, t] : all) {
        if (span.from > reached) faces.push_back({{}, axis, 0, inner == 1});
        reached = span.from > reached ? span.to : std::max(reached, span.to);
        faces.back().triangles.push_back(t);
        faces.back().area += f_.areas[static_cast<std::size_t>(t)];
      }
    }
  }

  /// The outline that most half-planes have. Where it is only the cylinder, it ends at the furthest vertex of
  /// the face: the rims of holes across other round faces are no circles.
  Outline electedOf(const RoundFace& face, const std::vector<Outline>& outlines, bool upwards) const {
    std::size_t best = 0, most = 0;
    for (std::size_t k = 0; k < outlines.size(); ++k) {
      const auto votes = static_cast<std::size_t>(std::count_if(
          outlines.begin(), outlines.end(), [&](const Outline& o) { return o.isLike(outlines[k]); }));
      if (votes > most) most = votes, best = k;
    }
    Outline elected = outlines[best];
    if (elected.ids.size() > 1) return elected;
    double& end = elected.points.back().y();
    for (const int t : face.triangles)
      for (int k = 0; k < 3; ++k) {
        const double z = face.axis.z.dot(f_.point(t, k) - face.axis.origin);
        end = upwards ? std::max(end, z) : std::min(end, z);
      }
    return elected;
  }

  void addSites(const RoundFace& face) {
    const RoundSection section(f_, solid_, face.axis);
    std::vector<Outline> up, down;
    for (int cut = 0; cut < kCuts; ++cut) {
      int top = -1, bottom = -1;
      double high = -HUGE_VAL, low = HUGE_VAL;
      for (const int t : face.triangles) {
        const auto above = section.endOf(t, azimuthOf(cut), true),
                   below = section.endOf(t, azimuthOf(cut), false);
        if (above && *above > high) high = *above, top = t;
        if (below && *below < low) low = *below, bottom = t;
      }
      if (top < 0 || bottom < 0) continue;
      up.push_back(section.outlineFrom(top, azimuthOf(cut), true));
      down.push_back(section.outlineFrom(bottom, azimuthOf(cut), false));
    }
    if (up.empty()) return;
    const Outline above = electedOf(face, up, true), below = electedOf(face, down, false);
    const std::vector<int> triangles = trianglesOf(section, face, above, below);
    if (face.isInner)
      addHole(face.axis, above, below, triangles);
    else
      addEnds(face.axis, above, below, triangles);
  }

  /// Of the ends at one place only the first, of the largest face.
  bool hasEndAt(const Vector3d& tip) const {
    return std::any_of(sites_.begin(), sites_.end(), [&](const RoundSite& site) {
      return !site.isHole() && (site.X.p - tip).norm() < f_.tolerance;
    });
  }

  /// The triangles of the round faces of both outlines, which are used then.
  std::vector<int> trianglesOf(const RoundSection& section, const RoundFace& face, const Outline& above,
                               const Outline& below) {
    std::vector<int> triangles = face.triangles;
    const double high = above.points.back().y() + f_.tolerance, low = below.points.back().y() - f_.tolerance;
    std::vector<int> ids(above.ids.begin() + 1, above.ids.end());
    ids.insert(ids.end(), below.ids.begin() + 1, below.ids.end());
    const double side = face.isInner ? -1 : 1;
    for (const std::vector<int>& own : onSurface_) {
      if (own.empty()) continue;
      const OutlineFace first = section.faceOf(own.front());
      const bool isRound = first.kind == OutlineFace::Kind::line || first.kind == OutlineFace::Kind::arc;
      if (!isRound || std::find(ids.begin(), ids.end(), first.id) == ids.end()) continue;
      for (const int t : own) {
        const double z = face.axis.z.dot(f_.point(t, 0) - face.axis.origin);
        if (isUsed_[static_cast<std::size_t>(t)] == 0 && section.faceOf(t).side == side && z >= low &&
            z <= high)
          triangles.push_back(t);
      }
    }
    for (const int t : triangles) isUsed_[static_cast<std::size_t>(t)] = 1;
    return triangles;
  }

  void addHole(const Axis& axis, const Outline& above, const Outline& below,
               const std::vector<int>& triangles) {
    const auto isOpen = [](OutlineEnd end) { return end == OutlineEnd::face || end == OutlineEnd::open; };
    const bool opensUp = isOpen(above.end), opensDown = isOpen(below.end);
    if (!opensUp && !opensDown) return;
    int main = 0;
    axis.z.cwiseAbs().maxCoeff(&main);
    const bool upwards = opensUp && opensDown ? axis.z[main] > 0 : opensUp;
    const Outline &mouth = upwards ? above : below, &bottom = upwards ? below : above;
    std::vector<Vector2d> points(mouth.points.rbegin(), mouth.points.rend());
    points.insert(points.end(), bottom.points.begin(), bottom.points.end());
    const double sign = upwards ? 1 : -1, top = points.front().y();
    RoundSite site;
    site.X = {physics::shortestRotation(Vector3d::UnitZ(), sign * axis.z), pointOnAxis(axis, top)};
    site.through = opensUp && opensDown;
    for (const Vector2d& rz : points) site.profile.emplace_back(sign * (rz.y() - top), std::max(rz.x(), 0.0));
    if (!site.through && site.profile.back().y() > 0) site.profile.emplace_back(site.profile.back().x(), 0);
    if (!(site.profile.back().x() < -kMinWall)) return;
    site.triangles = triangles;
    sites_.push_back(std::move(site));
  }

  void addEnds(const Axis& axis, const Outline& above, const Outline& below,
               const std::vector<int>& triangles) {
    for (const bool upwards : {false, true}) {
      const Outline& outline = upwards ? above : below;
      if (outline.end != OutlineEnd::face && outline.end != OutlineEnd::axis) continue;
      RoundSite site;
      const Vector3d out = upwards ? axis.z : Vector3d(-axis.z);
      site.X = {physics::shortestRotation(Vector3d::UnitZ(), out),
                pointOnAxis(axis, outline.points.back().y())};
      if (hasEndAt(site.X.p)) continue;
      site.triangles = triangles;
      sites_.push_back(std::move(site));
    }
  }

  void sortSites() {
    const auto keyOf = [](const RoundSite& site) {
      const auto round = [](double v) { return std::llround(v * 1e5); };
      double narrowest = HUGE_VAL;
      for (const Vector2d& zr : site.profile)
        if (zr.y() > 0) narrowest = std::min(narrowest, zr.y());
      return std::tuple(sideName(site.X.q * Vector3d::UnitZ()), round(site.X.p.x()), round(site.X.p.y()),
                        round(site.X.p.z()), narrowest);
    };
    std::stable_sort(sites_.begin(), sites_.end(),
                     [&](const RoundSite& a, const RoundSite& b) { return keyOf(a) < keyOf(b); });
  }

  const Facets& f_;
  const physics::BoundarySolid& solid_;
  std::vector<char> isUsed_;                 ///< triangles with a name, or of a site
  std::vector<std::vector<int>> onSurface_;  ///< the triangles without a name, by surface
  std::vector<RoundSite> sites_;
};

}  // namespace

std::vector<RoundSite> roundSites(const Facets& facets, const physics::BoundarySolid& solid,
                                  const std::vector<char>& isNamed) {
  return SiteFinder(facets, solid, isNamed).find();
}

}  // namespace tenon::content
