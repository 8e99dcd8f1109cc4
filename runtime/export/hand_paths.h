// The paths of a session's hands, from its commands.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/record/session_reader.h"

namespace tenon::runtime {

/// Where a hand, and the part that it holds, are meant to be.
struct PathPoint {
  double time = 0;  ///< of the session [s]
  std::int64_t tick = 0;
  int held = -1;                                                ///< index of the part; −1: none
  physics::Pose X_WH;                                           ///< target of the hand
  physics::Pose X_PH;                                           ///< the hand in the frame of the held part
  physics::Pose X_WP() const { return X_WH * X_PH.inverse(); }  ///< target of the held part's frame
};

struct HandPaths {
  std::vector<std::vector<PathPoint>> hands;  ///< by hand, in order of time
  /// Poses of the parts' frames at the ticks at which a hand released a part.
  std::map<std::int64_t, std::vector<physics::Pose>> partsAt;
  double end = 0;  ///< of the session [s]
};

/// Reads the session from its start. What an undo or a reset took back is left out.
HandPaths handPaths(SessionReader& session, const content::Scene& scene, const physics::World& world,
                    const std::function<void(double)>& progress);

}  // namespace tenon::runtime
