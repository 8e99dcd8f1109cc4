// See solver_chain.h.
#include "physics/solver/solver_chain.h"

#include <algorithm>

#include "physics/solver/distance_iteration.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"

namespace tenon::physics {

std::unique_ptr<ContactSolver> makeContactSolver(SolverName name, bool triesLastContacts) {
  if (name == SolverName::lemkeFixpoint)
    return std::make_unique<DistanceIteration>(name, std::make_unique<LemkeFixpoint>(), triesLastContacts);
  return std::make_unique<DistanceIteration>(SolverName::fischerNewton, std::make_unique<FischerNewton>(),
                                             triesLastContacts);
}

SolverChain::SolverChain(SolverName first)
    : first_(first),
      solvers_{makeContactSolver(SolverName::fischerNewton, first == SolverName::automatic),
               makeContactSolver(SolverName::lemkeFixpoint, first == SolverName::automatic)} {}

ChainReport SolverChain::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                               ContactSolution& solution) {
  problem.linearise(problem.predicted);
  const bool small = problem.bodies() <= kLemkeBodies && problem.contacts() <= kLemkeContacts &&
                     std::none_of(problem.rows.begin(), problem.rows.end(),
                                  [](const ContactRow& row) { return row.mu > 0; });
  const bool lemkeFirst = first_ == SolverName::automatic ? small : first_ == SolverName::lemkeFixpoint;
  ChainReport chain;
  int linearisations = 0, iterations = 0;
  for (std::size_t attempt = 0; attempt < solvers_.size(); ++attempt) {
    if (attempt > 0) problem.linearise(problem.predicted);
    ContactSolver& solver = *solvers_[(attempt + (lemkeFirst ? 1 : 0)) % solvers_.size()];
    const SolveReport report = solver.solve(problem, warm, attempt == 0 ? solution : other_);
    linearisations += report.linearisations;
    iterations += report.iterations;
    if (attempt == 0 || report.solved || report.penetration < chain.solve.penetration) {
      if (attempt > 0) solution = other_;
      chain.solve = report;
      chain.solver = solver.name();
    }
    chain.solve.linearisations = linearisations;
    chain.solve.iterations = iterations;
    if (report.solved) return chain;
    ++chain.gaveUp[static_cast<std::size_t>(solver.name())];
  }
  // The problem's rows belong to the last attempt; bring them back to the answer taken.
  problem.linearise(solution.u);
  return chain;
}

}  // namespace tenon::physics
