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
  double range = 0;  ///< largest distance from the patch that is a minimum [m]
  double reach = 0;  ///< largest distance from it on either side [m]
  /// Unit; at a minimum the inward normal of the patch is within `facingAngle` of it [rad].
  Vector3d facing = Vector3d::UnitZ();
  Angle facingAngle = std::numbers::pi;
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

/// Bound of the second derivative of a curve by its parameter [m].
inline double largestSecond(const Curve& curve) {
  if (curve.isLine()) return 0;
  if (curve.isCircle()) return curve.radius;
  double largest = 0;
  for (std::size_t k = 0; k < 4; ++k)
    largest =
        std::max(largest, 20 * (curve.bezier[k + 2] - 2 * curve.bezier[k + 1] + curve.bezier[k]).norm());
  return largest;
}

/// Excludes parts of a curve, in the frame of a patch's surface, by boxes and cones of normals of its cells.
class NearParts {
 public:
  NearParts(const Curve& curve, const Surface& surface, const NearPatch& near)
      : curve_(curve),
        side_(surface.side),
        cells_(surface.freeform->cells(surface.patch)),
        near_(near),
        second_(largestSecond(curve)),
        shortest_(kShortest * cells_[0].half.norm()) {}

  /// False if no minimum lies between these parameters.
  bool mayHave(double t0, double t1) const {
    const double half = 0.5 * (t1 - t0);
    const CurvePoint at = curve_.pointAt(0.5 * (t0 + t1));
    const double speed = at.first.norm(), change = half * second_;  // of the first derivative
    const Angle lean = std::asin(std::min(1.0, change / speed));
    const Vector3d tangent = at.first / speed, along = half * at.first;
    const double beside = 0.5 * half * change;  // of the tangent
    return cells_.hasLeaf([&](const PatchCell& cell) {
      if (!cell.mayBeAcross(tangent, lean) || !cell.mayHaveNormal(-side_, near_.facing, near_.facingAngle))
        return false;
      const Vector3d size = (cell.axes.transpose() * along).cwiseAbs().array() + beside;
      return cell.mayReach(side_, cell.axes.transpose() * (at.p - cell.center), size, near_.range);
    });
  }

  /// Calls visit(t0, t1) for the parts of the curve that remain, each as long as possible.
  template <class Visit>
  void forEach(const Visit& visit) const {
    std::array<double, 2> part{HUGE_VAL, -HUGE_VAL};
    divide(curve_.range[0], curve_.range[1], 0, part, visit);
    if (part[0] < part[1]) visit(part[0], part[1]);
  }

 private:
  /// Length of the shortest parts, relative to the half diagonal of the box of the patch [-].
  static constexpr double kShortest = 0.25;
  static constexpr int kMaxDepth = 5;

  template <class Visit>
  void divide(double t0, double t1, int depth, std::array<double, 2>& part, const Visit& visit) const {
    if (!mayHave(t0, t1)) return;
    if (depth < kMaxDepth && (t1 - t0) * curve_.speed() > shortest_) {
      const double middle = 0.5 * (t0 + t1);
      divide(t0, middle, depth + 1, part, visit);
      return divide(middle, t1, depth + 1, part, visit);
    }
    if (part[1] == t0) {
      part[1] = t1;
      return;
    }
    if (part[0] < part[1]) visit(part[0], part[1]);
    part = {t0, t1};
  }

  const Curve& curve_;
  double side_;
  const PatchCells& cells_;
  const NearPatch& near_;
  double second_, shortest_;
};

/// Minima along a piece of a curve, over 0 … 1, of its distance to a patch. Where a foot would lie beyond the
/// patch and what continues it, distances are those of its border: cells with such an end are halved until
/// they are so short that no minimum on the patch itself lies in them.
template <class SlopeAt, class Found>
class PatchMinimumSearch {
 public:
  /// `piece` of nonzero length, in the frame of the surface; `parts` of a curve with the same parameter.
  /// `slopeAt` and `found` as in
  /// forEachMinimumNearPatch().
  PatchMinimumSearch(const Curve& piece, const Surface& surface, const NearPatch& near,
                     const NearParts& parts, const SlopeAt& slopeAt, const Found& found)
      : curve_(piece),
        surface_(surface),
        parts_(parts),
        form_(*surface.freeform),
        range_(near.range),
        length_(piece.range[1] - piece.range[0]),
        speed_(length_ * piece.speed()),
        shortest_(0.5 * FreeformSurface::kBeyond * form_.leastSide(surface.patch)),
        slopeAt_(slopeAt),
        found_(found) {}

  void run() { cell(0, at(0), 1, at(1), 1); }

 private:
  struct Sample {
    Slope slope;
    double least = 0;  ///< bound of the value: that of the nearest point [m]
    double clear = 0;  ///< within this arc length no foot lies on the patch [m]
  };
  // From the last one, for slopeAt_.
  const FreeformSurface::Foot& footOf(const Vector3d& p) const {
    foot_ = foot_.patch < 0 ? form_.footOf(p, surface_.patch) : form_.footNear(p, foot_, footPoint_);
    footPoint_ = p;
    return foot_;
  }
  double parameter(double t) const { return curve_.range[0] + t * length_; }
  Slope scaled(const Slope& s) const { return {s.distance, length_ * s.first, length_ * length_ * s.second}; }

  Sample at(double t) const {
    const CurvePoint point = curve_.pointAt(parameter(t));
    const FreeformSurface::Foot& foot = footOf(point.p);
    Sample sample{scaled(slopeAt_(point))};
    sample.least = sample.slope.distance;
    if (!foot.isBeyond) return sample;
    // The foot moves at most twice as far as the point, and by kBeyond onto the patch.
    sample.clear = shortest_ + 0.5 * foot.beyond;
    sample.least += (foot.at.p - point.p).norm() - surface_.side * foot.distance;
    return sample;
  }

  void cell(double t0, const Sample& s0, double t1, const Sample& s1, double margin) const {
    const double size = speed_ * (t1 - t0);
    if (0.5 * (s0.least + s1.least - size) > range_) return;
    if (s0.clear > 0 || s1.clear > 0) {
      if (size <= s0.clear + s1.clear || !parts_.mayHave(parameter(t0), parameter(t1))) return;
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
        speed_, range_,
        [&](double t) {
          const CurvePoint point = curve_.pointAt(parameter(t));
          footOf(point.p);
          return scaled(slopeAt_(point));
        },
        [&](double t) { found_(parameter(t)); });
    search.cell(t0, from, t1, to, SampledError(margin * largest));
  }

  const Curve& curve_;
  const Surface& surface_;
  const NearParts& parts_;
  const FreeformSurface& form_;
  double range_, length_, speed_, shortest_;
  const SlopeAt& slopeAt_;
  const Found& found_;
  mutable FreeformSurface::Foot foot_;  // of footPoint_, the last point of the curve
  mutable Vector3d footPoint_ = Vector3d::Zero();
};

/// Calls found(t) for the minima along a curve, in the frame of the surface, of what slopeAt(point) returns
/// with derivatives by the curve's parameter: sixteenths of a circle separately, so that those far away or
/// along the patch's normals are left out.
template <class SlopeAt, class Found>
void forEachMinimumNearPatch(const Curve& curve, const Surface& surface, const NearPatch& near,
                             const SlopeAt& slopeAt, const Found& found) {
  const FreeformSurface& form = *surface.freeform;
  const PatchCells& cells = form.cells(surface.patch);
  const Angle none = 0;
  const auto mayFace = [&](const PatchCell& cell) {
    return cell.mayBeAcross(curve.x, none) &&
           cell.mayHaveNormal(-surface.side, near.facing, near.facingAngle);
  };
  const Bounds box = grown(form.reachBounds(surface.patch), near.reach);
  const auto search = [&](const Curve& piece) {
    const NearParts parts(piece, surface, near);
    parts.forEach([&](double t0, double t1) {
      Curve part = piece;
      part.range = {t0, t1};
      FreeformSurface::forgetFoot();
      PatchMinimumSearch(part, surface, near, parts, slopeAt, found).run();
      FreeformSurface::forgetFoot();
    });
  };
  Curve piece = curve;
  if (curve.isLine()) {
    std::array<double, 2> inBox = curve.range, all{HUGE_VAL, -HUGE_VAL};
    if (!clipToBox(curve.p, curve.x, box.low, box.high, inBox)) return;
    const double deepest = (box.high - box.low).norm();
    cells.forEachLeaf(mayFace, [&](const PatchCell& cell) {
      includeNear(curve, cell, surface.side, near.range, deepest, inBox, all);
    });
    piece.range = all;
    if (all[0] < all[1]) search(piece);
    return;
  }
  const double whole = curve.range[1] - curve.range[0];
  const int parts =
      curve.isCircle() ? std::max(1, static_cast<int>(std::ceil(8 * whole / std::numbers::pi - 1e-9))) : 1;
  for (int k = 0; k < parts; ++k) {
    const double length = whole / parts;
    piece.range = {curve.range[0] + k * length, curve.range[0] + (k + 1) * length};
    if (overlap(boundsOf(piece), box)) search(piece);
  }
}

}  // namespace tenon::physics::brep
