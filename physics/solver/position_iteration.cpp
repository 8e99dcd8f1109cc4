// See position_iteration.h.
#include "physics/solver/position_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "physics/math/nan_max.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// Trials after which contacts that carried force stay in the problem, and the step to the next state is
/// shortened where the residual does not decrease enough: piles, in which contacts cross edges, need many.
constexpr int kFullStepTrials = 8;
/// Linearized problems that the inner solver may fail on before the iteration ends without success; one in a
/// step that can be divided.
constexpr int kInnerFailures = 3;
/// Trials in which contacts with friction must reach kFrictionalGapTolerance. A part that friction wedges
/// needs three; nearest points that move on a cone do not reach it.
constexpr int kExactTrials = 6;
/// Linearized problems with Accuracy::fast at most.
constexpr int kFastTrials = 20;
/// Factor by which a trial must reduce the residual of the last one, or the step is shortened [-]: linear
/// convergence is left to itself.
constexpr double kProgress = 0.8;
/// Successive trials that do not reduce the least residual by this factor [-] and after which forces act
/// along the directions of the trials: contacts that have turned far, or have changed features.
constexpr int kStalledTrials = 2;
constexpr double kStalledProgress = 0.5;
/// Full steps that follow.
constexpr int kRedirectedTrials = 5;
/// Natural residual of a linearized problem that is sufficient for the next trial, relative to the residual
/// of the last one [-].
constexpr double kSufficient = 1e-2;
/// Smallest step fraction: it is halved from trial to trial down to this one, then restarts [-].
constexpr double kMinStepFraction = 0.125;
/// Factor on the compliance that regularizes rigid contacts where they yield more than kLargestYield [-].
constexpr double kStiffening = 0.25;

/// Residual of a linearized problem that suffices for the next trial [m], after one with residual `last`.
/// Where that is within the tolerance, the next trial may be the last one, and its problem must be solved.
double sufficientAfter(double last) {
  if (!std::isfinite(last)) return kPenetrationTolerance;
  return last > kPenetrationTolerance ? std::max(kPenetrationTolerance, kSufficient * last) : 0;
}

void toWarmForces(const ContactSolution& solution, std::vector<WarmForce>& warm) {
  warm.clear();
  for (std::size_t k = 0; k < solution.f.size(); ++k)
    if (solution.f[k] > 0)
      warm.push_back(
          {solution.solved[k].key, solution.f[k], solution.friction[k], solution.solved[k].contact.p});
}

}  // namespace

PositionIteration::PositionIteration(SolverName name, std::unique_ptr<LinearSolver> inner, Accuracy accuracy)
    : name_(name), linear_(std::move(inner)), accuracy_(accuracy) {}

bool PositionIteration::yieldsTooMuch(const ContactSolution& solution) const {
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& row = solution.solved[k];
    if (row.rigid && row.compliance * solution.f[k] > kLargestYield) return true;
  }
  return false;
}

void PositionIteration::stepBack(ContactProblem& problem, const ContactSolution& solution) {
  stepFraction_ = stepFraction_ > kMinStepFraction ? 0.5 * stepFraction_ : 0.5;
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] += stepFraction_ * (solution.u[i] - from_[i]);
  problem.linearize(from_);
}

void PositionIteration::selectBest(Progress& progress, ContactProblem& problem, ContactSolution& solution,
                                   SolveReport& report) {
  const Residuals& best = progress.best;
  if (!std::isfinite(best.size())) {  // no trial was finite
    best_.u.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
    best_.f.clear();
    best_.friction.clear();
    best_.solved.clear();
    best_.posedCompliance.clear();
    progress.bestIsLast = false;
  }
  if (!progress.bestIsLast) {
    const bool isLinearized = solution.u == best_.u;
    solution = best_;
    if (!isLinearized) problem.linearize(solution.u);
  }
  static_cast<Residuals&>(report) = best;
  report.residual = residualInNewtons(problem, solution);
}

bool PositionIteration::isAccepted(const Residuals& reached) const {
  if (accuracy_ == Accuracy::fast)
    return reached.penetration <= kFastPenetration && reached.significantGap <= kFastGap;
  return reached.penetration <= kPenetrationTolerance && reached.gap <= kGapTolerance;
}

Residuals PositionIteration::evaluateTrial(const LinearizedContacts& problem, const ContactSolution& solution,
                                           bool solved) const {
  Residuals reached = evaluate(problem, solution);
  reached.accuracy = accuracy_;
  reached.answered = solved;
  reached.solved = solved && reached.jointError <= kJointTolerance && isAccepted(reached);
  return reached;
}

// Trials that are within kFrictionalGapTolerance's first iterations end as soon as they do not improve:
// forces of kilonewtons leave no picometers, and locked contacts none.
bool PositionIteration::isFinished(const SolveReport& report, const Progress& progress, bool solved) const {
  const Residuals& best = progress.best;
  if (report.innerFailures >= (givesUpEarly_ ? 1 : kInnerFailures)) return true;
  if (report.linearizations >= (givesUpEarly_ ? kDivisibleLinearizations : kMaxLinearizations)) return true;
  if (accuracy_ == Accuracy::fast && report.linearizations >= kFastTrials) return true;
  const bool exact = linear_.frictional() && report.linearizations <= kExactTrials && solved &&
                     linear_.accuracy() <= kFrictionalGapTolerance && progress.stalled == 0;
  return best.solved && (!exact || nanMax(best.rigidError, best.jointError) <= kFrictionalGapTolerance);
}

LinearReport PositionIteration::solveTrial(ContactProblem& problem, ContactSolution& solution,
                                           Progress& progress) {
  progress.complianceScale = complianceScale_;
  if (complianceScale_ < 1)
    for (ContactRow& row : problem.rows)
      if (row.rigid) row.compliance *= complianceScale_;
  linear_.build(problem, guess_);
  const LinearReport report = linear_.solve(sufficientAfter(progress.last.size()), !givesUpEarly_);
  // Copied: a swapped buffer would have to grow again in its new place.
  if (progress.atLastState) from_ = solution.u;
  lastU_ = solution.u;
  if (std::exchange(progress.bestIsLast, false)) best_ = solution;
  linear_.writeSolution(problem, solution);
  toWarmForces(solution, guess_);
  problem.linearize(solution.u);
  return report;
}

bool PositionIteration::Progress::noteResidual(double size) {
  stalled = size <= kStalledProgress * least ? 0 : stalled + 1;
  least = std::min(least, size);
  return stalled >= kStalledTrials;
}

void PositionIteration::redirect(ContactProblem& problem, const ContactSolution& solution, Progress& progress,
                                 SolveReport& report) {
  problem.usesStartDirections = false;
  problem.linearize(solution.u);
  ++report.linearizations;
  progress.fullStepTrials = report.linearizations + kRedirectedTrials;
  progress.stalled = 0;
  progress.least = std::numeric_limits<double>::infinity();
}

void PositionIteration::begin(const LinearizedContacts& problem, const std::vector<WarmForce>& warm,
                              ContactSolution& solution) {
  solution.u.assign(problem.freeVelocity.size(), 0.0);
  guess_.assign(warm.begin(), warm.end());
  cuttingPlanes_.clear();
  complianceScale_ = stepFraction_ = 1;
}

SolveReport PositionIteration::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                                     ContactSolution& solution) {
  SolveReport report;
  report.linearizations = 1;  // the caller's, at the predicted velocity
  begin(problem, warm, solution);
  Progress progress;
  progress.fullStepTrials = kFullStepTrials;
  givesUpEarly_ = problem.isDivisible && linear_.mayYield();
  const bool fast = accuracy_ == Accuracy::fast;
  while (true) {
    const RetentionPolicy retention = fast ? RetentionPolicy::lost : RetentionPolicy::moved;
    const bool rowsChanged =
        progress.keepsRows && cuttingPlanes_.addTo(problem, solution, progress.complianceScale, retention);
    const LinearReport linear = solveTrial(problem, solution, progress);
    report.iterations += linear.iterations;
    report.statistics.add(linear.statistics);
    const bool answered = linear.solved || linear.stopped;
    if (!answered && !linear.nearly) ++report.innerFailures;
    ++report.linearizations;

    Residuals reached = evaluateTrial(problem, solution, answered);
    reached.compliant = linear.compliant;
    if (reached.betterThan(progress.best)) {
      progress.best = reached;
      progress.bestIsLast = true;
    }
    const bool stalls =
        progress.noteResidual(reached.size()) && problem.usesStartDirections && !progress.best.solved;
    const bool tooSoft = !linear.compliant && yieldsTooMuch(solution);
    if (tooSoft) complianceScale_ *= kStiffening;
    // An infeasible problem: another trial would be the same.
    const bool unchanged = solution.u == lastU_ && progress.atLastState && !rowsChanged && !tooSoft;
    if (unchanged || isFinished(report, progress, linear.solved)) break;

    if (stalls) redirect(problem, solution, progress, report);
    progress.atLastState = fast || stalls || report.linearizations < progress.fullStepTrials ||
                           reached.size() <= kProgress * progress.last.size();
    progress.keepsRows = progress.keepsRows || !progress.atLastState || fast;
    // Normals that rotate too far in the step for the directions of its start.
    if (!progress.atLastState) problem.usesStartDirections = false;
    progress.last = reached;
    if (progress.atLastState) {
      stepFraction_ = 1;
    } else {
      stepBack(problem, solution);
      ++report.linearizations;
    }
  }
  selectBest(progress, problem, solution, report);
  return report;
}

}  // namespace tenon::physics
