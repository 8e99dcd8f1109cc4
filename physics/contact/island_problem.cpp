// See island_problem.h.
#include "physics/contact/island_problem.h"

#include <algorithm>

namespace tenon::physics {

void IslandProblem::begin(const StepView& view) {
  view_ = view;
  dt = view.dt;
  bodies_.clear();
  pairs_.clear();
  rows.clear();
  massFactor.clear();
  freeVelocity.clear();
}

void IslandProblem::addBody(BodyId body) {
  bodies_.push_back(body);
  massFactor.push_back(view_.massFactor[body.value]);
  const Vector6d& u = view_.freeVelocity[body.value];
  freeVelocity.insert(freeVelocity.end(), u.data(), u.data() + 6);
}

int IslandProblem::local(BodyId body) const {
  const auto at = std::lower_bound(bodies_.begin(), bodies_.end(), body);
  return at != bodies_.end() && *at == body ? static_cast<int>(at - bodies_.begin()) : -1;
}

Pose IslandProblem::trialPose(BodyId body, int index) const {
  return index >= 0 ? trial_[index] : view_.end[body.value];
}

void IslandProblem::linearise(const std::vector<double>& u) {
  trial_.resize(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const auto ui = block(std::span(u), static_cast<int>(i));
    trial_[i] = advance(view_.start[bodies_[i].value], ui.head<3>(), ui.tail<3>(), dt);
  }
  rows.clear();
  for (const BodyPair& pair : pairs_) {
    const int a = local(pair.i);
    const int b = local(pair.j);
    const Pose X_I = trialPose(pair.i, a);
    const Pose X_J = trialPose(pair.j, b);
    const double range = view_.reach[pair.i.value] + view_.reach[pair.j.value];
    const auto key =
        (static_cast<std::uint64_t>(pair.i.value) << 32) | static_cast<std::uint32_t>(pair.j.value);
    found_.clear();
    view_.collider->findContacts(pair, X_I, X_J, range, found_);
    for (const Contact& contact : found_) {
      ContactRow row;
      row.contact = contact;
      row.key = {key, contact.feature};
      row.a = a;
      row.b = b;
      const Vector3d& n = contact.n;
      row.Ga << -n, -(contact.p - X_I.p).cross(n);
      row.Gb << n, (contact.p - X_J.p).cross(n);
      row.b0 = contact.delta;
      if (a >= 0) row.b0 -= dt * row.Ga.dot(block(std::span(u), a));
      if (b >= 0) row.b0 -= dt * row.Gb.dot(block(std::span(u), b));
      rows.push_back(row);
    }
  }
}

}  // namespace tenon::physics
