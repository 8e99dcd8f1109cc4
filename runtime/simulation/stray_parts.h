// Parts that leave the work area of an interactive session, and where they return to.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::runtime {

/// A person who stands at a table cannot reach a part that has left it: such a part returns to where it last
/// lay.
class StrayParts {
 public:
  static constexpr double kMargin = 1;         ///< of the work area around all parts at the start [m]
  static constexpr double kRestSpeed = 0.005;  ///< no point of a part at rest is faster [m/s]
  static constexpr double kRestTime = 0.2;     ///< at rest for so long, a part lies [s]
  /// A part that leaves again and again, without being held meanwhile, stays away afterwards: first it
  /// returns to where it lay, then to its start.
  static constexpr int kMaxReturns = 2;

  /// Parts with joints other than screws never stray.
  explicit StrayParts(std::shared_ptr<const content::Scene> scene);

  /// Call it after each step. The free parts that have left the work area, with poses in it at which they
  /// overlap no other part.
  const std::vector<physics::SetPose>& update(const physics::World& world);

 private:
  struct Memory {
    bool canStray = false;   ///< dynamic, and without joints other than screws
    double radius = 0;       ///< of a ball around the center of mass that contains the part [m]
    double restedSince = 0;  ///< time of the first step at rest [s]
    bool rests = false;      ///< in the last step
    physics::Pose X_WLain;   ///< where it last lay
    int returns = 0;         ///< since it was last held
  };

  void findTouched(const physics::StepResult& step);
  void remember(const physics::World& world, std::size_t part);
  std::optional<physics::Pose> freePlace(const physics::World& world, std::size_t part) const;
  bool isFree(const physics::World& world, std::size_t part, const physics::Pose& X_WP) const;

  std::shared_ptr<const content::Scene> scene_;
  std::vector<Eigen::AlignedBox3d> boxes_;  ///< of the parts, in their frames
  Eigen::AlignedBox3d area_;                ///< [world, m]
  std::vector<Memory> parts_;
  std::vector<bool> touched_;  ///< by part: another one pushes it, in this step
  std::vector<physics::SetPose> returned_;
};

}  // namespace tenon::runtime
