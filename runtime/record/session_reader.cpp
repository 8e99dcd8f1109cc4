// Reads the rows of a session that is open: events, contacts, goals and steps. Each is validated.
#include "runtime/record/session_reader.h"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "physics/body/state_hash.h"
#include "runtime/record/command_row.h"
#include "runtime/record/hash_chain.h"

namespace tenon::runtime {

std::optional<std::string> SessionReader::ending() const {
  try {
    SQLite::Statement row = query("SELECT text FROM event WHERE kind = 'end' ORDER BY id DESC LIMIT 1");
    if (!row.executeStep()) return std::nullopt;
    return row.getColumn(0).getString();
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
}

std::vector<SessionEvent> SessionReader::events() const {
  std::vector<SessionEvent> all;
  try {
    SQLite::Statement row = query(
        "SELECT e.tick, t.session_s, e.kind, ifnull(e.hand, -1), ifnull(e.body, -1), "
        "ifnull(e.other_body, -1), ifnull(e.goal, -1), ifnull(e.text, '') "
        "FROM event e LEFT JOIN tick t ON t.tick = e.tick ORDER BY e.id");
    while (row.executeStep()) {
      SessionEvent event;
      event.tick = row.getColumn(0).getInt64();
      event.time = finiteNumber(row.getColumn(1), event.tick);
      event.kind = row.getColumn(2).getString();
      event.hand = row.getColumn(3).getInt();
      event.body = row.getColumn(4).getInt();
      event.other = row.getColumn(5).getInt();
      event.goal = row.getColumn(6).getInt();
      event.text = row.getColumn(7).getString();
      all.push_back(std::move(event));
    }
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::vector<ContactEpisode> SessionReader::episodes() const {
  std::vector<ContactEpisode> all;
  try {
    SQLite::Statement row = query(
        "SELECT e.body_i, e.body_j, e.first_tick, e.last_tick, f.session_s, l.session_s, e.loaded_ticks, "
        "e.peak_force_n, e.peak_tick, e.mean_force_n FROM contact_episode e "
        "LEFT JOIN tick f ON f.tick = e.first_tick LEFT JOIN tick l ON l.tick = e.last_tick ORDER BY e.id");
    while (row.executeStep()) {
      ContactEpisode& episode = all.emplace_back();
      const auto number = [&](int k) { return finiteNumber(row.getColumn(k), episode.firstTick); };
      episode.i = row.getColumn(0).getInt();
      episode.j = row.getColumn(1).getInt();
      const auto isBody = [&](int id) { return id >= 0 && id < static_cast<int>(bodies_.size()); };
      if (!isBody(episode.i) || !isBody(episode.j)) fail("contact_episode", "names a body that is not there");
      episode.firstTick = row.getColumn(2).getInt64();
      episode.lastTick = row.getColumn(3).getInt64();
      episode.start = number(4);
      episode.end = number(5);
      episode.loadedTicks = row.getColumn(6).getInt64();
      episode.peakForce = number(7);
      episode.peakTick = row.getColumn(8).getInt64();
      episode.forceSum = number(9);
      episode.convergedTicks = 1;  // the table has the mean, not the sum
    }
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::vector<RecordedGoal> SessionReader::goals() const {
  std::vector<RecordedGoal> all;
  try {
    SQLite::Statement row = query(
        "SELECT p.name || ' into ' || i.name || '/' || g.hole, s.verdict, s.depth_m, g.depth_m, s.tilt_rad, "
        "s.max_push_n, g.name FROM goal g JOIN body p ON p.id = g.body JOIN body i ON i.id = g.into_body "
        "JOIN goal_state s ON s.goal = g.id WHERE s.tick = (SELECT max(tick) FROM goal_state) ORDER BY g.id");
    while (row.executeStep()) {
      const std::string what = row.getColumn(0).getString(), name = row.getColumn(6).getString();
      all.push_back({name.empty() ? what : name + " (" + what + ")", row.getColumn(1).getString(),
                     row.getColumn(2).getDouble(), row.getColumn(3).getDouble(), row.getColumn(4).getDouble(),
                     row.getColumn(5).getDouble()});
    }
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::vector<std::int64_t> SessionReader::returnTargets() const {
  std::vector<std::int64_t> all;
  try {
    SQLite::Statement row =
        query("SELECT DISTINCT to_tick FROM command WHERE to_tick IS NOT NULL ORDER BY to_tick");
    while (row.executeStep()) all.push_back(row.getColumn(0).getInt64());
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
  return all;
}

std::uint64_t SessionReader::hashOf(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

double SessionReader::finiteNumber(const SQLite::Column& column, std::int64_t tick) const {
  const int type = column.getType();
  const double value = type == SQLite::FLOAT || type == SQLite::INTEGER ? column.getDouble() : std::nan("");
  if (!std::isfinite(value))
    fail(fmt::format("tick {}", tick), fmt::format("{} is not a finite number", column.getName()));
  return value;
}

physics::Pose SessionReader::poseOf(const SQLite::Statement& row, int first, std::int64_t tick) const {
  const auto at = [&](int k) { return finiteNumber(row.getColumn(first + k), tick); };
  physics::Pose X;
  X.p = {at(0), at(1), at(2)};
  X.q = physics::Quaterniond(at(3), at(4), at(5), at(6));
  return X;
}

/// Adds those of repeated_ from `next` on with a place before `before`.
void SessionReader::addRepeated(RecordedStep& tick, std::size_t& next, int before) const {
  for (; next < repeated_.size() && repeated_[next].seq < before; ++next)
    tick.commands.push_back(repeated_[next].command);
}

void SessionReader::readCommands(RecordedStep& tick) {
  tick.commands.clear();
  tick.changes.clear();
  std::erase_if(repeated_, [&](const RepeatedCommand& command) { return command.last < tick.tick; });
  std::vector<RepeatedCommand> begun;
  std::size_t next = 0;
  for (; moreCommands_; moreCommands_ = commands_->executeStep()) {
    const std::int64_t at = commands_->getColumn(0).getInt64();
    if (at > tick.tick) break;
    if (at < tick.tick) fail(fmt::format("tick {}", at), "has commands but is missing");
    const std::string kind = commands_->getColumn(1).getString();
    const auto index = [&](int k) {
      return commands_->isColumnNull(k) ? -1 : commands_->getColumn(k).getInt();
    };
    CommandRow row{.kind = kind, .hand = index(2), .body = index(3), .thruster = index(20)};
    if (!commands_->isColumnNull(4)) row.X = poseOf(*commands_, 4, at);
    readValues(row, at);
    addRepeated(tick, next, index(22));
    if (kind == "return" || kind == "solver" || kind == "rate") {
      readChange(tick, row);
      continue;
    }
    const auto command = commandOf(row);
    if (!command) fail(fmt::format("tick {}", at), fmt::format("has the unknown command \"{}\"", kind));
    tick.commands.push_back(*command);
    if (!commands_->isColumnNull(23))
      begun.push_back({commands_->getColumn(23).getInt64(), index(22), *command});
  }
  addRepeated(tick, next, std::numeric_limits<int>::max());
  repeated_.insert(repeated_.end(), begun.begin(), begun.end());
  std::stable_sort(repeated_.begin(), repeated_.end(),
                   [](const RepeatedCommand& a, const RepeatedCommand& b) { return a.seq < b.seq; });
}

/// The values of a command "dynamics" or "thruster", in the current row of commands_.
void SessionReader::readValues(CommandRow& row, std::int64_t tick) const {
  const auto number = [&](int k) { return finiteNumber(commands_->getColumn(k), tick); };
  if (row.thruster >= 0) row.level = number(21);
  if (commands_->isColumnNull(14)) return;
  row.dynamics = physics::Dynamics{{number(14), number(15), number(16)}, number(17), number(18), {}};
  if (!commands_->isColumnNull(19)) row.dynamics->restitution = number(19);
}

/// The current row of commands_.
void SessionReader::readChange(RecordedStep& tick, CommandRow& row) const {
  const std::string place = fmt::format("tick {}", tick.tick);
  if (!tick.commands.empty()) fail(place, fmt::format("has \"{}\" after a command", row.kind));
  const std::string solver = commands_->getColumn(12).getString();
  if (!commands_->isColumnNull(11)) row.toTick = commands_->getColumn(11).getInt64();
  if (!commands_->isColumnNull(13)) row.rate = finiteNumber(commands_->getColumn(13), tick.tick);
  row.solver = solver;
  const auto change = changeOf(row);
  if (!change) fail(place, fmt::format("has the unknown command \"{}\"", row.kind));
  if (row.toTick && (*row.toTick < 0 || *row.toTick >= tick.tick))
    fail(place, fmt::format("returns to tick {}, which is not before it", *row.toTick));
  tick.changes.push_back(*change);
}

void SessionReader::readStates(RecordedStep& tick) {
  tick.states.resize(bodies_.size());
  for (; moreStates_; moreStates_ = states_->executeStep()) {
    const std::int64_t at = states_->getColumn(0).getInt64();
    if (at > tick.tick) return;
    const int body = states_->getColumn(1).getInt();
    if (at < tick.tick || !tick.keyframe || body < 0 || static_cast<std::size_t>(body) >= bodies_.size())
      fail(fmt::format("tick {}", at), fmt::format("has a state of body {} that should not be there", body));
    physics::BodyState& state = tick.states[static_cast<std::size_t>(body)];
    const auto number = [&](int k) { return finiteNumber(states_->getColumn(k), at); };
    state.X_WC = poseOf(*states_, 2, at);
    state.v = {number(9), number(10), number(11)};
    state.omega = {number(12), number(13), number(14)};
  }
}

void SessionReader::advance(RecordedStep& tick) {
  tick.tick = ticks_->getColumn(0).getInt64();
  if (tick.tick != expected_) fail(fmt::format("tick {}", expected_), "is missing");
  ++expected_;
  tick.time = finiteNumber(ticks_->getColumn(1), tick.tick);
  tick.stateHash = hashOf(ticks_->getColumn(2));
  tick.keyframe = ticks_->getColumn(4).getInt() != 0;
  if (tick.keyframe != (tick.tick % header_.keyframeEvery == 0))
    fail(fmt::format("tick {}", tick.tick),
         tick.keyframe ? "is no keyframe, and says so" : "has lost its keyframe");
  readCommands(tick);
  readStates(tick);
  chain_ = chainNext(chain_, tick.commands, tick.stateHash, tick.changes);
  if (chain_ != hashOf(ticks_->getColumn(3)))
    fail(fmt::format("tick {}", tick.tick), "the chain of hashes is broken: something was changed or lost");
  if (tick.keyframe && physics::stateHash(tick.states) != tick.stateHash)
    fail(fmt::format("tick {}", tick.tick), "its states are not those that were recorded (another hash)");
}

bool SessionReader::next(RecordedStep& tick) {
  try {
    if (!ticks_->executeStep()) {
      if (moreCommands_) fail("command", fmt::format("has rows after tick {}, the last", lastTick_));
      if (moreStates_) fail("body_state", fmt::format("has rows after tick {}, the last", lastTick_));
      return false;
    }
    advance(tick);
    return true;
  } catch (const SQLite::Exception& error) {
    failReading(error);
  }
}

}  // namespace tenon::runtime
