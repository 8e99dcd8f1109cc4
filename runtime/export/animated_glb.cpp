// See animated_glb.h.
#include "runtime/export/animated_glb.h"

#include <algorithm>

#include "runtime/export/motion_track.h"
#include "xr/appearance/compose.h"
#include "xr/appearance/surface_of.h"

namespace tenon::runtime {

namespace {

double reachOf(const content::DisplayMesh& mesh) {
  double reach = 0;
  for (const physics::Vector3d& p : mesh.positions) reach = std::max(reach, p.norm());
  return reach;
}

content::GlbMaterial materialOf(const content::Scene& scene, const content::Part& part) {
  const xr::Surface surface = xr::surfaceOf(scene, part);
  content::GlbMaterial material;
  material.name = part.material < 0 ? "" : scene.materials[static_cast<std::size_t>(part.material)].name;
  material.color = {surface.color.x(), surface.color.y(), surface.color.z()};
  material.metallic = surface.metallic;
  material.roughness = surface.roughness;
  material.opacity = surface.opacity;
  return material;
}

std::string glbOfMotions(const content::Scene& scene, const xr::PartMeshes& meshes,
                         const std::vector<content::GlbAnimation>& motions) {
  content::GlbWriter writer;
  for (std::size_t k = 0; k < scene.parts.size(); ++k) {
    if (!meshes.of(k)) continue;
    const content::Part& part = scene.parts[k];
    const int mesh = writer.addMesh(*meshes.of(k), part.name, materialOf(scene, part));
    writer.addPart(part.name, mesh, motions[k].poses.front(), motions[k]);
  }
  return writer.bytes();
}

}  // namespace

std::string animatedGlb(SessionReader& session, const content::Scene& scene, const physics::World& world,
                        const std::function<void(double)>& progress) {
  if (session.bodies().size() != scene.parts.size())
    session.fail("body", "does not have the parts of the session's scene");
  const xr::PartMeshes meshes(scene);
  std::vector<MotionTrack> tracks;
  for (std::size_t k = 0; k < scene.parts.size(); ++k)
    tracks.emplace_back(meshes.of(k) ? reachOf(*meshes.of(k)) : 0, kAnimationTolerance);
  for (RecordedStep tick; session.next(tick);) {
    if (!tick.keyframe) continue;
    progress(tick.time);
    for (std::size_t k = 0; k < tracks.size(); ++k)
      if (meshes.of(k)) tracks[k].add(tick.time, world.partPose({static_cast<int>(k)}, tick.states[k]));
  }

  std::vector<content::GlbAnimation> motions;
  for (MotionTrack& track : tracks) motions.push_back(track.finish());
  return glbOfMotions(scene, meshes, motions);
}

std::string animatedGlb(const content::Scene& scene, const std::vector<content::GlbAnimation>& motions) {
  return glbOfMotions(scene, xr::PartMeshes(scene), motions);
}

}  // namespace tenon::runtime
