// See keyframe_rows.h.
#include "runtime/record/keyframe_rows.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <cmath>

namespace tenon::runtime {

KeyframeRows::KeyframeRows(const SessionReader& session)
    : session_(session),
      hands_(session.database(),
             "SELECT hand, ifnull(body, -1), px_m, py_m, pz_m, qw, qx, qy, qz, fx_n, fy_n, fz_n, tx_nm, "
             "ty_nm, tz_nm FROM hand_state WHERE tick = (SELECT max(tick) FROM hand_state WHERE tick <= ?) "
             "ORDER BY hand"),
      head_(session.database(),
            "SELECT px_m, py_m, pz_m, qw, qx, qy, qz FROM head_pose WHERE tick <= ? ORDER BY tick DESC LIMIT "
            "1"),
      goals_(session.database(),
             "SELECT goal, verdict, depth_m, tilt_rad, push_n, max_push_n FROM goal_state WHERE tick = "
             "(SELECT max(tick) FROM goal_state WHERE tick <= ?) ORDER BY goal"),
      contacts_(session.database(),
                "SELECT body_i, body_j, px_m, py_m, pz_m, nx, ny, nz, distance_m, force_n, friction_x_n, "
                "friction_y_n, friction_z_n, mu, feature FROM contact WHERE tick = ? ORDER BY seq") {}

template <class Take>
void KeyframeRows::each(SQLite::Statement& rows, std::int64_t tick, const Take& take) {
  try {
    rows.reset();
    rows.bind(1, tick);
    while (rows.executeStep()) take([&](int k) { return session_.finiteNumber(rows.getColumn(k), tick); });
  } catch (const SQLite::Exception& error) {
    session_.failReading(error);
  }
}

void KeyframeRows::checkBody(int body, std::int64_t tick, const char* table) const {
  if (body >= static_cast<int>(session_.bodies().size()))
    session_.fail(fmt::format("tick {}", tick), fmt::format("has a {} of a body that is not there", table));
}

void KeyframeRows::readHands(std::int64_t tick, std::vector<physics::HandState>& hands) {
  hands.clear();
  each(hands_, tick, [&](const auto& at) {
    physics::HandState& hand = hands.emplace_back();
    hand.body.value = hands_.getColumn(1).getInt();
    if (hands_.getColumn(0).getInt() + 1 != static_cast<int>(hands.size()))
      session_.fail(fmt::format("tick {}", tick), "has a hand_state of a hand that is not there");
    checkBody(hand.body.value, tick, "hand_state");
    hand.X_WH.p = {at(2), at(3), at(4)};
    hand.X_WH.q = physics::Quaterniond(at(5), at(6), at(7), at(8));
    hand.force = {at(9), at(10), at(11)};
    hand.torque = {at(12), at(13), at(14)};
  });
}

std::optional<physics::Pose> KeyframeRows::readHead(std::int64_t tick) {
  std::optional<physics::Pose> head;
  each(head_, tick, [&](const auto& at) {
    if (head_.isColumnNull(0)) return;
    head = physics::Pose{physics::Quaterniond(at(3), at(4), at(5), at(6)), {at(0), at(1), at(2)}};
    if (std::abs(head->q.norm() - 1) > 1e-6)
      session_.fail(fmt::format("tick {}", tick), "has a head_pose whose quaternion is not of length 1");
  });
  return head;
}

void KeyframeRows::readGoals(std::int64_t tick, std::vector<RecordedGoalState>& goals) {
  goals.clear();
  each(goals_, tick, [&](const auto& at) {
    if (goals_.getColumn(0).getInt() != static_cast<int>(goals.size()))
      session_.fail(fmt::format("tick {}", tick), "has goal_states that do not count from 0");
    goals.push_back({goals_.getColumn(1).getString(), at(2), at(3), at(4), at(5)});
  });
}

void KeyframeRows::readContacts(std::int64_t tick, std::vector<physics::ContactForce>& contacts) {
  contacts.clear();
  each(contacts_, tick, [&](const auto& at) {
    physics::ContactForce& c = contacts.emplace_back();
    c.contact.i.value = contacts_.getColumn(0).getInt();
    c.contact.j.value = contacts_.getColumn(1).getInt();
    for (const int body : {c.contact.i.value, c.contact.j.value}) {
      if (body < 0) session_.fail(fmt::format("tick {}", tick), "has a contact of no body");
      checkBody(body, tick, "contact");
    }
    c.contact.p = {at(2), at(3), at(4)};
    c.contact.n = {at(5), at(6), at(7)};
    c.contact.separation = at(8);
    c.force = at(9);
    c.friction = {at(10), at(11), at(12)};
    c.mu = at(13);
    c.contact.feature = static_cast<std::uint64_t>(contacts_.getColumn(14).getInt64());
  });
}

}  // namespace tenon::runtime
