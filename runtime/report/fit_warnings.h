// Warnings about a goal's pair before the simulation: it cannot be inserted, or not to the depth.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// One line each, in the order of goals: a nominal pair without a fit; an interference of rigid materials, or
/// one that exceeds the force of the hands; a part longer than its blind hole; a depth greater than the
/// part's length.
std::vector<std::string> fitWarnings(const content::Scene& scene);

}  // namespace tenon::runtime
