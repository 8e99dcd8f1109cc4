// Goals, verdicts and statistics of a session, computed from step results alone: a live run and its
// record give the same results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/assess/step_times.h"

namespace tenon::runtime {

/// A joint's result over a run.
struct JointResult {
  physics::JointState end;             ///< at the last tick
  double maxForce = 0, maxTorque = 0;  ///< peak reaction over the steps that converged [N], [N m]
};

class Assessment {
 public:
  explicit Assessment(const content::Scene& scene);

  /// Adds one step and the time of its computation [µs] (0: not measured). Bodies and hands of the
  /// step are in the order of the scene's parts and hands.
  void add(const physics::StepResult& tick, double step_us = 0);

  /// After the last step, in the order of the scene's goals.
  const std::vector<GoalResult>& goals() const { return goals_; }
  /// After the last step, in the order of the scene's joints.
  const std::vector<JointResult>& joints() const { return joints_; }
  /// True if every goal is inserted, or the scene has none.
  bool allInserted() const;

  struct Summary {
    std::int64_t steps = 0;
    double simulated = 0;       ///< [s]
    double maxPenetration = 0;  ///< maximum over the ends of all steps [m]
    /// Maximum violation of joint equations and limits over the ends of all steps: lengths [m], angles [rad].
    double maxJointLengthError = 0, maxJointAngleError = 0;
    double maxResidual = 0;  ///< [N]
    double maxPush = 0;      ///< maximum over the goals [N]
    double stepTimeP50_us = 0, stepTimeP99_us = 0, stepTimeMax_us = 0;
    double meanContacts = 0;
    int maxContacts = 0;
    double meanLinearizations = 0;
    int maxLinearizations = 0;
    std::int64_t iterations = 0;  ///< sum over all solvers
    int maxIterations = 0;        ///< in one step
    physics::SolverStatistics solver;
    std::map<std::string, int> fallbacks;  ///< by the solver that failed, only those > 0
    /// Steps with contacts, by the solver that solved the largest island.
    std::map<std::string, std::int64_t> stepsBySolver;
    std::int64_t notConvergedSteps = 0;
    std::int64_t dividedSteps = 0;    ///< solved in substeps (StepReport::substeps)
    std::int64_t backedOffSteps = 0;  ///< in which bodies moved only a fraction of their displacement
    std::int64_t heldBackSteps = 0;   ///< in which parts kept their poses (StepReport::heldBack)
    /// In which parts got other velocities, as their solution would have gained energy
    /// (StepReport::energyGuarded).
    std::int64_t energyGuardedSteps = 0;
    std::int64_t yieldingSteps = 0;  ///< in which rigid contacts had no solution and yielded
    std::int64_t sweptPairs = 0;     ///< computed times of impact, over all steps
    std::int64_t sweptContacts = 0;  ///< found between start and end of a step, over all steps
  };
  Summary summary() const;

 private:
  void addJoints(const physics::StepResult& tick);

  std::vector<GoalWatch> watches_;
  std::vector<GoalResult> goals_;
  std::vector<JointResult> joints_;
  StepTimes stepTimes_;
  Summary sums_;  ///< means, percentiles and maxPush are not filled in
  double contactSum_ = 0, linearizationSum_ = 0;
};

}  // namespace tenon::runtime
