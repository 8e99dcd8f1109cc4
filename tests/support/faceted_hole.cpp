// Distances to the hole's facets one by one; extremes along circles and edges by sampling and golden
// section.
#include "tests/support/faceted_hole.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/golden_section.h"
#include "tests/support/solid.h"

namespace tenon::tests {
namespace {

using namespace physics;
using Eigen::Vector2d;

constexpr double kPi = std::numbers::pi;

// Distance of p to the triangle a, b, c: to its plane where p is above it, else to its sides.
double distanceToTriangle(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d n = (b - a).cross(c - a);
  const Vector3d corners[3] = {a, b, c};
  bool above = n.squaredNorm() > 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vector3d &u = corners[k], d = corners[(k + 1) % 3] - u;
    if (n.cross(d).dot(p - u) < 0) above = false;
    const double t = d.squaredNorm() > 0 ? std::clamp((p - u).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (p - u - t * d).norm());
  }
  return above ? std::abs(n.normalized().dot(p - a)) : nearest;
}

double chamferSlope(const RoundHole& hole) {
  return hole.chamferDepth > 0 ? hole.chamferWidth / hole.chamferDepth : 0;
}

double floorOf(const FacetedBlock& block, const RoundHole& hole) {
  return std::max(-block.halfExtents.z(), block.halfExtents.z() - hole.depth);
}

// One hole seen from its axis.
struct Facets {
  const FacetedBlock& block;
  const RoundHole& hole;

  double step() const { return 2 * kPi / block.sectors; }
  double top() const { return block.halfExtents.z(); }
  double foot() const { return top() - hole.chamferDepth; }

  // The facet whose direction is nearest to that of q, and q's distance along that direction.
  int facetOf(const Vector2d& q) const {
    return static_cast<int>(std::lround(std::atan2(q.y(), q.x()) / step()));
  }
  Vector2d normal(int k) const { return {std::cos(step() * k), std::sin(step() * k)}; }

  bool isInHole(const Vector3d& p) const {
    const Vector2d q = p.head<2>() - hole.center;
    if (p.z() > top() || p.z() < floorOf(block, hole)) return false;
    const double radius = hole.radius + std::max(0.0, (p.z() - foot()) * chamferSlope(hole));
    return q.dot(normal(facetOf(q))) <= radius;
  }

  // Distance to the four-sided facet between two levels.
  double toFacet(int k, const Vector3d& p, double r0, double z0, double r1, double z1) const {
    const double toCorner = 1 / std::cos(step() / 2);
    const auto corner = [&](double r, double z, double side) {
      const double angle = step() * (k + 0.5 * side);
      return Vector3d(hole.center.x() + r * toCorner * std::cos(angle),
                      hole.center.y() + r * toCorner * std::sin(angle), z);
    };
    const Vector3d a = corner(r0, z0, -1), b = corner(r0, z0, 1), c = corner(r1, z1, 1),
                   d = corner(r1, z1, -1);
    return std::min(distanceToTriangle(p, a, b, c), distanceToTriangle(p, a, c, d));
  }

  // From a point of the material.
  double distance(const Vector3d& p) const {
    const Vector2d q = p.head<2>() - hole.center;
    const int nearest = facetOf(q);
    const double low = floorOf(block, hole);
    double result = std::numeric_limits<double>::infinity();
    for (int k = nearest - 1; k <= nearest + 1; ++k) {
      result = std::min(result, toFacet(k, p, hole.radius, low, hole.radius, foot()));
      if (hole.chamferDepth > 0) {
        result = std::min(result, toFacet(k, p, hole.radius, foot(), hole.radius + hole.chamferWidth, top()));
      }
    }
    if (q.dot(normal(nearest)) <= hole.radius && p.z() < low) result = std::min(result, low - p.z());
    return result;
  }
};

// Samples f at evenly spaced places and refines every peak that could be the greatest.
template <class F>
double greatest(F&& f, double low, double high, int samples) {
  std::vector<double> value(static_cast<std::size_t>(samples) + 1);
  const double h = (high - low) / samples;
  for (int k = 0; k <= samples; ++k) value[static_cast<std::size_t>(k)] = f(low + k * h);
  double best = *std::max_element(value.begin(), value.end());
  for (int k = 0; k <= samples; ++k) {
    const double here = value[static_cast<std::size_t>(k)];
    const double before = k > 0 ? value[static_cast<std::size_t>(k) - 1] : here;
    const double after = k < samples ? value[static_cast<std::size_t>(k) + 1] : here;
    if (here < before || here < after || here <= 0) continue;
    best = std::max(best, test::greatestBetween(low + std::max(0, k - 1) * h,
                                                low + std::min(samples, k + 1) * h, 1e-12, f));
  }
  return best;
}

// True where a circle cannot reach the material: above or below the block, or well within a hole.
bool isClear(const FacetedBlock& block, const Vector3d& center, const Vector3d& axis, double radius) {
  const double rise = radius * std::hypot(axis.x(), axis.y());
  const double h = block.halfExtents.z();
  if (center.z() - rise >= h || center.z() + rise <= -h) return true;
  return std::any_of(block.holes.begin(), block.holes.end(), [&](const RoundHole& hole) {
    const double out = (center.head<2>() - hole.center).norm() + radius;
    const bool aboveFloor = hole.depth >= 2 * h || center.z() - rise >= floorOf(block, hole);
    return out <= hole.radius && aboveFloor;
  });
}

double rimInBlock(const FacetedBlock& block, const Vector3d& center, const Vector3d& axis, double radius) {
  if (isClear(block, center, axis, radius)) return 0;
  const Vector3d u = axis.unitOrthogonal(), v = axis.cross(u);
  const auto depth = [&](double phase) {
    return depthInBlock(block, center + radius * (std::cos(phase) * u + std::sin(phase) * v));
  };
  if (radius == 0) return depth(0);
  // The deepest phase against each facet's plane is known; the rest by sampling.
  double best = greatest(depth, 0, 2 * kPi, 4 * block.sectors);
  for (int k = 0; k < block.sectors && !block.holes.empty(); ++k) {
    const double angle = 2 * kPi * k / block.sectors;
    const Vector3d n(std::cos(angle), std::sin(angle), 0);
    best = std::max(best, depth(std::atan2(n.dot(v), n.dot(u))));
  }
  return best;
}

double edgeInPeg(const std::vector<ProfilePoint>& profile, const Vector3d& a, const Vector3d& b) {
  const auto depth = [&](double t) { return depthInPeg(profile, a + t * (b - a)); };
  const double length = (b - a).norm();
  if (depth(0.5) < -length / 2) return 0;
  return std::max(0.0, greatest(depth, 0, 1, length > 2e-3 ? 200 : 6));
}

// `X`: the block's frame in the peg's.
double ringInPeg(const FacetedBlock& block, const RoundHole& hole, double radius, double z,
                 const std::vector<ProfilePoint>& profile, const Pose& X) {
  const double r = radius / std::cos(kPi / block.sectors);
  double best = 0;
  const auto corner = [&](int k) {
    const double angle = 2 * kPi / block.sectors * (k + 0.5);
    return X * Vector3d(hole.center.x() + r * std::cos(angle), hole.center.y() + r * std::sin(angle), z);
  };
  for (int k = 0; k < block.sectors; ++k) best = std::max(best, edgeInPeg(profile, corner(k), corner(k + 1)));
  return best;
}

double outsideEdgesInPeg(const FacetedBlock& block, const std::vector<ProfilePoint>& profile, const Pose& X) {
  double best = 0;
  for (const auto& [a, b] : boxEdges(block.halfExtents))
    best = std::max(best, edgeInPeg(profile, X * a, X * b));
  return best;
}

}  // namespace

double depthInBlock(const FacetedBlock& block, const Vector3d& p) {
  double depth = (block.halfExtents - p.cwiseAbs()).minCoeff();
  if (depth <= 0) return 0;
  for (const RoundHole& hole : block.holes) {
    const Facets facets{block, hole};
    if (facets.isInHole(p)) return 0;
    const double reach = hole.radius + hole.chamferWidth + depth;
    if ((p.head<2>() - hole.center).norm() > 2 * reach) continue;
    depth = std::min(depth, facets.distance(p));
  }
  return depth;
}

double depthInPeg(const std::vector<ProfilePoint>& profile, const Vector3d& p) {
  const Vector2d q(std::hypot(p.x(), p.y()), p.z());
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = false;
  const auto side = [&](const Vector2d& a, const Vector2d& b) {
    const Vector2d d = b - a;
    const double t = d.squaredNorm() > 0 ? std::clamp((q - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    nearest = std::min(nearest, (q - a - t * d).norm());
  };
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
    const Vector2d a(profile[k].r, profile[k].z), b(profile[k + 1].r, profile[k + 1].z);
    side(a, b);
    if (q.y() < a.y() || q.y() > b.y() || a.y() == b.y()) continue;
    const double r = a.x() + (q.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
    inside = inside || q.x() <= r;
  }
  side({0, profile.front().z}, {profile.front().r, profile.front().z});
  side({0, profile.back().z}, {profile.back().r, profile.back().z});
  return inside ? nearest : -nearest;
}

double penetration(const FacetedBlock& block, const Pose& X_WB, const std::vector<ProfilePoint>& profile,
                   const Pose& X_WP) {
  const Pose X_BP = X_WB.inverse() * X_WP, X_PB = X_BP.inverse();
  const Vector3d axis = X_BP.q * Vector3d::UnitZ();
  double best = outsideEdgesInPeg(block, profile, X_PB);
  for (const ProfilePoint& point : profile) {
    best = std::max(best, rimInBlock(block, X_BP * Vector3d(0, 0, point.z), axis, point.r));
  }
  for (const RoundHole& hole : block.holes) {
    const double h = block.halfExtents.z();
    best = std::max(best, ringInPeg(block, hole, hole.radius + hole.chamferWidth, h, profile, X_PB));
    if (hole.chamferDepth > 0) {
      best = std::max(best, ringInPeg(block, hole, hole.radius, h - hole.chamferDepth, profile, X_PB));
    }
    if (hole.depth >= 2 * h * (1 - 1e-12)) {
      best = std::max(best, ringInPeg(block, hole, hole.radius, -h, profile, X_PB));
    }
  }
  return best;
}

}  // namespace tenon::tests
