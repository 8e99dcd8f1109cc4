// See implied_contacts.h.
#include "physics/contact/implied_contacts.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "physics/math/planar.h"

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

/// Corners lie in one face if their distances from the plane are linear in their places to this [m].
constexpr double kFlat = 1e-12;
/// A corner this near the line between two others is no corner of the hull [m]: its distance from the plane
/// differs from those of the line by less than that.
constexpr double kOnLine = 1e-10;
/// Fewer corners have none inside of a hull.
constexpr std::size_t kFewest = 3;

struct Corner {
  Vector2d at = Vector2d::Zero();  // in the plane [m]
  double separation = 0;           // [m]
  std::size_t index = 0;           // of the contact
};

/// True if the distances of all corners are a linear function of their places.
bool areFlat(std::span<const Corner> corners) {
  const Corner& o = corners.front();
  const auto farthest = [&](const auto& measure) {
    return *std::max_element(corners.begin(), corners.end(),
                             [&](const Corner& a, const Corner& b) { return measure(a) < measure(b); });
  };
  const Corner one = farthest([&](const Corner& c) { return (c.at - o.at).squaredNorm(); });
  const Vector2d x = one.at - o.at;
  if (!(x.norm() > kOnLine)) return false;
  const Corner two = farthest([&](const Corner& c) { return std::abs(cross(x, c.at - o.at)); });
  const Vector2d y = two.at - o.at;
  const double area = cross(x, y);
  const bool isLine = std::abs(area) <= kOnLine * x.norm();
  return std::all_of(corners.begin(), corners.end(), [&](const Corner& c) {
    const Vector2d d = c.at - o.at;
    const double s = isLine ? d.dot(x) / x.squaredNorm() : cross(d, y) / area;
    const double t = isLine ? 0 : cross(x, d) / area;
    const double expected =
        o.separation + s * (one.separation - o.separation) + t * (two.separation - o.separation);
    return std::abs(c.separation - expected) <= kFlat;
  });
}

/// True if the corner `at` lies outside of the line from one corner of a hull to the next.
bool isOutside(const Corner& at, const Corner& from, const Corner& to) {
  const Vector2d along = to.at - from.at;
  return cross(along, at.at - from.at) < -kOnLine * along.norm();
}

/// The convex hull of corners that are sorted by their places (A. M. Andrew, Another efficient algorithm for
/// convex hulls in two dimensions, 1979).
void findHull(std::span<const Corner> corners, std::vector<Corner>& hull) {
  hull.clear();
  const auto addChain = [&](auto next, auto end) {
    const std::size_t first = hull.size();
    for (; next != end; ++next) {
      while (hull.size() > first + 1 && !isOutside(hull.back(), hull[hull.size() - 2], *next))
        hull.pop_back();
      hull.push_back(*next);
    }
    hull.pop_back();  // where the other chain begins
  };
  addChain(corners.begin(), corners.end());
  addChain(corners.rbegin(), corners.rend());
  // The ends of both are extreme by rounding only, where several corners lie on a side across their order.
  const auto count = [&] { return hull.size(); };
  for (std::size_t k = 0; k < count() && count() > 2;) {
    const Corner &from = hull[(k + count() - 1) % count()], &to = hull[(k + 1) % count()];
    if (isOutside(hull[k], from, to))
      ++k;
    else
      hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

}  // namespace

void removeImplied(ContactSet& contacts, std::vector<double>& compliance,
                   std::span<const std::uint64_t> kept) {
  // Buffers of one call: only their capacity is reused.
  thread_local std::vector<std::size_t> order;
  thread_local std::vector<Corner> corners, hull;
  thread_local std::vector<char> isNeeded;
  order.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (contacts[k].isCorner && compliance[k] == 0 && contacts[k].n.allFinite()) order.push_back(k);
  if (order.size() < kFewest) return;
  const auto normalOf = [&](std::size_t k) {
    const Vector3d& n = contacts[k].n;
    return std::tuple(n.x(), n.y(), n.z());
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(normalOf(a), a) < std::tuple(normalOf(b), b);
  });
  isNeeded.assign(contacts.size(), 1);
  for (auto first = order.begin(); first != order.end();) {
    const auto last =
        std::find_if(first + 1, order.end(), [&](std::size_t k) { return normalOf(k) != normalOf(*first); });
    corners.clear();
    const Vector3d n = contacts[*first].n, p = contacts[*first].p, x = n.unitOrthogonal(), y = n.cross(x);
    for (auto k = first; k != last; ++k) {
      const Vector3d d = contacts[*k].p - p;
      corners.push_back({{x.dot(d), y.dot(d)}, contacts[*k].separation, *k});
    }
    if (corners.size() >= kFewest && areFlat(corners)) {
      std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
        return std::tuple(a.at.x(), a.at.y(), a.index) < std::tuple(b.at.x(), b.at.y(), b.index);
      });
      for (const Corner& c : corners)
        isNeeded[c.index] = std::binary_search(kept.begin(), kept.end(), contacts[c.index].feature) ? 1 : 0;
      findHull(corners, hull);
      for (const Corner& c : hull) isNeeded[c.index] = 1;
    }
    first = last;
  }
  std::size_t rest = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (isNeeded[k] == 0) continue;
    contacts[rest] = contacts[k];
    compliance[rest++] = compliance[k];
  }
  contacts.resize(rest);
  compliance.resize(rest);
}

}  // namespace tenon::physics
