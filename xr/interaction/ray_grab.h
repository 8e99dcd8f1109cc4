// Taking what is out of reach: a hand that points at a part takes it where the ray meets it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "content/model/scene.h"
#include "xr/appearance/pick.h"
#include "xr/hands/hand_source.h"

namespace tenon::xr {

/// What else a pointing hand tells.
struct PointingHand {
  /// Where it points, in the hand's frame, unit; none: it points nowhere.
  std::optional<Vector3d> direction;
  /// What it is stretched out from, such as the head [m]; none: not known, and its arm stays as long as it
  /// was.
  std::optional<Vector3d> p_WShoulder;
};

/// From hands in a room to hands that reach further. A hand that closes with no dynamic part within its
/// reach, and points at one within kMaxDistance, takes that at the touched point: from then until it opens
/// its sample is at the far end of a rod that the hand holds, so turns of the hand swing the part and turn
/// it, and the offset stays. Stretching the arm out by kDoublingStretch doubles the rod's length, drawing it
/// in by kDoublingStretch takes the part to the hand.
///
/// A ray that just misses is turned to the part whose middle is nearest to it, if within kAssistAngle: screws
/// are small from a metre away. What is fixed stands in the way, and is not taken.
class RayGrab {
 public:
  static constexpr double kMaxDistance = 3;        ///< [m]
  static constexpr double kDoublingStretch = 0.4;  ///< [m]
  static constexpr double kAssistAngle = 0.03;     ///< [rad]

  /// Both outlive this.
  RayGrab(const content::Scene& scene, const Picker& picker);

  /// A metre of the scene looks like so many of the room: kMaxDistance and kDoublingStretch are of the room.
  void setScale(double scale) { scale_ = scale; }

  /// The hands' next moment: `hands` one for each sample, parts standing at `X_WP`.
  void update(std::span<const HandSample> samples, std::span<const PointingHand> hands,
              std::span<const physics::Pose> X_WP);
  /// One for each hand.
  std::span<const HandSample> samples() const { return samples_; }

  /// What an open hand would take from afar, and where; none: nothing, or something near.
  const std::optional<PartHit>& farTarget(std::size_t hand) const { return states_[hand].farHit; }
  /// The part within reach that an open hand would take if it closed now; −1: none.
  int nearTarget(std::size_t hand) const { return states_[hand].nearPart; }
  /// Whether it took something from afar, and has not opened since.
  bool holdsFar(std::size_t hand) const { return states_[hand].rod.has_value(); }

 private:
  /// From the hand to what it took.
  struct Rod {
    int part = -1;
    Vector3d end = Vector3d::Zero();      ///< in the hand's frame, when it was taken [m]
    Vector3d along_W = Vector3d::Zero();  ///< unit, when it was taken
    std::optional<Vector3d> arm_W;        ///< from the shoulder to the hand, when it was taken [m]
    double stretched = 0;                 ///< by how much the arm is longer along that now [m]
  };
  struct State {
    bool wasClosed = false;
    std::optional<Rod> rod;
    std::optional<PartHit> farHit;
    int nearPart = -1;  ///< the part that it would take where it is
  };

  int nearestTo(const HandSample& sample, std::span<const physics::Pose> X_WP) const;
  std::optional<PartHit> hitBy(const Ray& ray, std::span<const physics::Pose> X_WP) const;
  std::optional<PartHit> hitNearby(const Ray& ray, std::span<const physics::Pose> X_WP) const;
  HandSample atEnd(const HandSample& sample, const PointingHand& hand, Rod& rod) const;

  bool isTakeable(const std::optional<PartHit>& hit) const;

  double scale_ = 1;
  const content::Scene* scene_;
  const Picker* picker_;
  std::vector<Eigen::AlignedBox3d> boxes_;  ///< of the parts, in their frames
  std::vector<State> states_;
  std::vector<HandSample> samples_;
};

}  // namespace tenon::xr
