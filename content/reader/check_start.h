// Whether a scene can start: nothing stands inside anything else, and its joints can be kept together.
#pragma once

#include "content/model/scene.h"

namespace tenon::content {

/// Throws InputError where two parts, or two children of a compound (whose masses would be counted
/// twice), overlap, and where joints contradict or nearly repeat each other: which, and by how much.
void checkStart(const Scene& scene);

}  // namespace tenon::content
