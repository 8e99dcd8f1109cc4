// See hole_sites.h.
#include "content/scene/hole_sites.h"

#include <algorithm>

#include "content/scene/read_holes.h"

namespace tenon::content {
namespace {

using physics::Pose;

/// What is less deep is a face that is not quite flat [m].
constexpr double kLeastRecess = 1e-6;

struct Heights {
  double low = 0, high = 0;
};

Heights heightsOf(const std::vector<Eigen::Vector2d>& profile) {
  Heights z{profile.front().x(), profile.front().x()};
  for (const Eigen::Vector2d& p : profile) {
    z.low = std::min(z.low, p.x());
    z.high = std::max(z.high, p.x());
  }
  return z;
}

/// A ring's hole: from its mouth, the innermost point at the top, down the inner wall.
HoleSite holeOf(const physics::Turned& ring) {
  const auto& p = ring.profile;
  const std::size_t n = p.size() - 1;
  const auto innermostAt = [&](double z) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i)
      if (p[i].x() == z && (best == n || p[i].y() < p[best].y())) best = i;
    return best;
  };
  const Heights z = heightsOf(p);
  HoleSite site{ring.hole, Pose::at({0, 0, z.high}), {}, true};
  const std::size_t from = innermostAt(z.high), to = innermostAt(z.low);
  for (std::size_t i = from;; i = (i + 1) % n) {
    site.profile.emplace_back(p[i].x() - z.high, p[i].y());
    if (i == to) return site;
  }
}

void addRecesses(const physics::Turned& solid, std::vector<HoleSite>& sites) {
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
    site.X_PH.q = Eigen::Quaterniond(0, 1, 0, 0);  // half a turn about x
    for (std::size_t i = recesses.first + 1; i-- > 0;) site.profile.emplace_back(mouth - p[i].x(), p[i].y());
    sites.push_back(std::move(site));
  }
}

}  // namespace

Recesses recessesOf(const physics::Turned& turned) {
  const auto& p = turned.profile;
  Recesses recesses{0, p.size() - 1};
  if (physics::isRing(turned)) return recesses;
  // From the first point at the very bottom and the last one at the very top: the outline does not cross
  // itself.
  const Heights z = heightsOf(p);
  recesses.below = p.front().x() > z.low + kLeastRecess;
  recesses.top = p.back().x() < z.high - kLeastRecess;
  while (recesses.below && p[recesses.first].x() > z.low) ++recesses.first;
  while (recesses.top && p[recesses.last].x() < z.high) --recesses.last;
  return recesses;
}

std::vector<HoleSite> holesOf(const physics::Shape& shape) {
  std::vector<HoleSite> sites;
  if (const auto* block = std::get_if<physics::HoledBlock>(&shape)) {
    for (const physics::RoundHole& hole : block->holes) {
      Pose X_PH;
      X_PH.p << hole.centre, block->halfExtents.z();
      const bool through = hole.depth >= 2 * block->halfExtents.z();
      sites.push_back({hole.name, X_PH, profileOf(hole, through), through});
    }
  } else if (const auto* bored = std::get_if<physics::BoredBlock>(&shape)) {
    for (const physics::Cavity& cavity : bored->cavities)
      sites.push_back({cavity.name, cavity.X_BH, cavity.profile, cavity.through});
  } else if (const auto* turned = std::get_if<physics::Turned>(&shape)) {
    if (physics::isRing(*turned))
      sites.push_back(holeOf(*turned));
    else
      addRecesses(*turned, sites);
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

}  // namespace tenon::content
