// See socket_rotation.h. Two walls can lie on one another only if they are equally far from the axis. Each
// such pair votes for one angle, so that the votes for an angle bound the number of its pairs: only angles
// with enough votes are compared face by face.
#include "content/reader/socket_rotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <tuple>
#include <vector>

#include "content/reader/mating_walls.h"
#include "content/recognize/conforming_faces.h"

namespace tenon::content {

namespace {

using physics::BoundarySolid;
using physics::SurfaceKind;

/// Angles that differ by less are equally near to the start [rad].
constexpr double kRounding = 1e-9;

/// A plane parallel to the axis, or a cylinder parallel to it and beside it.
struct AxialWall {
  int face = -1;
  SurfaceKind kind = SurfaceKind::plane;
  double radius = 0;         ///< of a cylinder; positive: of a bore [m]
  double distance = 0;       ///< of the plane or of the cylinder's axis from the axis [m]
  double angle = 0;          ///< of the direction of that distance about the axis [rad]
  double low = 0, high = 0;  ///< range along the axis [m]
};

/// An axis with directions across it.
struct InsertionAxis {
  Vector3d p, z, x, y;
};

/// `sign`: −1 for the faces on which others lie, so that both have the same angle, distance and radius.
std::vector<AxialWall> axialWalls(const BoundarySolid& solid, const std::vector<SolidFace>& faces,
                                  const Pose& X, const InsertionAxis& axis, double sign) {
  constexpr double kParallel = 1e-5;  // sine
  std::vector<AxialWall> walls;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const physics::Surface& surface = faces[f].surface;
    AxialWall wall;
    wall.face = static_cast<int>(f);
    wall.kind = surface.kind;
    const Vector3d z = X.q * surface.X_BS.R.col(2), fromAxis = X * surface.X_BS.p - axis.p;
    Vector3d out = fromAxis - axis.z.dot(fromAxis) * axis.z;
    if (surface.kind == SurfaceKind::plane && std::abs(z.dot(axis.z)) < kParallel) {
      out = sign * surface.side * z;
      wall.distance = out.dot(fromAxis);
    } else if (surface.kind == SurfaceKind::cylinder && z.cross(axis.z).norm() < kParallel &&
               out.norm() > kOnWall) {
      wall.distance = out.norm();
      wall.radius = sign * surface.side * surface.radius;
    } else {
      continue;
    }
    wall.angle = std::atan2(axis.y.dot(out), axis.x.dot(out));
    wall.low = HUGE_VAL;
    wall.high = -HUGE_VAL;
    for (const int t : faces[f].triangles)
      for (const int v : solid.triangles[asIndex(t)]) {
        const double height = axis.z.dot(X * solid.vertices[asIndex(v)] - axis.p);
        wall.low = std::min(wall.low, height);
        wall.high = std::max(wall.high, height);
      }
    walls.push_back(wall);
  }
  std::stable_sort(walls.begin(), walls.end(), [](const AxialWall& a, const AxialWall& b) {
    return std::tie(a.kind, a.distance) < std::tie(b.kind, b.distance);
  });
  return walls;
}

/// The rotations that lay one wall on another one [rad, −π to π], ascending; empty if there are too many.
std::optional<std::vector<double>> anglesOfPairs(const std::vector<AxialWall>& into,
                                                 const std::vector<AxialWall>& part) {
  constexpr std::size_t kMaxPairs = 20'000'000;
  std::vector<double> angles;
  for (const AxialWall& own : part) {
    auto wall = std::lower_bound(into.begin(), into.end(), own, [](const AxialWall& a, const AxialWall& b) {
      return std::pair(a.kind, a.distance) < std::pair(b.kind, b.distance - kOnWall);
    });
    for (; wall != into.end() && wall->kind == own.kind && wall->distance <= own.distance + kOnWall; ++wall) {
      if (std::abs(wall->radius - own.radius) > kOnWall || wall->low > own.high || own.low > wall->high)
        continue;
      if (angles.size() == kMaxPairs) return std::nullopt;
      angles.push_back(std::remainder(wall->angle - own.angle, 2 * std::numbers::pi));
    }
  }
  std::sort(angles.begin(), angles.end());
  return angles;
}

struct Rotation {
  double angle = 0;       ///< [rad]
  std::size_t votes = 0;  ///< pairs of walls that it may lay on one another
};

/// Equal angles united, those with the most votes first, then the nearest to 0.
std::vector<Rotation> candidatesOf(const std::vector<double>& angles) {
  constexpr double kSameAngle = 1e-6;  // [rad]
  std::vector<Rotation> candidates;
  for (std::size_t k = 0; k < angles.size();) {
    std::size_t end = k + 1;
    while (end < angles.size() && angles[end] - angles[end - 1] < kSameAngle) ++end;
    candidates.push_back({angles[k + (end - k) / 2], end - k});
    k = end;
  }
  if (candidates.size() > 1 && angles.front() + 2 * std::numbers::pi - angles.back() < kSameAngle) {
    candidates.back().votes += candidates.front().votes;
    candidates.erase(candidates.begin());
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Rotation& a, const Rotation& b) {
    const auto nearness = [](double angle) {
      return std::pair(std::llround(std::abs(angle) / kRounding), -angle);
    };
    return std::pair(b.votes, nearness(a.angle)) < std::pair(a.votes, nearness(b.angle));
  });
  return candidates;
}

}  // namespace

Pose poseInSocket(const FitRequest& request, const BoundarySolid& part, const BoundarySolid& into,
                  const Scene& scene) {
  const Goal& goal = scene.goals[asIndex(request.goal)];
  const AxisFeature& feature = scene.part(goal.part).features[asIndex(goal.feature)];
  const Vector3d out = goal.X_IH.q * Vector3d::UnitZ();
  const Eigen::Quaterniond start = scene.part(goal.into).X_WP.q.conjugate() * scene.part(goal.part).X_WP.q;
  const Eigen::Quaterniond upright =
      (physics::shortestRotation(start * feature.direction, -out) * start).normalized();
  const auto poseAt = [&](double angle) {
    Pose X;
    X.q = (Eigen::Quaterniond(Eigen::AngleAxisd(angle, out)) * upright).normalized();
    X.p = goal.X_IH * Vector3d(0, 0, -goal.depth) - X.q * feature.origin;
    return X;
  };
  const Vector3d x = out.unitOrthogonal();
  const InsertionAxis axis{goal.X_IH.p, out, x, out.cross(x)};
  const std::vector<SolidFace> intoFaces = facesOf(into), partFaces = facesOf(part);
  const std::vector<AxialWall> intoWalls = axialWalls(into, intoFaces, {}, axis, -1),
                               partWalls = axialWalls(part, partFaces, poseAt(0), axis, 1);
  const auto angles = anglesOfPairs(intoWalls, partWalls);
  if (!angles)
    request.at.fail("is for walls of too many faces to find how the part is rotated in the opening",
                    "give the goal a \"pose\", or draw the clearance and remove \"fit\"");
  std::vector<char> isAxial(intoFaces.size(), 0);
  for (const AxialWall& wall : intoWalls) isAxial[asIndex(wall.face)] = 1;
  double best = 0, least = HUGE_VAL;
  std::size_t most = 0;
  for (const auto& [angle, votes] : candidatesOf(*angles)) {
    if (votes < most) break;
    if (votes == most && !(std::abs(angle) < least - kRounding)) continue;
    const auto pairs = conformingFaces(intoFaces, partFaces, poseAt(angle), kOnWall);
    const auto count =
        static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), [&](const ConformingFaces& pair) {
          return isAxial[asIndex(pair.a)] != 0;
        }));
    if (count < most || count == 0 || (count == most && !(std::abs(angle) < least - kRounding))) continue;
    most = count;
    best = angle;
    least = std::abs(angle);
  }
  return poseAt(best);
}

}  // namespace tenon::content
