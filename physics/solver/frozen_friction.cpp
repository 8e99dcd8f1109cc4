// See frozen_friction.h.
#include "physics/solver/frozen_friction.h"

#include <algorithm>
#include <utility>

namespace tenon::physics {

namespace {

/// Largest distance of the points at which the normal force and the friction of one row act [m].
constexpr double kSamePoint = 1e-6;

/// Range of the rows of a contact's feature, cutting planes included.
std::pair<std::size_t, std::size_t> rowsOfFeature(const std::vector<ContactRow>& rows,
                                                  const ContactKey& contact) {
  const ContactKey feature = contact.withoutCut();
  const auto first = lowerBound(rows, feature);
  auto last = first;
  while (last != rows.end() && last->key.withoutCut() == feature) ++last;
  return {first - rows.begin(), last - rows.begin()};
}

template <class T>
void insertAt(std::vector<T>& list, std::size_t at, const T& value) {
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), value);
}

}  // namespace

void FrozenFriction::begin(ContactProblem& problem, const ContactSolution& solution) {
  problem_ = &problem;
  dt = problem.dt;
  massFactor.assign(problem.massFactor.begin(), problem.massFactor.end());
  freeVelocity.assign(problem.freeVelocity.begin(), problem.freeVelocity.end());
  startVelocity.assign(problem.startVelocity.begin(), problem.startVelocity.end());
  predicted.assign(problem.predicted.begin(), problem.predicted.end());
  forces_.clear();
  const auto push = [this](int body, const Vector6d& wrench) {
    if (body < 0) return;
    const Matrix6d& factor = std::as_const(massFactor)[body];
    const Vector6d scaled = factor.triangularView<Eigen::Lower>().solve(wrench);
    block(std::span(freeVelocity), body) +=
        dt * factor.triangularView<Eigen::Lower>().transpose().solve(scaled);
  };
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactRow& row = solution.solved[k];
    if (!(row.mu > 0)) continue;
    const Eigen::Vector2d t = row.directions().transpose() * solution.friction[k];
    push(row.a, row.Ta() * t);
    push(row.b, row.Tb() * t);
    if (!solution.friction[k].isZero(0)) forces_.push_back({row, solution.friction[k]});
  }
  usesStartDirections = true;
  linearize(predicted);
}

void FrozenFriction::linearize(const std::vector<double>& u) {
  problem_->usesStartDirections = usesStartDirections;
  problem_->linearize(u);
  rows.swap(problem_->rows);
  for (ContactRow& row : rows) {
    row.mu = 0;
    if (row.rigid) row.compliance = 0;  // that of friction
  }
}

void FrozenFriction::writeFriction(ContactSolution& solution) const {
  for (const Force& force : forces_) {
    const auto [first, last] = rowsOfFeature(solution.solved, force.row.key);
    std::size_t at = first;
    while (at < last && (solution.solved[at].point - force.row.point).norm() > kSamePoint) ++at;
    if (at < last) {
      solution.solved[at].mu = force.row.mu;
      solution.friction[at] += force.friction;
      continue;
    }
    at = first;
    while (at < last && !(force.row.key < solution.solved[at].key)) ++at;
    insertAt(solution.solved, at, force.row);
    insertAt(solution.f, at, 0.0);
    insertAt(solution.friction, at, force.friction);
    insertAt(solution.posedCompliance, at, force.row.compliance);
  }
}

}  // namespace tenon::physics
