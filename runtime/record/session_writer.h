// A session file being written, by one thread. The only place that writes its tables.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "content/model/scene.h"
#include "runtime/record/session_events.h"
#include "runtime/record/session_header.h"
#include "runtime/record/step_record.h"

namespace tenon::runtime {

/// Every function throws SQLite::Exception where the disk does not take it; what was committed stays.
class SessionWriter {
 public:
  /// `path` is an empty file of ours. Writes header (with the parameters of `scene`), scene and the states at
  /// tick 0, and commits them.
  SessionWriter(const std::string& path, SessionHeader header, const content::Scene& scene,
                const physics::World& world);

  void begin();
  /// The next tick, or marks set after the last one, between begin() and commit().
  void write(const StepRecord& record);
  /// What is committed survives the end of the process; the disk has it after the next checkpoint.
  void commit();
  /// How long the log (`FILE-wal`) is after the last commit.
  std::size_t logBytes() const;
  /// The last words: `text` says how the session ended. Then the file is one file again, and the disk has it.
  void finish(const std::string& text);

  /// Up to which time of the session it is committed [s].
  double committedTime() const { return committedTime_; }

 private:
  void writeHeader(const SessionHeader& header);
  void writeScene(const content::Scene& scene, const physics::World& world);
  void writeMarks(const StepRecord& record);
  void writeTick(const StepRecord& record, std::uint64_t hash, bool keyframe);
  void writeInputs(const StepRecord& record);
  void writeCommands(const StepRecord& record);
  void writeKeyframe(const StepRecord& record);
  void writeEvent(const SessionEvent& event);
  void writeEpisode(const ContactEpisode& episode);
  SQLite::Statement& statement(std::string_view table, int columns);

  int logFrames_ = 0;  ///< outlives the file's connection, which writes it
  SQLite::Database file_;
  std::map<std::string_view, SQLite::Statement> statements_;  ///< by the name of the table, a literal
  SessionEvents events_;
  int keyframeEvery_ = 1;
  double rate_ = 0;                     ///< at present [Hz]
  std::int64_t rateChangeTick_ = 0;     ///< tick
  double sessionTimeAtRateChange_ = 0;  ///< at that tick [s]
  std::int64_t tick_ = 0;
  double time_ = 0, sessionTime_ = 0, committedTime_ = 0;  ///< [s]
  std::uint64_t chain_ = 0;
  std::vector<physics::BodyState> states_;  ///< as last written
  std::vector<xr::HandSample> samples_;     ///< as last written
  std::optional<physics::Pose> head_;       ///< as last written; nothing: nowhere
};

}  // namespace tenon::runtime
