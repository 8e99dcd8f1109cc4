// The writing thread: batches of ticks, one transaction every kCommitEvery, or sooner under load.
#include "runtime/record/recorder.h"

#include <SQLiteCpp/Exception.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <utility>
#include <vector>

#include "content/reader/load_scene.h"

namespace tenon::runtime {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

/// A tick is in the file after at most this, the timeout below, and one batch; sooner if StepQueue is
/// urgent.
constexpr auto kCommitEvery = std::chrono::milliseconds(15);
constexpr auto kPatience = std::chrono::milliseconds(8);
constexpr std::size_t kBatch = 256;  ///< ticks between two reads of the clock

constexpr const char* kBeside[] = {"-wal", "-shm", "-journal"};  ///< suffixes of SQLite's companion files

[[noreturn]] void refuse(const std::string& path, const std::string& problem, const std::string& remedy) {
  throw content::InputError(path.empty() ? "\"\"" : path, "", problem, remedy);
}

constexpr const char* kBefore = ".before";  ///< suffix of a replaced file until the new one is complete

/// The existing files among the file and SQLite's companions; all regular files.
std::vector<std::string> whatIsThere(const std::string& path, const std::string& target, bool force) {
  std::vector<std::string> there;
  for (const char* suffix : {"", kBeside[0], kBeside[1], kBeside[2]}) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(target + suffix, error);
    if (!fs::exists(status)) continue;
    const std::string name = path + suffix;
    if (fs::is_symlink(status)) refuse(name, "is a link", "record to a file of its own");
    if (!fs::is_regular_file(status)) refuse(name, "is not a plain file", "name a file that may be written");
    if (!force) refuse(name, "exists already", "name another file, or overwrite it with --force");
    if (fs::exists(fs::symlink_status(target + suffix + kBefore, error)))
      refuse(name + kBefore, "exists already, and the old record would be kept under this name",
             "move it away");
    there.push_back(target + suffix);
  }
  return there;
}

/// With links in its folders resolved.
std::string targetOf(const std::string& path) {
  std::error_code error;
  const fs::path given(path);
  const fs::path folder = fs::canonical(given.has_parent_path() ? given.parent_path() : ".", error);
  if (error || !given.has_filename())
    refuse(path, error ? fmt::format("cannot be written ({})", error.message()) : "is not a plain file",
           "name a file in a folder that exists");
  return (folder / given.filename()).string();
}

[[noreturn]] void refuseFolder(const std::string& path, const std::string& why) {
  refuse(path, fmt::format("cannot be written ({})", why),
         "name a file in a folder that exists, has room and may be written to");
}

}  // namespace

void requireRecordable(const std::string& path, bool force) {
  const std::string target = targetOf(path);
  whatIsThere(path, target, force);
  if (access(fs::path(target).parent_path().c_str(), W_OK | X_OK) != 0)
    refuseFolder(path, std::strerror(errno));
}

void RecordFile::backUpExisting(bool force) {
  for (const std::string& name : whatIsThere(path_, target_, force)) {
    if (std::rename(name.c_str(), (name + kBefore).c_str()) != 0) {
      const std::string why = std::strerror(errno);
      restoreBackup();
      refuse(path_, fmt::format("cannot be overwritten ({})", why), "name another file");
    }
    replaced_.push_back(name);
  }
}

void RecordFile::restoreBackup() {
  for (const std::string& name : replaced_) std::rename((name + kBefore).c_str(), name.c_str());
  replaced_.clear();
}

void RecordFile::commit() {
  committed_ = true;
  for (const std::string& name : replaced_) unlink((name + kBefore).c_str());
  replaced_.clear();
}

RecordFile::RecordFile(const std::string& path, bool force) : path_(path), target_(targetOf(path)) {
  backUpExisting(force);
  const int descriptor = open(target_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    const std::string why = std::strerror(errno);
    restoreBackup();
    refuseFolder(path, why);
  }
  close(descriptor);
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

RecordFile::~RecordFile() {
  if (committed_) return;
  unlink(target_.c_str());
  for (const char* suffix : kBeside) unlink((target_ + suffix).c_str());
  restoreBackup();
}

bool RecordFile::exists() const {
  struct stat status {};
  return lstat(target_.c_str(), &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

Recorder::Recorder(const std::string& path, bool force, SessionHeader header, const content::Scene& scene,
                   const physics::World& world, OverflowPolicy overflowPolicy,
                   std::function<void(const std::string&)> onError, std::size_t queueBytes)
    : file_(path, force),
      queue_(queueBytes, overflowPolicy == OverflowPolicy::wait ? kMaxUnsaved : StepQueue::kUnlimited),
      overflowPolicy_(overflowPolicy),
      onError_(std::move(onError)) {
  try {
    writer_ = std::make_unique<SessionWriter>(file_.target(), std::move(header), scene, world);
    checkpointer_ = std::make_unique<Checkpointer>(file_.target());
  } catch (const SQLite::Exception& error) {
    writer_.reset();
    refuse(path, fmt::format("cannot be written ({})", error.what()),
           "name a file in a folder that has room and may be written to");
  }
  file_.commit();
  thread_ = std::thread([this] { work(); });
}

Recorder::~Recorder() {
  if (thread_.joinable()) finish("given up");
}

void Recorder::add(const physics::World& world, std::span<const physics::Command> commands,
                   std::span<const xr::HandSample> samples, std::span<const GoalResult> goals, double step_us,
                   const StepExtras& extras) {
  if (failed_ || overflowed_) return;
  StepQueue::Entry entry = queue_.acquire();
  entry->isStep = true;
  entry->tick = world.stepResult();
  entry->changes.assign(extras.changes.begin(), extras.changes.end());
  entry->commands.assign(commands.begin(), commands.end());
  entry->samples.assign(samples.begin(), samples.end());
  entry->goals.clear();
  for (const GoalResult& g : goals) entry->goals.push_back({g.verdict, g.depth, g.tilt, g.push, g.maxPush});
  entry->marks.assign(extras.marks.begin(), extras.marks.end());
  entry->head = extras.head;
  entry->step_us = step_us;
  time_ = world.stepResult().time;
  push(std::move(entry),
       std::chrono::round<StepQueue::Span>(std::chrono::duration<double>(world.options().dt)));
}

void Recorder::mark(const SessionMark& mark) {
  if (failed_ || overflowed_) return;
  StepQueue::Entry entry = queue_.acquire();
  entry->isStep = false;
  entry->marks.assign({mark});
  push(std::move(entry), StepQueue::Span::zero());
}

void Recorder::push(StepQueue::Entry entry, StepQueue::Span span) {
  while (!queue_.tryPush(entry, span)) {
    if (failed_) return;
    if (overflowPolicy_ == OverflowPolicy::stop) {
      overflowed_ = true;
      queue_.close(false);  // queued entries are still written
      onError_(fmt::format(
          "{}: the recording ends at {:.3f} s: the disk does not keep up; record to a faster one; "
          "the simulation goes on",
          file_.path(), time_));
      return;
    }
    queue_.waitForRoom(entry->bytes(), span);
  }
}

void Recorder::finish(const std::string& reason) {
  reason_ = reason;
  queue_.close(false);
  thread_.join();
}

void Recorder::work() {
  try {
    writeAll();
    checkpointer_.reset();  // SQLite merges the log only when the last connection closes
    if (!failed_) writer_->finish(overflowed_ ? "the disk did not keep up" : reason_);
  } catch (const std::exception& error) {
    fail(error.what(), "make room on a disk that may be written to");
  }
  checkpointer_.reset();
  writer_.reset();
}

void Recorder::writeAll() {
  std::vector<StepQueue::Entry> batch;
  bool open = false;
  Clock::time_point due;
  while (queue_.drain(batch, kBatch, kPatience)) {
    if (!batch.empty() && !open) {
      writer_->begin();
      open = true;
      due = Clock::now() + kCommitEvery;
    }
    for (const StepQueue::Entry& entry : batch) writer_->write(*entry);
    queue_.recycle(batch);
    if (!open || (Clock::now() < due && !queue_.isUrgent())) continue;
    if (!save()) return;
    open = false;
  }
  if (open) save();
  if (!failed_ && !file_.exists()) fail("the file was moved or deleted", "leave it alone until the end");
}

/// Commits; false if the recording has ended.
bool Recorder::save() {
  if (!file_.exists()) {
    fail("the file was moved or deleted", "leave it alone until the end");
    return false;
  }
  writer_->commit();
  queue_.markSaved();
  checkpointer_->committed(writer_->logBytes());
  if (const std::string error = checkpointer_->error(); !error.empty()) {
    fail(error, "make room on a disk that may be written to");
    return false;
  }
  checkpointer_->limitLog();
  return true;
}

void Recorder::fail(const std::string& problem, const std::string& remedy) {
  failed_ = true;
  queue_.close(true);
  onError_(fmt::format("{}: the recording ends at {:.3f} s: {}; {}; the simulation goes on", file_.path(),
                       writer_->committedTime(), problem, remedy));
}

}  // namespace tenon::runtime
