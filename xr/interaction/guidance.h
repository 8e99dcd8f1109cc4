// Optional insertion aid: reduces the lateral and angular misalignment of a held part at its hole.
#pragma once

#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::xr {

/// The hole axis of one goal.
struct GuidedAxis {
  int part = -1, into = -1;                                 ///< indices into Scene::parts
  physics::Vector3d tip_P = physics::Vector3d::Zero();      ///< the part's end that is inserted [m]
  physics::Vector3d inward_P = physics::Vector3d::UnitZ();  ///< direction of insertion, unit
  physics::Pose X_IH;  ///< the hole's mouth in the frame of `into`: +z out of the hole
  double depth = 0;    ///< [m]
};

std::vector<GuidedAxis> guidedAxes(const content::Scene& scene);

/// Range of guidance: distance from the axis [m], height above the mouth [m], tilt [rad]. It fades to 0
/// there.
inline constexpr double kGuidanceRadius = 0.02, kGuidanceHeight = 0.04, kGuidanceTilt = 0.5;
/// Fraction of the misalignment that full guidance removes [-].
inline constexpr double kGuidanceMaxCorrection = 0.8;

/// Weight of guidance, 0…1, for a part with target pose X_WP and its hole's part at X_WI.
double guidanceWeight(const GuidedAxis& axis, const physics::Pose& X_WP, const physics::Pose& X_WI);

/// The guided target pose: the tip's distance from the axis and the tilt are reduced by `strength` ×
/// kGuidanceMaxCorrection × weight. Position along and rotation about the axis are unchanged. The map is
/// monotonic: a larger input misalignment gives a larger output.
physics::Pose guidedPose(const GuidedAxis& axis, const physics::Pose& X_WP, const physics::Pose& X_WI,
                         double strength);

/// Modifies the target poses of hands, whatever their source. Forces and contacts are unaffected; the
/// modified targets are recorded, so a replay is identical. The strength ramps up within kRamp of simulated
/// time after a grab or after enabling, and down as slowly, so that no part jumps. Between two holes it ramps
/// down at the one before it ramps up at the other.
class Guidance {
 public:
  static constexpr double kRamp = 0.5;  ///< [s]

  explicit Guidance(const content::Scene& scene);

  void setEnabled(bool on) { on_ = on; }
  bool isEnabled() const { return on_; }
  /// Modifies the MoveHand commands of the next step for hands that hold a part or grasp it in that step.
  void apply(const physics::World& world, std::vector<physics::Command>& commands);

 private:
  /// The axis that guides a hand, and the current strength 0…1.
  struct ActiveGuide {
    int axis = -1;
    double strength = 0;
  };

  physics::Pose poseOf(const physics::World& world, int part) const;
  double weightOf(int axis, const physics::World& world, const physics::Pose& X_WP) const;
  int strongestAxis(const physics::World& world, physics::BodyId body, const physics::Pose& X_WP) const;
  physics::Pose guided(ActiveGuide& guide, const physics::World& world, physics::BodyId body,
                       const physics::Pose& X_WP) const;

  std::vector<GuidedAxis> axes_;
  std::vector<ActiveGuide> guides_;  ///< by hand
  bool on_ = false;
};

}  // namespace tenon::xr
