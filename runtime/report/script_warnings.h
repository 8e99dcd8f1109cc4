// Warnings about the scripts of hands, found without simulation.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/grab_reach.h"

namespace tenon::runtime {

/// One line: position in the file, hand, part, distance, and remedy.
std::string toText(const FarGrab& grab, const content::Scene& scene);

/// One line each, with the position in the file: entries after `end` [s], the end of the run; grabs from
/// beyond a hand's reach; parts that a hand is too weak to lift; goals whose time limit passes before a
/// script grabs their part.
std::vector<std::string> scriptWarnings(const content::Scene& scene, double end);

}  // namespace tenon::runtime
