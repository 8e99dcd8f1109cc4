// Solids and surfaces of revolution in the common frame C of a contact query.
#pragma once

#include <array>
#include <span>

#include "physics/collision/revolved/circle.h"
#include "physics/collision/revolved/revolved_geometry.h"
#include "physics/collision/revolved/revolved_polytope.h"

namespace tenon::physics {

enum class EdgeForm { kRim, kStraight, kPoint };

/// A solid in the common frame C of a query.
class PlacedSolid {
 public:
  virtual SurfaceHit nearest(const Vector3d& p_C) const = 0;
  /// Form of an edge or corner returned by nearest().
  virtual EdgeForm formOf(int feature) const = 0;

 protected:
  ~PlacedSolid() = default;
};

/// A surface of revolution in C: of a solid of revolution, or of one cavity of a block.
struct PlacedMeridian {
  const Meridian* meridian = nullptr;
  Matrix3d R_CM = Matrix3d::Identity();
  Vector3d p_CM = Vector3d::Zero();      ///< [m]
  Vector3d center_C = Vector3d::Zero();  ///< bounding sphere [m]
  double boundingRadius = 0;             ///< its radius [m]
  int firstFeature = 0;

  int segmentFeature(std::size_t i) const { return firstFeature + static_cast<int>(i); }
  int vertexFeature(std::size_t i) const { return segmentFeature(meridian->segments.size() + i); }
  bool hasFeature(int feature) const {
    return feature >= firstFeature && feature <= vertexFeature(meridian->segments.size());
  }
  /// A rim, or a tip on the axis.
  EdgeForm formOf(int feature) const;
  /// Edge circle of vertex i, in C.
  Circle circle(std::size_t i) const;
};

class PlacedRevolved final : public PlacedSolid {
 public:
  PlacedRevolved(const RevolvedGeometry& solid, const Pose& X_CT);
  SurfaceHit nearest(const Vector3d& p_C) const override;
  EdgeForm formOf(int feature) const override { return surface.formOf(feature); }

  PlacedMeridian surface;

 private:
  const RevolvedGeometry& solid_;
};

/// A block in its own frame C = B, restricted to cavities near a sphere.
class PlacedBlock final : public PlacedSolid {
 public:
  PlacedBlock(const BlockGeometry& block, const Vector3d& center, double radius);
  SurfaceHit nearest(const Vector3d& p_C) const override;
  EdgeForm formOf(int feature) const override;
  FlatView flat() const { return block_.box; }
  /// Calls `use` for the cavities that intersect the sphere.
  template <class Use>
  void forEachNear(Use use) const {
    for (std::size_t i = 0; i < block_.cavities.size(); ++i)
      if (isNear(block_.cavities[i])) use(place(block_.cavities[i]));
  }

 private:
  static constexpr int kNear = 32;
  bool isNear(const CavityGeometry& cavity) const;
  static PlacedMeridian place(const CavityGeometry& cavity);

  const BlockGeometry& block_;
  Vector3d center_;
  double radius_;
  std::array<int, kNear> near_{};
  int count_ = 0;
};

/// A block at any pose in C, restricted to cavities near a sphere.
class TransformedBlock final : public PlacedSolid {
 public:
  TransformedBlock(const BlockGeometry& block, const Pose& X_CB, const Vector3d& center_C, double radius);
  SurfaceHit nearest(const Vector3d& p_C) const override;
  EdgeForm formOf(int feature) const override { return block_.formOf(feature); }
  FlatView flat() const { return {faces_, edges_, corners_}; }
  /// As PlacedBlock::forEachNear().
  template <class Use>
  void forEachNear(Use use) const {
    block_.forEachNear([&](const PlacedMeridian& cavity) { use(moved(cavity)); });
  }

 private:
  PlacedMeridian moved(const PlacedMeridian& cavity) const;

  PlacedBlock block_;
  Matrix3d R_CB_;
  Vector3d p_CB_;
  std::array<FlatFeatures::Face, 6> faces_;
  std::array<FlatFeatures::Edge, 12> edges_;
  std::array<FlatFeatures::Corner, 8> corners_;
};

/// A convex polytope in its own frame C.
class PlacedPolytope final : public PlacedSolid {
 public:
  explicit PlacedPolytope(const PolytopeGeometry& polytope) : polytope_(polytope) {}
  SurfaceHit nearest(const Vector3d& p_C) const override { return nearestOn(polytope_, p_C); }
  EdgeForm formOf(int feature) const override;

 private:
  const PolytopeGeometry& polytope_;
};

}  // namespace tenon::physics
