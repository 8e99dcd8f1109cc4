// See interference_search.h.
#include "content/model/interference_search.h"

#include <algorithm>

#include "content/input/limits.h"
#include "physics/collision/bullet/bullet_collider.h"

namespace tenon::content {
namespace {

/// True if a joint disables collision between the two parts.
bool isCollisionDisabled(const Scene& scene, int a, int b) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const Joint& joint) {
    return !joint.collides && ((joint.part == a && joint.to == b) || (joint.part == b && joint.to == a));
  });
}

}  // namespace

InterferenceSearch::InterferenceSearch(const Scene& scene) : collider_(physics::makeBulletCollider()) {
  for (const Part& part : scene.parts) {
    // No dynamics here, so the part's origin serves as center of mass. Fixed parts are added as movable:
    // pairs of them are checked as well.
    const bool unbounded = std::holds_alternative<physics::HalfSpace>(part.shape);
    collider_->addBody(part.shape, Vector3d::Zero(), !unbounded);
  }
}

std::vector<Interference> InterferenceSearch::find(const Scene& scene, double tolerance,
                                                   std::size_t maxCount) {
  std::vector<Pose> poses;
  for (const Part& part : scene.parts) poses.push_back(part.X_WP);
  std::vector<physics::BodyPair> pairs;
  collider_->findPairs(poses, std::vector<double>(poses.size(), 0.0), pairs);
  std::vector<Interference> found;
  physics::ContactSet contacts;
  for (const physics::BodyPair& pair : pairs) {
    if (found.size() >= maxCount) break;
    if (isCollisionDisabled(scene, pair.i.value, pair.j.value)) continue;
    contacts.clear();
    const auto pose = [&](physics::BodyId id) { return poses[static_cast<std::size_t>(id.value)]; };
    collider_->findContacts(pair, pose(pair.i), pose(pair.j), 0.0, contacts);
    double depth = 0;
    for (const physics::Contact& contact : contacts) depth = std::max(depth, -contact.separation);
    if (depth <= tolerance) {
      // Samples are for overlaps that no contact shows; small ones have contacts, or are those of surfaces
      // that deviate from each other where they are flush.
      const double sampled = collider_->sampledOverlap(pair, pose(pair.i), pose(pair.j));
      if (sampled > kSettledOverlap) depth = sampled;
    }
    if (depth > tolerance) found.push_back({pair.i.value, pair.j.value, depth});
  }
  return found;
}

}  // namespace tenon::content
