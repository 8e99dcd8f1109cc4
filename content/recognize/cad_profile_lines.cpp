// See cad_profile_lines.h.
#include "content/recognize/cad_profile_lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "content/recognize/profile_lines.h"

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using std::numbers::pi;

/// Minimum fraction of the full circle, as for meshes [-].
constexpr double kMinCadCoverage = 0.4;
/// Largest distance between two axes that count as one, over the extent of the part [m].
constexpr double kCoaxialTolerance = 1e-6;
/// Vertices of one ring differ by at most this in (r, z) [m].
constexpr double kRingTolerance = 1e-8;
/// Points closer to the axis have no azimuth [m].
constexpr double kMinCadRadius = 1e-9;

/// The fraction of the full circle that triangles cover.
double coverageOf(const Facets& f, const std::vector<int>& triangles, const Axis& axis) {
  std::vector<std::pair<double, double>> arcs;
  for (const int t : triangles) {
    double from = 0, to = 0, first = 0;
    bool hasFirst = false;
    for (int k = 0; k < 3; ++k) {
      if (axis.meridian(f.point(t, k)).x() < kMinCadRadius) continue;
      const double azimuth = axis.azimuth(f.point(t, k));
      if (!std::exchange(hasFirst, true)) first = azimuth;
      const double turn = std::remainder(azimuth - first, 2 * pi);
      from = std::min(from, turn);
      to = std::max(to, turn);
    }
    const double start = std::fmod(first + from + 4 * pi, 2 * pi);
    arcs.emplace_back(start, start + to - from);
  }
  std::sort(arcs.begin(), arcs.end());
  double reached = 0, open = 0, beyond = 0;
  for (const auto& [from, to] : arcs) {
    open += std::max(from - reached, 0.0);
    reached = std::max(reached, to);
  }
  // An arc across 2π covers part of the first gap.
  beyond = std::max(reached - 2 * pi, 0.0);
  const double firstGap = arcs.empty() ? 0 : arcs.front().first;
  open += std::max(2 * pi - reached, 0.0) - std::min(beyond, firstGap);
  // Adjacent arcs differ in their last digits.
  return open < 1e-6 ? 1 : 1 - open / (2 * pi);
}

/// True for a bore: the normals point to the axis.
bool facesAxis(const Facets& f, const std::vector<int>& triangles, const Axis& axis) {
  double sum = 0;
  for (const int t : triangles) {
    const Vector3d middle = (f.point(t, 0) + f.point(t, 1) + f.point(t, 2)) / 3 - axis.origin;
    const Vector3d radial = middle - middle.dot(axis.z) * axis.z;
    sum += f.areas[static_cast<std::size_t>(t)] * f.normals[static_cast<std::size_t>(t)].dot(radial);
  }
  return sum < 0;
}

void measureExtent(const Facets& f, const Axis& axis, ProfileLine& line) {
  line.low = std::numeric_limits<double>::infinity();
  line.high = -line.low;
  double squares = 0;
  line.maxDeviation = 0;
  for (const int t : line.triangles)
    for (int k = 0; k < 3; ++k) {
      const Vector2d rz = axis.meridian(f.point(t, k));
      line.low = std::min(line.low, rz.y());
      line.high = std::max(line.high, rz.y());
      const double off = line.n.dot(rz) - line.d;
      squares += off * off;
      line.maxDeviation = std::max(line.maxDeviation, std::abs(off));
    }
  line.rms = std::sqrt(squares / (3.0 * static_cast<double>(line.triangles.size())));
}

ProfileLine straightLine(const Facets& f, const Region& region, const Axis& axis) {
  const CadSurface& s = *region.surface;
  ProfileLine line;
  line.triangles = region.triangles;
  const double slope = s.axis.dot(axis.z) > 0 ? s.slope : -s.slope;
  const double side = facesAxis(f, region.triangles, axis) ? -1 : 1;
  line.n = side * Vector2d(1, -slope).normalized();
  if (slope == 0) line.n.y() = 0;  // +0 for a cylinder
  line.d = line.n.dot(Vector2d(s.radius, axis.meridian(s.origin).y()));
  measureExtent(f, axis, line);
  return line;
}

/// True if the axis of the surface coincides with `axis` over the extent of the part.
bool isCoaxial(const CadSurface& s, const Axis& axis, const Facets& f) {
  const Vector3d between = s.origin - axis.origin;
  const double sine = s.axis.cross(axis.z).norm();
  return (between - between.dot(axis.z) * axis.z).norm() +
             sine * ((0.5 * (f.low + f.high) - s.origin).norm() + f.extent) <
         kCoaxialTolerance;
}

}  // namespace

std::optional<std::vector<ProfileLine>> cadProfileLines(const Facets& facets, const Region& region,
                                                        const Axis& axis) {
  if (!isCoaxial(*region.surface, axis, facets)) return std::nullopt;
  std::vector<ProfileLine> lines;
  if (region.surface->hasCurvedProfile()) {
    // Vertices mostly lie on rings about the axis; two adjacent rings define a line.
    auto rings = profileLines(facets, region, axis, kRingTolerance, 1);
    if (!rings) rings = profileLines(facets, region, axis, facets.tolerance, 1);
    if (!rings) return std::nullopt;
    lines = std::move(*rings);
    for (ProfileLine& line : lines) measureExtent(facets, axis, line);
  } else {
    lines.push_back(straightLine(facets, region, axis));
  }
  for (ProfileLine& line : lines) {
    line.coverage = coverageOf(facets, line.triangles, axis);
    line.flatRatio = 1;
    const bool curved = region.surface->hasCurvedProfile();
    line.rule = curved ? FacetRule::vertices : FacetRule::exact;
    if (curved) line.facets = static_cast<int>(std::lround(line.coverage * 2 * pi / line.facetAngle));
    const double radius = std::max(line.radiusAt(line.low), line.radiusAt(line.high));
    if (line.coverage < kMinCadCoverage || !(radius > 0) ||
        !(line.maxDeviation <= std::min(facets.tolerance, 0.01 * radius)))
      return std::nullopt;
  }
  return lines;
}

std::optional<AxisFit> cadAxisFit(const Facets& facets, const Region& region) {
  AxisFit fit;
  Vector3d direction = region.surface->axis;
  // With a positive largest component, like the axes of meshes.
  int main = 0;
  direction.cwiseAbs().maxCoeff(&main);
  fit.axis.setDirection(direction[main] < 0 ? Vector3d(-direction) : direction);
  fit.axis.origin = region.surface->origin;
  auto lines = cadProfileLines(facets, region, fit.axis);
  if (!lines) return std::nullopt;
  fit.lines = std::move(*lines);
  return fit;
}

}  // namespace tenon::content
