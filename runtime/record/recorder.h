// Records a running session: queues steps of the simulation and writes them on its own thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "physics/world.h"
#include "runtime/assess/goal_watch.h"
#include "runtime/record/checkpointer.h"
#include "runtime/record/session_header.h"
#include "runtime/record/session_writer.h"
#include "runtime/record/step_queue.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// Throws content::InputError if RecordFile would, as far as known without creating or moving a file.
void requireRecordable(const std::string& path, bool force);

/// The file of a recording.
class RecordFile {
 public:
  /// Creates the file. Throws content::InputError if the path exists without `force`, or with `force` is not
  /// a regular file; for a link, and for a missing or read-only folder. An existing file is renamed to
  /// *.before until commit().
  RecordFile(const std::string& path, bool force);
  /// Unless commit() was called, removes the file and restores the previous one.
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  void commit();
  const std::string& path() const { return path_; }      ///< as the user gave it
  const std::string& target() const { return target_; }  ///< with links in its folders resolved
  /// False if the file was moved or removed.
  bool exists() const;

 private:
  std::string path_, target_;
  unsigned long device_ = 0, inode_ = 0;
  std::vector<std::string> replaced_;  ///< names of the previous files, now *.before
  bool committed_ = false;

  void backUpExisting(bool force);
  void restoreBackup();
};

/// Behavior while the disk is slower than the simulation.
enum class OverflowPolicy {
  /// The simulation waits: at most kMaxUnsaved of simulated time is unsaved. For runs without a person.
  wait,
  stop,  ///< the recording ends, the simulation continues
};

class Recorder {
 public:
  static constexpr std::size_t kQueueBytes = 64 << 20;
  /// Simulated time that a killed process may lose with OverflowPolicy::wait.
  static constexpr StepQueue::Span kMaxUnsaved = std::chrono::milliseconds(100);

  /// Writes the start of the session immediately. `onError` is called, on either thread, with the reason if
  /// the recording ends early. `queueBytes`: capacity of the queue. Throws content::InputError if the start
  /// cannot be written.
  Recorder(const std::string& path, bool force, SessionHeader header, const content::Scene& scene,
           const physics::World& world, OverflowPolicy overflowPolicy,
           std::function<void(const std::string&)> onError, std::size_t queueBytes = kQueueBytes);
  /// Calls finish("given up") unless finish() was called.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Inputs of a step besides the hands.
  struct StepExtras {
    std::span<const WorldChange> changes;  ///< applied to the world before its commands
    std::span<const SessionMark> marks;
    std::optional<HeadSample> head;  ///< if there is a new sample
  };
  /// Queues the last step of `world`, its commands and hand samples, and the state of the goals. The copy
  /// takes some microseconds and does not wait for the disk.
  void add(const physics::World& world, std::span<const physics::Command> commands,
           std::span<const xr::HandSample> samples, std::span<const GoalResult> goals, double step_us,
           const StepExtras& extras = {{}, {}, {}});
  /// Adds a mark after the last step.
  void mark(const SessionMark& mark);

  /// Writes the remaining steps and the reason of the end, and returns when they are on the disk. Call it
  /// once.
  void finish(const std::string& reason);

  /// True if the whole session was recorded, so far or after finish(). Callable from any thread.
  bool isComplete() const { return !failed_ && !overflowed_; }

 private:
  void push(StepQueue::Entry entry, StepQueue::Span span);
  void work();
  void writeAll();
  bool save();
  void fail(const std::string& problem, const std::string& remedy);

  RecordFile file_;
  std::unique_ptr<SessionWriter> writer_;
  std::unique_ptr<Checkpointer> checkpointer_;
  StepQueue queue_;
  double time_ = 0;  ///< of the last step, by the world's clock [s]
  OverflowPolicy overflowPolicy_;
  std::function<void(const std::string&)> onError_;
  std::atomic<bool> failed_{false}, overflowed_{false};
  std::string reason_;  ///< set before the queue is closed
  std::thread thread_;
};

}  // namespace tenon::runtime
