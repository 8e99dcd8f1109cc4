// Edits of the scripts of hands in the text of a scene file.
#pragma once

#include "content/edit/json_text.h"
#include "content/model/scene.h"

namespace tenon::content {

/// Gives the right hand a script that takes the part of each goal with a hole and inserts it, in the order of
/// the goals; one that is to be screwed in is turned. Replaces the scripts of all hands. The duration of the
/// scene is extended to what the script needs.
void setScriptOfGoals(JsonText& text, const Scene& scene);

}  // namespace tenon::content
