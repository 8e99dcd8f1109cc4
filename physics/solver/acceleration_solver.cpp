// See acceleration_solver.h.
#include "physics/solver/acceleration_solver.h"

#include <algorithm>
#include <cmath>

#include "physics/math/tolerances.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

namespace {

/// Separation speed at u without the contribution of bodies that forces do not move, which acceleration
/// cannot change [m/s].
double movableRate(const ContactRow& row, std::span<const double> u) {
  return LinearizedContacts::separationSpeed(row, u) - row.normalBias;
}
double movableRate(const JointRows& joint, int row, std::span<const double> u) {
  return LinearizedContacts::jointRate(joint, row, u) - joint.rateBias[row];
}

}  // namespace

AccelerationSolver::AccelerationSolver(const BaraffOptions& method, ExtraAcceleration extra)
    : system_(method), impact_(method) {
  const bool distance = extra == ExtraAcceleration::velocityAndDistance ||
                        extra == ExtraAcceleration::velocityAndDistanceJoints;
  const bool contacts =
      extra == ExtraAcceleration::velocity || extra == ExtraAcceleration::velocityAndDistance;
  if (extra != ExtraAcceleration::none) ofJoints_ = {true, distance};
  if (contacts) ofContacts_ = {true, distance};
}

// Rows and joints at the start of the step, before any body that forces move has moved.
void AccelerationSolver::storeStart(ContactProblem& problem) {
  dt_ = problem.dt;
  zero_.assign(problem.freeVelocity.size(), 0.0);
  problem.linearize(zero_);
  rows_.assign(problem.rows.begin(), problem.rows.end());
  jointStart_.clear();
  for (const JointRows& joint : problem.joints) jointStart_.push_back(joint.phi);
  base_.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
  const bool hasStartVelocity = problem.startVelocity.size() == problem.freeVelocity.size();
  u_ = hasStartVelocity ? problem.startVelocity : problem.freeVelocity;
}

// With extra acceleration any contact may carry force, as its gap enters the acceleration; without, only
// contacts that touch now or would at the end of the step.
void AccelerationSolver::chooseContacts(const LinearizedContacts& problem) {
  chosen_.clear();
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double now = rows_[k].contact.separation - dt_ * rows_[k].normalBias;
    const double then = rows_[k].contact.separation + dt_ * movableRate(rows_[k], problem.freeVelocity);
    if (ofContacts_.velocity || std::min(now, then) <= kGapTolerance) chosen_.push_back(static_cast<int>(k));
  }
}

// The speed w of a contact at a distance d that bodies reach in the step becomes −d/Δt instead of 0.
double AccelerationSolver::restitutionUntilMet(const ContactRow& row) const {
  const double speed = LinearizedContacts::separationSpeed(row, u_);
  const double distance = row.contact.separation - dt_ * row.normalBias;
  return row.key.isSwept() && speed < 0 ? std::clamp(distance / (dt_ * speed), -1.0, 0.0) : 0.0;
}

bool AccelerationSolver::stopApproaches(const LinearizedContacts& problem, SolveReport& report) {
  impulse_.clear();
  extrapolationVelocity_ = u_;
  const bool any = std::any_of(rows_.begin(), rows_.end(), [&](const ContactRow& row) {
    const double speed = LinearizedContacts::separationSpeed(row, u_);
    return speed < -kImpactSpeed &&
           row.contact.separation - dt_ * row.normalBias + dt_ * speed <= kGapTolerance;
  });
  if (!any) return false;
  restitution_.clear();
  for (const int k : chosen_) restitution_.push_back(restitutionUntilMet(rows_[k]));
  const DenseReport impact =
      impact_.solveImpacts(problem, rows_, chosen_, restitution_, extrapolationVelocity_, impulse_);
  report.iterations += impact.iterations;
  return impact.solved;
}

double AccelerationSolver::curvatureTermOf(const LinearizedContacts& problem, const ContactRow& row) const {
  const ContactRow* then = findRow(problem.rows, row.key);
  if (!then) return 0;
  return then->contact.separation - row.contact.separation - dt_ * movableRate(row, extrapolationVelocity_);
}

void AccelerationSolver::findCurvatureTerms(ContactProblem& problem) {
  problem.linearize(extrapolationVelocity_);
  curvatureTerms_.clear();
  for (const ContactRow& row : rows_) curvatureTerms_.push_back(curvatureTermOf(problem, row));
  jointCurvatureTerms_.assign(problem.joints.size(), Vector6d::Zero());
  for (std::size_t n = 0; n < problem.joints.size(); ++n)
    for (int e = 0; e < problem.joints[n].count; ++e)
      jointCurvatureTerms_[n][e] = problem.joints[n].phi[e] - jointStart_[n][e] -
                                   dt_ * movableRate(problem.joints[n], e, extrapolationVelocity_);
}

// b of one row: `gain` is the change of its speed in the step without forces, `speed` that at the start.
double AccelerationSolver::freeAcceleration(double gain, double speed, double distance, double curvatureTerm,
                                            bool oneSided, Extra extra) const {
  if (extra.distance) return ((gain + speed) * dt_ + distance + curvatureTerm) / (dt_ * dt_);
  const double plain = gain / dt_ + 2 * curvatureTerm / (dt_ * dt_);
  // A contact that separates may come to rest.
  if (!extra.velocity) return oneSided ? plain + std::max(speed, 0.0) / dt_ : plain;
  if (!oneSided) return plain + speed / dt_;
  return plain + speed / dt_ + std::max(distance, 0.0) / (dt_ * dt_);
}

void AccelerationSolver::fill(const LinearizedContacts& problem) {
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    const ContactRow& row = rows_[chosen_[k]];
    const double speed = LinearizedContacts::separationSpeed(row, u_);
    system_.setContact(static_cast<int>(k),
                       freeAcceleration(LinearizedContacts::separationSpeed(row, base_) - speed, speed,
                                        row.contact.separation - dt_ * row.normalBias,
                                        curvatureTerms_[chosen_[k]], true, ofContacts_));
    if (ofContacts_.distance) system_.addCompliance(static_cast<int>(k), row.compliance / (dt_ * dt_));
  }
  for (std::size_t n = 0; n < problem.joints.size(); ++n) {
    const JointRows& joint = problem.joints[n];
    for (int e = 0; e < joint.count; ++e) {
      const double speed = LinearizedContacts::jointRate(joint, e, u_);
      system_.setJoint(static_cast<int>(n), e,
                       freeAcceleration(LinearizedContacts::jointRate(joint, e, base_) - speed, speed,
                                        jointStart_[n][e] - dt_ * joint.rateBias[e],
                                        jointCurvatureTerms_[n][e], false, ofJoints_));
    }
  }
}

bool AccelerationSolver::solveForces(const LinearizedContacts& problem, SolveReport& report) {
  system_.build(problem, rows_, chosen_);
  fill(problem);
  const DenseReport dense = system_.solve();
  report.iterations += dense.iterations;
  const BaraffStatistics& s = system_.statistics();
  report.statistics.redundant += s.redundant;
  report.statistics.deferred += s.deferred;
  report.statistics.flipFlops += s.flipFlops;
  report.statistics.unwantedAcceleration = s.unwantedAccel;
  report.statistics.unwantedForce = s.unwantedForce;
  return dense.solved;
}

void AccelerationSolver::writeSolution(const LinearizedContacts& problem, bool solved,
                                       ContactSolution& solution) {
  solution.u.assign(base_.begin(), base_.end());
  if (solved) system_.addImpulses(dt_, solution.u);
  solution.solved.assign(rows_.begin(), rows_.end());
  solution.posedCompliance.clear();
  for (const ContactRow& row : rows_) solution.posedCompliance.push_back(row.compliance);
  solution.f.assign(rows_.size(), 0.0);
  solution.friction.assign(rows_.size(), Vector3d::Zero());
  for (std::size_t k = 0; k < chosen_.size(); ++k) {
    double& f = solution.f[chosen_[k]];
    if (solved) f = system_.force(static_cast<int>(k));
    if (k < impulse_.size()) f += impulse_[k] / problem.dt;
  }
}

SolveReport AccelerationSolver::solve(ContactProblem& problem, const std::vector<WarmForce>&,
                                      ContactSolution& solution) {
  SolveReport report;
  report.linearizations = 4;  // the caller's and the three here
  storeStart(problem);
  chooseContacts(problem);
  const bool stopped = stopApproaches(problem, report);
  if (stopped && !ofContacts_.velocity) {
    for (std::size_t i = 0; i < u_.size(); ++i) base_[i] += extrapolationVelocity_[i] - u_[i];
    u_ = extrapolationVelocity_;
  } else {
    impulse_.clear();  // used for the curvature terms only
  }
  findCurvatureTerms(problem);
  const bool frictionless =
      std::none_of(rows_.begin(), rows_.end(), [](const ContactRow& row) { return row.mu > 0; });
  const bool forces = solveForces(problem, report);
  writeSolution(problem, forces, solution);

  problem.linearize(solution.u);
  static_cast<Residuals&>(report) = evaluate(problem, solution);
  report.solved = forces && frictionless;
  report.innerFailures = report.solved ? 0 : 1;
  report.residual = forces ? system_.residual() : residualInNewtons(problem, solution);
  return report;
}

}  // namespace tenon::physics
