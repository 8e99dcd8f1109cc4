// Statistics of a run; a GoalWatch monitors each goal.
#include "runtime/assess/assessment.h"

#include <algorithm>

namespace tenon::runtime {

Assessment::Assessment(const content::Scene& scene) {
  for (int g = 0; g < static_cast<int>(scene.goals.size()); ++g) {
    watches_.emplace_back(scene, g);
    goals_.push_back(watches_.back().result());
  }
}

void Assessment::add(const physics::StepResult& tick, double step_us) {
  for (std::size_t g = 0; g < watches_.size(); ++g) {
    watches_[g].add(tick);
    goals_[g] = watches_[g].result();
  }
  stepTimes_.add(step_us);
  const physics::StepReport& report = tick.report;
  ++sums_.steps;
  sums_.simulated = tick.time;
  sums_.maxPenetration = std::max(sums_.maxPenetration, report.penetration);
  addJoints(tick);
  sums_.maxResidual = std::max(sums_.maxResidual, report.residual);
  sums_.maxContacts = std::max(sums_.maxContacts, report.contacts);
  sums_.maxLinearizations = std::max(sums_.maxLinearizations, report.linearizations);
  sums_.iterations += report.iterations;
  sums_.maxIterations = std::max(sums_.maxIterations, report.iterations);
  sums_.solver.add(report.statistics);
  contactSum_ += report.contacts;
  linearizationSum_ += report.linearizations;
  if (!report.converged) ++sums_.notConvergedSteps;
  if (report.substeps > 1) ++sums_.dividedSteps;
  if (report.backedOff > 0) ++sums_.backedOffSteps;
  if (report.heldBack > 0) ++sums_.heldBackSteps;
  if (report.energyGuarded > 0) ++sums_.energyGuardedSteps;
  sums_.sweptPairs += report.sweptPairs;
  sums_.sweptContacts += report.sweptContacts;
  if (report.yielding > 0) ++sums_.yieldingSteps;
  if (report.solver != physics::SolverName::automatic)
    ++sums_.stepsBySolver[std::string(physics::toText(report.solver))];
  for (const auto& [name, text] : physics::kSolverNames) {
    const int count = report.fallbacks[static_cast<std::size_t>(name)];
    if (count > 0) sums_.fallbacks[std::string(text)] += count;
  }
}

void Assessment::addJoints(const physics::StepResult& tick) {
  joints_.resize(tick.joints.size());
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const physics::JointState& state = tick.joints[k];
    joints_[k].end = state;
    sums_.maxJointLengthError = std::max(sums_.maxJointLengthError, state.lengthError);
    sums_.maxJointAngleError = std::max(sums_.maxJointAngleError, state.angleError);
    if (!tick.report.converged) continue;
    joints_[k].maxForce = std::max(joints_[k].maxForce, state.force.norm());
    joints_[k].maxTorque = std::max(joints_[k].maxTorque, state.torque.norm());
  }
}

bool Assessment::allInserted() const {
  return std::all_of(goals_.begin(), goals_.end(),
                     [](const GoalResult& goal) { return isReached(goal.verdict); });
}

Assessment::Summary Assessment::summary() const {
  Summary summary = sums_;
  for (const GoalResult& goal : goals_) summary.maxPush = std::max(summary.maxPush, goal.maxPush);
  summary.stepTimeP50_us = stepTimes_.percentile(50);
  summary.stepTimeP99_us = stepTimes_.percentile(99);
  summary.stepTimeMax_us = stepTimes_.maximum();
  if (sums_.steps > 0) {
    summary.meanContacts = contactSum_ / static_cast<double>(sums_.steps);
    summary.meanLinearizations = linearizationSum_ / static_cast<double>(sums_.steps);
  }
  return summary;
}

}  // namespace tenon::runtime
