// Where a hand holds a part, restored from the record of its grab.
#pragma once

#include <optional>

#include "physics/math/pose.h"
#include "runtime/record/session_frames.h"

namespace tenon::runtime {

/// X_CH, the hand in the frame C of the body that it grabbed in event `grab`: from the hand's pose in the
/// command and the body's pose in the keyframe before. Empty if the command is missing. Throws
/// content::InputError for invalid data.
std::optional<physics::Pose> graspFrame(const SessionReader& session, SessionFrames& frames,
                                        const SessionEvent& grab);

}  // namespace tenon::runtime
