// Finds feature and surface by the fit's dimensions.
#include "runtime/assess/insertion_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::runtime {

namespace {

/// Kind of the hole's profile between its points `k` and `k + 1`.
HoleSurface surfaceBelow(std::size_t k, const InsertionFit& fit) {
  constexpr double kSame = 1e-9;  // below any chamfer [m]
  const Eigen::Vector2d &from = fit.hole[k], &to = fit.hole[k + 1];
  const bool flat = std::abs(to.x() - from.x()) <= kSame, straight = std::abs(to.y() - from.y()) <= kSame;
  const bool narrows = to.y() < from.y();
  const bool aboveBore = from.x() < fit.leadInDepth - kSame || (flat && to.x() <= fit.leadInDepth + kSame);
  if (aboveBore && fit.leadInDepth > 0) {
    if (straight || !narrows) return HoleSurface::counterboreWall;
    return flat ? HoleSurface::counterboreFloor : HoleSurface::chamfer;
  }
  if (!straight && narrows) {
    if (to.y() > 0) return HoleSurface::step;
    return flat ? HoleSurface::bottom : HoleSurface::drillPoint;
  }
  return from.y() > fit.boreRadius + kSame || !straight ? HoleSurface::undercut : HoleSurface::boreWall;
}

/// True if the profile is convex at its point `k`; else it is an inner corner.
bool isEdge(std::size_t k, const InsertionFit& fit) {
  if (k == 0) return true;
  if (k + 1 == fit.hole.size()) return fit.through;
  const Eigen::Vector2d in = fit.hole[k] - fit.hole[k - 1], out = fit.hole[k + 1] - fit.hole[k];
  return in.x() * out.y() - in.y() * out.x() > 0;
}

HoleSurface edgeAt(std::size_t k, const InsertionFit& fit) {
  if (k == 0) return HoleSurface::mouthEdge;
  if (k + 1 == fit.hole.size()) return HoleSurface::farEdge;
  const double below = fit.hole[k].x() - fit.leadInDepth;
  if (std::abs(below) <= fit.edgeTolerance() && fit.hole[k].y() <= fit.boreRadius + fit.edgeTolerance())
    return HoleSurface::boreEdge;
  return below < 0 || fit.hole[k].y() > fit.boreRadius ? HoleSurface::counterboreEdge
                                                       : HoleSurface::innerEdge;
}

/// True if `x` is between `a` and `b`, or within `near` of them.
bool isBetween(double x, double a, double b, double near) {
  return x >= std::min(a, b) - near && x <= std::max(a, b) + near;
}

}  // namespace

PartFeature featureAt(const InsertionContactPoint& point, const InsertionFit& fit) {
  if (!(fit.pegRadius > 0)) return PartFeature::unnamed;
  const double near = fit.edgeTolerance();
  if (point.behind >= fit.head - near && point.radius > fit.pegRadius + near) return PartFeature::head;
  if (point.behind <= near && fit.tipRadius > near)
    return point.radius >= fit.tipRadius - near ? PartFeature::tipEdge : PartFeature::tipFace;
  if (fit.tipLength > near) {
    if (point.behind < fit.tipLength - near)
      return fit.roundTip ? PartFeature::roundTip : PartFeature::tipChamfer;
    if (point.behind <= fit.tipLength + near) return PartFeature::tipShoulder;
  }
  return PartFeature::shank;
}

HoleSurface surfaceAt(const InsertionContactPoint& point, const InsertionFit& fit) {
  if (!(fit.boreRadius > 0)) return HoleSurface::unnamed;
  const double near = fit.edgeTolerance();
  const double depth = -point.p_H.z(), radius = point.p_H.head<2>().norm();
  const bool outside = radius > fit.mouthRadius() + near;
  double widest = 0;
  for (const Eigen::Vector2d& at : fit.hole) widest = std::max(widest, at.y());
  if (depth < -near || (depth > near && radius > widest + near)) return HoleSurface::unnamed;
  if (depth <= near && outside) return HoleSurface::mouthFace;
  // An edge, if one is at this depth and no flat surface.
  HoleSurface surface = HoleSurface::unnamed;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < fit.hole.size(); ++k) {
    const double off = std::abs(radius - fit.hole[k].y());
    if (!isEdge(k, fit) || std::abs(depth - fit.hole[k].x()) > near || off >= nearest) continue;
    nearest = off;
    surface = edgeAt(k, fit);
  }
  // Normal forces of a flat surface are along the axis, those of a wall need not be; of two walls, the
  // nearer.
  const bool upwards = point.n_H.z() > 0.5;
  for (std::size_t k = 0; k + 1 < fit.hole.size(); ++k) {
    const Eigen::Vector2d &from = fit.hole[k], &to = fit.hole[k + 1];
    if (!isBetween(depth, from.x(), to.x(), near)) continue;
    const bool flat = std::abs(to.x() - from.x()) <= near;
    if (flat && (!upwards || !isBetween(radius, from.y(), to.y(), 0))) continue;
    const double t = flat ? 0 : std::clamp((depth - from.x()) / (to.x() - from.x()), 0.0, 1.0);
    const double off = flat ? 0 : std::abs(radius - from.y() - t * (to.y() - from.y()));
    if (off >= nearest - near) continue;
    nearest = off;
    surface = surfaceBelow(k, fit);
  }
  return surface;
}

bool isFlat(HoleSurface surface) {
  return surface == HoleSurface::mouthFace || surface == HoleSurface::counterboreFloor ||
         surface == HoleSurface::step || surface == HoleSurface::bottom;
}

std::string_view toText(PartFeature feature) {
  switch (feature) {
    case PartFeature::tipFace:
      return "tip face";
    case PartFeature::tipEdge:
      return "tip edge";
    case PartFeature::tipChamfer:
      return "tip chamfer";
    case PartFeature::roundTip:
      return "round tip";
    case PartFeature::tipShoulder:
      return "edge behind the tip chamfer";
    case PartFeature::shank:
      return "shank";
    case PartFeature::head:
      return "head";
    case PartFeature::unnamed:
      return "part";
  }
  return "";
}

std::string_view toText(HoleSurface surface) {
  switch (surface) {
    case HoleSurface::mouthFace:
      return "mouth face";
    case HoleSurface::mouthEdge:
      return "mouth edge";
    case HoleSurface::chamfer:
      return "chamfer";
    case HoleSurface::counterboreWall:
      return "counterbore wall";
    case HoleSurface::counterboreFloor:
      return "counterbore floor";
    case HoleSurface::counterboreEdge:
      return "counterbore edge";
    case HoleSurface::boreEdge:
      return "bore edge";
    case HoleSurface::boreWall:
      return "bore wall";
    case HoleSurface::undercut:
      return "undercut";
    case HoleSurface::innerEdge:
      return "edge inside the bore";
    case HoleSurface::step:
      return "step in the bore";
    case HoleSurface::drillPoint:
      return "drill point";
    case HoleSurface::bottom:
      return "bottom";
    case HoleSurface::farEdge:
      return "far edge of the bore";
    case HoleSurface::wall:
      return "wall";
    case HoleSurface::inclinedFace:
      return "inclined face";
    case HoleSurface::acrossFace:
      return "face across";
    case HoleSurface::unnamed:
      return "hole's part";
  }
  return "";
}

}  // namespace tenon::runtime
