// See solver_chain.h.
#include "physics/solver/solver_chain.h"

#include <algorithm>

#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"
#include "physics/solver/acceleration_solver.h"
#include "physics/solver/bilateral_contacts.h"
#include "physics/solver/cone_solver.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/gauss_seidel.h"
#include "physics/solver/lemke_fixpoint.h"
#include "physics/solver/position_iteration.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

std::unique_ptr<LinearSolver> makeLinearSolver(SolverName name, const SolverOptions& options) {
  switch (name) {
    case SolverName::lemkeFixpoint:
      return std::make_unique<LemkeFixpoint>();
    case SolverName::bilateralNewton:
      return std::make_unique<BilateralContacts>();
    case SolverName::gaussSeidel:
      return std::make_unique<ProjectedGaussSeidel>(options.gaussSeidel);
    case SolverName::fischerNewton:
      return std::make_unique<FischerNewton>();
    default:
      return std::make_unique<ConeSolver>();
  }
}

std::unique_ptr<ContactSolver> makeContactSolver(SolverName name, const SolverOptions& options) {
  if (name == SolverName::baraff)
    return std::make_unique<AccelerationSolver>(options.baraff, options.extraAcceleration);
  if (name == SolverName::automatic) name = SolverName::proximalNewton;
  return std::make_unique<PositionIteration>(name, makeLinearSolver(name, options));
}

namespace {

/// Bisections for the fraction of a failed step: it is exact to 0.1 %.
constexpr int kBackOffBisections = 10;
/// Overlap that may be added to that of the start of a step where no state is without overlap [-]: otherwise
/// rounding would hold a part that slides between two walls.
constexpr double kMaxGrowth = 1e-4;

}  // namespace

SolverChain::SolverChain(SolverName first, const SolverOptions& options) {
  if (first == SolverName::automatic && options.accuracy == Accuracy::fast)
    fast_.push_back(std::make_unique<PositionIteration>(
        SolverName::gaussSeidel, std::make_unique<AndersonGaussSeidel>(), Accuracy::fast));
  if (first == SolverName::automatic) first = SolverName::proximalNewton;
  exact_.push_back(makeContactSolver(first, options));
  if (options.fallbackSolver == FallbackSolver::gaussSeidel && first != SolverName::gaussSeidel)
    exact_.push_back(makeContactSolver(SolverName::gaussSeidel, options));
  if (first != SolverName::proximalNewton)
    exact_.push_back(makeContactSolver(SolverName::proximalNewton, options));
}

double SolverChain::acceptedPenetration() const {
  return isFast_ ? kFastAcceptedPenetration : kAcceptedPenetration;
}

// Joints couple more than two bodies, for which sweeps converge slowly. One body has nothing to gain.
bool SolverChain::solvesFast(const LinearizedContacts& problem) const {
  return !fast_.empty() && problem.bodies() > 1 && problem.joints.empty();
}

ChainReport SolverChain::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                               ContactSolution& solution) {
  // Set before the first linearization, whose contacts may be reused.
  isFast_ = solvesFast(problem);
  problem.reuseBelowOverlap = isFast_ ? kFastPenetration : 0;
  problem.usesStartDirections = !isFast_;  // reused rows have the directions of their last query
  problem.linearize(problem.predicted);
  ChainReport chain;
  chain.accuracy = isFast_ ? Accuracy::fast : Accuracy::exact;
  atRest_.assign(problem.freeVelocity.size(), 0.0);
  int linearizations = 0, iterations = 0;
  SolverStatistics statistics;
  bool isFirst = true;
  for (const std::unique_ptr<ContactSolver>& solver : isFast_ ? fast_ : exact_) {
    if (!isFirst) {
      problem.usesStartDirections = !isFast_;  // the attempt before may have left them
      problem.linearize(atRest_);
    }
    const SolveReport report = solver->solve(problem, warm, isFirst ? solution : other_);
    linearizations += report.linearizations;
    iterations += report.iterations;
    statistics.add(report.statistics);
    if (isFirst || report.betterThan(chain.solve)) {
      if (!isFirst) solution = other_;
      chain.solve = report;
      chain.solver = solver->name();
    }
    isFirst = false;
    chain.solve.linearizations = linearizations;
    chain.solve.iterations = iterations;
    chain.solve.statistics = statistics;
    if (report.solved) return chain;
    ++chain.fallbacks[static_cast<std::size_t>(solver->name())];
  }
  if (problem.isDivisible) return chain;
  // The problem's rows belong to the last attempt; linearize at the accepted answer.
  problem.linearize(solution.u);
  backOff(problem, solution, chain.solve);
  return chain;
}

// Bisection on the exact distances. The start of the step is feasible: it was the end of the last one.
void SolverChain::backOff(ContactProblem& problem, const ContactSolution& solution, SolveReport& report) {
  if (report.violation() <= acceptedPenetration()) return;
  Residuals reached;
  const auto moveTo = [&](double fraction) {
    partial_.resize(solution.u.size());
    for (std::size_t i = 0; i < partial_.size(); ++i) partial_[i] = fraction * solution.u[i];
    problem.linearize(partial_);
    reached = evaluate(problem, solution);
  };
  moveTo(0);
  const double maxPenetration = nanMax(acceptedPenetration(), (1 + kMaxGrowth) * reached.penetration);
  const double maxJointError = nanMax(kBackOffJointError, reached.jointError);
  if (!(report.penetration > maxPenetration) && !(report.jointError > maxJointError)) {
    problem.linearize(solution.u);
    return;
  }
  double feasible = 0, infeasible = 1;
  for (int n = 0; n < kBackOffBisections; ++n) {
    const double middle = 0.5 * (feasible + infeasible);
    moveTo(middle);
    const bool fits = reached.penetration <= maxPenetration && reached.jointError <= maxJointError;
    (fits ? feasible : infeasible) = middle;
  }
  moveTo(feasible);
  report.fraction = feasible;
  report.penetration = reached.penetration;
  report.jointError = reached.jointError;
}

}  // namespace tenon::physics
