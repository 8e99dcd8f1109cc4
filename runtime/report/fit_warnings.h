// What can be said of a goal's pair before anything moves: that it cannot go in, or not as far.
#pragma once

#include <string>
#include <vector>

#include "content/model/scene.h"

namespace tenon::runtime {

/// One line each, in the order of goals: a nominal pair without a fit; an interference of rigid materials, or
/// one that the hands cannot press in; a part that is longer than its blind hole; a depth greater than the
/// part is long.
std::vector<std::string> fitWarnings(const content::Scene& scene);

}  // namespace tenon::runtime
