// See distance_iteration.h.
#include "physics/solver/distance_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/solver/coulomb_law.h"
#include "physics/tolerances.h"

namespace tenon::physics {

namespace {

/// Factorisations spent on the contacts that carried force last, before a full solve.
constexpr int kLastContactsTries = 4;
/// The same with friction, where also sticking and sliding may change.
constexpr int kLastTouchesTries = 8;
/// And with friction, relative to max |c| [-].
constexpr double kFrictionFloor = 1e-15;
/// Linearised problems that the inner solver may fail on before another is to try.
constexpr int kInnerFailures = 3;
/// Trials within which contacts with friction are to reach kFrictionalGapTolerance. Points that wander on a
/// cone do not get there; a part that friction wedges does in three.
constexpr int kExactTrials = 6;
/// Trials after which contacts that carried force and are no longer found stay in the problem.
constexpr int kPatience = 4;
/// Cosine between the normals of a contact and of what it has become, at least [-].
constexpr double kSameSide = 0.9;
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
    if (row.key.pair != solved.key.pair || row.contact.n.dot(solved.contact.n) < kSameSide) continue;
    if (!nearest || std::abs(row.contact.delta) < std::abs(nearest->contact.delta)) nearest = &row;
  }
  return nearest;
}

/// Sliding in this step, by the tangents of `row` as it is now [m].
Eigen::Vector2d slip(const ContactProblem& problem, const ContactRow& row, const std::vector<double>& u) {
  Eigen::Vector2d speed = row.slip0;
  if (row.a >= 0) speed += row.Ta.transpose() * block(std::span(u), row.a);
  if (row.b >= 0) speed += row.Tb.transpose() * block(std::span(u), row.b);
  return problem.dt * speed;
}

/// Directions of the tangents: what is linear in T.
Eigen::Matrix<double, 3, 2> directions(const ContactRow& row) {
  return row.Tb.topRows<3>();
}

/// By how much a compliant contact yields to the force it was solved with [m].
double yielded(const ContactRow& row, const ContactSolution& solution) {
  const auto& solved = solution.solved;
  const auto at = std::lower_bound(solved.begin(), solved.end(), row.key,
                                   [](const ContactRow& a, const ContactKey& key) { return a.key < key; });
  if (at == solved.end() || at->key != row.key) return 0;
  return at->compliance * solution.f[static_cast<std::size_t>(at - solved.begin())];
}

/// Natural residual of the forces on the distances the problem has now [N]; overlaps without force count.
/// A force whose pair no longer has any contact counts whole.
double residualInNewtons(const ContactProblem& problem, const ContactSolution& solution) {
  double residual = 0;
  for (const ContactRow& row : problem.rows)
    if (const double gap = row.contact.delta + yielded(row, solution); !(gap >= 0))
      residual = worst(residual, complementarityError(0, gap / problem.give(row)));
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const double f = solution.f[k];
    if (f == 0) continue;
    const ContactRow* row = present(problem, solution.solved[k]);
    if (!row) {
      residual = worst(residual, f);
      continue;
    }
    const double share = problem.give(*row), mu = row->mu;
    const double gap = (row->contact.delta + solution.solved[k].compliance * f) / share;
    if (!(mu > 0)) {
      residual = worst(residual, complementarityError(f, gap));
      continue;
    }
    Vector3d y, z;
    y << f, directions(*row).transpose() * solution.friction[k];
    z << gap, slip(problem, *row, solution.u) / share;
    residual = worst(residual, coulombErrorSize(y, z, mu, 1));
  }
  return residual;
}

/// Adds the rows of `solution` that carry force and have no successor in `problem`. On a curved surface
/// points come and go from trial to trial, and a problem without one of them leads back to where it overlaps.
/// A few trials from the end a row is as good as new: it is off by the square of the way since.
void keepLoaded(const ContactSolution& solution, ContactProblem& problem) {
  auto& rows = problem.rows;
  const std::size_t found = rows.size();
  const auto before = [](const ContactRow& a, const ContactRow& b) { return a.key < b.key; };
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& row = solution.solved[k];
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(found);
    if (solution.f[k] > 0 && !std::binary_search(rows.begin(), end, row, before)) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), before);
}

void toWarm(const ContactSolution& solution, std::vector<WarmForce>& warm) {
  warm.clear();
  for (std::size_t k = 0; k < solution.f.size(); ++k)
    if (solution.f[k] > 0) warm.push_back({solution.solved[k].key, solution.f[k], solution.friction[k]});
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
  int tried = 0;
  if (form_.frictional()) {
    const double tolerance = std::max(kFrictionTolerance / form_.largestD(), kFrictionFloor * form_.scale());
    if (triesLastContacts_ && lastTouches_.settle(form_, y_, tolerance, kLastTouchesTries, tried))
      return {true, tried};
    LinearReport report = inner_->solve(form_, y_, tolerance);
    report.iterations += tried;
    return report;
  }
  const double tolerance = std::max(kLinearTolerance * form_.scale(), kLinearFloor);
  if (triesLastContacts_ && lastContacts_.settle(form_, y_, tolerance, kLastContactsTries, tried))
    return {true, tried};
  LinearReport report = inner_->solve(form_, y_, tolerance);
  report.iterations += tried;
  return report;
}

void DistanceIteration::guessFrom(const ContactProblem& problem, const std::vector<WarmForce>& warm) {
  y_.assign(form_.size(), 0.0);
  auto force = warm.begin();
  for (int k = 0; k < form_.contacts(); ++k) {
    const ContactRow& row = problem.rows[k];
    while (force != warm.end() && force->key < row.key) ++force;
    if (force == warm.end() || force->key != row.key) continue;
    if (!form_.frictional()) {
      y_[k] = form_.toScaled(k, force->f);
      continue;
    }
    const Eigen::Vector2d t = directions(row).transpose() * force->friction;
    y_[3 * k] = form_.toScaled(k, force->f);
    y_[3 * k + 1] = form_.toScaled(k, t[0]);
    y_[3 * k + 2] = form_.toScaled(k, t[1]);
  }
}

void DistanceIteration::takeOver(const ContactProblem& problem, ContactSolution& solution) {
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
    solution.friction[k] = directions(problem.rows[k]) * t;
  }
  solution.solved.assign(problem.rows.begin(), problem.rows.end());
}

DistanceIteration::Verdict DistanceIteration::judge(const ContactProblem& problem,
                                                    const ContactSolution& solution) const {
  Verdict verdict;
  for (const ContactRow& row : problem.rows) {
    verdict.penetration = worst(verdict.penetration, -row.contact.delta - yielded(row, solution));
    // The compliance that friction asks for is no excuse beyond what we promise; a material pair's own is.
    if (row.rigid && -row.contact.delta > kPromisedPenetration)
      verdict.penetration = worst(verdict.penetration, -row.contact.delta);
  }
  double largest = 0;
  for (double f : solution.f) largest = std::max(largest, f);
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    if (solution.f[k] <= kNegligibleForce * largest) continue;
    const ContactRow* row = present(problem, solution.solved[k]);
    const double given = solution.solved[k].compliance * solution.f[k];
    verdict.gap = worst(verdict.gap, row ? std::abs(row->contact.delta + given) : kLostContact);
  }
  return verdict;
}

SolveReport DistanceIteration::solve(ContactProblem& problem, const std::vector<WarmForce>& warm,
                                     ContactSolution& solution) {
  SolveReport report;
  report.linearisations = 1;  // the caller's, at the predicted velocity
  report.penetration = std::numeric_limits<double>::infinity();
  solution.u.assign(problem.freeVelocity.size(), 0.0);
  const std::vector<WarmForce>* guess = &warm;
  double bestSize = std::numeric_limits<double>::infinity();
  while (true) {
    if (report.linearisations > kPatience) keepLoaded(solution, problem);
    form_.build(problem, kRelativeCompliance);
    guessFrom(problem, *guess);
    const LinearReport linear = solveLinear();
    report.iterations += linear.iterations;
    if (!linear.solved) ++report.innerFailures;

    lastU_ = solution.u;  // copied, as all below: a swapped buffer would have to grow again in its new place
    takeOver(problem, solution);

    problem.linearise(solution.u);
    ++report.linearisations;
    toWarm(solution, guess_);
    guess = &guess_;
    const Verdict verdict = judge(problem, solution);
    const bool settled = solution.u == lastU_;  // an infeasible problem: asking again changes nothing
    const bool exact = form_.frictional() && report.linearisations <= kExactTrials && !settled;
    report.solved = linear.solved &&
                    verdict.penetration <= (exact ? kFrictionalGapTolerance : kPenetrationTolerance) &&
                    verdict.gap <= (exact ? kFrictionalGapTolerance : kGapTolerance);
    if (report.solved || verdict.size() < bestSize) {
      bestSize = verdict.size();
      report.penetration = verdict.penetration;
      if (!report.solved) {
        best_ = solution;
      }
    }
    const bool hopeless = report.innerFailures >= kInnerFailures;
    if (report.solved || settled || hopeless || report.linearisations >= kMaxLinearisations) break;
  }
  if (!report.solved) {
    if (std::isfinite(bestSize)) {
      solution = best_;
    } else {  // nothing finite was met
      solution.u.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
      solution.f.clear();
      solution.friction.clear();
      solution.solved.clear();
    }
    problem.linearise(solution.u);
  }
  report.residual = residualInNewtons(problem, solution);
  return report;
}

}  // namespace tenon::physics
