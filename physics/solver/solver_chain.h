// The selected solver and its fallbacks. Each attempt is accepted by the residuals of the state reached.
#pragma once

#include <array>

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

struct ChainReport {
  SolveReport solve;                          ///< of the accepted answer; its work is that of all attempts
  SolverName solver = SolverName::automatic;  ///< the solver of that answer
  /// 1 for each solver that failed (index: SolverName).
  std::array<int, kSolverNames.size()> fallbacks{};
};

/// The selected solver, twice (baraff once); then gauss-seidel, where it is the fallback solver; then
/// fischer-newton and lemke-fixpoint, where they have not been tried.
///
/// `auto` solves a large island (tolerances.h) by AndersonGaussSeidel alone, reported as gauss-seidel: the
/// others would need seconds, and where it fails the step is reported as not converged. Otherwise it first
/// tries the contacts that carried force last, which ends most steps after one factorization (ActiveSet);
/// solvers selected by name do not, so that they can be compared. Then it begins with lemke-fixpoint for
/// islands of up to kLemkeBodies bodies and kLemkeContacts contacts without friction, and with fischer-newton
/// for all others. Measured, from a cold start: a tilted bolt with 64 contacts takes Lemke 16 µs and Newton
/// 50 µs; a stack of 5 boxes 18 and 15 µs, of 20 boxes 570 and 260 µs. With friction (μ = 0.3) the bolt of 32
/// contacts takes Newton 150 µs and Lemke, whose pyramid has ten rows a contact, 1100 µs.
class SolverChain {
 public:
  explicit SolverChain(SolverName first, const SolverOptions& options = {});

  /// As ContactSolver::solve(), by the first solver that succeeds; if none does, the answer with the least
  /// penetration. `problem` need not be linearized.
  ChainReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm, ContactSolution& solution);

 private:
  /// The selected solver from the predicted state; again from rest, where no corner has changed faces; three
  /// fallbacks.
  static constexpr int kMaxAttempts = 5;
  void plan(const LinearizedContacts& problem);
  ContactSolver& solver(SolverName name);
  /// Overlap that is accepted where all attempts have failed [m].
  double acceptedPenetration() const;
  /// If all attempts have failed and the best answer overlaps by more than acceptedPenetration(), the bodies
  /// stop where they are, if that overlaps less: a lost step is better than tunneling.
  void stopIfBetter(ContactProblem& problem, ContactSolution& solution, SolveReport& report);

  static constexpr int kLemkeBodies = 4;
  static constexpr int kLemkeContacts = 128;
  /// As a fallback: more contacts would take seconds.
  static constexpr int kMaxLemkeContacts = 200;

  SolverName first_;
  SolverOptions options_;
  std::array<std::unique_ptr<ContactSolver>, kSolverNames.size()> solvers_;  ///< by name; null: not used
  std::unique_ptr<ContactSolver> largeIslandSolver_;  ///< in place of gauss-seidel where isLargeIsland_
  bool isLargeIsland_ = false;
  std::array<SolverName, kMaxAttempts> plan_{};
  int attempts_ = 0;
  ContactSolution other_;
  std::vector<double> atRest_;
};

}  // namespace tenon::physics
