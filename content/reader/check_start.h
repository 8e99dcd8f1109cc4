// Checks the start of a scene: no overlapping parts, no contradicting joints.
#pragma once

#include "content/model/scene.h"

namespace tenon::content {

/// Moves parts apart that hardly overlap: settleStart(). Throws InputError if two parts, or two children of a
/// compound (whose masses would count twice), overlap, or if joints contradict or nearly repeat each other.
/// The message has names and amounts.
void checkStart(Scene& scene);

}  // namespace tenon::content
