// Friction, restitution and stiffness of pairs of materials.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "physics/math/ids.h"

namespace tenon::physics {

/// How the surfaces of two materials act on each other.
struct SurfacePair {
  double friction = 0;     ///< Coulomb's μ, static = kinetic [-], ≥ 0
  double restitution = 0;  ///< Newton's e of impacts, 0 to 1 [-]
  /// Normal stiffness, of all contact points of two bodies together [N/m]. Infinite: rigid, except cylinders
  /// in narrower bores where a material is elastic (press_fit.h); a finite one takes the place of theirs.
  double stiffness = std::numeric_limits<double>::infinity();
};

/// Elastic constants of a material, for press fits.
struct Elasticity {
  double youngsModulus = 0;  ///< E [Pa]; 0: rigid
  double poissonsRatio = 0;  ///< ν, 0 to 0.5 [-]
};

/// A symmetric table. Pairs not set are frictionless and rigid, with restitution 0; materials not set are
/// rigid.
class SurfaceTable {
 public:
  /// In either order; replaces what was set before.
  void set(MaterialId a, MaterialId b, const SurfacePair& surfaces) {
    const int needed = std::max(a.value, b.value) + 1;
    if (needed > materials_) {
      std::vector<SurfacePair> grown(static_cast<std::size_t>(needed) * needed);
      for (int i = 0; i < materials_; ++i)
        for (int j = 0; j < materials_; ++j) grown[i * needed + j] = pairs_[i * materials_ + j];
      pairs_.swap(grown);
      materials_ = needed;
    }
    pairs_[a.value * materials_ + b.value] = pairs_[b.value * materials_ + a.value] = surfaces;
  }

  /// In either order.
  SurfacePair of(MaterialId a, MaterialId b) const {
    if (!a.valid() || !b.valid() || std::max(a.value, b.value) >= materials_) return {};
    return pairs_[a.value * materials_ + b.value];
  }

  /// Replaces what was set before.
  void set(MaterialId material, const Elasticity& elasticity) {
    if (material.value >= static_cast<int>(elasticity_.size())) elasticity_.resize(material.value + 1);
    elasticity_[material.value] = elasticity;
  }
  /// Of a material; rigid where not set.
  Elasticity elasticity(MaterialId material) const {
    if (!material.valid() || material.value >= static_cast<int>(elasticity_.size())) return {};
    return elasticity_[material.value];
  }

 private:
  int materials_ = 0;
  std::vector<Elasticity> elasticity_;  ///< by material
  std::vector<SurfacePair> pairs_;
};

}  // namespace tenon::physics
