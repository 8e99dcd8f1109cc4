// Exports a session as an animated GLB file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "content/parts/glb_writer.h"
#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Largest deviation of a part from its recorded path between the keyframes of the animation [m].
inline constexpr double kAnimationTolerance = 1e-4;

/// The bytes of a GLB file: all drawable parts as the renderer draws them, and one animation named "session"
/// in the session's time. `world`: built from the scene. `progress` is called with the time of each keyframe
/// [s]. `session` must not have been read before; throws content::InputError if it is damaged.
std::string animatedGlb(SessionReader& session, const content::Scene& scene, const physics::World& world,
                        const std::function<void(double)>& progress);

/// The same for given motions, one for each part of the scene; those of parts that are not drawn are ignored.
std::string animatedGlb(const content::Scene& scene, const std::vector<content::GlbAnimation>& motions);

}  // namespace tenon::runtime
