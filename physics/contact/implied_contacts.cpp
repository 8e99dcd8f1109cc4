// See implied_contacts.h.
#include "physics/contact/implied_contacts.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace tenon::physics {
namespace {

using Eigen::Vector2d;

/// Corners lie in one face if their distances from the plane are linear in their places to this [m].
constexpr double kFlat = 1e-12;
/// A corner this near the line between two others is no corner of the hull [m]: at the tilt at which all are
/// within the range its distance differs by less than a thousandth of that.
constexpr double kOnLine = 1e-10;
/// Fewer corners have none inside of a hull.
constexpr std::size_t kFewest = 3;

struct Corner {
  Vector2d at = Vector2d::Zero();  // in the plane [m]
  double separation = 0;           // [m]
  std::size_t index = 0;           // of the contact
};

double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

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

/// Marks the corners of the convex hull (A. M. Andrew, Another efficient algorithm for convex hulls in two
/// dimensions, 1979); the corners are sorted by their places.
void markHull(std::span<const Corner> corners, std::vector<std::size_t>& chain, std::vector<char>& isNeeded) {
  const auto keep = [&](std::size_t next) {
    const auto at = [&](std::size_t k) { return corners[k].at; };
    while (chain.size() > 1) {
      const Vector2d from = at(chain[chain.size() - 2]), along = at(next) - from;
      if (cross(along, at(chain.back()) - from) < -kOnLine * along.norm()) break;
      chain.pop_back();
    }
    chain.push_back(next);
  };
  for (const bool isUpper : {false, true}) {
    chain.clear();
    for (std::size_t k = 0; k < corners.size(); ++k) keep(isUpper ? corners.size() - 1 - k : k);
    for (const std::size_t k : chain) isNeeded[corners[k].index] = 1;
  }
}

}  // namespace

void removeImplied(ContactSet& contacts, std::vector<double>& compliance) {
  // Buffers of one call: only their capacity is reused.
  thread_local std::vector<std::size_t> order, chain;
  thread_local std::vector<Corner> corners;
  thread_local std::vector<char> isNeeded;
  order.clear();
  for (std::size_t k = 0; k < contacts.size(); ++k)
    if (contacts[k].isCorner && compliance[k] == 0) order.push_back(k);
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
        std::find_if(first, order.end(), [&](std::size_t k) { return normalOf(k) != normalOf(*first); });
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
      for (const Corner& c : corners) isNeeded[c.index] = 0;
      markHull(corners, chain, isNeeded);
    }
    first = last;
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (isNeeded[k] == 0) continue;
    contacts[kept] = contacts[k];
    compliance[kept++] = compliance[k];
  }
  contacts.resize(kept);
  compliance.resize(kept);
}

}  // namespace tenon::physics
