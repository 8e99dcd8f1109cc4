// A session as an animation that any glTF viewer plays.
#pragma once

#include <functional>
#include <string>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Parts leave their true ways by no more between the times that the animation keeps [m].
inline constexpr double kAnimationTolerance = 1e-4;

/// The bytes of a GLB file: all parts that can be drawn, as the renderer draws them, and one animation named
/// "session" in the session's time. `world`: one of the scene. `progress` is told the time of each keyframe
/// [s]. `session` must not have been read before; throws content::InputError where it is damaged.
std::string animatedGlb(SessionReader& session, const content::Scene& scene, const physics::World& world,
                        const std::function<void(double)>& progress);

}  // namespace tenon::runtime
