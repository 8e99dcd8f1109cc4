// See distance_iteration.h.
#include "physics/solver/distance_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/tolerances.h"

namespace tenon::physics {

namespace {

/// Factorisations spent on the contacts that carried force last, before a full solve.
constexpr int kLastContactsTries = 4;
/// Gap of a contact that carries force and is nowhere to be found: larger than any part [m].
constexpr double kLostContact = 1e3;
/// Residual that is never asked for, however small the problem: rounding of its terms [√J].
constexpr double kLinearFloor = 1e-18;

/// The contact of the state reached that a solved one has become: the same feature, or, where that no
/// longer faces the other part, the pair's contact nearest to touching - a rim that has rolled on touches
/// with another of its points. Null where the pair has none.
const ContactRow* present(const ContactProblem& problem, const ContactRow& solved) {
  const auto& rows = problem.rows;
  const auto at =
      std::lower_bound(rows.begin(), rows.end(), solved.key,
                       [](const ContactRow& row, const ContactKey& key) { return row.key < key; });
  if (at != rows.end() && at->key == solved.key) return &*at;
  const ContactRow* nearest = nullptr;
  for (const ContactRow& row : rows) {
    if (row.key.pair != solved.key.pair) continue;
    if (!nearest || std::abs(row.contact.delta) < std::abs(nearest->contact.delta)) nearest = &row;
  }
  return nearest;
}

/// δ_k / (Δt² A_kk) [N].
double inNewtons(const ContactProblem& problem, const ContactRow& row) {
  double coupling = 0;  // A_kk [1/kg]
  if (row.a >= 0)
    coupling += problem.massFactor[row.a].triangularView<Eigen::Lower>().solve(row.Ga).squaredNorm();
  if (row.b >= 0)
    coupling += problem.massFactor[row.b].triangularView<Eigen::Lower>().solve(row.Gb).squaredNorm();
  return row.contact.delta / (problem.dt * problem.dt * coupling);
}

/// Natural residual of the forces on the distances the problem has now [N]; overlaps without force count.
/// A force whose pair no longer has any contact counts whole.
double residualInNewtons(const ContactProblem& problem, const ContactSolution& solution) {
  double residual = 0;
  for (const ContactRow& row : problem.rows)
    if (!(row.contact.delta >= 0))
      residual = worst(residual, complementarityError(0, inNewtons(problem, row)));
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    if (solution.f[k] == 0) continue;
    const ContactRow* row = present(problem, solution.solved[k]);
    residual =
        worst(residual, row ? complementarityError(solution.f[k], inNewtons(problem, *row)) : solution.f[k]);
  }
  return residual;
}

void toWarm(const ContactSolution& solution, std::vector<WarmForce>& warm) {
  warm.clear();
  for (std::size_t k = 0; k < solution.f.size(); ++k)
    if (solution.f[k] > 0) warm.push_back({solution.solved[k].key, solution.f[k]});
}

}  // namespace

DistanceIteration::DistanceIteration(SolverName name, std::unique_ptr<LinearSolver> inner,
                                     bool triesLastContacts)
    : name_(name), inner_(std::move(inner)), triesLastContacts_(triesLastContacts) {}

LinearReport DistanceIteration::solveLinear() {
  if (form_.nothingPresses()) {
    std::fill(y_.begin(), y_.end(), 0.0);
    return {true, 0};
  }
  const double tolerance = std::max(kLinearTolerance * form_.scale(), kLinearFloor);
  int tried = 0;
  if (triesLastContacts_ && lastContacts_.settle(form_, y_, tolerance, kLastContactsTries, tried))
    return {true, tried};
  LinearReport report = inner_->solve(form_, y_, tolerance);
  report.iterations += tried;
  return report;
}

void DistanceIteration::guessFrom(const ContactProblem& problem, const std::vector<WarmForce>& warm) {
  y_.assign(problem.rows.size(), 0.0);
  auto force = warm.begin();
  for (std::size_t k = 0; k < y_.size(); ++k) {
    while (force != warm.end() && force->key < problem.rows[k].key) ++force;
    if (force != warm.end() && force->key == problem.rows[k].key)
      y_[k] = form_.toScaled(static_cast<int>(k), force->f);
  }
}

DistanceIteration::Verdict DistanceIteration::judge(const ContactProblem& problem,
                                                    const ContactSolution& solution) const {
  Verdict verdict;
  for (const ContactRow& row : problem.rows)
    verdict.penetration = worst(verdict.penetration, -row.contact.delta);
  double largest = 0;
  for (double f : solution.f) largest = std::max(largest, f);
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    if (solution.f[k] <= kNegligibleForce * largest) continue;
    const ContactRow* row = present(problem, solution.solved[k]);
    verdict.gap = worst(verdict.gap, row ? std::abs(row->contact.delta) : kLostContact);
  }
  return verdict;
}

SolveReport DistanceIteration::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                                     ContactSolution& solution) {
  SolveReport report;
  report.linearisations = 1;  // the caller's, at u = 0
  report.penetration = std::numeric_limits<double>::infinity();
  solution.u.assign(problem.freeVelocity.size(), 0.0);
  const std::vector<WarmForce>* guess = &warm;
  double bestSize = std::numeric_limits<double>::infinity();
  while (true) {
    form_.build(problem, kRelativeCompliance);
    guessFrom(problem, *guess);
    const LinearReport linear = solveLinear();
    report.iterations += linear.iterations;
    if (!linear.solved) ++report.innerFailures;

    v_.resize(form_.dimension());
    form_.velocity(y_, v_);
    lastU_ = solution.u;  // copied, as all below: a swapped buffer would have to grow again in its new place
    form_.toVelocity(problem, v_, solution.u);
    solution.f.resize(y_.size());
    for (std::size_t k = 0; k < y_.size(); ++k) solution.f[k] = form_.toForce(static_cast<int>(k), y_[k]);
    solution.solved.assign(problem.rows.begin(), problem.rows.end());

    problem.linearise(solution.u);
    ++report.linearisations;
    toWarm(solution, guess_);
    guess = &guess_;
    const Verdict verdict = judge(problem, solution);
    report.solved =
        linear.solved && verdict.penetration <= kPenetrationTolerance && verdict.gap <= kGapTolerance;
    if (report.solved || verdict.size() < bestSize) {
      bestSize = verdict.size();
      report.penetration = verdict.penetration;
      if (!report.solved) {
        best_ = solution;
      }
    }
    const bool settled = solution.u == lastU_;  // an infeasible problem: asking again changes nothing
    if (report.solved || settled || report.linearisations >= kMaxLinearisations) break;
  }
  if (!report.solved) {
    if (std::isfinite(bestSize)) {
      solution = best_;
    } else {  // nothing finite was met
      solution.u.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
      solution.f.clear();
      solution.solved.clear();
    }
    problem.linearise(solution.u);
  }
  report.residual = residualInNewtons(problem, solution);
  return report;
}

}  // namespace tenon::physics
