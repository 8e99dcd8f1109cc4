// What is drawn of a person's hands: where they are, where they hold, what pulls in between, where they
// point.
#pragma once

#include <memory>
#include <optional>

#include "runtime/simulation/simulation_frame.h"
#include "xr/render/render_scene.h"

namespace tenon::runtime {

/// One hand of a moment.
struct ShownHand {
  std::optional<physics::Pose> X_WH;  ///< where the real hand is; none: out of sight
  InterpolatedHand drawn;             ///< what physics has of it
  bool closed = false, fine = false;
  bool far = false;                         ///< what it holds is at the end of its ray
  std::optional<physics::Vector3d> aimsAt;  ///< what it would take from afar [m]
  double maxForce = 0;                      ///< of its spring [N]
  double breakDistance = 0;                 ///< [m]
};

/// A ball for the hand: grey while it is open, blue while it is closed, green while it moves finely. Where
/// the hand and the place where it holds its part are further apart than kGhostDistance, the ball stays with
/// the part, a ghost of it is where the hand is, and a tether from one to the other gets redder the nearer it
/// is to the spring's limit, or to breaking. A hand out of sight that holds something is a ghost too. A ray
/// goes from the hand to what it would take from afar, or holds there.
class HandAppearance {
 public:
  static constexpr double kGhostDistance = 0.003;  ///< [m]

  /// In a room in which a metre of the world looks like `scale` metres: sizes are those of the room.
  explicit HandAppearance(double scale = 1);
  void add(const ShownHand& hand, xr::RenderScene& picture) const;

 private:
  void addBall(const physics::Pose& X, const Eigen::Vector3d& color, bool ghost,
               xr::RenderScene& picture) const;

  double scale_;
  std::shared_ptr<const content::DisplayMesh> ball_;
};

}  // namespace tenon::runtime
