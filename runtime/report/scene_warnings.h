// All warnings about a valid scene before the simulation; `tenon check` lists them and `tenon run`
// repeats them.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// One line each, without duplicates. `end`: of the run [s]; negative: the scene's own.
std::vector<std::string> sceneWarnings(const content::Scene& scene, double end = -1);

}  // namespace tenon::runtime
