// See scene.h.
#include "content/model/scene.h"

#include <algorithm>
#include <cmath>

namespace tenon::content {

std::vector<const Thruster*> thrustersOf(const Scene& scene) {
  std::vector<const Thruster*> thrusters;
  for (const Part& part : scene.parts)
    for (const Thruster& thruster : part.thrusters) thrusters.push_back(&thruster);
  return thrusters;
}

MaterialPair materialPairOf(const Scene& scene, const Part& a, const Part& b) {
  MaterialPair unlisted;
  unlisted.a = std::min(a.material, b.material);
  unlisted.b = std::max(a.material, b.material);
  for (const MaterialPair& pair : scene.pairs)
    if (pair.a == unlisted.a && pair.b == unlisted.b) return pair;
  return unlisted;
}

bool canBePressed(const Scene& scene, const Part& a, const Part& b) {
  const auto isElastic = [&scene](int material) {
    return material >= 0 && scene.materials[static_cast<std::size_t>(material)].elasticity.youngsModulus > 0;
  };
  return std::isfinite(materialPairOf(scene, a, b).stiffness) || isElastic(a.material) ||
         isElastic(b.material);
}

double threadFrictionOf(const Scene& scene, const Joint& joint) {
  if (joint.kind != physics::JointKind::helical || joint.diameter == 0) return 0;
  const Part& part = scene.part(joint.part);
  const Part& other = joint.to >= 0 ? scene.part(joint.to) : part;
  return materialPairOf(scene, part, other).friction;
}

}  // namespace tenon::content
