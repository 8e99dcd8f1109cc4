// See distance_iteration.h.
#include "physics/solver/position_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "physics/math/tolerances.h"

namespace tenon::physics {

namespace {

/// Factorisations spent on the contacts that carried force last, before a full solve. Of many bodies they
/// still pay after others would have given up.
constexpr int kLastContactsTries = 10, kLastContactsTriesOfMany = 20;
/// The same with friction, where also sticking and sliding may change.
constexpr int kLastTouchesTries = 8;
/// And with friction, relative to max |c| [-].
constexpr double kFrictionFloor = 1e-15;
/// Linearised problems that the inner solver may fail on before another is to try.
constexpr int kInnerFailures = 3;
/// Trials within which contacts with friction are to reach kFrictionalGapTolerance. Points that wander on a
/// cone do not get there; a part that friction wedges does in three.
constexpr int kExactTrials = 6;
/// Trials after which contacts that carried force stay in the problem, and the way to the next is shortened
/// where they come no nearer.
constexpr int kPatience = 4;
/// Trials after which an island of many bodies is let off with kRelaxedGap: of hundreds of contacts, some
/// one mostly is about to pass an edge. And those after which it is given up where no part overlaps.
constexpr int kManyBodiesTrials = 5, kManyBodiesLast = 12;
/// Linearised problems of a crowd at most.
constexpr int kCrowdLast = 20;
/// By this factor, each [-].
constexpr double kProgress = 0.5;
/// Shares of the way there, halved from trial to trial down to this one and begun anew [-].
constexpr double kLeastShare = 0.125;
/// What the compliance that serves the solvers may yield to, as a fraction of kMaxPenetration, and by
/// what factor it is made stiffer where it yields more [-].
constexpr double kLargestYield = 0.5, kStiffening = 0.25;
/// Residual that is never asked for, however small the problem: rounding of its terms [√J].
constexpr double kLinearFloor = 1e-18;

/// The row of the same pair nearest to where a force acted whose contact is not found; −1 where the pair has
/// none. A phase that is also the deepest point is told as both or as one: its load is the same.
int nearestTo(const LinearizedContacts& problem, const WarmForce& force) {
  const ContactKey first{force.key.pair, 0, 0};
  auto row = std::lower_bound(problem.rows.begin(), problem.rows.end(), first,
                              [](const ContactRow& a, const ContactKey& key) { return a.key < key; });
  int nearest = -1;
  double least = std::numeric_limits<double>::infinity();
  for (; row != problem.rows.end() && row->key.pair == force.key.pair; ++row) {
    const double away = (row->contact.p - force.p).squaredNorm();
    if (!(away < least)) continue;
    least = away;
    nearest = static_cast<int>(row - problem.rows.begin());
  }
  return nearest;
}

void toWarm(const ContactSolution& solution, std::vector<WarmForce>& warm) {
  warm.clear();
  for (std::size_t k = 0; k < solution.f.size(); ++k)
    if (solution.f[k] > 0)
      warm.push_back(
          {solution.solved[k].key, solution.f[k], solution.friction[k], solution.solved[k].contact.p});
}

}  // namespace

PositionIteration::PositionIteration(SolverName name, std::unique_ptr<LinearSolver> inner,
                                     bool triesLastContacts, Accuracy accuracy)
    : name_(name), inner_(std::move(inner)), triesLastContacts_(triesLastContacts), accuracy_(accuracy) {}

LinearReport PositionIteration::solveLinear() {
  if (form_.isFreeMotionFeasible()) {
    std::fill(y_.begin(), y_.end(), 0.0);
    return {.solved = true};
  }
  int tried = 0;
  if (form_.frictional()) {
    const double tolerance = std::max({kFrictionTolerance / form_.largestD(), kFrictionFloor * form_.scale(),
                                       inner_->accuracy() / form_.largestD()});
    if (triesLastContacts_ && coulombNewton_.settle(form_, y_, tolerance, kLastTouchesTries, tried))
      return {.solved = true, .iterations = tried};
    LinearReport report = inner_->solve(form_, y_, tolerance);
    report.iterations += tried;
    return report;
  }
  const double content = inner_->accuracy() / form_.largestD();
  const double tolerance = std::max({kLinearTolerance * form_.scale(), kLinearFloor, content});
  const int tries = form_.sparse() ? kLastContactsTriesOfMany : kLastContactsTries;
  if (triesLastContacts_ && activeSet_.settle(form_, y_, tolerance, tries, tried))
    return {.solved = true, .iterations = tried};
  LinearReport report = inner_->solve(form_, y_, tolerance);
  report.iterations += tried;
  return report;
}

void PositionIteration::warmStart(const LinearizedContacts& problem, const std::vector<WarmForce>& warm) {
  y_.assign(form_.size(), 0.0);
  int k = 0;
  for (const WarmForce& force : warm) {
    while (k < form_.contacts() && problem.rows[k].key < force.key) ++k;
    const bool found = k < form_.contacts() && problem.rows[k].key == force.key;
    if (const int at = found ? k : nearestTo(problem, force); at >= 0) addGuess(problem, at, force);
  }
}

void PositionIteration::addGuess(const LinearizedContacts& problem, int k, const WarmForce& force) {
  if (!form_.frictional()) {
    y_[k] += form_.toScaled(k, force.f);
    return;
  }
  const Eigen::Vector2d t = problem.rows[k].directions().transpose() * force.friction;
  y_[3 * k] += form_.toScaled(k, force.f);
  y_[3 * k + 1] += form_.toScaled(k, t[0]);
  y_[3 * k + 2] += form_.toScaled(k, t[1]);
}

void PositionIteration::takeOver(LinearizedContacts& problem, ContactSolution& solution) {
  v_.resize(form_.dimension());
  form_.velocity(y_, v_);
  form_.toVelocity(problem, v_, solution.u);
  solution.f.resize(problem.rows.size());
  solution.friction.resize(problem.rows.size());
  for (int k = 0; k < form_.contacts(); ++k) {
    const std::size_t at = form_.frictional() ? 3 * k : k;
    solution.f[k] = form_.toForce(k, y_[at]);
    solution.friction[k].setZero();
    if (!form_.frictional()) continue;
    const Eigen::Vector2d t(form_.toForce(k, y_[at + 1]), form_.toForce(k, y_[at + 2]));
    solution.friction[k] = problem.rows[k].directions() * t;
  }
  // The problem's rows are made anew next.
  solution.solved.swap(problem.rows);
}

bool PositionIteration::yieldsTooMuch(const ContactSolution& solution) const {
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& row = solution.solved[k];
    if (row.rigid && row.compliance * solution.f[k] > kLargestYield * kMaxPenetration) return true;
  }
  return false;
}

void PositionIteration::prepare(LinearizedContacts& problem, const std::vector<WarmForce>& guess) {
  if (complianceScale_ < 1)
    for (ContactRow& row : problem.rows)
      if (row.rigid) row.compliance *= complianceScale_;
  form_.build(problem, kRelativeCompliance);
  warmStart(problem, guess);
}

void PositionIteration::stepBack(ContactProblem& problem, const ContactSolution& solution) {
  stepFraction_ = stepFraction_ > kLeastShare ? 0.5 * stepFraction_ : 0.5;
  for (std::size_t i = 0; i < from_.size(); ++i) from_[i] += stepFraction_ * (solution.u[i] - from_[i]);
  problem.linearize(from_);
}

void PositionIteration::takeBest(const Residuals& best, bool isLast, ContactProblem& problem,
                                 ContactSolution& solution, SolveReport& report) {
  if (!std::isfinite(best.size())) {  // nothing finite was met
    best_.u.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
    best_.f.clear();
    best_.friction.clear();
    best_.solved.clear();
    isLast = false;
  }
  if (!isLast) {
    const bool there = solution.u == best_.u;
    solution = best_;
    if (!there) problem.linearize(solution.u);
  }
  report.solved = best.accepted;
  report.penetration = best.penetration;
  report.jointError = best.joints;
  report.residual = residualInNewtons(problem, solution);
}

bool PositionIteration::isAccepted(const Residuals& reached, bool late) const {
  if (accuracy_ == Accuracy::largeIsland)
    return reached.isWithinPenetrationLimit() && reached.matchedGap <= kLargeIslandGap;
  if (late) return reached.isWithinPenetrationLimit() && reached.significantGap <= kRelaxedGap;
  return reached.penetration <= kPenetrationTolerance && reached.gap <= kGapTolerance;
}

SolveReport PositionIteration::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                                     ContactSolution& solution) {
  SolveReport report;
  report.linearizations = 1;  // the caller's, at the predicted velocity
  solution.u.assign(problem.freeVelocity.size(), 0.0);
  guess_.assign(warm.begin(), warm.end());
  cuttingPlanes_.clear();
  complianceScale_ = stepFraction_ = 1;
  Residuals last, best;
  bool bestIsLast = false;  // `solution` holds it; else best_
  const bool largeIsland = accuracy_ == Accuracy::largeIsland;
  bool astray = false;
  double complianceScale = 1;  // with which the solution was found
  bool direct = true;  // the problem's rows are those of the last trial, not of a state on the way to it
  while (true) {
    const bool late = !largeIsland && report.linearizations >= kManyBodiesTrials && form_.sparse();
    const RetentionPolicy retention =
        largeIsland ? RetentionPolicy::largeIsland : (late ? RetentionPolicy::many : RetentionPolicy::few);
    const bool keptOthers = astray && cuttingPlanes_.addTo(problem, solution, complianceScale, retention);
    complianceScale = complianceScale_;
    prepare(problem, guess_);
    const LinearReport linear = solveLinear();
    report.iterations += linear.iterations;
    report.statistics.add(linear.statistics);
    const bool answered = linear.solved || linear.stopped;
    if (!answered) ++report.innerFailures;
    if (direct) from_ = solution.u;  // copied: a swapped buffer would have to grow again in its new place
    lastU_ = solution.u;
    if (std::exchange(bestIsLast, false)) best_ = solution;
    takeOver(problem, solution);
    toWarm(solution, guess_);

    problem.linearize(solution.u);
    ++report.linearizations;
    Residuals reached = evaluate(problem, solution);
    reached.isLargeIsland = accuracy_ == Accuracy::largeIsland;
    reached.accepted = answered && reached.joints <= kJointTolerance && isAccepted(reached, late);
    if (reached.betterThan(best)) {
      best = reached;
      bestIsLast = true;
    }
    const bool tooSoft = yieldsTooMuch(solution);
    if (tooSoft) complianceScale_ *= kStiffening;
    // An infeasible problem: asking again changes nothing.
    const bool settled = solution.u == lastU_ && direct && !keptOthers && !tooSoft;
    const bool exact = form_.frictional() && report.linearizations <= kExactTrials && linear.solved &&
                       inner_->accuracy() <= kFrictionalGapTolerance;
    if (settled || report.innerFailures >= kInnerFailures || report.linearizations >= kMaxLinearizations)
      break;
    if (late && report.linearizations > kManyBodiesLast && best.isWithinPenetrationLimit()) break;
    if (largeIsland && report.linearizations >= kCrowdLast) break;
    if (best.accepted && (!exact || best.size() <= kFrictionalGapTolerance)) break;

    direct = largeIsland || report.linearizations < kPatience || reached.size() <= kProgress * last.size();
    // Of a crowd's contacts some one always passes an edge.
    astray = astray || !direct || largeIsland;
    last = reached;
    if (direct) {
      stepFraction_ = 1;
    } else {
      stepBack(problem, solution);
      ++report.linearizations;
    }
  }
  takeBest(best, bestIsLast, problem, solution, report);
  return report;
}

}  // namespace tenon::physics
