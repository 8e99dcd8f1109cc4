// See solver_chain.h.
#include "physics/solver/solver_chain.h"

#include <algorithm>

#include "physics/math/worst.h"
#include "physics/solver/distance_iteration.h"
#include "physics/solver/fischer_newton.h"
#include "physics/solver/lemke_fixpoint.h"
#include "physics/tolerances.h"

namespace tenon::physics {

std::unique_ptr<ContactSolver> makeContactSolver(SolverName name, bool triesLastContacts) {
  if (name == SolverName::lemkeFixpoint)
    return std::make_unique<DistanceIteration>(name, std::make_unique<LemkeFixpoint>(), triesLastContacts);
  return std::make_unique<DistanceIteration>(SolverName::fischerNewton, std::make_unique<FischerNewton>(),
                                             triesLastContacts);
}

namespace {

/// How far a state is from a proper one [m or rad].
double missedBy(const SolveReport& report) {
  return worst(report.penetration, report.jointError);
}

}  // namespace

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
  atRest_.assign(problem.freeVelocity.size(), 0.0);
  int linearisations = 0, iterations = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (attempt > 0) problem.linearise(atRest_);
    const bool other = attempt == kAttempts - 1;
    ContactSolver& solver = *solvers_[lemkeFirst != other ? 1 : 0];
    if (other && first_ != SolverName::lemkeFixpoint && problem.contacts() > kLemkeAtMost) break;
    const SolveReport report = solver.solve(problem, warm, attempt == 0 ? solution : other_);
    linearisations += report.linearisations;
    iterations += report.iterations;
    if (attempt == 0 || report.solved || missedBy(report) < missedBy(chain.solve)) {
      if (attempt > 0) solution = other_;
      chain.solve = report;
      chain.solver = solver.name();
    }
    chain.solve.linearisations = linearisations;
    chain.solve.iterations = iterations;
    if (report.solved) return chain;
    if (attempt != 0) ++chain.gaveUp[static_cast<std::size_t>(solver.name())];
  }
  stopIfBetter(problem, solution, chain.solve);
  // The problem's rows belong to the last attempt; bring them back to the answer taken.
  problem.linearise(solution.u);
  return chain;
}

void SolverChain::stopIfBetter(ContactProblem& problem, ContactSolution& solution, SolveReport& report) {
  if (missedBy(report) <= kAcceptedPenetration) return;
  problem.linearise(atRest_);
  double penetration = 0;
  for (const ContactRow& row : problem.rows) penetration = worst(penetration, -row.contact.delta);
  double jointError = 0;
  for (const JointRows& joint : problem.joints)
    jointError = worst(jointError, joint.phi.head(joint.count).cwiseAbs().maxCoeff());
  if (!(worst(penetration, jointError) < missedBy(report))) return;
  report.penetration = penetration;
  report.jointError = jointError;
  report.stopped = true;
  solution.u = atRest_;
  solution.f.clear();
  solution.friction.clear();
  solution.solved.clear();
  // The force that holds a body still is told by nobody.
  report.residual = 0;
  for (int i = 0; i < problem.bodies(); ++i) {
    const Matrix6d L = problem.massFactor[i].triangularView<Eigen::Lower>();
    const Vector6d impulse = L * (L.transpose() * block(std::span<const double>(problem.freeVelocity), i));
    report.residual = worst(report.residual, impulse.head<3>().norm() / problem.dt);
  }
}

}  // namespace tenon::physics
