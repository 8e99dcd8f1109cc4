// See revolved_groups.h.
#include "content/recognize/revolved_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "content/recognize/cad_profile_lines.h"
#include "content/recognize/profile_chains.h"
#include "content/recognize/profile_lines.h"
#include "physics/math/parallel_for.h"

namespace tenon::content {
namespace {

/// Axes with a larger angle between them are different [rad]; others are fitted together.
constexpr double kMaxAxisAngle = 0.03;
/// Axes with a larger lateral distance are different [m].
constexpr double kMaxAxisDistance = 1e-4;

struct Candidate {
  int region = 0;
  AxisFit fit;
};

std::optional<AxisFit> cadFit(const Facets& facets, const Region& region) {
  const CadSurface::Kind kind = region.surface->kind;
  const bool hasAxis = kind != CadSurface::Kind::plane && kind != CadSurface::Kind::freeform;
  return hasAxis ? cadAxisFit(facets, region) : std::nullopt;
}

/// Calls use(facets, k) for k = 0 … count − 1 on all processors, each with scratch indices of its own.
template <class Use>
void forEachWithScratch(const Facets& facets, std::size_t count, const Use& use) {
  constexpr std::size_t kMostCopies = 16;
  physics::parallelFor(count, 1 + count / kMostCopies, [&](std::size_t first, std::size_t last) {
    const auto own = std::make_unique<const Facets>(facets);
    for (std::size_t k = first; k < last; ++k) use(*own, k);
  });
}

std::vector<Candidate> candidates(const Facets& facets, const std::vector<Region>& regions) {
  std::vector<std::size_t> ids;  // planes have no axis of their own
  for (std::size_t k = 0; k < regions.size(); ++k)
    if (regions[k].surface || !regions[k].planar) ids.push_back(k);
  std::vector<std::optional<AxisFit>> fits(ids.size());
  forEachWithScratch(facets, ids.size(), [&](const Facets& own, std::size_t k) {
    const Region& region = regions[ids[k]];
    fits[k] = region.surface ? cadFit(own, region) : fitAxis(own, region);
  });
  std::vector<Candidate> found;
  for (std::size_t k = 0; k < ids.size(); ++k)
    if (fits[k]) found.push_back({static_cast<int>(ids[k]), std::move(*fits[k])});
  std::stable_sort(found.begin(), found.end(), [&](const Candidate& a, const Candidate& b) {
    return regions[static_cast<std::size_t>(a.region)].area >
           regions[static_cast<std::size_t>(b.region)].area;
  });
  return found;
}

bool mayCoincide(const Axis& a, const Axis& b, const Facets& facets) {
  const double sine = a.z.cross(b.z).norm();
  const Vector3d between = b.origin - a.origin;
  const double lateral = (between - between.dot(a.z) * a.z).norm();
  return sine < kMaxAxisAngle &&
         lateral < kMaxAxisDistance + 10 * facets.tolerance + 0.5 * sine * std::abs(between.dot(a.z));
}

std::vector<const Region*> chosen(const std::vector<Region>& regions, const std::vector<int>& ids) {
  std::vector<const Region*> list;
  for (const int id : ids) list.push_back(&regions[static_cast<std::size_t>(id)]);
  return list;
}

bool isFromCad(const std::vector<Region>& regions, const RevolvedGroup& group) {
  return regions[static_cast<std::size_t>(group.regions.front())].surface.has_value();
}

/// Adds regions to a group with a CAD axis, without fitting. False if one of them has another axis.
bool tryToJoinCad(const Facets& facets, const std::vector<Region>& regions, RevolvedGroup& group,
                  const std::vector<int>& more) {
  std::vector<ProfileLine> lines;
  for (const int id : more) {
    const Region& region = regions[static_cast<std::size_t>(id)];
    std::optional<std::vector<ProfileLine>> regionLines;
    if (region.planar) {
      regionLines = profileLines(facets, region, group.axis, facets.tolerance, 1);
      measureLine(facets, group.axis, regionLines->front());
    } else if (region.surface) {
      regionLines = cadProfileLines(facets, region, group.axis);
    }
    if (!regionLines) return false;
    std::move(regionLines->begin(), regionLines->end(), std::back_inserter(lines));
  }
  std::move(lines.begin(), lines.end(), std::back_inserter(group.lines));
  group.regions.insert(group.regions.end(), more.begin(), more.end());
  return true;
}

/// Adds regions to a group and refits regionLines axis. False if they have no common axis.
bool tryToJoin(const Facets& facets, const std::vector<Region>& regions, RevolvedGroup& group,
               const std::vector<int>& more) {
  if (isFromCad(regions, group)) return tryToJoinCad(facets, regions, group, more);
  std::vector<int> ids = group.regions;
  ids.insert(ids.end(), more.begin(), more.end());
  auto fit = fitAxis(facets, chosen(regions, ids), group.axis);
  if (!fit) return false;
  group.axis = fit->axis;
  group.lines = std::move(fit->lines);
  group.regions = std::move(ids);
  return true;
}

bool isPerpendicular(const Facets& facets, const Region& plane, const Axis& axis) {
  if (!plane.planar || plane.normal.cross(axis.z).norm() > kMaxAxisAngle) return false;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const int t : plane.triangles) {
    for (int k = 0; k < 3; ++k) {
      const double z = axis.height(facets.point(t, k));
      low = std::min(low, z);
      high = std::max(high, z);
    }
    if (!(high - low < 6 * facets.tolerance)) return false;
  }
  return true;
}

/// Adds planes perpendicular to the axis that are adjacent to the group, such as shoulders.
void joinPlanes(const Facets& facets, const std::vector<Region>& regions, const std::vector<int>& regionOf,
                RevolvedGroup& group) {
  std::vector<char> visited(regions.size(), 0);
  for (const int id : group.regions) visited[static_cast<std::size_t>(id)] = 1;
  std::vector<int> planes, all;
  for (const int id : group.regions)
    for (const int t : regions[static_cast<std::size_t>(id)].triangles)
      for (int side = 0; side < 3; ++side) {
        const int other = facets.neighbor(t, side);
        if (other < 0) continue;
        const int region = regionOf[static_cast<std::size_t>(other)];
        char& seen = visited[static_cast<std::size_t>(region)];
        if (seen) continue;
        seen = 1;
        if (isPerpendicular(facets, regions[static_cast<std::size_t>(region)], group.axis))
          planes.push_back(region);
      }
  if (planes.empty() || tryToJoin(facets, regions, group, planes)) return;
  for (const int plane : planes) tryToJoin(facets, regions, group, {plane});
}

/// Bores of equal facets that adjoin one through its vertices go through theirs, too: else they would not
/// meet where the mesh says.
void spreadVertexRule(const Facets& facets, RevolvedGroup& group) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < group.lines.size(); ++k)
    if (group.lines[k].isInner() && group.lines[k].rule == FacetRule::vertices) open.push_back(k);
  if (open.empty()) return;
  std::vector<int> lineOf(static_cast<std::size_t>(facets.count()), -1);
  for (std::size_t k = 0; k < group.lines.size(); ++k)
    for (const int t : group.lines[k].triangles) lineOf[static_cast<std::size_t>(t)] = static_cast<int>(k);
  while (!open.empty()) {
    const std::size_t from = open.back();
    open.pop_back();
    for (const int t : group.lines[from].triangles)
      for (int side = 0; side < 3; ++side) {
        const int other = facets.neighbor(t, side),
                  k = other < 0 ? -1 : lineOf[static_cast<std::size_t>(other)];
        if (k < 0) continue;
        ProfileLine& line = group.lines[static_cast<std::size_t>(k)];
        if (!line.isInner() || line.isPlane() || line.rule != FacetRule::regular) continue;
        line.rule = FacetRule::vertices;
        open.push_back(static_cast<std::size_t>(k));
      }
  }
}

}  // namespace

void connectLines(const Facets& facets, const std::vector<int>& regionOf, BoreRule rule,
                  RevolvedGroup& group) {
  if (rule == BoreRule::flats) spreadVertexRule(facets, group);
  group.chains = profileChains(facets, regionOf, group, rule);
}

std::vector<int> regionsOfTriangles(const Facets& facets, const std::vector<Region>& regions) {
  std::vector<int> regionOf(static_cast<std::size_t>(facets.count()), -1);
  for (std::size_t k = 0; k < regions.size(); ++k)
    for (const int t : regions[k].triangles) regionOf[static_cast<std::size_t>(t)] = static_cast<int>(k);
  return regionOf;
}

std::vector<RevolvedGroup> revolvedGroups(const Facets& facets, const std::vector<Region>& regions,
                                          BoreRule rule) {
  const std::vector<int> regionOf = regionsOfTriangles(facets, regions);
  std::vector<RevolvedGroup> groups;
  for (Candidate& candidate : candidates(facets, regions)) {
    const bool fromCad = regions[static_cast<std::size_t>(candidate.region)].surface.has_value();
    const bool joined = std::any_of(groups.begin(), groups.end(), [&](RevolvedGroup& group) {
      return isFromCad(regions, group) == fromCad && mayCoincide(group.axis, candidate.fit.axis, facets) &&
             tryToJoin(facets, regions, group, {candidate.region});
    });
    if (joined) continue;
    groups.push_back({candidate.fit.axis, std::move(candidate.fit.lines), {candidate.region}, {}});
  }
  forEachWithScratch(facets, groups.size(), [&](const Facets& own, std::size_t g) {
    joinPlanes(own, regions, regionOf, groups[g]);
    connectLines(own, regionOf, rule, groups[g]);
  });
  return groups;
}

}  // namespace tenon::content
