// A pile of blocks for several engines: the scene that all are given, the clock, and the overlap that is
// measured apart from all of them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/collision/collider.h"

namespace tenon::bench {

using physics::Pose;
using physics::Vector3d;

/// content/scenes/pile.json with this many blocks.
struct PileTrial {
  PileTrial(int blocks, double friction, int seed);

  int blocks = 0;
  double friction = 0;
  double dt = 0;  ///< [s]
  int steps = 0;
  content::Scene scene;
  /// Its parts: half-spaces that stand, and boxes that move, by their indices in the scene.
  std::vector<std::size_t> walls, boxes;

  const content::Part& part(std::size_t k) const { return scene.parts[k]; }
  const Vector3d& halfExtents(std::size_t box) const;
};

/// An engine that holds the pile. step() alone is timed.
class PileEngine {
 public:
  virtual ~PileEngine() = default;
  virtual void step() = 0;
  /// Poses of the boxes, in the order of PileTrial::boxes. Center, frame and center of mass of a box
  /// coincide.
  virtual void poses(std::span<Pose> X_WB) const = 0;
  /// Anything that makes the comparison lame, or nothing.
  virtual std::string remark() const { return ""; }
};

/// How hard a peer is made to try.
enum class Effort {
  usual,  ///< as it is delivered: made for games or for learning robots
  tight,  ///< the settings of the insertion benchmark: the least overlap that was found
};

std::unique_ptr<PileEngine> makeTenon(const PileTrial& trial);
/// Peers; only linked where they were found.
std::unique_ptr<PileEngine> makeMujoco(const PileTrial& trial, Effort effort);
std::unique_ptr<PileEngine> makeBullet(const PileTrial& trial, Effort effort);
std::string bulletName();  ///< with its version

/// Worst overlap of any two parts, from poses alone, by Tenon's collision detection and no engine's.
class OverlapMeter {
 public:
  explicit OverlapMeter(const PileTrial& trial);
  /// [m], 0 where nothing overlaps; NaN where a pose is not finite.
  double worst(std::span<const Pose> X_WB);

 private:
  std::vector<std::size_t> boxes_;
  std::unique_ptr<physics::Collider> collider_;
  std::vector<Pose> poses_;
  std::vector<double> reach_;
  std::vector<physics::BodyPair> pairs_;
  physics::ContactSet contacts_;
};

/// When the blocks have come down and when they rest, for times of steps [s].
inline constexpr double kLanding = 0.15, kResting = 1.5;

struct PileOutcome {
  double simulated = 0;                      ///< less than the scene where time ran out [s]
  std::optional<double> settling_us;         ///< median step from kLanding to kResting, as far as it came
  std::optional<double> resting_us;          ///< and from then on
  double penetration = 0;                    ///< worst of all that were measured [m]
  std::optional<double> restingPenetration;  ///< and of those from kResting on [m]
  double drift = 0;  ///< mean speed of the blocks over the last tenth of a second [m/s]
  std::string remark;
};

struct Patience {
  double budget = 0;  ///< real time an engine may take for its steps [s]
  int every = 1;      ///< measure overlap after every so many steps
};

PileOutcome measure(const PileTrial& trial, PileEngine& engine, const Patience& patience);

}  // namespace tenon::bench
