// The insertion benchmark as every engine gets it: the same parts, the same hand, the same measure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "physics/hand/hand_parameters.h"
#include "tests/support/exact_bore.h"

namespace tenon::bench {

using physics::Pose;
using physics::Vector3d;
using physics::Vector6d;

/// One row of the table: the scene content/scenes/insertion-benchmark.json with these parameters.
struct InsertionTrial {
  explicit InsertionTrial(double clearance_um, double friction);

  double clearance_um = 0;
  double friction = 0;
  content::Scene scene;
  double dt = 1e-3;         ///< [s], the scene's rate
  int steps = 0;            ///< of the whole scene
  tests::PegAndBore fit;    ///< of its parts
  double mass = 0;          ///< of the peg [kg]
  Vector3d inertia;         ///< of the peg about its center of mass, on its own axes [kg m²]
  double centerHeight = 0;  ///< of the peg's center of mass above its tip [m]
  double depth = 0;         ///< that the tip shall reach [m]
  /// The script: target of the peg's center of mass at the end of step k (k = 0: the start), as
  /// xr::ScriptedHands says.
  std::vector<Pose> targets;

  const physics::HandParameters& hand() const { return scene.hands.front().parameters; }
};

/// The peg at the end of a step: pose and velocity of its center of mass.
struct PegState {
  Pose X_WC;
  Vector3d v = Vector3d::Zero(), omega = Vector3d::Zero();  ///< [m/s], [rad/s], world
};

/// The scene's hand for engines that have none: a 6-DOF spring-damper on the center of mass, implicit in
/// the velocity. With e the stretch at the start of the step and V the target's velocity in it,
///     M̂ (u⁺ − u) = Δt (K e + (D + Δt K)(V − u) + contacts),   M̂ = M + Δt D + Δt² K,
/// which is M (u⁺ − u) = Δt (K e⁺ + D (V − u⁺) + contacts), what Tenon integrates. The engine is given M̂
/// for the peg's mass and inertia and the wrench as an external one, so that its own explicit step does it,
/// and its contacts know how heavy the hand makes the peg.
class ImplicitHand {
 public:
  explicit ImplicitHand(const InsertionTrial& trial);

  double mass() const { return mass_; }                 ///< M̂, the same along all axes [kg]
  const Vector3d& inertia() const { return inertia_; }  ///< M̂ about the peg's axes [kg m²]
  /// External force [N] and torque [N m] in world axes for step k (1, 2, …) from `state`.
  Vector6d wrench(int k, const PegState& state) const;

 private:
  const InsertionTrial& trial_;
  double mass_ = 0;
  Vector3d inertia_, stiffness_, angularStiffness_, damping_, angularDamping_;

  friend double pushOfHand(const InsertionTrial&, int, const PegState&);
};

/// How hard the hand pushes the peg down along the bore at the end of step k [N]: its spring and damper
/// there, whatever the engine says of its contacts.
double pushOfHand(const InsertionTrial& trial, int k, const PegState& state);

/// An engine that holds the peg and the block. step() alone is timed.
class InsertionEngine {
 public:
  virtual ~InsertionEngine() = default;
  /// Whatever the engine must be given for step k (1, 2, …).
  virtual void prepare(int k) = 0;
  virtual void step() = 0;
  virtual PegState peg() const = 0;
};

/// Facets that engines without round bores are given.
inline constexpr int kFacets = 64;

std::unique_ptr<InsertionEngine> makeTenon(const InsertionTrial& trial);
/// Peers; only linked where they were found.
std::unique_ptr<InsertionEngine> makeMujoco(const InsertionTrial& trial);
std::unique_ptr<InsertionEngine> makeBullet(const InsertionTrial& trial);
std::string bulletName();  ///< with its version

struct InsertionOutcome {
  bool inserted = false;
  double depth = 0;                  ///< of the tip at the end [m]
  double penetration = 0;            ///< worst at the end of any step, exact geometry [m]
  double push = 0;                   ///< peak [N]
  double median_us = 0, p99_us = 0;  ///< of a step
};

InsertionOutcome measure(const InsertionTrial& trial, InsertionEngine& engine);

/// Medians of all but `inserted` (true where it always was).
InsertionOutcome medians(const std::vector<InsertionOutcome>& outcomes);

}  // namespace tenon::bench
