// What is under the mouse: the nearest part on the ray through a pixel, and what is named there.
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

/// Through the place at (x, y) of the view's rectangle, fractions from its top left corner: the inverse of
/// projected().
Ray rayThrough(const View& view, double x, double y);

/// Where a ray meets a part first.
struct PartHit {
  int part = -1;                          ///< index into Scene::parts
  double distance = 0;                    ///< along the ray [m]
  Vector3d p_W = Vector3d::Zero();        ///< [m]
  Vector3d normal_W = Vector3d::UnitZ();  ///< unit, out of the part
};

/// What can be picked and measured: a part where it was touched, a round hole, or a named axis of a part.
struct PickedFeature {
  enum class Kind { part, hole, axis };

  Kind kind = Kind::part;
  int part = -1;
  std::string name;  ///< of the hole or axis
  int index = -1;    ///< of the hole among holesOf(shape), of the axis among Part::features
  /// In the part's frame: of a hole its mouth, +z out of it; of an axis its origin, +z as it points; of a
  /// part the touched point, +z out of the surface.
  physics::Pose X_PF;
};

/// Rays against what is drawn of a scene's parts: a ray meets what a person sees. Meshes of turned parts are
/// within 20 µm of the shape.
class Picker {
 public:
  /// Both outlive this.
  Picker(const content::Scene& scene, const PartMeshes& meshes);

  /// The nearest part of those standing at `X_WP`; of `skipped` parts nothing is seen.
  std::optional<PartHit> pick(const Ray& ray, std::span<const physics::Pose> X_WP,
                              const std::vector<bool>& skipped = {}) const;

  /// What is named at a hit: the hole in whose wall it is, or through whose mouth the ray came first, also
  /// where it went on to another part or to nothing; else the nearest of the part's named axes; else the
  /// part.
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
