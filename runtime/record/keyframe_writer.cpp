// Values are bound by position: the order of the columns is that of schema.cpp.
#include "runtime/record/keyframe_writer.h"

#include <algorithm>
#include <optional>
#include <string>

namespace tenon::runtime {

namespace {

/// Every this many keyframes all rows are written, so that a random access reads no more keyframes than this.
constexpr int kWholeEvery = 100;

bool isSame(const physics::BodyState& a, const physics::BodyState& b) {
  return isSamePose(a.X_WC, b.X_WC) && a.v == b.v && a.omega == b.omega;
}
bool isSame(const physics::HandState& a, const physics::HandState& b) {
  return a.body.value == b.body.value && isSamePose(a.X_WH, b.X_WH) && a.force == b.force &&
         a.torque == b.torque;
}
bool isSame(const physics::JointState& a, const physics::JointState& b) {
  return a.angle == b.angle && a.travel == b.travel && a.force == b.force && a.torque == b.torque;
}
bool isSame(const GoalState& a, const GoalState& b) {
  return a.verdict == b.verdict && a.depth == b.depth && a.tilt == b.tilt && a.push == b.push &&
         a.maxPush == b.maxPush;
}

/// True if one of `now` differs from what was written last; `last` becomes `now`.
template <class State>
bool changed(const std::vector<State>& now, std::vector<State>& last) {
  const bool same = std::equal(now.begin(), now.end(), last.begin(), last.end(),
                               [](const State& a, const State& b) { return isSame(a, b); });
  if (!same) last = now;
  return !same;
}

}  // namespace

void KeyframeWriter::write(std::int64_t tick, std::int64_t keyframe, const StepRecord& record) {
  const bool whole = keyframe % kWholeEvery == 0;
  writeBodies(tick, whole, record.tick.bodies);
  writeHands(tick, whole, record.tick.hands);
  writeJoints(tick, whole, record.tick.joints);
  if (const std::optional<std::string> bytes = contacts_.add(record.tick.contacts, whole))
    InsertRow(statements_.into("contact_frame", 3)).add(tick).add(whole ? 1 : 0).addBytes(*bytes).write();
  writeGoals(tick, whole, record.goals);
}

void KeyframeWriter::writeBodies(std::int64_t tick, bool whole,
                                 const std::vector<physics::BodyState>& bodies) {
  bodies_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const physics::BodyState& state = bodies[b];
    if (!whole && isSame(state, bodies_[b])) continue;
    bodies_[b] = state;
    InsertRow row(statements_.into("body_state", 15));
    row.add(tick).add(static_cast<int>(b)).add(state.X_WC).add(state.v).add(state.omega).write();
  }
}

void KeyframeWriter::writeHands(std::int64_t tick, bool whole, const std::vector<physics::HandState>& hands) {
  if (!changed(hands, hands_) && !whole) return;
  int k = 0;
  for (const physics::HandState& hand : hands) {
    InsertRow row(statements_.into("hand_state", 16));
    row.add(tick).add(k++).addIndex(hand.body.value).add(hand.X_WH).add(hand.force).add(hand.torque).write();
  }
}

void KeyframeWriter::writeJoints(std::int64_t tick, bool whole,
                                 const std::vector<physics::JointState>& joints) {
  if (!changed(joints, joints_) && !whole) return;
  int k = 0;
  for (const physics::JointState& j : joints) {
    InsertRow row(statements_.into("joint_state", 11));
    row.add(tick).add(k++).add(std::string_view("holds")).add(j.angle).add(j.travel);
    row.add(j.force).add(j.torque).write();
  }
}

void KeyframeWriter::writeGoals(std::int64_t tick, bool whole, const std::vector<GoalState>& goals) {
  if (!changed(goals, goals_) && !whole) return;
  int k = 0;
  for (const GoalState& g : goals) {
    InsertRow row(statements_.into("goal_state", 7));
    row.add(tick).add(k++).add(toText(g.verdict));
    row.add(g.depth).add(g.tilt).add(g.push).add(g.maxPush).write();
  }
}

}  // namespace tenon::runtime
