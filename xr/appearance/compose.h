// From a scene and a moment of it to what is drawn.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// The display meshes of a scene's parts, made once: of the library as it draws them, of mesh files as they
/// collide. Parts without a surface of their own (half-spaces) have none.
class PartMeshes {
 public:
  explicit PartMeshes(const content::Scene& scene);

  /// Of a part, by its index; null: nothing to draw.
  const std::shared_ptr<const content::DisplayMesh>& of(std::size_t part) const { return meshes_[part]; }

 private:
  std::vector<std::shared_ptr<const content::DisplayMesh>> meshes_;
};

/// All parts at these poses [world], and as the ground the highest level half-space. A scene without one has
/// no ground: what is drawn collides.
RenderScene compose(const content::Scene& scene, const PartMeshes& meshes,
                    std::span<const physics::Pose> poses);

/// Forces below are not drawn [N]: what is left of a contact or a hand's spring at rest, a ten-thousandth of
/// a hand's pull.
inline constexpr double kMinDrawnForce = 1e-3;

/// The one linear scale of force arrows: so many newtons are drawn so long, both round numbers.
struct ForceScale {
  double newtons = 0;  ///< 1, 2 or 5 times a power of ten [N]
  double length = 0;   ///< [m]
};

/// On which a greatest force of this size [N] is less than a third of a scene's radius [m] long, and where it
/// is not small, more than a tenth.
ForceScale forceScaleFor(double greatest, double radius);

/// The greatest force of a contact or a hand in a tick [N], as addForces() draws them.
double maxDrawnForce(const content::Scene& scene, const physics::StepResult& tick);

/// Adds the forces of a tick: an arrow for those contacts of two parts that press in much the same direction,
/// on the part that moves (of two, the second one), one for each hand, values at the greatest ones, and a
/// legend with the scale. Without a `scale` it is that of the tick's greatest force. Bodies of the tick are
/// in the order of the parts.
void addForces(RenderScene& out, const content::Scene& scene, const physics::StepResult& tick,
               const std::optional<ForceScale>& scale = std::nullopt);

}  // namespace tenon::xr
