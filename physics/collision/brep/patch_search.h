// Minima along a curve of its distance to a patch of a free-form surface, where the curve is near it.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "physics/collision/brep/curve_search.h"
#include "physics/collision/brep/face_minima.h"
#include "physics/collision/brep/freeform.h"

namespace tenon::physics::brep {

/// The range of a line's parameter in a box that is larger by `reach` [m]; false if there is none.
inline bool clipToBox(const Curve& line, const Bounds& box, double reach, std::array<double, 2>& range) {
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double low = box.low[k] - reach - line.p[k], high = box.high[k] + reach - line.p[k], d = line.x[k];
    if (d == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    range[0] = std::max(range[0], std::min(low / d, high / d));
    range[1] = std::min(range[1], std::max(low / d, high / d));
  }
  return range[0] < range[1];
}

/// What is near a patch.
struct NearPatch {
  double range = 0;  ///< largest value that is a minimum [m]
  double reach = 0;  ///< largest distance of its place on the curve from the patch [m]
  /// By how much a normal of the patch may tilt from the plane across the curve at a minimum, as the sides of
  /// a cone do [rad]: the value then also changes by its sine along the curve.
  double lean = 0;
};

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
        speed_, range_, margin * largest,
        [&](double t) { return scaled(slopeAt_(curve_.pointAt(parameter(t)))); },
        [&](double t) { found_(parameter(t)); });
    search.cell(t0, from, t1, to);
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
  const Bounds& box = form.reachBounds(surface.patch);
  // At a minimum a normal of the patch is across the curve.
  const Vector3d n = form.middleNormal(surface.patch);
  const double tilt = form.tilt(surface.patch) + near.lean;
  const auto mayBeAcross = [&](const Vector3d& tangent, double turn) {
    return std::abs(n.dot(tangent)) <= std::sin(std::min(0.5 * std::numbers::pi, tilt + turn));
  };
  Curve piece = curve;
  if (curve.isLine()) {
    if (mayBeAcross(curve.x, 0) && clipToBox(curve, box, near.reach, piece.range))
      PatchMinimumSearch(piece, surface, near, slopeAt, found).run();
    return;
  }
  const double whole = curve.range[1] - curve.range[0];
  const int parts =
      curve.isCircle() ? std::max(1, static_cast<int>(std::ceil(8 * whole / std::numbers::pi - 1e-9))) : 1;
  for (int k = 0; k < parts; ++k) {
    const double length = whole / parts;
    piece.range = {curve.range[0] + k * length, curve.range[0] + (k + 1) * length};
    const double turn = curve.isCircle() ? 0.5 * length : kLargestTurn;
    if (!mayBeAcross(piece.tangent(0.5 * (piece.range[0] + piece.range[1])), turn)) continue;
    const Bounds own = boundsOf(piece);
    if ((own.low.array() > box.high.array() + near.reach).any() ||
        (own.high.array() < box.low.array() - near.reach).any())
      continue;
    PatchMinimumSearch(piece, surface, near, slopeAt, found).run();
  }
}

}  // namespace tenon::physics::brep
