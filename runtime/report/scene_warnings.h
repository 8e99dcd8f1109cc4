// All that can be found wrong with a valid scene before anything moves: what `tenon check` lists and
// `tenon run` repeats.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// One line each, none twice. `end`: of the run [s]; negative: the scene's own.
std::vector<std::string> sceneWarnings(const content::Scene& scene, double end = -1);

}  // namespace tenon::runtime
