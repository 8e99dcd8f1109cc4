// Ray grab: a hand that points at a distant part grasps it at the ray's hit point.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/appearance/pick.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// Pointing state of a hand.
struct PointingHand {
  /// Direction in the hand's frame, unit; none: it does not point.
  std::optional<Vector3d> direction;
  /// Origin of the arm, such as the head [m]; none: unknown, and the arm keeps its length.
  std::optional<Vector3d> p_WShoulder;
};

/// Extends hand samples by grasping at a distance. A hand that closes with no dynamic part within its grab
/// radius and points at one within kMaxDistance grasps that part at the hit point. Until it opens, its sample
/// is at the far end of a rigid rod from the hand, so rotations of the hand swing and rotate the part.
/// Extending the arm by kDoublingStretch doubles the rod's length; retracting it by kDoublingStretch brings
/// the part to the hand.
///
/// A ray that misses is directed to the part whose center is nearest to it, if within kAssistAngle: small
/// screws are hard to hit from 1 m. Fixed parts block the ray and cannot be grasped.
class RayGrab {
 public:
  static constexpr double kMaxDistance = 3;        ///< [m]
  static constexpr double kDoublingStretch = 0.4;  ///< [m]
  static constexpr double kAssistAngle = 0.03;     ///< [rad]

  /// Both must outlive it.
  RayGrab(const content::Scene& scene, const Picker& picker);

  /// A meter of the scene appears as `scale` meters of the room; kMaxDistance and kDoublingStretch are
  /// lengths of the room.
  void setScale(double scale) { scale_ = scale; }

  /// Processes the next samples; `hands`: one for each sample, `X_WP`: poses of the parts.
  void update(std::span<const HandSample> samples, std::span<const PointingHand> hands,
              std::span<const physics::Pose> X_WP);
  /// One for each hand.
  std::span<const HandSample> samples() const { return samples_; }

  /// The distant part that an open hand would grasp, and where; none if there is none or a near part has
  /// priority.
  const std::optional<PartHit>& farTarget(std::size_t hand) const { return states_[hand].farHit; }
  /// The part within the grab radius that an open hand would grasp; −1: none.
  int nearTarget(std::size_t hand) const { return states_[hand].nearPart; }
  /// True while the hand holds a part that it grasped at a distance.
  bool holdsFar(std::size_t hand) const { return states_[hand].rod.has_value(); }

 private:
  /// The connection from the hand to a distant part.
  struct Rod {
    int part = -1;
    Vector3d end = Vector3d::Zero();      ///< in the hand's frame at the grasp [m]
    Vector3d along_W = Vector3d::Zero();  ///< unit, at the grasp
    std::optional<Vector3d> arm_W;        ///< from the shoulder to the hand at the grasp [m]
    double stretch = 0;                   ///< extension of the arm along the rod since then [m]
  };
  struct State {
    bool wasClosed = false;
    std::optional<Rod> rod;
    std::optional<PartHit> farHit;
    int nearPart = -1;  ///< see nearTarget()
  };

  int nearestTo(const HandSample& sample, std::span<const physics::Pose> X_WP) const;
  std::optional<PartHit> hitBy(const Ray& ray, std::span<const physics::Pose> X_WP) const;
  std::optional<PartHit> hitNearby(const Ray& ray, std::span<const physics::Pose> X_WP) const;
  HandSample atEnd(const HandSample& sample, const PointingHand& hand, Rod& rod) const;

  bool isGraspable(const std::optional<PartHit>& hit) const;

  double scale_ = 1;
  const content::Scene* scene_;
  const Picker* picker_;
  std::vector<Eigen::AlignedBox3d> boxes_;  ///< of the parts, in their frames
  std::vector<State> states_;
  std::vector<HandSample> samples_;
};

}  // namespace tenon::xr
