// What a session amounts to: goals, verdicts and statistics, from ticks alone, so that a live run and
// its record give the same results.
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

/// A joint over a run.
struct JointResult {
  physics::JointState end;             ///< at the last tick
  double maxForce = 0, maxTorque = 0;  ///< largest it bore in a step that converged [N], [N m]
};

class Assessment {
 public:
  explicit Assessment(const content::Scene& scene);

  /// Takes in one tick, with how long the step took [µs] (0 where it was not measured). Bodies and
  /// hands of the tick are in the order of the scene's parts and hands.
  void add(const physics::StepResult& tick, double step_us = 0);

  /// As of the last tick; in the order of the scene's goals.
  const std::vector<GoalResult>& goals() const { return goals_; }
  /// As of the last tick; in the order of the scene's joints.
  const std::vector<JointResult>& joints() const { return joints_; }
  /// True while every goal is inserted (also where there are none).
  bool allInserted() const;

  struct Summary {
    std::int64_t steps = 0;
    double simulated = 0;       ///< [s]
    double maxPenetration = 0;  ///< worst at the end of any step [m]
    /// Of any joint's equations and ends, at the end of any step: lengths [m] and angles [rad].
    double maxJointLengthError = 0, maxJointAngleError = 0;
    double maxResidual = 0;  ///< [N]
    double maxPush = 0;      ///< largest of the goals' [N]
    double stepTimeP50_us = 0, stepTimeP99_us = 0, stepTimeMax_us = 0;
    double meanContacts = 0;
    int maxContacts = 0;
    double meanLinearizations = 0;
    int maxLinearizations = 0;
    std::int64_t iterations = 0;  ///< of all solvers
    int maxIterations = 0;        ///< in a step
    physics::SolverStatistics solver;
    std::map<std::string, int> fallbacks;  ///< by the solver that gave up, only those > 0
    /// Steps in which something touched, by the solver that settled the largest island.
    std::map<std::string, std::int64_t> stepsBySolver;
    std::int64_t notConvergedSteps = 0;
  };
  Summary summary() const;

 private:
  void addJoints(const physics::StepResult& tick);

  std::vector<GoalWatch> watches_;
  std::vector<GoalResult> goals_;
  std::vector<JointResult> joints_;
  StepTimes stepTimes_;
  Summary sums_;  ///< without means, percentiles and largest push
  double contactSum_ = 0, linearizationSum_ = 0;
};

}  // namespace tenon::runtime
