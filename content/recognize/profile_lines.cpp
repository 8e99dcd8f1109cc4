// See profile_lines.h.
#include "content/recognize/profile_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tenon::content {
namespace {

using Eigen::Vector2d;
using std::numbers::pi;

constexpr std::size_t kMaxLines = 400;
/// Approximate limits of the triangles used for a median or a mean.
constexpr std::size_t kAngleSamples = 20000, kChordSamples = 100000;
/// If the sagitta is smaller, corners inside a facet count as on the circle [m].
constexpr double kFineSagitta = 2e-6;
/// Points closer to the axis have no azimuth [m].
constexpr double kMinRadius = 1e-6;
/// Facets wider than this multiple of the typical one are flats, not part of the circle [-].
constexpr double kMaxGapRatio = 2.5;

double wrapped(double angle) {
  return std::remainder(angle, 2 * pi);
}

/// A triangle projected to the meridian half-plane (r, z).
struct MeridianTriangle {
  int triangle = 0;
  std::array<Vector2d, 3> p;
  double length = 0;     ///< of its longest side [m]
  int from = 0, to = 1;  ///< corners of that side
};

MeridianTriangle projectToMeridian(const Facets& f, int t, const Axis& axis) {
  MeridianTriangle s;
  s.triangle = t;
  for (int k = 0; k < 3; ++k) s.p[static_cast<std::size_t>(k)] = axis.meridian(f.point(t, k));
  for (int k = 0; k < 3; ++k) {
    const int j = (k + 1) % 3;
    const double l = (s.p[static_cast<std::size_t>(j)] - s.p[static_cast<std::size_t>(k)]).norm();
    if (l > s.length) s.length = l, s.from = k, s.to = j;
  }
  return s;
}

/// The line through the longest side of a projected triangle; its normal has the side of the triangle's
/// normal.
ProfileLine lineThrough(const Facets& f, const MeridianTriangle& s, const Axis& axis) {
  const Vector2d &a = s.p[static_cast<std::size_t>(s.from)], &b = s.p[static_cast<std::size_t>(s.to)];
  const Vector2d along = (b - a).normalized();
  ProfileLine line;
  line.n = {along.y(), -along.x()};
  const Vector3d middle = (f.point(s.triangle, 0) + f.point(s.triangle, 1) + f.point(s.triangle, 2)) / 3;
  const Vector3d w = middle - axis.origin, radial = (w - w.dot(axis.z) * axis.z).normalized();
  const Vector3d& normal = f.normals[static_cast<std::size_t>(s.triangle)];
  if (line.n.dot(Vector2d(normal.dot(radial), normal.dot(axis.z))) < 0) line.n = -line.n;
  line.d = line.n.dot(0.5 * (a + b));
  return line;
}

bool liesOn(const MeridianTriangle& s, const ProfileLine& line, double maxDistance, double sagitta) {
  for (const Vector2d& p : s.p) {
    const double e = line.n.dot(p) - line.d;
    // Corners inside a facet, left by a cut, are closer to the axis than the circle.
    const double inwards = line.n.x() >= 0 ? -e : e;
    if (inwards > maxDistance + sagitta * std::abs(line.n.x()) || -inwards > maxDistance) return false;
  }
  return true;
}

/// Median angle of the facets about the axis, weighted by area [rad].
double medianFacetAngle(const Facets& f, const std::vector<int>& triangles, const Axis& axis) {
  std::vector<std::pair<double, double>> widths;  // width, area
  double total = 0;
  // A sample is sufficient for the median.
  const std::size_t stride = 1 + triangles.size() / kAngleSamples;
  for (std::size_t i = 0; i < triangles.size(); i += stride) {
    const int t = triangles[i];
    double width = 0;
    std::array<double, 3> azimuths{};
    std::array<bool, 3> areOff{};  // the axis
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d& p = f.point(t, static_cast<int>(k));
      areOff[k] = !(axis.meridian(p).x() < kMinRadius);
      if (areOff[k]) azimuths[k] = axis.azimuth(p);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t next = (k + 1) % 3;
      if (areOff[k] && areOff[next]) width = std::max(width, std::abs(wrapped(azimuths[next] - azimuths[k])));
    }
    const double area = f.areas[static_cast<std::size_t>(t)];
    if (width > 0 && area > 0) widths.emplace_back(width, area), total += area;
  }
  std::sort(widths.begin(), widths.end());
  double sum = 0;
  for (const auto& [width, area] : widths)
    if ((sum += area) >= 0.5 * total) return width;
  return 2 * pi;
}

ProfileLine planeLine(const Facets& f, const Region& region, const Axis& axis) {
  ProfileLine line;
  line.triangles = region.triangles;
  line.n = {0, region.normal.dot(axis.z) > 0 ? 1.0 : -1.0};
  double sum = 0, weight = 0;
  for (const int t : region.triangles)
    for (int k = 0; k < 3; ++k) {
      sum += f.areas[static_cast<std::size_t>(t)] * axis.height(f.point(t, k));
      weight += f.areas[static_cast<std::size_t>(t)];
    }
  line.d = line.n.y() * sum / weight;
  return line;
}

/// Splits a line into connected components, in the order of their first triangles: there may be a groove
/// between two of them.
void splitConnected(const Facets& f, const ProfileLine& line, std::vector<ProfileLine>& lines) {
  enum { kPending, kAssigned };
  std::vector<int> rest = line.triangles;
  std::sort(rest.begin(), rest.end());
  const auto mark = [&](int t) -> int& { return f.indexOfTriangle[static_cast<std::size_t>(t)]; };
  for (const int t : rest) mark(t) = kPending;
  for (const int first : rest) {
    if (mark(first) == kAssigned) continue;
    ProfileLine part = line;
    part.triangles = {first};
    mark(first) = kAssigned;
    for (std::size_t at = 0; at < part.triangles.size(); ++at)
      for (int side = 0; side < 3; ++side) {
        const int other = f.neighbor(part.triangles[at], side);
        if (other < 0 || mark(other) != kPending) continue;
        mark(other) = kAssigned;
        part.triangles.push_back(other);
      }
    lines.push_back(std::move(part));
  }
  for (const int t : rest) mark(t) = -1;
}

/// Mean and standard deviation of samples.
struct Statistics {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double mean() const { return count > 0 ? sum / count : 1; }
  double deviation() const {
    return count > 1 ? std::sqrt(std::max(squares / count - mean() * mean(), 0.0)) : 0;
  }
};

/// Determines flatRatio and rule from the radii of corners and facets, relative to the line's radius.
void measureFacets(const Facets& f, const Axis& axis, ProfileLine& line) {
  const double facetAngle = line.facetAngle;
  Statistics corners, flats;
  const auto index = [&](int v) -> int& { return f.indexOfVertex[static_cast<std::size_t>(v)]; };
  for (const RimPoint& point : line.rim) {
    index(point.vertex) = 0;
    const Vector2d rz = axis.meridian(f.mesh->mesh.vertices[static_cast<std::size_t>(point.vertex)]);
    corners.add(rz.x() / line.radiusAt(rz.y()));
  }
  const auto isOnRim = [&](int v) { return index(v) == 0; };
  const std::size_t stride = 1 + line.triangles.size() / kChordSamples;
  for (std::size_t i = 0; i < line.triangles.size(); i += stride) {
    const int t = line.triangles[i];
    for (int k = 0; k < 3; ++k) {
      if (!isOnRim(f.vertex(t, k)) || !isOnRim(f.vertex(t, (k + 1) % 3))) continue;
      const Vector3d &p = f.point(t, k), &q = f.point(t, (k + 1) % 3);
      const double width = std::abs(wrapped(axis.azimuth(q) - axis.azimuth(p)));
      const bool isChord =
          width > 0.3 * facetAngle && std::abs((q - p).dot(axis.z)) < 0.02 * (q - p).norm() + f.tolerance;
      const Vector2d rz = axis.meridian(0.5 * (p + q));
      if (isChord) flats.add(rz.x() / line.radiusAt(rz.y()));
    }
  }
  for (const RimPoint& point : line.rim) index(point.vertex) = -1;
  line.flatRatio = flats.count > 0 ? std::min(flats.mean() / corners.mean(), 1.0) : std::cos(facetAngle / 2);
  const double radius = line.radiusAt(0.5 * (line.low + line.high));
  const double c = corners.deviation() * radius, s = flats.deviation() * radius;
  if (std::max(c, s) > 3e-7 && s > 2 * c) line.rule = FacetRule::vertices;
  if (std::max(c, s) > 3e-7 && c > 2 * s) line.rule = FacetRule::flats;
}

/// A vertex of a line with the smallest and largest azimuth of its facets' centers relative to its own [rad].
struct VertexSector {
  int vertex;
  double low, high;
};

std::vector<VertexSector> vertexSectors(const Facets& facets, const ProfileLine& line, const Axis& axis) {
  std::vector<VertexSector> seen;
  const auto index = [&](int v) -> int& { return facets.indexOfVertex[static_cast<std::size_t>(v)]; };
  for (const int t : line.triangles) {
    Vector3d normal = facets.normals[static_cast<std::size_t>(t)];
    if (normal.isZero()) continue;
    if (line.isInner()) normal = -normal;
    const double azimuth = std::atan2(normal.dot(axis.y), normal.dot(axis.x));
    for (int k = 0; k < 3; ++k) {
      const Vector3d& p = facets.point(t, k);
      if (!(axis.meridian(p).x() > kMinRadius)) continue;
      const double side = wrapped(azimuth - axis.azimuth(p));
      int& at = index(facets.vertex(t, k));
      if (at < 0) {
        at = static_cast<int>(seen.size());
        seen.push_back({facets.vertex(t, k), side, side});
      }
      VertexSector& vertex = seen[static_cast<std::size_t>(at)];
      vertex.low = std::min(vertex.low, side);
      vertex.high = std::max(vertex.high, side);
    }
  }
  for (const VertexSector& vertex : seen) index(vertex.vertex) = -1;
  return seen;
}

/// Vertices where two facets of the line meet, which lie on its circle, sorted by azimuth. With `loose`, also
/// vertices inside a facet, left by a cut.
std::vector<RimPoint> rimPoints(const Facets& facets, const ProfileLine& line, const Axis& axis, bool loose) {
  const double facetAngle = line.facetAngle;
  std::vector<RimPoint> rim;
  for (const VertexSector& seen : vertexSectors(facets, line, axis)) {
    const Vector3d& p = facets.mesh->mesh.vertices[static_cast<std::size_t>(seen.vertex)];
    const bool fine = axis.meridian(p).x() * (1 - std::cos(facetAngle / 2)) < kFineSagitta;
    if (loose || fine || (seen.low < -0.2 * facetAngle && seen.high > 0.2 * facetAngle))
      rim.push_back({seen.vertex, axis.azimuth(p)});
  }
  std::sort(rim.begin(), rim.end(), [](const RimPoint& a, const RimPoint& b) {
    return a.azimuth != b.azimuth ? a.azimuth < b.azimuth : a.vertex < b.vertex;
  });
  return rim;
}

/// The triangle with a normal and the longest side, the first of equals; null if none has a normal.
const MeridianTriangle* longestTriangle(const Facets& facets,
                                        const std::vector<MeridianTriangle>& triangles) {
  const MeridianTriangle* best = nullptr;
  for (const MeridianTriangle& s : triangles)
    if ((!best || s.length > best->length) && !facets.normals[static_cast<std::size_t>(s.triangle)].isZero())
      best = &s;
  return best;
}

}  // namespace

std::optional<std::vector<ProfileLine>> profileLines(const Facets& facets, const Region& region,
                                                     const Axis& axis, double maxDistance, std::size_t stride,
                                                     bool areCut) {
  if (region.planar) return std::vector{planeLine(facets, region, axis)};
  std::vector<MeridianTriangle> triangles;
  triangles.reserve(region.triangles.size() / stride + 1);
  for (std::size_t k = 0; k < region.triangles.size(); k += stride)
    triangles.push_back(projectToMeridian(facets, region.triangles[k], axis));
  const double halfAngle = 0.5 * medianFacetAngle(facets, region.triangles, axis);
  std::vector<ProfileLine> lines;
  std::vector<MeridianTriangle> rest;
  for (std::size_t found = 0; !triangles.empty(); ++found) {
    const MeridianTriangle* const seed = longestTriangle(facets, triangles);
    // A side shorter than the tolerance of its vertices has no direction.
    if (found == kMaxLines || !seed || seed->length <= std::min(maxDistance, facets.tolerance))
      return std::nullopt;
    const double limit = std::min(maxDistance, seed->length);
    ProfileLine line = lineThrough(facets, *seed, axis);
    rest.clear();
    for (const MeridianTriangle& s : triangles) {
      const double sagitta =
          areCut ? std::max({s.p[0].x(), s.p[1].x(), s.p[2].x()}) * (1 - std::cos(halfAngle)) : 0;
      if (liesOn(s, line, limit, sagitta))
        line.triangles.push_back(s.triangle);
      else
        rest.push_back(s);
    }
    if (line.triangles.empty()) return std::nullopt;
    if (stride > 1)
      lines.push_back(std::move(line));
    else
      splitConnected(facets, line, lines);
    if (lines.size() > kMaxLines) return std::nullopt;
    triangles.swap(rest);
  }
  for (ProfileLine& line : lines) {
    line.facetAngle = medianFacetAngle(facets, line.triangles, axis);
    line.rim = rimPoints(facets, line, axis, stride > 1);
  }
  return lines;
}

std::optional<Vector3d> apexOf(const Facets& facets, const Axis& axis, const ProfileLine& line) {
  int apex = -1;
  for (const int t : line.triangles)
    for (int k = 0; k < 3; ++k) {
      const int v = facets.vertex(t, k);
      if (v == apex || axis.meridian(facets.point(t, k)).x() > facets.tolerance) continue;
      if (apex >= 0) return std::nullopt;  // a small circle
      apex = v;
    }
  if (apex < 0) return std::nullopt;
  return facets.mesh->mesh.vertices[static_cast<std::size_t>(apex)];
}

void measureLine(const Facets& facets, const Axis& axis, ProfileLine& line) {
  line.low = std::numeric_limits<double>::infinity();
  line.high = -line.low;
  for (const int t : line.triangles)
    for (int k = 0; k < 3; ++k) {
      const double z = axis.height(facets.point(t, k));
      line.low = std::min(line.low, z);
      line.high = std::max(line.high, z);
    }
  if (line.isPlane()) {
    line.coverage = 1;
    line.maxDeviation =
        std::max(std::abs(line.n.y() * line.low - line.d), std::abs(line.n.y() * line.high - line.d));
    return;
  }
  measureCircle(facets, axis, line);
}

void measureCircle(const Facets& facets, const Axis& axis, ProfileLine& line) {
  const double facetAngle = line.facetAngle;
  const std::vector<RimPoint>& rim = line.rim;
  Statistics off;
  line.maxDeviation = 0;
  for (const RimPoint& point : rim) {
    const Vector3d& p = facets.mesh->mesh.vertices[static_cast<std::size_t>(point.vertex)];
    const double e = line.n.dot(axis.meridian(p)) - line.d;
    off.add(e);
    line.maxDeviation = std::max(line.maxDeviation, std::abs(e));
  }
  if (const auto apex = apexOf(facets, axis, line))
    line.maxDeviation = std::max(line.maxDeviation, std::abs(line.n.dot(axis.meridian(*apex)) - line.d));
  line.rms = off.count > 0 ? std::sqrt(off.squares / off.count) : 0;
  // Gaps wider than a facet can be are not part of the circle.
  double open = rim.empty() ? 2 * pi : 0;
  line.facets = 0;
  for (std::size_t k = 0; k < rim.size(); ++k) {
    const double next = k + 1 < rim.size() ? rim[k + 1].azimuth : rim[0].azimuth + 2 * pi;
    const double gap = next - rim[k].azimuth;
    if (gap > 0.2 * facetAngle) ++line.facets;
    if (gap > std::max(kMaxGapRatio * facetAngle, 0.1)) open += gap;
  }
  line.coverage = 1 - open / (2 * pi);
  measureFacets(facets, axis, line);
}

}  // namespace tenon::content
