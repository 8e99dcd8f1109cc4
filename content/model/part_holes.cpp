// See part_holes.h.
#include "content/model/part_holes.h"

#include <utility>

namespace tenon::content {

std::vector<HoleSite> holesOf(const Part& part) {
  std::vector<HoleSite> holes = holesOf(part.shape);
  holes.insert(holes.end(), part.sockets.begin(), part.sockets.end());
  return holes;
}

std::vector<HoleSite> mouthsOf(const Part& part) {
  std::vector<HoleSite> mouths = holesOf(part);
  addFarSides(mouths);
  return mouths;
}

std::optional<HoleSite> mouthOf(const Part& part, const std::string& name) {
  for (HoleSite& mouth : mouthsOf(part))
    if (mouth.name == name) return std::move(mouth);
  return std::nullopt;
}

std::optional<HoleSite> mouthOf(const Scene& scene, const Goal& goal) {
  if (goal.pose) return std::nullopt;
  return mouthOf(scene.part(goal.into), goal.hole);
}

HoleSite socketOf(std::string name, const Vector3d& mouth, const Vector3d& out, double width, double depth,
                  bool through) {
  HoleSite site;
  site.name = std::move(name);
  site.X_PH = {physics::shortestRotation(Vector3d::UnitZ(), out), mouth};
  site.profile = {{0, 0.5 * width}, {-depth, 0.5 * width}};
  if (!through) site.profile.emplace_back(-depth, 0);
  site.through = through;
  site.isRound = false;
  return site;
}

}  // namespace tenon::content
