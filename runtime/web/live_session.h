// A running session for the viewer in a browser: its document without frames, and frames as they come.
//
// A frame is a row of whole numbers, multiples of the quanta of the document. The server sends each browser
// the differences from the last row that this browser got. page/live.js reads both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/report/session_facts.h"
#include "runtime/web/pose_track.h"
#include "xr/appearance/compose.h"

namespace tenon::runtime {

/// The state of a running session after a step.
struct LiveStep {
  std::int64_t tick = 0;  ///< steps computed, which a reset does not set back
  bool playing = false;
  double speed = 1;                 ///< simulated by real time while playing [-]
  std::vector<physics::Pose> X_WP;  ///< of all parts
  physics::StepResult step;
  std::vector<GoalResult> goals;
};

/// The document: everything but the frames. `X_WP`: of all parts. `rate` [Hz]: the time of a frame is its
/// tick · (1 / rate).
std::string liveDocument(const content::Scene& scene, std::span<const physics::Pose> X_WP, double rate,
                         std::span<const SessionFact> facts);

/// Makes rows of numbers:
///   tick, converged (0, 1), playing (0, 1), speed · 10⁴;
///   of each part with a mesh: position x y z, quaternion w x y z;
///   of each hand: position x y z, quaternion w x y z, index of the held part or −1;
///   of each goal: number of the verdict in the document, depth, tilt, push, largest push, 1 if it is a point
///   of the curve of push against depth;
///   of each force arrow: parts i and j (−1: a hand), point x y z, force x y z.
class LiveFrames {
 public:
  /// The scene must outlive it.
  explicit LiveFrames(const content::Scene& scene);

  std::vector<std::int64_t> row(const LiveStep& step);

 private:
  struct Body {
    PoseQuanta quanta;
    Eigen::Vector4d last{0, 0, 0, 0};  ///< quaternion of the row before
  };
  static void addPose(std::vector<std::int64_t>& row, Body& body, const physics::Pose& X);
  void addGoals(std::vector<std::int64_t>& row, const LiveStep& step) const;
  void addArrows(std::vector<std::int64_t>& row, const LiveStep& step) const;

  const content::Scene& scene_;
  std::vector<std::optional<Body>> parts_;  ///< empty for one without a mesh
  std::vector<Body> hands_;
};

}  // namespace tenon::runtime
