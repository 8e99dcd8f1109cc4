// Help on the way into a hole, for who wants it: what is beside the hole's axis counts less.
#pragma once

#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::xr {

/// The way in of one goal.
struct GuidedAxis {
  int part = -1, into = -1;  ///< indices into Scene::parts
  physics::Vector3d tip_P = physics::Vector3d::Zero(),
                    inward_P = physics::Vector3d::UnitZ();  ///< of the part's end that goes in, unit
  physics::Pose X_IH;  ///< mouth in the frame of `into`: +z out of the hole
  double depth = 0;    ///< [m]
};

std::vector<GuidedAxis> guidedAxes(const content::Scene& scene);

/// Where guidance reaches: beside the axis, over the mouth, and how far tilted [m, rad]. It fades to nothing
/// there.
inline constexpr double kGuidanceRadius = 0.02, kGuidanceHeight = 0.04, kGuidanceTilt = 0.5;
/// What guidance takes off what is beside the axis, on the axis [-].
inline constexpr double kGuidanceMaxCorrection = 0.8;

/// How strongly a part that is to be at X_WP is led, 0…1, its hole's part being at X_WI.
double guidanceWeight(const GuidedAxis& axis, const physics::Pose& X_WP, const physics::Pose& X_WI);

/// Where it is to be instead: its tip's distance from the axis and its tilt are less by `strength` of what
/// guidance takes. What is along the axis and about it stays. The further beside, the further beside: nothing
/// is turned back.
physics::Pose guidedPose(const GuidedAxis& axis, const physics::Pose& X_WP, const physics::Pose& X_WI,
                         double strength);

/// Changes where hands are sent, for all kinds of hands. It changes no forces and no contacts: what is
/// recorded is what the hands were sent to, so a session simulates the same again, and events tell when it
/// was on. It comes within kRamp of simulated time, from the grab or the turning on, and goes as slowly, so
/// that no part jumps. Between two holes it goes from the one before it comes to the other.
class Guidance {
 public:
  static constexpr double kRamp = 0.5;  ///< [s]

  explicit Guidance(const content::Scene& scene);

  void setEnabled(bool on) { on_ = on; }
  bool isEnabled() const { return on_; }
  /// For the next step: what `commands` send hands to that hold something, or take it now. Reads the world.
  void apply(const physics::World& world, std::vector<physics::Command>& commands);

 private:
  /// What leads a hand, and how strongly by now.
  struct ActiveGuide {
    int axis = -1;
    double strength = 0;
  };

  physics::Pose poseOf(const physics::World& world, int part) const;
  double weightOf(int axis, const physics::World& world, const physics::Pose& X_WP) const;
  int strongestAxis(const physics::World& world, physics::BodyId body, const physics::Pose& X_WP) const;
  physics::Pose guided(ActiveGuide& lead, const physics::World& world, physics::BodyId body,
                       const physics::Pose& X_WP) const;

  std::vector<GuidedAxis> axes_;
  std::vector<ActiveGuide> guides_;  ///< by hand
  bool on_ = false;
};

}  // namespace tenon::xr
