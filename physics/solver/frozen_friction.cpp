// See frozen_friction.h.
#include "physics/solver/frozen_friction.h"

#include <utility>

namespace tenon::physics {

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
    forces_.push_back({row.key.withoutCut(), row.mu, solution.friction[k]});
  }
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
  auto force = forces_.begin();
  for (std::size_t k = 0; k < solution.f.size(); ++k) {
    const ContactKey key = solution.solved[k].key.withoutCut();
    while (force != forces_.end() && force->key < key) ++force;
    if (force == forces_.end() || force->key != key) continue;
    solution.solved[k].mu = force->mu;
    solution.friction[k] = force->friction;
    ++force;
  }
}

}  // namespace tenon::physics
