// States of bodies at rest are in an earlier keyframe: see session_frames.h.
#include "runtime/record/session_frames.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "physics/body/state_hash.h"

namespace tenon::runtime {

namespace {

/// Up to this many keyframes ahead, states are read forwards; beyond, they are searched backwards.
constexpr std::int64_t kFollow = 50;

std::string statesWhere(const char* condition) {
  return fmt::format(
      "SELECT tick, body, px_m, py_m, pz_m, qw, qx, qy, qz, vx_m_per_s, vy_m_per_s, vz_m_per_s, "
      "wx_rad_per_s, wy_rad_per_s, wz_rad_per_s FROM body_state WHERE {}",
      condition);
}

}  // namespace

SessionFrames::SessionFrames(const SessionReader& session)
    : session_(session),
      every_(session.header().keyframeEvery),
      tick_(session.database(),
            "SELECT step, time_s, session_s, state_hash, converged, contacts, linearisations, "
            "ifnull(residual_n, 0), ifnull(penetration_m, 0), step_us, keyframe FROM tick WHERE tick = ?"),
      time_(session.database(), "SELECT session_s FROM tick WHERE tick = ?"),
      backwards_(session.database(), statesWhere("tick <= ? ORDER BY tick DESC, body DESC")),
      forwards_(session.database(), statesWhere("tick > ? AND tick <= ? ORDER BY tick, body")),
      rows_(session) {}

std::int64_t SessionFrames::keyframeUpTo(std::int64_t tick) const {
  return std::clamp<std::int64_t>(tick, 0, session_.lastTick()) / every_ * every_;
}

void SessionFrames::read(std::int64_t tick, RecordedFrame& frame) {
  readBodies(tick, frame);
  rows_.readHands(tick, frame.world.hands);
  rows_.readContacts(tick, frame.world.contacts);
  rows_.readGoals(tick, frame.goals);
}

void SessionFrames::readBodies(std::int64_t tick, RecordedFrame& frame) {
  std::uint64_t hash = 0;
  try {
    readTick(tick, frame, hash);
    readStates(tick);
  } catch (const SQLite::Exception& error) {
    statesTick_ = -1;
    session_.failReading(error);
  }
  if (physics::stateHash(states_) != hash) {
    statesTick_ = -1;
    session_.fail(fmt::format("tick {}", tick), "its states are not those that were recorded (another hash)");
  }
  frame.world.bodies = states_;
}

void SessionFrames::readTick(std::int64_t tick, RecordedFrame& frame, std::uint64_t& hash) {
  tick_.reset();
  tick_.bind(1, tick);
  if (!tick_.executeStep() || tick_.getColumn(10).getInt() == 0)
    session_.fail(fmt::format("tick {}", tick), "is missing, or has no states");
  const auto number = [&](int k) { return session_.finiteNumber(tick_.getColumn(k), tick); };
  frame.tick = tick;
  frame.time = number(2);
  frame.step_us = number(9);
  frame.world.step = tick_.getColumn(0).getInt64();
  frame.world.time = number(1);
  hash = static_cast<std::uint64_t>(tick_.getColumn(3).getInt64());
  physics::StepReport& report = frame.world.report;
  report = {};
  report.converged = tick_.getColumn(4).getInt() != 0;
  report.contacts = tick_.getColumn(5).getInt();
  report.linearizations = tick_.getColumn(6).getInt();
  report.residual = number(7);
  report.penetration = number(8);
}

void SessionFrames::readState(const SQLite::Statement& row, std::vector<bool>* known) {
  const std::int64_t tick = row.getColumn(0).getInt64();
  const int body = row.getColumn(1).getInt();
  if (body < 0 || static_cast<std::size_t>(body) >= states_.size())
    session_.fail(fmt::format("tick {}", tick),
                  fmt::format("has a state of body {} that should not be there", body));
  const auto at = static_cast<std::size_t>(body);
  if (known != nullptr) {
    if ((*known)[at]) return;
    (*known)[at] = true;
  }
  const auto number = [&](int k) { return session_.finiteNumber(row.getColumn(k), tick); };
  physics::BodyState& state = states_[at];
  state.X_WC.p = {number(2), number(3), number(4)};
  state.X_WC.q = physics::Quaterniond(number(5), number(6), number(7), number(8));
  state.v = {number(9), number(10), number(11)};
  state.omega = {number(12), number(13), number(14)};
}

void SessionFrames::readStates(std::int64_t tick) {
  if (tick == statesTick_) return;
  if (statesTick_ >= 0 && tick > statesTick_ && tick <= statesTick_ + kFollow * every_) {
    forwards_.reset();
    forwards_.bind(1, statesTick_);
    forwards_.bind(2, tick);
    while (forwards_.executeStep()) readState(forwards_, nullptr);
  } else {
    statesTick_ = -1;
    states_.assign(session_.bodies().size(), {});
    std::vector<bool> known(states_.size(), false);
    backwards_.reset();
    backwards_.bind(1, tick);
    while (std::find(known.begin(), known.end(), false) != known.end() && backwards_.executeStep())
      readState(backwards_, &known);
    backwards_.reset();
  }
  statesTick_ = tick;
}

double SessionFrames::timeOf(std::int64_t tick) {
  try {
    time_.reset();
    time_.bind(1, std::clamp<std::int64_t>(tick, 0, session_.lastTick()));
    if (!time_.executeStep()) session_.fail(fmt::format("tick {}", tick), "is missing");
    return session_.finiteNumber(time_.getColumn(0), tick);
  } catch (const SQLite::Exception& error) {
    session_.failReading(error);
  }
}

std::int64_t SessionFrames::tickAt(double time) {
  std::int64_t low = 0, high = session_.lastTick() + 1;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    // A time that equals a tick's up to rounding is that tick.
    (timeOf(middle) <= time + 1e-9 ? low : high) = middle;
  }
  return low;
}

}  // namespace tenon::runtime
