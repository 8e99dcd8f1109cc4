// Reads and validates a session file tick by tick.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physics/world.h"
#include "runtime/record/command_row.h"
#include "runtime/record/session_events.h"
#include "runtime/record/session_header.h"

namespace tenon::runtime {

/// A tick of the file.
struct RecordedStep {
  std::int64_t tick = 0;  ///< in the session, counted from 0, the start
  double time = 0;  ///< of the session [s]; monotonic, unlike the world's, which a reset or an undo sets back
  std::uint64_t stateHash = 0;
  bool keyframe = false;             ///< `states` are those of this tick
  std::vector<WorldChange> changes;  ///< before the commands
  std::vector<physics::Command> commands;
  std::vector<physics::BodyState> states;  ///< as of the last keyframe, by body
};

/// Last recorded state of a goal.
struct RecordedGoal {
  std::string name, verdict;
  double depth = 0, targetDepth = 0;  ///< [m]
  double tilt = 0;                    ///< [rad]
  double maxPush = 0;                 ///< [N]
};

/// All times are the session's. Every function throws content::InputError for missing, damaged or invalid
/// data: not an SQLite file, a file of another program or of a later format, missing tables, columns or
/// ticks, values that are not finite numbers, states and mesh files that differ from their recorded hash, a
/// broken hash chain.
class SessionReader {
 public:
  explicit SessionReader(const std::string& file);

  const std::string& file() const { return file_; }
  const SessionHeader& header() const { return header_; }
  const std::vector<std::string>& bodies() const { return bodies_; }  ///< names, by id
  const std::vector<std::string>& hands() const { return hands_; }
  std::int64_t lastTick() const { return lastTick_; }
  double lastTime() const { return lastTime_; }  ///< [s]
  /// How the session ended; empty if the recording is incomplete.
  std::optional<std::string> ending() const;
  std::vector<SessionEvent> events() const;
  std::vector<ContactEpisode> episodes() const;
  std::vector<RecordedGoal> goals() const;
  /// Ticks to which the session returns, sorted.
  std::vector<std::int64_t> returnTargets() const;

  /// Reads the next tick, from 0 on; false after the last. Checks the hashes.
  bool next(RecordedStep& tick);

  /// For other queries of the same file.
  const SQLite::Database& database() const { return *database_; }
  /// A hash, which SQLite stores as a signed number.
  static std::uint64_t hashOf(const SQLite::Column& column);
  /// Returns a finite number or fails.
  double finiteNumber(const SQLite::Column& column, std::int64_t tick) const;
  [[noreturn]] void fail(const std::string& place, const std::string& problem) const;
  /// Reports an error of SQLite.
  [[noreturn]] void failReading(const std::exception& error) const;

 private:
  void checkPlainFile() const;
  void checkKind();
  void checkTables() const;
  void readHeader();
  void readMeshFiles();
  void readNames();
  void checkHeader() const;
  physics::Pose poseOf(const SQLite::Statement& row, int first, std::int64_t tick) const;
  void readCommands(RecordedStep& tick);
  void readStates(RecordedStep& tick);
  void advance(RecordedStep& tick);
  void readValues(CommandRow& row, std::int64_t tick) const;
  void readChange(RecordedStep& tick, CommandRow& row) const;
  SQLite::Statement query(const char* sql) const { return {*database_, sql}; }

  std::string file_;
  int format_ = 0;
  std::unique_ptr<SQLite::Database> database_;
  SessionHeader header_;
  std::vector<std::string> bodies_, hands_;
  std::int64_t lastTick_ = 0;
  double lastTime_ = 0;

  /// A command that is in each tick up to `last`, in the place `seq` among its commands.
  struct RepeatedCommand {
    std::int64_t last;
    int seq;
    physics::Command command;
  };
  void addRepeated(RecordedStep& tick, std::size_t& next, int before) const;

  // --- state of next()
  std::unique_ptr<SQLite::Statement> ticks_, commands_, states_;
  bool moreCommands_ = false, moreStates_ = false;
  std::vector<RepeatedCommand> repeated_;  ///< by seq
  std::int64_t expected_ = 0;
  std::uint64_t chain_ = 0;
};

}  // namespace tenon::runtime
