// Compliances of the contacts of a pair: of its materials, its press fits and its screw threads.
#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/contact/island_problem.h"
#include "physics/math/tolerances.h"

namespace tenon::physics {

// The touching points share a stiffness, so that it does not depend on their number.
void IslandProblem::findCompliances(const PairGeometry& geometry) {
  compliance_.assign(found_.size(), 0.0);
  const auto share = [this](double stiffness, const auto& includes) {
    const auto touching = std::count_if(found_.begin(), found_.end(), [&](const Contact& contact) {
      return contact.separation <= kGapTolerance && includes(contact);
    });
    for (std::size_t k = 0; k < found_.size(); ++k)
      if (includes(found_[k]))
        compliance_[k] = static_cast<double>(std::max<std::ptrdiff_t>(1, touching)) / stiffness;
  };
  if (std::isfinite(geometry.surfaces.stiffness)) {
    share(geometry.surfaces.stiffness, [](const Contact&) { return true; });
    return shareOfThreads(geometry);
  }
  const BodyPair bodies = geometry.pair.bodies;
  auto fit = std::lower_bound(view_.pressFits.begin(), view_.pressFits.end(), bodies,
                              [](const PressFit& a, const BodyPair& b) { return a.pair < b; });
  for (; fit != view_.pressFits.end() && fit->pair == bodies; ++fit) {
    const Engagement engagement(*fit, geometry.X_I, geometry.X_J);
    if (engagement.isActive())
      share(engagement.stiffness(), [&](const Contact& contact) { return engagement.includes(contact); });
  }
  shareOfThreads(geometry);
}

// Of all threads that one of the pair's bodies has: head and nut bear on other parts than the thread's. A
// given stiffness of the thread's pair is that of the screw.
void IslandProblem::shareOfThreads(const PairGeometry& geometry) {
  const BodyId i = geometry.pair.bodies.i, j = geometry.pair.bodies.j;
  loads_.clear();
  for (const ElasticThread& thread : view_.elasticThreads) {
    const auto isOf = [&](BodyId body) { return body == thread.pair.i || body == thread.pair.j; };
    if (!isOf(i) && !isOf(j)) continue;
    const auto poseOf = [&](BodyId body) {
      return body == i ? geometry.X_I : body == j ? geometry.X_J : view_.start[body.value];
    };
    const MaterialId screw = view_.material[thread.screw().value], nut = view_.material[thread.nut().value];
    const ThreadLoad load(thread, poseOf(thread.screw()), poseOf(thread.nut()),
                          view_.surfaces->of(screw, nut).stiffness);
    if (!load.isActive()) continue;
    load.removePassing(view_.hasFixedPhases[(i == thread.screw() ? j : i).value], found_, compliance_);
    load.shareFlanks(found_, compliance_);
    loads_.push_back(load);
  }
  if (loads_.empty()) return;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  ends_.assign(found_.size(), {kNone, kNone});
  for (const ThreadLoad& load : loads_) load.shareEnds(found_, ends_);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const auto [ofI, ofJ] = ends_[k];
    if (std::min(ofI, ofJ) < kNone) compliance_[k] = (ofI < kNone ? ofI : 0) + (ofJ < kNone ? ofJ : 0);
  }
}

}  // namespace tenon::physics
