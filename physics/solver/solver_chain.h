// One solver first, the others behind it: no flag is believed, and a step is never left unsolved for
// the lack of trying.
#pragma once

#include <array>

#include "physics/solver/contact_solver.h"

namespace tenon::physics {

struct ChainReport {
  SolveReport solve;                          ///< of the answer taken; its work is that of all attempts
  SolverName solver = SolverName::automatic;  ///< that solver
  /// 1 for each solver that failed (index: SolverName).
  std::array<int, kSolverNames.size()> fallbacks{};
};

/// The chosen solver, twice (baraff once); then gauss-seidel, where it is asked for as the fail-safe; then
/// fischer-newton and lemke-fixpoint, as far as they have not had their turn.
///
/// `auto` gives a crowd (tolerances.h) to accelerated_sweeps.h, told as gauss-seidel, and to nobody else: the
/// others take seconds for it, and where sweeps fail the step is told as not converged. Else it first tries
/// the contacts that carried force last, which ends most steps after one factorisation (ActiveSet); the named
/// solvers always do their own work, so that they can be compared. Then it begins with lemke-fixpoint for
/// islands of up to kLemkeBodies bodies and kLemkeContacts contacts without friction, and with fischer-newton
/// for all others. Measured, from a cold start: a tilted bolt with 64 contacts takes Lemke 16 µs and Newton
/// 50 µs; a stack of 5 boxes 18 and 15 µs, of 20 boxes 570 and 260 µs. With friction (μ = 0.3) the bolt of 32
/// contacts takes Newton 150 µs and Lemke, whose pyramid has ten rows a contact, 1100 µs.
class SolverChain {
 public:
  explicit SolverChain(SolverName first, const SolverOptions& options = {});

  /// As ContactSolver::solve(), by the first solver that succeeds; where none does, the answer with
  /// the least penetration. `problem` need not be linearised.
  ChainReport solve(ContactProblem& problem, const std::vector<WarmForce>& warm, ContactSolution& solution);

 private:
  /// The chosen solver from the predicted state; again from rest, where no branch of a corner is passed by
  /// mistake; the others.
  static constexpr int kMaxAttempts = 5;
  void plan(const LinearizedContacts& problem);
  ContactSolver& solver(SolverName name);
  /// What overlap is let be where all have failed [m].
  double acceptedPenetration() const;
  /// Where all have failed and the best answer overlaps by more than allowed(), the bodies stop
  /// where they are, if that is better: a step that is lost does less harm than one that tunnels.
  void stopIfBetter(ContactProblem& problem, ContactSolution& solution, SolveReport& report);

  static constexpr int kLemkeBodies = 4;
  static constexpr int kLemkeContacts = 128;
  /// As the last resort: more would take it seconds.
  static constexpr int kMaxLemkeContacts = 200;

  SolverName first_;
  SolverOptions options_;
  std::array<std::unique_ptr<ContactSolver>, kSolverNames.size()> solvers_;  ///< by name; null: not needed
  std::unique_ptr<ContactSolver> largeIslandSolver_;  ///< in place of gauss-seidel where isLargeIsland_
  bool isLargeIsland_ = false;
  std::array<SolverName, kMaxAttempts> plan_{};
  int attempts_ = 0;
  ContactSolution other_;
  std::vector<double> atRest_;
};

}  // namespace tenon::physics
