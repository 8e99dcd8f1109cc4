// Minima along a curve of its distance to a patch of a free-form surface, where the curve is near it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/curve_search.h"
#include "physics/collision/brep/face_minima.h"
#include "physics/collision/brep/freeform.h"

namespace tenon::physics::brep {

/// What is near a patch.
struct NearPatch {
  double range = 0;  ///< largest value that is a minimum [m]
  double above = 0;  ///< largest signed distance of its place on the curve from the patch [m]
  double reach = 0;  ///< largest distance of that place from the patch, on either side of it [m]
  /// By how much a normal of the patch may tilt from the plane across the curve at a minimum, as the sides of
  /// a cone do [rad]: the value then also changes by its sine along the curve.
  double lean = 0;
  /// Unit; at a minimum the inward normal of the patch is within `facingAngle` of it [rad].
  Vector3d facing = Vector3d::UnitZ();
  double facingAngle = std::numbers::pi;
};

/// Narrows the range of a line's parameter to a box [m]; false if nothing is left.
inline bool clipToBox(const Vector3d& from, const Vector3d& d, const Vector3d& low, const Vector3d& high,
                      std::array<double, 2>& range) {
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (d[k] == 0) {
      if (low[k] > from[k] || high[k] < from[k]) return false;
      continue;
    }
    const double a = (low[k] - from[k]) / d[k], b = (high[k] - from[k]) / d[k];
    range[0] = std::max(range[0], std::min(a, b));
    range[1] = std::min(range[1], std::max(a, b));
  }
  return range[0] < range[1];
}

/// Adds the parameters of a line, of those in `range`, where it may be at the end of a normal of a cell, at
/// most `deepest` below it [m], to `all`.
inline void includeNear(const Curve& line, const PatchCell& cell, double side, double above, double deepest,
                        const std::array<double, 2>& range, std::array<double, 2>& all) {
  const Vector3d from = cell.axes.transpose() * (line.p - cell.center), d = cell.axes.transpose() * line.x;
  const double thickness = cell.half.z();
  const auto add = [&](double low, double high, double longest) {  // along the outward normal
    const double across = cell.tangent * longest;
    const Vector3d least(-cell.half.x() - across, -cell.half.y() - across, side > 0 ? low : -high),
        most(cell.half.x() + across, cell.half.y() + across, side > 0 ? high : -low);
    std::array<double, 2> part = range;
    if (clipToBox(from, d, least, most, part)) all = {std::min(all[0], part[0]), std::max(all[1], part[1])};
  };
  add(-thickness, thickness + above, std::max(above, 2 * thickness));
  add(-thickness - deepest, -thickness, 2 * thickness + deepest);
}

/// Minima along a piece of a curve, over 0 … 1, of its distance to a patch. Where a foot would lie beyond the
/// patch and what continues it, distances are those of its border: cells with such an end are halved until
/// they are so short that no minimum on the patch itself lies in them.
template <class SlopeAt, class Found>
class PatchMinimumSearch {
 public:
  /// `piece` of nonzero length, in the frame of the surface. `slopeAt` and `found` as in
  /// forEachMinimumNearPatch().
  PatchMinimumSearch(const Curve& piece, const Surface& surface, const NearPatch& near,
                     const SlopeAt& slopeAt, const Found& found)
      : curve_(piece),
        surface_(surface),
        form_(*surface.freeform),
        range_(near.range),
        length_(piece.range[1] - piece.range[0]),
        speed_(length_ * piece.speed() * (1 + std::sin(near.lean))),
        shortest_(0.5 * FreeformSurface::kBeyond * form_.leastSide(surface.patch)),
        slopeAt_(slopeAt),
        found_(found) {}

  void run() { cell(0, at(0), 1, at(1), 1); }

 private:
  struct Sample {
    Slope slope;
    double least = 0;       ///< bound of the value: that of the nearest point [m]
    bool isBeyond = false;  ///< the foot lies on the border of what continues the patch
  };
  double parameter(double t) const { return curve_.range[0] + t * length_; }
  Slope scaled(const Slope& s) const { return {s.distance, length_ * s.first, length_ * length_ * s.second}; }

  Sample at(double t) const {
    const CurvePoint point = curve_.pointAt(parameter(t));
    const FreeformSurface::Foot foot = form_.footOf(point.p, surface_.patch);
    Sample sample{scaled(slopeAt_(point))};
    sample.least = sample.slope.distance;
    sample.isBeyond = foot.isBeyond;
    if (foot.isBeyond) sample.least += (foot.at.p - point.p).norm() - surface_.side * foot.distance;
    return sample;
  }

  void cell(double t0, const Sample& s0, double t1, const Sample& s1, double margin) const {
    const double size = speed_ * (t1 - t0);
    if (0.5 * (s0.least + s1.least - size) > range_) return;
    if (s0.isBeyond || s1.isBeyond) {
      if (size <= shortest_) return;
      const double middle = 0.5 * (t0 + t1);
      const Sample s = at(middle);
      cell(t0, s0, middle, s, margin / 16);
      return cell(middle, s, t1, s1, margin / 16);
    }
    const Slope &from = s0.slope, &to = s1.slope;
    const double largest =
        std::max({std::abs(from.first), std::abs(to.first), std::abs(from.second), std::abs(to.second)});
    if (largest <= kNoSlope * speed_) return;
    MinimumSearch search(
        speed_, range_, [&](double t) { return scaled(slopeAt_(curve_.pointAt(parameter(t)))); },
        [&](double t) { found_(parameter(t)); });
    search.cell(t0, from, t1, to, SampledError(margin * largest));
  }

  const Curve& curve_;
  const Surface& surface_;
  const FreeformSurface& form_;
  double range_, length_, speed_, shortest_;
  const SlopeAt& slopeAt_;
  const Found& found_;
};

/// Calls found(t) for the minima along a curve, in the frame of the surface, of what slopeAt(point) returns
/// with derivatives by the curve's parameter: sixteenths of a circle separately, so that those far away or
/// along the patch's normals are left out.
template <class SlopeAt, class Found>
void forEachMinimumNearPatch(const Curve& curve, const Surface& surface, const NearPatch& near,
                             const SlopeAt& slopeAt, const Found& found) {
  const FreeformSurface& form = *surface.freeform;
  const PatchCells& cells = form.cells(surface.patch);
  const auto mayFace = [&](const PatchCell& cell, const Vector3d& tangent, double turn) {
    return cell.mayBeAcross(tangent, near.lean + turn) &&
           cell.mayHaveNormal(-surface.side, near.facing, near.facingAngle);
  };
  const Bounds box = grown(form.reachBounds(surface.patch), near.reach);
  Curve piece = curve;
  if (curve.isLine()) {
    std::array<double, 2> inBox = curve.range, all{HUGE_VAL, -HUGE_VAL};
    if (!clipToBox(curve.p, curve.x, box.low, box.high, inBox)) return;
    const double deepest = (box.high - box.low).norm();
    cells.forEachLeaf([&](const PatchCell& cell) { return mayFace(cell, curve.x, 0); },
                      [&](const PatchCell& cell) {
                        includeNear(curve, cell, surface.side, near.above, deepest, inBox, all);
                      });
    piece.range = all;
    if (all[0] < all[1]) PatchMinimumSearch(piece, surface, near, slopeAt, found).run();
    return;
  }
  const double whole = curve.range[1] - curve.range[0];
  const int parts =
      curve.isCircle() ? std::max(1, static_cast<int>(std::ceil(8 * whole / std::numbers::pi - 1e-9))) : 1;
  for (int k = 0; k < parts; ++k) {
    const double length = whole / parts;
    piece.range = {curve.range[0] + k * length, curve.range[0] + (k + 1) * length};
    const double turn = curve.isCircle() ? 0.5 * length : kLargestTurn;
    const Vector3d tangent = piece.tangent(0.5 * (piece.range[0] + piece.range[1]));
    const Bounds own = boundsOf(piece);
    if (!overlap(own, box)) continue;
    const Vector3d middle = 0.5 * (own.low + own.high), half = 0.5 * (own.high - own.low);
    const bool isNear = cells.hasLeaf([&](const PatchCell& cell) {
      return mayFace(cell, tangent, turn) &&
             cell.mayReach(surface.side, cell.axes.transpose() * (middle - cell.center),
                           cell.axes.transpose().cwiseAbs() * half, near.above);
    });
    if (!isNear) continue;
    PatchMinimumSearch(piece, surface, near, slopeAt, found).run();
  }
}

}  // namespace tenon::physics::brep
