// Contacts between the start and the end of a step. Problems are solved for the end of a step, and a body
// that moves further than its own or another's thickness could pass through that one. So pairs that move far
// for their size are swept along their solved motions, from pose to pose at constant velocity. Where two
// bodies meet, the plane through their contact becomes a row of the problem (contact/swept_contact.h): they
// end the step on their sides of it, and the impact separates them. The first meeting of both bodies counts;
// what follows from it is found by the next attempt.
#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/contact/search_range.h"
#include "physics/step/motion_bound.h"
#include "physics/step/stages.h"
#include "physics/step/time_of_impact.h"

namespace tenon::physics {

namespace {

/// Attempts of a step after which contacts are added; then the bodies that still meet are held back.
constexpr int kSweepRounds = 32;
/// Shortest step of a search where bodies touch, relative to the thinner one [-].
constexpr double kMinSweepStep = 1.0 / 16;
constexpr double kNever = std::numeric_limits<double>::infinity();

Vector6d sweptVelocity(const StepWorkspace& work, int body) {
  return displacementFraction(work, body) * work.islands.velocity[body];
}

PairMotion motionOf(const WorldModel& model, const StepWorkspace& work, const BodyPair& pair) {
  const int i = pair.i.value, j = pair.j.value;
  const std::vector<BodyPair>& touching = work.search.touching;
  const double thickness = std::max(kMinSweptThickness, std::min(model.thickness[i], model.thickness[j]));
  return {.pair = pair,
          .startOfI = work.free.start[i],
          .startOfJ = work.free.start[j],
          .ui = sweptVelocity(work, i),
          .uj = sweptVelocity(work, j),
          .dt = work.substep.dt,
          .radiusOfI = model.radius[i],
          .radiusOfJ = model.radius[j],
          .minStep = kMinSweepStep * thickness,
          .solved = std::binary_search(touching.begin(), touching.end(), pair),
          .convex = model.collider->isConvex(pair.i) && model.collider->isConvex(pair.j)};
}

/// Finds the pairs that meet on their solved motions, with their contacts in `found`.
void findMeetings(const WorldModel& model, StepWorkspace& work) {
  SweepWork& sweep = work.sweep;
  sweep.meetings.clear();
  sweep.found.clear();
  std::sort(sweep.pairs.begin(), sweep.pairs.end());
  sweep.pairs.erase(std::unique(sweep.pairs.begin(), sweep.pairs.end()), sweep.pairs.end());
  for (const BodyPair& pair : sweep.pairs) {
    const int i = pair.i.value, j = pair.j.value;
    const PairMotion motion = motionOf(model, work, pair);
    const double displacement = displacementBound(model, work.substep, i, motion.ui) +
                                displacementBound(model, work.substep, j, motion.uj);
    if (!(displacement > unsweptDisplacement(model.thickness[i], model.thickness[j])) ||
        !std::isfinite(displacement) || !boundsMeet(motion))
      continue;
    ++sweep.queries;
    const auto fraction = timeOfImpact(*model.collider, motion, sweep.contactsOfPair);
    if (!fraction || sweep.contactsOfPair.empty()) continue;
    const std::size_t first = sweep.found.size();
    sweep.found.insert(sweep.found.end(), sweep.contactsOfPair.begin(), sweep.contactsOfPair.end());
    sweep.meetings.push_back({pair, *fraction, first, sweep.found.size()});
  }
}

/// Velocity that leads a body to where it met its partner, and on with a partner of given motion.
Vector6d velocityUntil(const WorldModel& model, const StepWorkspace& work, int body, int partner,
                       double fraction) {
  Vector6d u = fraction * sweptVelocity(work, body);
  if (!model.dynamic[partner]) u.head<3>() += (1 - fraction) * work.islands.velocity[partner].head<3>();
  return u;
}

/// Adds the contacts of a pair to the problems of the next attempt.
void addMeeting(const WorldModel& model, StepWorkspace& work, const SweepWork::Meeting& meeting) {
  SweepWork& sweep = work.sweep;
  const int i = meeting.pair.i.value, j = meeting.pair.j.value;
  const PairMotion motion = motionOf(model, work, meeting.pair);
  for (std::size_t k = meeting.first; k < meeting.last; ++k)
    sweep.contacts.push_back({.contact = sweep.found[k],
                              .c_I = motion.poseOfI(meeting.fraction).p,
                              .c_J = motion.poseOfJ(meeting.fraction).p,
                              .fraction = meeting.fraction,
                              .ui = motion.ui,
                              .uj = motion.uj});
  const auto at = std::lower_bound(sweep.met.begin(), sweep.met.end(), meeting.pair);
  if (at == sweep.met.end() || *at != meeting.pair) sweep.met.insert(at, meeting.pair);
  if (model.dynamic[i]) sweep.trial[i] = velocityUntil(model, work, i, j, meeting.fraction);
  if (model.dynamic[j]) sweep.trial[j] = velocityUntil(model, work, j, i, meeting.fraction);
}

/// Adds the meetings that are the first of both their bodies.
void addFirstMeetings(const WorldModel& model, StepWorkspace& work) {
  SweepWork& sweep = work.sweep;
  std::fill(sweep.earliest.begin(), sweep.earliest.end(), kNever);
  const auto ofDynamic = [&](const SweepWork::Meeting& meeting, auto&& apply) {
    for (const BodyId body : {meeting.pair.i, meeting.pair.j})
      if (model.dynamic[body.value]) apply(sweep.earliest[body.value]);
  };
  for (const SweepWork::Meeting& meeting : sweep.meetings)
    ofDynamic(meeting, [&](double& earliest) { earliest = std::min(earliest, meeting.fraction); });
  std::erase_if(sweep.meetings, [&](const SweepWork::Meeting& meeting) {
    bool later = false;
    ofDynamic(meeting, [&](double& earliest) { later = later || earliest < meeting.fraction; });
    return later;
  });
  std::fill(sweep.earliest.begin(), sweep.earliest.end(), kNever);
  for (const SweepWork::Meeting& meeting : sweep.meetings) {
    addMeeting(model, work, meeting);
    ofDynamic(meeting, [&](double& earliest) { earliest = meeting.fraction; });
  }
}

/// Holds back the islands of bodies that meet, at their poses at the start of the step, and so on while that
/// stops others on their paths. Their velocities are those solved.
void holdBack(const WorldModel& model, StepWorkspace& work) {
  SweepWork& sweep = work.sweep;
  bool holdsMore = true;
  const auto hold = [&](BodyId body) {
    if (!model.dynamic[body.value] || sweep.heldBack[body.value]) return;
    holdsMore = true;
    sweep.heldBack[body.value] = 1;
    const int island = work.islands.partition.islandOf(body);
    if (island < 0) return;
    for (const BodyId other : work.islands.slots[island]->problem.bodyIds()) sweep.heldBack[other.value] = 1;
  };
  while (holdsMore) {
    holdsMore = false;
    for (const SweepWork::Meeting& meeting : sweep.meetings) {
      hold(meeting.pair.i);
      hold(meeting.pair.j);
    }
    if (holdsMore) findMeetings(model, work);
  }
  for (int k = 0; k < work.islands.count; ++k) {
    IslandSlot& slot = *work.islands.slots[k];
    if (slot.isSleeping) continue;
    const auto ids = slot.problem.bodyIds();
    if (std::none_of(ids.begin(), ids.end(), [&](BodyId id) { return sweep.heldBack[id.value] != 0; }))
      continue;
    slot.report.solve.fraction = 0;
    slot.report.solve.solved = false;
    slot.problem.linearizeAtStart();
  }
}

}  // namespace

void beginSweep(const WorldModel& model, StepWorkspace& work) {
  SweepWork& sweep = work.sweep;
  sweep.contacts.clear();
  sweep.met.clear();
  sweep.rounds = sweep.queries = 0;
  sweep.earliest.assign(model.bodies.size(), kNever);
  sweep.trial.resize(model.bodies.size());
  sweep.heldBack.assign(model.bodies.size(), 0);
}

void holdBackMeetings(const WorldModel& model, StepWorkspace& work) {
  ContactSearch& search = work.search;
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const double displacement = displacementBound(model, work.substep, i, work.islands.velocity[i]);
    search.widenedMargin[i] =
        std::isfinite(displacement) ? std::max(search.margin[i], displacement) : search.margin[i];
  }
  model.collider->findPairs(work.free.start, search.widenedMargin, search.widenedPairs);
  for (const BodyPair& pair : search.widenedPairs)
    if (canTouch(model, work, pair)) work.sweep.pairs.push_back(pair);
  findMeetings(model, work);
  holdBack(model, work);
}

bool sweepPairs(const WorldModel& model, StepWorkspace& work) {
  SweepWork& sweep = work.sweep;
  if (sweep.pairs.empty()) return false;
  findMeetings(model, work);
  if (sweep.meetings.empty()) return false;
  if (sweep.rounds == kSweepRounds) {
    holdBack(model, work);
    return false;
  }
  ++sweep.rounds;
  addFirstMeetings(model, work);
  return true;
}

}  // namespace tenon::physics
