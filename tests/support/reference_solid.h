// Solids by outlines of lines and arcs, turned about an axis or extruded along it: their distance to a point
// in closed form, samples of their boundary, and the same solid as triangles with surfaces. Never calls the
// engine.
#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <string>
#include <vector>

#include "physics/collision/geometry/shape.h"

namespace tenon::tests {

/// A side of an outline from `a` to `b` [m]: straight, or an arc of less than half a turn.
struct Side {
  Eigen::Vector2d a, b;
  bool isArc = false;
  Eigen::Vector2d center = Eigen::Vector2d::Zero();  ///< of an arc [m]

  static Side line(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return {a, b}; }
  static Side arc(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& center) {
    return {a, b, true, center};
  }
  Eigen::Vector2d at(double share) const;
  Eigen::Vector2d closest(const Eigen::Vector2d& p) const;
  double length() const;
};

class ReferenceSolid {
 public:
  virtual ~ReferenceSolid() = default;
  /// The point of the boundary that is closest to `p` [m].
  virtual Eigen::Vector3d closest(const Eigen::Vector3d& p) const = 0;
  virtual bool contains(const Eigen::Vector3d& p) const = 0;
  /// Points of the boundary, corners and edges among them, at most `spacing` [m] apart.
  virtual std::vector<Eigen::Vector3d> samples(double spacing) const = 0;
  /// Triangles with the true surfaces. `isFreeform`: cylinders, cones and tori as free forms.
  virtual physics::BoundarySolid mesh(bool isFreeform) const = 0;

  double distance(const Eigen::Vector3d& p) const { return (closest(p) - p).norm(); }
};

/// What an outline in (z, ρ) sweeps about z. An open one begins and ends on the axis, the material is on its
/// right side (z rising, away from the axis: below); a closed one runs around its material in the same
/// direction.
class TurnedSolid : public ReferenceSolid {
 public:
  explicit TurnedSolid(std::vector<Side> outline) : outline_(std::move(outline)) {}

  Eigen::Vector3d closest(const Eigen::Vector3d& p) const override;
  bool contains(const Eigen::Vector3d& p) const override;
  std::vector<Eigen::Vector3d> samples(double spacing) const override;
  physics::BoundarySolid mesh(bool isFreeform) const override;

 private:
  std::vector<Side> outline_;
};

/// Between z = −half and half [m], what a closed outline in (x, y) encloses counter-clockwise, which all rays
/// from the origin cross once; or what lies between it and a circle around it.
class Prism : public ReferenceSolid {
 public:
  Prism(std::vector<Side> outline, double half, double outer = 0)
      : outline_(std::move(outline)), half_(half), outer_(outer) {}

  Eigen::Vector3d closest(const Eigen::Vector3d& p) const override;
  bool contains(const Eigen::Vector3d& p) const override;
  std::vector<Eigen::Vector3d> samples(double spacing) const override;
  physics::BoundarySolid mesh(bool isFreeform) const override;

 private:
  bool isInside(const Eigen::Vector2d& p) const;
  Eigen::Vector2d closestOnOutline(const Eigen::Vector2d& p) const;

  std::vector<Side> outline_;
  double half_, outer_;
};

}  // namespace tenon::tests
