// See linearized_problem_solver.h.
#include "physics/solver/linearized_problem_solver.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// Factorizations of the active set method where the compliance changes.
constexpr int kNearSets = 20;
/// The proximal Newton method where the compliance changes.
constexpr ProximalNewton::Options kNewton{1e-4, 60, 3};
/// Compliances of problems without a solution, relative to a contact's own Δt² A_kk [-]: forces stay bounded.
/// With friction all methods serve the last one only, which nearly every problem has a solution with.
constexpr double kFixedCompliances[] = {1e-6, 1e-4};

/// The row nearest to where a force acted whose contact is not found, of the same pair; −1 where the pair has
/// none. A point that is both a phase and the deepest point may appear as one contact or as two: its load is
/// the same.
int nearestRow(const LinearizedContacts& problem, const WarmForce& force) {
  auto row = lowerBound(problem.rows, {force.key.pair, 0, 0});
  int nearest = -1;
  double smallest = std::numeric_limits<double>::infinity();
  for (; row != problem.rows.end() && row->key.pair == force.key.pair; ++row) {
    const double squared = (row->contact.p - force.p).squaredNorm();
    if (!(squared < smallest)) continue;
    smallest = squared;
    nearest = static_cast<int>(row - problem.rows.begin());
  }
  return nearest;
}

}  // namespace

void LinearizedProblemSolver::build(const LinearizedContacts& problem, const std::vector<WarmForce>& guess) {
  scaled_.build(problem, kRelativeCompliance);
  changesCompliance_ = false;
  y_.assign(scaled_.size(), 0.0);
  int k = 0;
  for (const WarmForce& force : guess) {
    while (k < scaled_.contacts() && problem.rows[k].key < force.key) ++k;
    const bool found = k < scaled_.contacts() && problem.rows[k].key == force.key;
    if (const int at = found ? k : nearestRow(problem, force); at >= 0) addGuess(problem, at, force);
  }
}

void LinearizedProblemSolver::addGuess(const LinearizedContacts& problem, int k, const WarmForce& force) {
  y_[scaled_.stride() * k] += scaled_.toScaled(k, force.f);
  if (!scaled_.frictional()) return;
  const Eigen::Vector2d t = problem.rows[k].directions().transpose() * force.friction;
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
  if (!inner_->mayYield()) return report;
  if (!report.solved && !report.nearly) {
    if (!thorough && scaled_.frictional()) return report;
    unsolved_.assign(y_.begin(), y_.end());
    report.solved = report.compliant = solveSoft(absoluteTolerance, report.iterations);
    if (!report.solved) y_.assign(unsolved_.begin(), unsolved_.end());
  } else if (report.solved && scaled_.removeCompliance(y_)) {
    report.compliant = !solveRigid(absoluteTolerance, report.iterations);
  }
  return report;
}

bool LinearizedProblemSolver::solveWithOtherCompliance(double tolerance, int& iterations) {
  if (scaled_.frictional()) return newton_.solve(scaled_, y_, tolerance, kNewton, iterations);
  return activeSet_.settle(scaled_, y_, tolerance, kNearSets, iterations);
}

bool LinearizedProblemSolver::solveRigid(double tolerance, int& iterations) {
  changesCompliance_ = solveWithOtherCompliance(tolerance, iterations);
  if (changesCompliance_ || !scaled_.frictional()) return changesCompliance_;
  unsolved_.assign(y_.begin(), y_.end());
  const LinearReport report = inner_->solve(scaled_, y_, tolerance);
  iterations += report.iterations;
  changesCompliance_ = report.solved;
  if (!report.solved) y_.assign(unsolved_.begin(), unsolved_.end());
  return report.solved;
}

bool LinearizedProblemSolver::solveSoft(double tolerance, int& iterations) {
  for (const double epsilon : kFixedCompliances) {
    scaled_.raiseCompliance(epsilon);
    y_.assign(scaled_.size(), 0.0);
    const bool isLast = epsilon == kFixedCompliances[std::size(kFixedCompliances) - 1];
    if (!solveWithOtherCompliance(tolerance, iterations) &&
        !((isLast || !scaled_.frictional()) && inner_->solve(scaled_, y_, tolerance).solved))
      continue;
    changesCompliance_ = true;
    return true;
  }
  return false;
}

void LinearizedProblemSolver::writeSolution(LinearizedContacts& problem, ContactSolution& solution) {
  v_.resize(scaled_.dimension());
  scaled_.velocity(y_, v_);
  scaled_.toVelocity(problem, v_, solution.u);
  solution.f.resize(problem.rows.size());
  solution.friction.resize(problem.rows.size());
  for (int k = 0; k < scaled_.contacts(); ++k) {
    const Vector3d force = scaled_.forceOf(k, y_);
    solution.f[k] = force[0];
    solution.friction[k].setZero();
    if (scaled_.frictional()) solution.friction[k] = problem.rows[k].directions() * force.tail<2>();
  }
  solution.posedCompliance.clear();
  for (const ContactRow& row : problem.rows) solution.posedCompliance.push_back(row.compliance);
  if (changesCompliance_)
    for (int k = 0; k < scaled_.contacts(); ++k) problem.rows[k].compliance = scaled_.complianceOf(k);
  // The next linearization overwrites the problem's rows.
  solution.solved.swap(problem.rows);
}

}  // namespace tenon::physics
