// See found_sites.h.
#include "content/reader/found_sites.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "content/reader/read_mesh.h"
#include "content/reader/read_parts.h"

namespace tenon::content {
namespace {

/// Distance below which two places are one [m].
constexpr double kSiteRounding = 1e-6;
/// Largest difference of equal directions [-].
constexpr double kDirectionRounding = 1e-6;

bool isAt(const PrismaticSite& found, const Vector3d& origin, const Vector3d& direction) {
  return (found.X.p - origin).norm() < kSiteRounding &&
         (found.X.q * Vector3d::UnitZ() - direction).norm() < kDirectionRounding;
}

std::set<std::string> setOf(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

/// Index of the only one of these sites, or of the only one that has not been found in a file.
template <class Site>
std::optional<std::size_t> onlyOf(const std::vector<Site>& sites) {
  if (sites.size() == 1) return 0;
  const auto isDeclared = [](const Site& site) { return !site.isFound; };
  const auto only = std::find_if(sites.begin(), sites.end(), isDeclared);
  if (only == sites.end() || std::find_if(only + 1, sites.end(), isDeclared) != sites.end())
    return std::nullopt;
  return static_cast<std::size_t>(only - sites.begin());
}

}  // namespace

void addFoundSites(Part& part) {
  if (!part.mesh) return;
  auto mouths = part.sockets;
  addFarSides(mouths);
  const auto declared = part.features;
  const auto takenMouths = setOf(namesOf(mouthsOf(part))), takenEnds = setOf(namesOf(declared));
  for (const PrismaticSite& found : part.mesh->prismatic.sockets) {
    const bool isNamed = std::any_of(mouths.begin(), mouths.end(), [&](const HoleSite& mouth) {
      return isAt(found, mouth.X_PH.p, mouth.X_PH.q * Vector3d::UnitZ());
    });
    if (isNamed || takenMouths.contains(found.name) || takenMouths.contains(found.name + " far side"))
      continue;
    part.sockets.push_back(socketOf(found.name, found.X.p, found.X.q * Vector3d::UnitZ(), found.diameter(),
                                    found.depth, found.through));
    part.sockets.back().isFound = true;
  }
  for (const PrismaticSite& found : part.mesh->prismatic.ends) {
    const bool isNamed = std::any_of(declared.begin(), declared.end(), [&](const AxisFeature& end) {
      return isAt(found, end.origin, end.direction);
    });
    if (isNamed || takenEnds.contains(found.name)) continue;
    part.features.push_back({found.name, found.X.p, found.X.q * Vector3d::UnitZ(), true});
  }
}

std::optional<int> defaultFeature(const Part& part) {
  const auto only = onlyOf(part.features);
  return only ? std::optional(static_cast<int>(*only)) : std::nullopt;
}

std::optional<HoleSite> defaultHole(const Part& part) {
  auto holes = holesOf(part);
  const auto only = onlyOf(holes);
  return only ? std::optional(std::move(holes[*only])) : std::nullopt;
}

}  // namespace tenon::content
