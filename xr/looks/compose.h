// From a scene and a moment of it to what is drawn.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "content/scene/scene.h"
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

/// All parts at these poses [world], and the ground: the highest level half-space, or else a plane just under
/// the lowest part.
RenderScene compose(const content::Scene& scene, const PartMeshes& meshes,
                    std::span<const physics::Pose> poses);

/// Adds the forces of a tick: an arrow for those contacts of two parts that press in much the same direction,
/// on the part that moves (of two, the second one), one for each hand, values at the greatest ones, and a
/// legend with the scale. All arrows are on one linear scale, on which the greatest force, or `atLeast` [N]
/// where that is more, is about a third of the scene's radius long. Bodies of the tick are in the order of
/// the parts. Returns the greatest force [N]; 0: none.
double addForces(RenderScene& out, const content::Scene& scene, const physics::Tick& tick,
                 double atLeast = 0);

}  // namespace tenon::xr
