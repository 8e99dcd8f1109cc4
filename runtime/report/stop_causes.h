// Why the goals of a recorded session were not reached, in words.
#pragma once

#include <vector>

#include "content/model/scene.h"
#include "runtime/assess/operations.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Writes Operation::why of goals that were not reached, from the contacts and loads at the end, or at the
/// last jam if they are still stuck; and of goals that were, but jammed on the way, from those at the last
/// jam. Throws content::InputError for invalid data.
void explainStops(const SessionReader& session, const content::Scene& scene,
                  std::vector<Operation>& operations);

}  // namespace tenon::runtime
