// Writes the tables of a session file, from one thread.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "content/model/scene.h"
#include "runtime/record/command_row.h"
#include "runtime/record/insert_row.h"
#include "runtime/record/keyframe_writer.h"
#include "runtime/record/session_events.h"
#include "runtime/record/session_header.h"
#include "runtime/record/step_record.h"

namespace tenon::runtime {

/// Every function throws SQLite::Exception on a write error; committed data remains.
class SessionWriter {
 public:
  /// `path`: an empty file created by RecordFile. Writes header (with the parameters of `scene`), scene and
  /// the states at tick 0, and commits them.
  SessionWriter(const std::string& path, SessionHeader header, const content::Scene& scene,
                const physics::World& world);

  void begin();
  /// Writes the next tick, or marks set after the last one, between begin() and commit().
  void write(const StepRecord& record);
  /// Committed data survives the end of the process; it is on the disk after the next checkpoint.
  void commit();
  /// Size of the log (`FILE-wal`) after the last commit.
  std::size_t logBytes() const;
  /// Writes how the session ended (`text`), merges the log into the file and flushes it to the disk.
  void finish(const std::string& text);

  /// Time of the session up to which data is committed [s].
  double committedTime() const { return committedTime_; }

 private:
  /// A motion of a hand that was written at tick `tick`, and is the same in each tick up to `last`.
  struct RepeatedMove {
    std::int64_t tick = -1, last = -1, written = -1;  ///< `written`: up to where the row says so
    int hand = -1;
    physics::Pose X;
  };

  void writeHeader(const SessionHeader& header);
  void writeScene(const content::Scene& scene, const physics::World& world);
  void writeMarks(const StepRecord& record);
  void writeTick(const StepRecord& record, std::uint64_t hash, bool keyframe);
  void writeInputs(const StepRecord& record);
  void writeCommands(const StepRecord& record);
  void writeCommand(const CommandRow& command, int seq);
  void writeRepetition(RepeatedMove& move, int seq);
  void writeValues(const CommandRow& command, int seq);
  void writeEvent(const SessionEvent& event);
  void writeEpisode(const ContactEpisode& episode);

  int logFrames_ = 0;  ///< written by the connection, which it must outlive
  SQLite::Database file_;
  InsertStatements statements_;
  KeyframeWriter keyframes_;
  SessionEvents events_;
  int keyframeEvery_ = 1;
  double rate_ = 0;                     ///< at present [Hz]
  std::int64_t rateChangeTick_ = 0;     ///< tick
  double sessionTimeAtRateChange_ = 0;  ///< at that tick [s]
  std::int64_t tick_ = 0;
  double time_ = 0, sessionTime_ = 0, committedTime_ = 0;  ///< [s]
  std::uint64_t chain_ = 0;
  std::vector<RepeatedMove> moves_;      ///< by place among the commands of a tick
  std::vector<xr::HandSample> samples_;  ///< as last written
  std::optional<physics::Pose> head_;    ///< as last written; empty: not tracked
};

}  // namespace tenon::runtime
