// See linearized_problem_solver.h.
#include "physics/solver/linearized_problem_solver.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "physics/contact/contact_matcher.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// The proximal Newton method where the compliance changes.
constexpr ProximalNewton::Options kNewton{1e-4, 60, 3};
/// Compliances of problems without a solution, relative to a contact's own Δt² A_kk [-]: forces stay bounded.
constexpr double kFixedCompliances[] = {1e-6, 1e-4};

}  // namespace

void LinearizedProblemSolver::build(const LinearizedContacts& problem, const std::vector<WarmForce>& guess) {
  scaled_.build(problem, kRelativeCompliance);
  changesCompliance_ = false;
  y_.assign(scaled_.size(), 0.0);
  int k = 0;
  for (const WarmForce& force : guess) {
    while (k < scaled_.contacts() && problem.rows[k].key < force.key) ++k;
    const bool found = k < scaled_.contacts() && problem.rows[k].key == force.key;
    // A point that is both a phase and the deepest point may appear as one contact or as two.
    const ContactRow* row = found ? &problem.rows[k] : nearestRow(problem.rows, force.key.pair, force.p);
    if (row) addGuess(*row, static_cast<int>(row - problem.rows.data()), force);
  }
}

void LinearizedProblemSolver::addGuess(const ContactRow& row, int k, const WarmForce& force) {
  y_[3 * k] += scaled_.toScaled(k, force.f);
  if (!(row.mu > 0)) return;
  const Eigen::Vector2d t = row.directions().transpose() * force.friction;
  y_[3 * k + 1] += scaled_.toScaled(k, t[0]);
  y_[3 * k + 2] += scaled_.toScaled(k, t[1]);
}

double LinearizedProblemSolver::tolerance() const {
  const double innerAccuracy = inner_->accuracy() / scaled_.largestD();
  if (scaled_.frictional())
    return std::max(
        {kFrictionTolerance / scaled_.largestD(), kFrictionFloor * scaled_.scale(), innerAccuracy});
  return std::max(
      {kLinearTolerance * scaled_.scale(), kLengthFloor / scaled_.largestD(), kLinearFloor, innerAccuracy});
}

LinearReport LinearizedProblemSolver::solve(double sufficient, bool thorough) {
  if (scaled_.isFreeMotionFeasible()) {
    std::fill(y_.begin(), y_.end(), 0.0);
    return {.solved = true};
  }
  const double absoluteTolerance = tolerance();
  inner_->setSufficient(sufficient);
  inner_->setThorough(thorough);
  LinearReport report = inner_->solve(scaled_, y_, absoluteTolerance);
  if (report.solved && scaled_.removeCompliance(y_)) {
    other_.assign(y_.begin(), y_.end());
    report.compliant = !solveAgain(absoluteTolerance, report.iterations, scaled_.frictional());
  } else if (!report.solved && !report.nearly && inner_->mayYield() && (thorough || !scaled_.frictional())) {
    for (const double epsilon : kFixedCompliances) {
      scaled_.raiseCompliance(epsilon);
      other_.assign(scaled_.size(), 0.0);
      const bool byAll = !scaled_.frictional() || epsilon == *std::rbegin(kFixedCompliances);
      report.solved = report.compliant = solveAgain(absoluteTolerance, report.iterations, byAll);
      if (report.solved) break;
    }
  }
  return report;
}

bool LinearizedProblemSolver::solveAgain(double tolerance, int& iterations, bool byAll) {
  const ProximalNewton::Options& options = scaled_.frictional() ? kNewton : ProximalNewton::kNearConvex;
  changesCompliance_ = newton_.solve(scaled_, other_, tolerance, options, iterations);
  if (!changesCompliance_ && (byAll || !inner_->mayYield())) {
    const LinearReport report = inner_->solve(scaled_, other_, tolerance);
    iterations += report.iterations;
    changesCompliance_ = report.solved;
  }
  if (changesCompliance_) y_.swap(other_);
  return changesCompliance_;
}

void LinearizedProblemSolver::writeSolution(LinearizedContacts& problem, ContactSolution& solution) {
  v_.resize(scaled_.dimension());
  scaled_.velocity(y_, v_);
  scaled_.toVelocity(problem, v_, solution.u);
  solution.f.resize(problem.rows.size());
  solution.friction.resize(problem.rows.size());
  for (int k = 0; k < scaled_.contacts(); ++k) {
    solution.f[k] = scaled_.toForce(k, y_[3 * k]);
    solution.friction[k].setZero();
    if (problem.rows[k].mu > 0)
      solution.friction[k] = problem.rows[k].directions() * scaled_.forceOf(k, y_).tail<2>();
  }
  solution.posedCompliance.clear();
  for (const ContactRow& row : problem.rows) solution.posedCompliance.push_back(row.compliance);
  if (changesCompliance_)
    for (int k = 0; k < scaled_.contacts(); ++k) problem.rows[k].compliance = scaled_.complianceOf(k);
  // The next linearization overwrites the problem's rows.
  solution.solved.swap(problem.rows);
}

}  // namespace tenon::physics
