// The scene of an assembly: a scene file, or one made of a STEP file.
#pragma once

#include <optional>
#include <string>

#include "runtime/session/run_scene.h"

namespace tenon::runtime {

/// `sceneOut`: where the scene of a STEP assembly will be written, the option --scene-out; else it is in
/// memory only. Throws content::InputError and content::MissingComponent.
LoadedScene loadAssembly(const SceneOptions& options, const std::optional<std::string>& sceneOut);

}  // namespace tenon::runtime
