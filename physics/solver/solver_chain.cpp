// See solver_chain.h.
#include "physics/solver/solver_chain.h"

#include <algorithm>

#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"
#include "physics/solver/acceleration_solver.h"
#include "physics/solver/anderson_gauss_seidel.h"
#include "physics/solver/bilateral_contacts.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"
#include "physics/solver/position_iteration.h"
#include "physics/solver/projected_gauss_seidel.h"
#include "physics/solver/residuals.h"

namespace tenon::physics {

std::unique_ptr<ContactSolver> makeContactSolver(SolverName name, bool triesLastContacts,
                                                 const SolverOptions& options) {
  const auto iteration = [&](SolverName as, std::unique_ptr<LinearSolver> inner) {
    return std::make_unique<PositionIteration>(as, std::move(inner), triesLastContacts);
  };
  switch (name) {
    case SolverName::lemkeFixpoint:
      return iteration(name, std::make_unique<LemkeFixpoint>());
    case SolverName::bilateralNewton:
      return iteration(name, std::make_unique<BilateralContacts>());
    case SolverName::gaussSeidel:
      return iteration(name, std::make_unique<ProjectedGaussSeidel>(options.gaussSeidel));
    case SolverName::baraff:
      return std::make_unique<AccelerationSolver>(options.baraff, options.extraAcceleration);
    case SolverName::automatic:
    case SolverName::fischerNewton:
      break;
  }
  return iteration(SolverName::fischerNewton, std::make_unique<FischerNewton>());
}

namespace {

/// Largest violation of a state [m or rad].
double violationOf(const SolveReport& report) {
  return nanMax(report.penetration, report.jointError);
}

/// For many bodies, another attempt costs as much as that of fischer-newton and rarely ends better.
bool isGoodEnough(const LinearizedContacts& problem, SolverName by, const SolveReport& report) {
  return by == SolverName::fischerNewton && problem.bodies() > ScaledProblem::kDenseBlocks &&
         violationOf(report) <= kAcceptedPenetration;
}

}  // namespace

SolverChain::SolverChain(SolverName first, const SolverOptions& options) : first_(first), options_(options) {
  const bool fallbackSolver = options.fallbackSolver == FallbackSolver::gaussSeidel;
  for (const auto& [name, text] : kSolverNames) {
    const bool used = name == first || name == SolverName::fischerNewton ||
                      name == SolverName::lemkeFixpoint ||
                      (fallbackSolver && name == SolverName::gaussSeidel);
    if (name != SolverName::automatic && used)
      solvers_[static_cast<std::size_t>(name)] =
          makeContactSolver(name, first == SolverName::automatic, options);
  }
  if (first == SolverName::automatic)
    largeIslandSolver_ = std::make_unique<PositionIteration>(
        SolverName::gaussSeidel, std::make_unique<AndersonGaussSeidel>(), false, Accuracy::largeIsland);
}

ContactSolver& SolverChain::solver(SolverName name) {
  return isLargeIsland_ && name == SolverName::gaussSeidel ? *largeIslandSolver_
                                                           : *solvers_[static_cast<std::size_t>(name)];
}

double SolverChain::acceptedPenetration() const {
  return isLargeIsland_ ? kLargeIslandStopPenetration : kAcceptedPenetration;
}

// The first solver is tried twice: from the predicted state, and from rest. Baraff's uses no start.
void SolverChain::plan(const LinearizedContacts& problem) {
  attempts_ = 0;
  const auto add = [&](SolverName name) { plan_[attempts_++] = name; };
  if (isLargeIsland_) {  // the others would take seconds
    add(SolverName::gaussSeidel);
    add(SolverName::gaussSeidel);
    return;
  }
  SolverName first = first_;
  if (first == SolverName::automatic) {
    const bool small = problem.bodies() <= kLemkeBodies && problem.contacts() <= kLemkeContacts &&
                       std::none_of(problem.rows.begin(), problem.rows.end(),
                                    [](const ContactRow& row) { return row.mu > 0; });
    first = small ? SolverName::lemkeFixpoint : SolverName::fischerNewton;
  }
  add(first);
  if (first != SolverName::baraff) add(first);
  if (options_.fallbackSolver == FallbackSolver::gaussSeidel && first != SolverName::gaussSeidel)
    add(SolverName::gaussSeidel);
  if (first != SolverName::fischerNewton) add(SolverName::fischerNewton);
  if (first != SolverName::lemkeFixpoint && problem.contacts() <= kMaxLemkeContacts)
    add(SolverName::lemkeFixpoint);
}

ChainReport SolverChain::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                               ContactSolution& solution) {
  // Set before the first linearization, whose contacts may be reused.
  isLargeIsland_ =
      first_ == SolverName::automatic && problem.bodies() > kLargeIslandBodies && problem.joints.empty();
  problem.reuseBelowOverlap = isLargeIsland_ ? kLargeIslandPenetration : 0;
  problem.linearize(problem.predicted);
  plan(problem);
  ChainReport chain;
  atRest_.assign(problem.freeVelocity.size(), 0.0);
  int linearizations = 0, iterations = 0;
  SolverStatistics statistics;
  for (int attempt = 0; attempt < attempts_; ++attempt) {
    if (attempt > 0) problem.linearize(atRest_);
    ContactSolver& solver = this->solver(plan_[attempt]);
    const SolveReport report = solver.solve(problem, warm, attempt == 0 ? solution : other_);
    linearizations += report.linearizations;
    iterations += report.iterations;
    statistics.add(report.statistics);
    if (attempt == 0 || report.solved || violationOf(report) < violationOf(chain.solve)) {
      if (attempt > 0) solution = other_;
      chain.solve = report;
      chain.solver = solver.name();
    }
    chain.solve.linearizations = linearizations;
    chain.solve.iterations = iterations;
    chain.solve.statistics = statistics;
    if (report.solved) return chain;
    const bool again = attempt + 1 < attempts_ && plan_[attempt + 1] == plan_[attempt];
    const bool isLast = isGoodEnough(problem, solver.name(), report);
    if (!again || isLast) ++chain.fallbacks[static_cast<std::size_t>(solver.name())];
    if (isLast) break;
  }
  stopIfBetter(problem, solution, chain.solve);
  // The problem's rows belong to the last attempt; linearize at the accepted answer.
  problem.linearize(solution.u);
  return chain;
}

void SolverChain::stopIfBetter(ContactProblem& problem, ContactSolution& solution, SolveReport& report) {
  if (violationOf(report) <= acceptedPenetration()) return;
  problem.linearize(atRest_);
  const Residuals rest = evaluate(problem, ContactSolution());
  if (!(nanMax(rest.penetration, rest.joints) < violationOf(report))) return;
  report.penetration = rest.penetration;
  report.jointError = rest.joints;
  report.stopped = true;
  solution.u = atRest_;
  solution.f.clear();
  solution.friction.clear();
  solution.solved.clear();
  // No solver has computed the forces that hold the bodies: the residual is the largest of them.
  report.residual = 0;
  for (int i = 0; i < problem.bodies(); ++i) {
    const Matrix6d L = problem.massFactor[i].triangularView<Eigen::Lower>();
    const Vector6d impulse = L * (L.transpose() * block(std::span<const double>(problem.freeVelocity), i));
    report.residual = nanMax(report.residual, impulse.head<3>().norm() / problem.dt);
  }
}

}  // namespace tenon::physics
