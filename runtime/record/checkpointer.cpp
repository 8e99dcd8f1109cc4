// See checkpointer.h. A PASSIVE checkpoint neither waits for other connections nor blocks them:
// https://sqlite.org/wal.html
#include "runtime/record/checkpointer.h"

#include <sqlite3.h>

#include <chrono>

namespace tenon::runtime {

namespace {

/// A power cut loses at most this plus the time of one checkpoint.
constexpr auto kFlushEvery = std::chrono::milliseconds(100);

}  // namespace

Checkpointer::Checkpointer(const std::string& path, std::size_t maxLog)
    : file_(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX), maxLog_(maxLog), limit_(maxLog) {
  file_.exec("PRAGMA synchronous = FULL; PRAGMA schema_version");  // reading anything opens the log
  thread_ = std::thread([this] { work(); });
}

Checkpointer::~Checkpointer() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Checkpointer::committed(std::size_t log) {
  {
    const std::lock_guard lock(mutex_);
    dirty_ = true;
    if (log < log_) limit_ = maxLog_;  // SQLite restarted the log
    log_ = log;
  }
  wake_.notify_one();
}

void Checkpointer::limitLog() {
  std::unique_lock lock(mutex_);
  if (log_ < limit_) return;
  // A running checkpoint may have begun before the last commit.
  const long wanted = started_ + 1;
  dirty_ = urgent_ = true;
  wake_.notify_one();
  done_.wait(lock, [&] { return finished_ >= wanted || !error_.empty(); });
  urgent_ = false;
  // Another program that reads the file may prevent a restart of the log.
  limit_ = log_ + maxLog_;
}

std::string Checkpointer::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void Checkpointer::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return closed_ || dirty_; });
    if (closed_) return;
    dirty_ = false;
    ++started_;
    const bool isLong = log_ >= limit_ / 2;
    lock.unlock();
    if (isLong) {
      checkpoint();
    } else {
      flush();
    }
    lock.lock();
    ++finished_;
    done_.notify_one();
    wake_.wait_for(lock, kFlushEvery, [this] { return closed_ || urgent_; });
  }
}

void Checkpointer::flush() {
  sqlite3_file* log = nullptr;
  check(sqlite3_file_control(file_.getHandle(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &log));
  if (log != nullptr && log->pMethods != nullptr) check(log->pMethods->xSync(log, SQLITE_SYNC_NORMAL));
}

void Checkpointer::checkpoint() {
  check(sqlite3_wal_checkpoint_v2(file_.getHandle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr));
}

void Checkpointer::check(int result) {
  // Busy: another program runs a checkpoint, or reads pages that this one would overwrite.
  if (result == SQLITE_OK || result == SQLITE_BUSY || result == SQLITE_LOCKED) return;
  const std::lock_guard lock(mutex_);
  error_ = sqlite3_errstr(result);
}

}  // namespace tenon::runtime
