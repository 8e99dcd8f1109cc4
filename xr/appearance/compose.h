// From a scene and the poses of its parts to a RenderScene.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "content/parts/display_mesh.h"
#include "physics/world.h"
#include "xr/render/render_scene.h"

namespace tenon::xr {

/// The renderer's copy of a display mesh.
Mesh renderMesh(const content::DisplayMesh& mesh);

/// The meshes of a scene's parts, made once: display meshes of library parts, collision meshes of mesh files.
/// Half-spaces have none.
class PartMeshes {
 public:
  explicit PartMeshes(const content::Scene& scene);

  /// The mesh of a part, by its index; null: nothing to draw.
  const std::shared_ptr<const content::DisplayMesh>& of(std::size_t part) const { return meshes_[part]; }
  /// The same for the renderer, always the same object.
  const std::shared_ptr<const Mesh>& renderMeshOf(std::size_t part) const { return renderMeshes_[part]; }

 private:
  std::vector<std::shared_ptr<const content::DisplayMesh>> meshes_;
  std::vector<std::shared_ptr<const Mesh>> renderMeshes_;
};

/// All parts at these poses [world]. The ground is the highest horizontal half-space; a scene without one has
/// no ground, since only bodies of the simulation are drawn.
RenderScene compose(const content::Scene& scene, const PartMeshes& meshes,
                    std::span<const physics::Pose> poses);

/// Smaller forces are not drawn [N]: numerical residue of contacts and hand springs at rest, about 1e-4 of a
/// hand's pull.
inline constexpr double kMinDrawnForce = 1e-3;

/// One force arrow: of a hand, or of contacts of two parts that press in about the same direction.
struct DrawnForce {
  physics::Vector3d at, newtons;  ///< point of application [m] and force [N] in the world
  double weight = 0;              ///< sum of the contacts' magnitudes, the weights of the mean `at` [N]
  int i = -1, j = -1;  ///< parts of contacts, the force is on the dynamic one (of two: j); −1: a hand

  bool hand() const { return i < 0; }  ///< true for the force of a hand on its part
};

/// The forces of a step as arrows, largest first, without those below kMinDrawnForce. Bodies are in the order
/// of the parts.
std::vector<DrawnForce> drawnForces(const content::Scene& scene, const physics::StepResult& tick);

/// The linear scale of force arrows: `newtons` are drawn `length` long, both round numbers.
struct ForceScale {
  double newtons = 0;  ///< 1, 2 or 5 times a power of ten [N]
  double length = 0;   ///< [m]
};

/// The scale at which a force of `maximum` [N] is less than a third of the scene's radius [m] long and,
/// unless it is tiny, more than a tenth.
ForceScale forceScaleFor(double maximum, double radius);

/// The largest force of a contact or a hand in a step [N], as addForces() draws them.
double maxDrawnForce(const content::Scene& scene, const physics::StepResult& tick);

/// Adds the forces of a step: one arrow for the contacts of two parts that press in about the same direction,
/// on the dynamic part (of two, on the second), one for each hand, values at the largest, and a legend with
/// the scale. Without `scale` it is chosen for the largest force. Bodies are in the order of the parts.
void addForces(RenderScene& out, const content::Scene& scene, const physics::StepResult& tick,
               const std::optional<ForceScale>& scale = std::nullopt);

}  // namespace tenon::xr
