// Fits of goals: laid on a hole and a part of the same nominal diameter.
#pragma once

#include "content/input/json_cursor.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Reads the "fit" of each goal of the list at `goals`, whose goals and parts are in `scene`, and lays it on
/// the shapes of both parts. Masses stay those of the nominal sizes. Throws InputError where hole and part
/// are not of one diameter, another goal lays another fit on the same part or hole, or an interference meets
/// rigid materials.
void readFits(const JsonCursor& goals, Scene& scene);

}  // namespace tenon::content
