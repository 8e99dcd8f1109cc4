// See named_sites.h.
#include "content/recognize/named_sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "content/recognize/faceted_sites.h"
#include "content/recognize/polygon_holes.h"
#include "content/recognize/round_sites.h"

namespace tenon::content {
namespace {

class SiteNamer {
 public:
  SiteNamer(const RecognitionInput& input, std::vector<char> isNamed, physics::BoundarySolid& solid,
            std::vector<AxisFeature>& ends)
      : input_(input), isNamed_(std::move(isNamed)), solid_(solid), ends_(ends) {
    for (const auto& hole : solid.holes) ++count_[hole.name.substr(std::string("hole ").size(), 2)];
  }

  NamedSites name(const std::vector<int>& recognized) {
    add(roundSites(input_.facets, solid_, isNamed_), false);
    const bool isCad = std::any_of(input_.regions.begin(), input_.regions.end(),
                                   [](const Region& region) { return region.surface.has_value(); });
    if (!isCad) add(polygonHoles(input_.facets, input_.regions), true);
    add(facetedSites(input_.facets, solid_, recognized, isNamed_), true);
    return std::move(names_);
  }

 private:
  void add(std::vector<RoundSite> sites, bool areFaceted) {
    for (RoundSite& site : sites) {
      const Vector3d out = site.X.q * Vector3d::UnitZ();
      if (!site.isHole() && areFaceted && hasEnd(site.X.p, out)) continue;
      std::string name;
      if (site.isHole()) {
        name = nextHoleName(sideName(out));
        solid_.holes.push_back({name, site.X, std::move(site.profile), site.through, true});
      } else {
        name = uniqueName("end " + sideName(out), ends_);
        ends_.push_back({name, site.X.p, out});
      }
      for (const int t : site.triangles) {
        names_.nameOf.try_emplace(t, name);
        isNamed_[static_cast<std::size_t>(t)] = 1;
      }
      if (areFaceted) names_.faceted.push_back(name);
    }
  }

  /// True if an end at this place, in this direction, has a name.
  bool hasEnd(const Vector3d& tip, const Vector3d& out) const {
    return std::any_of(ends_.begin(), ends_.end(), [&](const AxisFeature& end) {
      return (end.origin - tip).norm() < input_.facets.tolerance && end.direction.dot(out) > 0;
    });
  }

  /// As nameHoles() does: "hole +z", then "hole +z 2".
  std::string nextHoleName(const std::string& side) {
    const int number = ++count_[side];
    return number == 1 ? "hole " + side : fmt::format("hole {} {}", side, number);
  }

  const RecognitionInput& input_;
  std::vector<char> isNamed_;
  physics::BoundarySolid& solid_;
  std::vector<AxisFeature>& ends_;
  std::map<std::string, int> count_;  ///< of holes, by side
  NamedSites names_;
};

}  // namespace

NamedSites nameSites(const RecognitionInput& input, const std::vector<int>& recognized,
                     std::vector<char> isNamed, physics::BoundarySolid& solid,
                     std::vector<AxisFeature>& ends) {
  return SiteNamer(input, std::move(isNamed), solid, ends).name(recognized);
}

}  // namespace tenon::content
