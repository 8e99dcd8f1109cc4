// Picking: the nearest part on a ray, and the hole or axis there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/model/hole_sites.h"
#include "content/model/scene.h"
#include "xr/appearance/compose.h"
#include "xr/view.h"

namespace tenon::xr {

using physics::Vector3d;

struct Ray {
  Vector3d origin = Vector3d::Zero();       ///< [m]
  Vector3d direction = -Vector3d::UnitZ();  ///< unit
};

/// The ray through (x, y) of the view's rectangle, fractions from its top left corner: the inverse of
/// projected().
Ray rayThrough(const View& view, double x, double y);

/// The first intersection of a ray with a part.
struct PartHit {
  int part = -1;                          ///< index into Scene::parts
  double distance = 0;                    ///< along the ray [m]
  Vector3d p_W = Vector3d::Zero();        ///< [m]
  Vector3d normal_W = Vector3d::UnitZ();  ///< unit, out of the part
};

/// A pickable feature: a point on a part, a round hole, or a named axis of a part.
struct PickedFeature {
  enum class Kind { part, hole, axis };

  Kind kind = Kind::part;
  int part = -1;
  std::string name;  ///< of the hole or axis
  int index = -1;    ///< of the hole among holesOf(shape), of the axis among Part::features
  /// In the part's frame: a hole's mouth with +z outward; an axis's origin with +z along it; the point on a
  /// part with +z along the surface normal.
  physics::Pose X_PF;
};

/// Intersects rays with the display meshes, so picking agrees with the image. Meshes of solids of revolution
/// are within 20 µm of the shape.
class Picker {
 public:
  /// Both must outlive the picker.
  Picker(const content::Scene& scene, const PartMeshes& meshes);

  /// The nearest part at poses `X_WP`, except `skipped` parts.
  std::optional<PartHit> pick(const Ray& ray, std::span<const physics::Pose> X_WP,
                              const std::vector<bool>& skipped = {}) const;

  /// The feature at a hit: the hole whose wall was hit or whose mouth the ray passed first, even if it went
  /// on to another part or to nothing; else the nearest named axis of the part; else the part.
  std::optional<PickedFeature> featureAt(const Ray& ray, const std::optional<PartHit>& hit,
                                         std::span<const physics::Pose> X_WP) const;

 private:
  struct Target {
    Eigen::AlignedBox3d bounds;  ///< in the part's frame
    std::vector<content::HoleSite> holes;
  };

  std::optional<PickedFeature> holeAt(const Ray& ray, const std::optional<PartHit>& hit,
                                      std::span<const physics::Pose> X_WP) const;

  const content::Scene& scene_;
  const PartMeshes& meshes_;
  std::vector<Target> targets_;
};

}  // namespace tenon::xr
