// See profile_lines.h.
#include "content/recognise/profile_lines.h"

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
/// Triangles that a mean or a median is taken of.
constexpr std::size_t kStepSamples = 20000, kChordSamples = 100000;
/// Corners inside a facet by less than this are as good as on the circle [m].
constexpr double kFine = 2e-6;
/// Nearer to the axis than this there is no azimuth [m].
constexpr double kOnAxis = 1e-6;
/// A facet this many times as wide as most is a flat, and no part of the circle [-].
constexpr double kWidestGap = 2.5;

double wrapped(double angle) {
  return std::remainder(angle, 2 * pi);
}

/// A triangle in the meridian's half-plane.
struct Shadow {
  int triangle = 0;
  std::array<Vector2d, 3> p;
  double length = 0;  ///< [m]
  int from = 0, to = 1;
};

Shadow shadowOf(const Facets& f, int t, const Axis& axis) {
  Shadow s;
  s.triangle = t;
  for (int k = 0; k < 3; ++k) s.p[static_cast<std::size_t>(k)] = axis.meridian(f.point(t, k));
  for (int k = 0; k < 3; ++k) {
    const int j = (k + 1) % 3;
    const double l = (s.p[static_cast<std::size_t>(j)] - s.p[static_cast<std::size_t>(k)]).norm();
    if (l > s.length) s.length = l, s.from = k, s.to = j;
  }
  return s;
}

/// The line through the far corners of a triangle, its normal on the side of the triangle's own.
ProfileLine lineThrough(const Facets& f, const Shadow& s, const Axis& axis) {
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

bool liesOn(const Shadow& s, const ProfileLine& line, double slack, double sagitta) {
  for (const Vector2d& p : s.p) {
    const double e = line.n.dot(p) - line.d;
    // A corner that a cut left inside a facet is nearer to the axis than the circle.
    const double inwards = line.n.x() >= 0 ? -e : e;
    if (inwards > slack + sagitta * std::abs(line.n.x()) || -inwards > slack) return false;
  }
  return true;
}

double stepOf(const Facets& f, const std::vector<int>& triangles, const Axis& axis) {
  std::vector<std::pair<double, double>> steps;  // width, area
  double total = 0;
  // Enough for a median.
  const std::size_t stride = 1 + triangles.size() / kStepSamples;
  for (std::size_t i = 0; i < triangles.size(); i += stride) {
    const int t = triangles[i];
    double width = 0;
    for (int k = 0; k < 3; ++k) {
      const Vector3d &p = f.point(t, k), &q = f.point(t, (k + 1) % 3);
      if (axis.meridian(p).x() < kOnAxis || axis.meridian(q).x() < kOnAxis) continue;
      width = std::max(width, std::abs(wrapped(axis.azimuth(q) - axis.azimuth(p))));
    }
    const double area = f.areas[static_cast<std::size_t>(t)];
    if (width > 0 && area > 0) steps.emplace_back(width, area), total += area;
  }
  std::sort(steps.begin(), steps.end());
  double sum = 0;
  for (const auto& [width, area] : steps)
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
      sum += f.areas[static_cast<std::size_t>(t)] * axis.meridian(f.point(t, k)).y();
      weight += f.areas[static_cast<std::size_t>(t)];
    }
  line.d = line.n.y() * sum / weight;
  return line;
}

/// Connected parts of a line, in the order of their first triangles: a groove may lie between two of them.
void splitConnected(const Facets& f, const ProfileLine& line, std::vector<ProfileLine>& lines) {
  std::vector<int> rest = line.triangles;
  std::sort(rest.begin(), rest.end());
  std::vector<char> taken(rest.size(), 0);
  const auto placeOf = [&](int t) {
    const auto at = std::lower_bound(rest.begin(), rest.end(), t);
    return at != rest.end() && *at == t ? static_cast<int>(at - rest.begin()) : -1;
  };
  for (std::size_t first = 0; first < rest.size(); ++first) {
    if (taken[first]) continue;
    ProfileLine part = line;
    part.triangles = {rest[first]};
    taken[first] = 1;
    for (std::size_t at = 0; at < part.triangles.size(); ++at)
      for (int side = 0; side < 3; ++side) {
        const int other = f.neighbour(part.triangles[at], side);
        const int k = other < 0 ? -1 : placeOf(other);
        if (k < 0 || taken[static_cast<std::size_t>(k)]) continue;
        taken[static_cast<std::size_t>(k)] = 1;
        part.triangles.push_back(other);
      }
    lines.push_back(std::move(part));
  }
}

struct Spread {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double mean() const { return count > 0 ? sum / count : 1; }
  double deviation() const {
    return count > 1 ? std::sqrt(std::max(squares / count - mean() * mean(), 0.0)) : 0;
  }
};

/// How corners and facets lie to the line's circles, both as shares of the radius.
void measureFacets(const Facets& f, const Axis& axis, ProfileLine& line) {
  const double step = line.step;
  Spread corners, flats;
  std::vector<int> onRim;
  for (const RimPoint& point : line.rim) {
    onRim.push_back(point.vertex);
    const Vector2d rz = axis.meridian(f.mesh->mesh.vertices[static_cast<std::size_t>(point.vertex)]);
    corners.add(rz.x() / line.radiusAt(rz.y()));
  }
  std::sort(onRim.begin(), onRim.end());
  const auto isOnRim = [&](int v) { return std::binary_search(onRim.begin(), onRim.end(), v); };
  const std::size_t stride = 1 + line.triangles.size() / kChordSamples;
  for (std::size_t i = 0; i < line.triangles.size(); i += stride) {
    const int t = line.triangles[i];
    for (int k = 0; k < 3; ++k) {
      if (!isOnRim(f.vertex(t, k)) || !isOnRim(f.vertex(t, (k + 1) % 3))) continue;
      const Vector3d &p = f.point(t, k), &q = f.point(t, (k + 1) % 3);
      const double width = std::abs(wrapped(axis.azimuth(q) - axis.azimuth(p)));
      const bool isChord =
          width > 0.3 * step && std::abs((q - p).dot(axis.z)) < 0.02 * (q - p).norm() + f.tolerance;
      const Vector2d rz = axis.meridian(0.5 * (p + q));
      if (isChord) flats.add(rz.x() / line.radiusAt(rz.y()));
    }
  }
  line.flatRatio = flats.count > 0 ? std::min(flats.mean() / corners.mean(), 1.0) : std::cos(step / 2);
  const double radius = line.radiusAt(0.5 * (line.low + line.high));
  const double c = corners.deviation() * radius, s = flats.deviation() * radius;
  if (std::max(c, s) > 3e-7 && s > 2 * c) line.rule = FacetRule::vertices;
  if (std::max(c, s) > 3e-7 && c > 2 * s) line.rule = FacetRule::flats;
}

/// Vertices where two facets of the line meet, sorted by azimuth: those on its circle, and not those that a
/// cut left inside a facet, unless `loose`.
std::vector<RimPoint> rimPoints(const Facets& facets, const ProfileLine& line, const Axis& axis, bool loose) {
  struct Seen {
    int vertex;
    double side;  // of the facet's middle from the vertex [rad]
  };
  const double step = line.step;
  std::vector<Seen> seen;
  for (const int t : line.triangles) {
    Vector3d normal = facets.normals[static_cast<std::size_t>(t)];
    if (normal.isZero()) continue;
    if (line.isInner()) normal = -normal;
    const double azimuth = std::atan2(normal.dot(axis.y), normal.dot(axis.x));
    for (int k = 0; k < 3; ++k) {
      const Vector3d& p = facets.point(t, k);
      if (axis.meridian(p).x() > kOnAxis)
        seen.push_back({facets.vertex(t, k), wrapped(azimuth - axis.azimuth(p))});
    }
  }
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return a.vertex != b.vertex ? a.vertex < b.vertex : a.side < b.side;
  });
  std::vector<RimPoint> rim;
  for (std::size_t k = 0; k < seen.size();) {
    std::size_t end = k;
    while (end < seen.size() && seen[end].vertex == seen[k].vertex) ++end;
    const Vector3d& p = facets.mesh->mesh.vertices[static_cast<std::size_t>(seen[k].vertex)];
    const bool fine = axis.meridian(p).x() * (1 - std::cos(step / 2)) < kFine;
    if (loose || fine || (seen[k].side < -0.2 * step && seen[end - 1].side > 0.2 * step))
      rim.push_back({seen[k].vertex, axis.azimuth(p)});
    k = end;
  }
  std::sort(rim.begin(), rim.end(), [](const RimPoint& a, const RimPoint& b) {
    return a.azimuth != b.azimuth ? a.azimuth < b.azimuth : a.vertex < b.vertex;
  });
  return rim;
}

}  // namespace

std::optional<std::vector<ProfileLine>> profileLines(const Facets& facets, const Region& region,
                                                     const Axis& axis, double slack, std::size_t stride) {
  if (region.planar) return std::vector{planeLine(facets, region, axis)};
  std::vector<Shadow> shadows;
  for (std::size_t k = 0; k < region.triangles.size(); k += stride)
    shadows.push_back(shadowOf(facets, region.triangles[k], axis));
  std::stable_sort(shadows.begin(), shadows.end(),
                   [](const Shadow& a, const Shadow& b) { return a.length > b.length; });
  const double halfStep = 0.5 * stepOf(facets, region.triangles, axis);
  std::vector<ProfileLine> lines;
  std::vector<Shadow> rest;
  for (std::size_t found = 0; !shadows.empty(); ++found) {
    const auto seed = std::find_if(shadows.begin(), shadows.end(), [&](const Shadow& s) {
      return !facets.normals[static_cast<std::size_t>(s.triangle)].isZero();
    });
    if (found == kMaxLines || seed == shadows.end() || seed->length <= slack) return std::nullopt;
    ProfileLine line = lineThrough(facets, *seed, axis);
    rest.clear();
    for (const Shadow& s : shadows) {
      const double sagitta = std::max({s.p[0].x(), s.p[1].x(), s.p[2].x()}) * (1 - std::cos(halfStep));
      if (liesOn(s, line, slack, sagitta))
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
    shadows.swap(rest);
  }
  for (ProfileLine& line : lines) {
    line.step = stepOf(facets, line.triangles, axis);
    line.rim = rimPoints(facets, line, axis, stride > 1);
  }
  return lines;
}

void measure(const Facets& facets, const Axis& axis, ProfileLine& line) {
  line.low = std::numeric_limits<double>::infinity();
  line.high = -line.low;
  for (const int t : line.triangles)
    for (int k = 0; k < 3; ++k) {
      const double z = axis.meridian(facets.point(t, k)).y();
      line.low = std::min(line.low, z);
      line.high = std::max(line.high, z);
    }
  if (line.isPlane()) {
    line.coverage = 1;
    line.worst =
        std::max(std::abs(line.n.y() * line.low - line.d), std::abs(line.n.y() * line.high - line.d));
    return;
  }
  const double step = line.step;
  const std::vector<RimPoint>& rim = line.rim;
  Spread off;
  line.worst = 0;
  for (const RimPoint& point : rim) {
    const Vector3d& p = facets.mesh->mesh.vertices[static_cast<std::size_t>(point.vertex)];
    const double e = line.n.dot(axis.meridian(p)) - line.d;
    off.add(e);
    line.worst = std::max(line.worst, std::abs(e));
  }
  line.rms = off.count > 0 ? std::sqrt(off.squares / off.count) : 0;
  // Gaps wider than a facet may be are no part of the circle.
  double open = rim.empty() ? 2 * pi : 0;
  line.facets = 0;
  for (std::size_t k = 0; k < rim.size(); ++k) {
    const double next = k + 1 < rim.size() ? rim[k + 1].azimuth : rim[0].azimuth + 2 * pi;
    const double gap = next - rim[k].azimuth;
    if (gap > 0.2 * step) ++line.facets;
    if (gap > std::max(kWidestGap * step, 0.1)) open += gap;
  }
  line.coverage = 1 - open / (2 * pi);
  measureFacets(facets, axis, line);
}

}  // namespace tenon::content
