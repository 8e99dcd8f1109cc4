// See hole_sites.h.
#include "content/model/hole_sites.h"

#include <algorithm>
#include <cmath>

namespace tenon::content {
namespace {

using physics::Pose;

/// Recesses less deep than this count as a face that is not quite flat [m].
constexpr double kMinRecessDepth = 1e-6;

/// Rotation by 180° about x: turns +z to −z.
const Eigen::Quaterniond kDown(0, 1, 0, 0);

struct ZRange {
  double low = 0, high = 0;
};

ZRange zRangeOf(const std::vector<Eigen::Vector2d>& profile) {
  ZRange z{profile.front().x(), profile.front().x()};
  for (const Eigen::Vector2d& p : profile) {
    z.low = std::min(z.low, p.x());
    z.high = std::max(z.high, p.x());
  }
  return z;
}

/// The hole of a ring. Its profile runs from the mouth, the innermost point at the top, down the inner wall.
HoleSite ringHole(const physics::SolidOfRevolution& ring) {
  const auto& p = ring.profile;
  const std::size_t n = p.size() - 1;
  const auto innermostAt = [&](double z) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (p[i].x() == z && (best == n || p[i].y() < p[best].y())) best = i;
    return best;
  };
  const ZRange z = zRangeOf(p);
  HoleSite site{ring.hole, Pose::at({0, 0, z.high}), {}, true};
  const std::size_t from = innermostAt(z.high), to = innermostAt(z.low);
  for (std::size_t i = from;; i = (i + 1) % n) {
    site.profile.emplace_back(p[i].x() - z.high, p[i].y());
    if (i == to) return site;
  }
}

void addRecesses(const physics::SolidOfRevolution& solid, std::vector<HoleSite>& sites) {
  const Recesses recesses = recessesOf(solid);
  const auto& p = solid.profile;
  if (recesses.top) {
    const double mouth = p[recesses.last].x();
    HoleSite site{solid.hole, Pose::at({0, 0, mouth}), {}, false};
    for (std::size_t i = recesses.last; i < p.size(); ++i)
      site.profile.emplace_back(p[i].x() - mouth, p[i].y());
    sites.push_back(std::move(site));
  }
  if (recesses.below) {
    const double mouth = p[recesses.first].x();
    HoleSite site{solid.holeBelow, Pose::at({0, 0, mouth}), {}, false};
    site.X_PH.q = kDown;
    for (std::size_t i = recesses.first + 1; i-- > 0;) site.profile.emplace_back(mouth - p[i].x(), p[i].y());
    sites.push_back(std::move(site));
  }
}

HoleSite farSideOf(const HoleSite& near) {
  const double height = near.depth();
  HoleSite site{near.name + " far side", near.X_PH,   {}, true, near.name, near.isRound,
                near.isInterrupted,      near.isFound};
  site.X_PH.p = near.X_PH * physics::Vector3d(0, 0, -height);
  site.X_PH.q = near.X_PH.q * kDown;
  for (auto zr = near.profile.rbegin(); zr != near.profile.rend(); ++zr)
    site.profile.emplace_back(-height - zr->x(), zr->y());
  return site;
}

}  // namespace

double HoleSite::diameter() const {
  double longest = 0, radius = profile.front().y();
  for (std::size_t k = 1; k < profile.size(); ++k) {
    const double length = profile[k - 1].x() - profile[k].x();
    const bool isCylinder = std::abs(profile[k].y() - profile[k - 1].y()) < physics::kProfileTolerance;
    if (!isCylinder || !(length > longest)) continue;
    longest = length;
    radius = profile[k].y();
  }
  return 2 * radius;
}

std::vector<HoleSite> mouthsOf(const physics::Shape& shape) {
  std::vector<HoleSite> mouths = holesOf(shape);
  addFarSides(mouths);
  return mouths;
}

void addFarSides(std::vector<HoleSite>& holes) {
  for (std::size_t k = 0, count = holes.size(); k < count; ++k)
    if (holes[k].through) holes.push_back(farSideOf(holes[k]));
}

std::optional<HoleSite> mouthOf(const physics::Shape& shape, const std::string& name) {
  for (HoleSite& mouth : mouthsOf(shape))
    if (mouth.name == name) return std::move(mouth);
  return std::nullopt;
}

Recesses recessesOf(const physics::SolidOfRevolution& solid) {
  const auto& p = solid.profile;
  Recesses recesses{0, p.size() - 1};
  if (physics::isRing(solid)) return recesses;
  // The outer surface runs from the first lowest to the last highest point: the outline does not cross
  // itself.
  const ZRange z = zRangeOf(p);
  recesses.below = p.front().x() > z.low + kMinRecessDepth;
  recesses.top = p.back().x() < z.high - kMinRecessDepth;
  while (recesses.below && p[recesses.first].x() > z.low) ++recesses.first;
  while (recesses.top && p[recesses.last].x() < z.high) --recesses.last;
  return recesses;
}

std::vector<HoleSite> holesOf(const physics::Shape& shape) {
  std::vector<HoleSite> sites;
  if (const auto* block = std::get_if<physics::FacetedBlock>(&shape)) {
    for (const physics::RoundHole& hole : block->holes) {
      Pose X_PH;
      X_PH.p << hole.center, block->halfExtents.z();
      physics::RoundHole clipped = hole;
      clipped.depth = std::min(hole.depth, 2 * block->halfExtents.z());
      const bool through = hole.depth >= 2 * block->halfExtents.z();
      sites.push_back({hole.name, X_PH, profileOf(clipped, through), through});
    }
  } else if (const auto* holed = std::get_if<physics::BlockWithHoles>(&shape)) {
    for (const physics::Cavity& cavity : holed->cavities)
      sites.push_back({cavity.name, cavity.X_BH, cavity.profile, cavity.through});
  } else if (const auto* boundary = std::get_if<physics::BoundarySolid>(&shape)) {
    for (const physics::Cavity& hole : boundary->holes)
      sites.push_back({hole.name, hole.X_BH, hole.profile, hole.through, "", true, hole.isInterrupted});
  } else if (const auto* solid = std::get_if<physics::SolidOfRevolution>(&shape)) {
    // An unnamed thread lies in a hole of another shape of its part.
    if (solid->thread && solid->hole.empty()) return sites;
    if (physics::isRing(*solid))
      sites.push_back(ringHole(*solid));
    else
      addRecesses(*solid, sites);
  } else if (const auto* compound = std::get_if<physics::Compound>(&shape)) {
    for (const physics::PlacedShape& child : compound->children) {
      for (HoleSite& site : holesOf(child.shape)) {
        site.X_PH = child.X_PS * site.X_PH;
        sites.push_back(std::move(site));
      }
    }
  }
  return sites;
}

std::vector<Eigen::Vector2d> profileOf(const physics::RoundHole& hole, bool through) {
  std::vector<Eigen::Vector2d> profile{{0, hole.radius + hole.chamferWidth}};
  if (hole.chamferWidth > 0) profile.emplace_back(-hole.chamferDepth, hole.radius);
  profile.emplace_back(-hole.depth, hole.radius);
  if (!through) profile.emplace_back(-hole.depth, 0);
  return profile;
}

}  // namespace tenon::content
