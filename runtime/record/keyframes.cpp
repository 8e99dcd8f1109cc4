// See keyframes.h.
#include "runtime/record/keyframes.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

namespace tenon::runtime {

Keyframes::Keyframes(SessionReader& session)
    : session_(session),
      converged_(session.database(), "SELECT converged FROM tick WHERE tick = ?"),
      hands_(session.database(),
             "SELECT hand, ifnull(body, -1), px_m, py_m, pz_m, qw, qx, qy, qz, fx_n, fy_n, fz_n, tx_nm, "
             "ty_nm, tz_nm FROM hand_state WHERE tick = ? ORDER BY hand"),
      goals_(session.database(),
             "SELECT goal, verdict, depth_m, tilt_rad, push_n FROM goal_state WHERE tick = ? ORDER BY goal") {
}

bool Keyframes::next(Keyframe& frame) {
  do {
    if (!session_.next(tick_)) return false;
  } while (!tick_.keyframe);
  frame.tick = tick_.tick;
  frame.time = tick_.time;
  frame.bodies = tick_.states;
  try {
    converged_.reset();
    converged_.bind(1, frame.tick);
    frame.converged = converged_.executeStep() && converged_.getColumn(0).getInt() != 0;
    readHands(frame);
    readGoals(frame);
  } catch (const SQLite::Exception& error) {
    session_.failReading(error);
  }
  return true;
}

void Keyframes::readHands(Keyframe& frame) {
  frame.hands.clear();
  hands_.reset();
  hands_.bind(1, frame.tick);
  const int bodies = static_cast<int>(session_.bodies().size());
  while (hands_.executeStep()) {
    const auto at = [&](int k) { return session_.numberOf(hands_.getColumn(k), frame.tick); };
    physics::HandState& hand = frame.hands.emplace_back();
    hand.body.value = hands_.getColumn(1).getInt();
    if (hands_.getColumn(0).getInt() + 1 != static_cast<int>(frame.hands.size()) || hand.body.value >= bodies)
      session_.fail(fmt::format("tick {}", frame.tick),
                    "has a hand_state of a hand or body that is not there");
    hand.X_WH.p = {at(2), at(3), at(4)};
    hand.X_WH.q = physics::Quaterniond(at(5), at(6), at(7), at(8));
    hand.force = {at(9), at(10), at(11)};
    hand.torque = {at(12), at(13), at(14)};
  }
}

void Keyframes::readGoals(Keyframe& frame) {
  frame.goals.clear();
  goals_.reset();
  goals_.bind(1, frame.tick);
  while (goals_.executeStep()) {
    const auto at = [&](int k) { return session_.numberOf(goals_.getColumn(k), frame.tick); };
    if (goals_.getColumn(0).getInt() != static_cast<int>(frame.goals.size()))
      session_.fail(fmt::format("tick {}", frame.tick), "has goal_states that do not count from 0");
    frame.goals.push_back({goals_.getColumn(1).getString(), at(2), at(3), at(4)});
  }
}

}  // namespace tenon::runtime
