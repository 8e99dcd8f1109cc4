// See command_checks.h.
#include "runtime/simulation/command_checks.h"

#include <string>

#include "content/input/input_error.h"

namespace tenon::runtime {

using content::InputError;

void requireMovable(const content::Scene& scene, const char* command, int part) {
  const content::Part& moved = scene.part(part);
  if (moved.motion != physics::MotionType::dynamic)
    throw InputError(command, moved.name, "cannot be moved: it is " + std::string(toText(moved.motion)),
                     "name a dynamic part");
}

void requirePlaceable(const content::Scene& scene, int part) {
  requireMovable(scene, "SetPose", part);
  for (const content::Joint& joint : scene.joints)
    if (joint.part == part || joint.to == part)
      throw InputError("SetPose", scene.part(part).name, "has the joint " + joint.name,
                       "name a part without joints");
}

}  // namespace tenon::runtime
