// See session_scene.h.
#include "runtime/commands/session_scene.h"

#include "runtime/commands/scene_options.h"

namespace tenon::runtime {

content::Scene sceneOf(const SessionHeader& header) {
  content::KeptFiles files(header.sceneFile, header.meshFiles);
  return parseShowing(header.sceneText, header.sceneFile, header.parameters, files);
}

}  // namespace tenon::runtime
