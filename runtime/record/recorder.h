// Records a session while it happens: takes ticks from the simulation, writes them on a thread of its own.
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

/// Throws content::InputError where RecordFile would, as far as looking tells: nothing is made or moved.
void requireRecordable(const std::string& path, bool force);

/// The file that a session goes to.
class RecordFile {
 public:
  /// Makes the file. Throws content::InputError where something is there already and not `force`, or with
  /// `force` anything but a plain file; for a link, a missing folder, or one that may not be written. What
  /// was there is beside it, named *.before, until keep().
  RecordFile(const std::string& path, bool force);
  /// Takes it away again unless keep() was called, and brings back what was there.
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  void commit();
  const std::string& path() const { return path_; }      ///< as the user gave it
  const std::string& target() const { return target_; }  ///< without links among its folders
  /// False once the file is no longer where it was made.
  bool exists() const;

 private:
  std::string path_, target_;
  unsigned long device_ = 0, inode_ = 0;
  std::vector<std::string> replaced_;  ///< what was there, by name; now *.before
  bool committed_ = false;

  void backUpExisting(bool force);
  void restoreBackup();
};

/// What to do while the disk is slower than the simulation.
enum class OverflowPolicy {
  /// Of a simulation that no person and no clock waits for. It is never more than kMaxUnsaved ahead of the
  /// file.
  wait,
  stop,  ///< the recording ends there; the simulation goes on
};

class Recorder {
 public:
  static constexpr std::size_t kQueueBytes = 64 << 20;
  /// Simulated time that a killed process may lose, where the simulation can wait.
  static constexpr StepQueue::Span kMaxUnsaved = std::chrono::milliseconds(100);

  /// Writes the start of the session, at once. `tell` hears, on either thread and at once, why the recording
  /// ends early. `queueBytes`: how much may wait for the disk. Throws content::InputError where the disk does
  /// not take the beginning.
  Recorder(const std::string& path, bool force, SessionHeader header, const content::Scene& scene,
           const physics::World& world, OverflowPolicy overflowPolicy,
           std::function<void(const std::string&)> onError, std::size_t queueBytes = kQueueBytes);
  /// As finish("given up"), where that was not called.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// What came with a step beside the hands.
  struct StepExtras {
    std::span<const WorldChange> changes;  ///< that entered the world before its commands
    std::span<const SessionMark> marks;
    std::optional<HeadSample> head;  ///< if there is a new one
  };
  /// Queues the last step of `world`, the commands and hand samples that entered it, and how the goals stand.
  /// Copies them in some microseconds and does not wait for the disk.
  void add(const physics::World& world, std::span<const physics::Command> commands,
           std::span<const xr::HandSample> samples, std::span<const GoalResult> goals, double step_us,
           const StepExtras& extras = {{}, {}, {}});
  /// A mark after the last step.
  void mark(const SessionMark& mark);

  /// Writes what is left, and how the session ended. Returns when the disk has it. Once only.
  void finish(const std::string& reason);

  /// True where all of the session was recorded: so far, and after finish() for good. On any thread.
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
