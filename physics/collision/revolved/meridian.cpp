// Signed distances in the half-plane of a meridian.
#include "physics/collision/revolved/meridian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/math/planar.h"

namespace tenon::physics {
namespace {

Vector2d mirrored(const Vector2d& n) {
  return {-n.x(), n.y()};
}

void addSegments(const std::vector<Vector2d>& profile, Meridian& meridian) {
  for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
    const Vector2d a(profile[i].y(), profile[i].x()), b(profile[i + 1].y(), profile[i + 1].x());
    const Vector2d d = (b - a).normalized();
    meridian.segments.push_back({a, d, {d.y(), -d.x()}, (b - a).norm()});
  }
}

// A left turn is convex, as the material is on the left; turns below this are straight [rad].
constexpr double kStraight = 1e-9;

void addVertices(const std::vector<Vector2d>& profile, Meridian& meridian) {
  const auto& s = meridian.segments;
  for (std::size_t i = 0; i < profile.size() - (meridian.closed ? 1 : 0); ++i) {
    const Vector2d at(profile[i].y(), profile[i].x());
    if (meridian.closed) {
      const Vector2d into = s[i > 0 ? i - 1 : s.size() - 1].normal;
      meridian.vertices.push_back({at, into, s[i].normal, cross(into, s[i].normal) > kStraight});
      continue;
    }
    const Vector2d first = meridian.startsOnFace ? Vector2d(0, 1) : mirrored(s.front().normal);
    const Vector2d last = meridian.endsOnFace ? Vector2d(0, -1) : mirrored(s.back().normal);
    const Vector2d before = i == 0 ? first : s[i - 1].normal;
    const Vector2d after = i == s.size() ? last : s[i].normal;
    meridian.vertices.push_back({at, before, after, cross(before, after) > kStraight});
  }
}

Meridian build(const std::vector<Vector2d>& profile, bool startsOnFace, bool endsOnFace) {
  Meridian meridian;
  meridian.startsOnFace = startsOnFace;
  meridian.endsOnFace = endsOnFace;
  meridian.closed = profile.front() == profile.back() && profile.front().y() > 0;
  addSegments(profile, meridian);
  addVertices(profile, meridian);
  meridian.bottom = meridian.top = profile.front().x();
  for (const Vector2d& p : profile) {
    meridian.radius = std::max(meridian.radius, p.y());
    meridian.bottom = std::min(meridian.bottom, p.x());
    meridian.top = std::max(meridian.top, p.x());
  }
  return meridian;
}

MeridianHit hitOnVertex(const Meridian& meridian, int index, const Vector2d& p) {
  const Meridian::Vertex& v = meridian.vertices[static_cast<std::size_t>(index)];
  const Vector2d w = p - v.at, bisector = v.before + v.after;
  const double d = w.norm();
  // The point lies in the cone of the two normals or in the opposite cone. The bisector decides which; for
  // edges sharper than 90° it is short, and the convexity of the edge is the more robust sign.
  const bool blunt = v.before.dot(v.after) > 0;
  const bool outside = blunt ? bisector.dot(w) >= 0 : v.convex;
  const double sign = outside ? 1 : -1;
  if (d > kMinDirectionLength) return {sign * d, sign / d * w, index, true, true};
  const double b = bisector.norm();
  const Vector2d n = b > 0 ? Vector2d(bisector / b) : v.before;
  return {sign * d, n, index, true, true};
}

}  // namespace

Meridian solidMeridian(const std::vector<Vector2d>& profile) {
  return build(profile, false, false);
}

Meridian cavityMeridian(const std::vector<Vector2d>& profile, bool through) {
  return build(profile, true, through);
}

MeridianHit nearestOn(const Meridian& meridian, double rho, double z) {
  const Vector2d p(rho, z);
  const int n = static_cast<int>(meridian.segments.size());
  double best = std::numeric_limits<double>::infinity(), side = 0;
  int segment = -1, vertex = -1;
  // A vertex can be the closest point only if p is beyond the ends of both its segments (on the axis: of the
  // segment and its mirror image, which is equivalent). Testing both prevents a wrong sign from rounding.
  bool beyond = !meridian.startsOnFace || rho < meridian.vertices.front().at.x();
  if (meridian.closed) {
    const Meridian::Segment& last = meridian.segments.back();
    beyond = (p - last.start).dot(last.direction) > last.length;
  }
  for (int i = 0; i < n; ++i) {
    const Meridian::Segment& s = meridian.segments[static_cast<std::size_t>(i)];
    const Vector2d w = p - s.start;
    const double t = w.dot(s.direction);
    if (t < 0) {
      const double d2 = w.squaredNorm();
      if (beyond && d2 < best) best = d2, vertex = i, segment = -1;
      beyond = false;
    } else if (t <= s.length) {
      const double d = w.dot(s.normal);
      if (d * d < best) best = d * d, side = d, segment = i, vertex = -1;
      beyond = false;
    } else {
      beyond = true;
    }
  }
  if (beyond && !meridian.closed && (!meridian.endsOnFace || rho < meridian.vertices.back().at.x())) {
    const double d2 = (p - meridian.vertices.back().at).squaredNorm();
    if (d2 < best) vertex = n, segment = -1;
  }
  if (vertex >= 0) return hitOnVertex(meridian, vertex, p);
  if (segment < 0) return {};
  const auto i = static_cast<std::size_t>(segment);
  const Meridian::Segment& s = meridian.segments[i];
  MeridianHit hit{side, s.normal, segment, false, true};
  const double t = (p - s.start).dot(s.direction);
  if (meridian.vertices[i].convex) hit.edgeDistance = t;
  const std::size_t next = meridian.closed && segment + 1 == n ? 0 : i + 1;
  if (meridian.vertices[next].convex) hit.edgeDistance = std::min(hit.edgeDistance, s.length - t);
  return hit;
}

}  // namespace tenon::physics
