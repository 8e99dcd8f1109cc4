// Flushes committed pages to the disk and copies SQLite's log into the file, on its own thread.
#pragma once

#include <SQLiteCpp/Database.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace tenon::runtime {

/// A commit passes its pages to the operating system only: they survive the end of the process, and no
/// commit waits for the disk. The checkpointer flushes the log (`FILE-wal`) to the disk, ten times a second
/// at most: flushed pages also survive a power cut. When the log is long, it copies the log's pages into the
/// file during further commits, over its own connection.
///
/// SQLite reuses the log from its beginning only if all of it is in the file before the next transaction.
/// To bound the log, the writer calls limitLog() between its transactions.
class Checkpointer {
 public:
  static constexpr std::size_t kMaxLog = 64 << 20;  ///< [bytes]

  /// `path`: a database in WAL mode. Throws SQLite::Exception if it cannot be opened.
  explicit Checkpointer(const std::string& path, std::size_t maxLog = kMaxLog);
  /// Waits for a running flush.
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// Reports a commit; `log`: new size of the log [bytes].
  void committed(std::size_t log);
  /// If the log has grown by `maxLog` since its beginning or the last wait, waits until all of it is in the
  /// file. Must not be called within a transaction.
  void limitLog();
  /// Why a checkpoint failed; empty if none failed.
  std::string error() const;

 private:
  void work();
  void flush();
  void checkpoint();
  void check(int result);

  SQLite::Database file_;
  std::size_t maxLog_, limit_, log_ = 0;  ///< [bytes]
  mutable std::mutex mutex_;
  std::condition_variable wake_, done_;
  bool dirty_ = false, urgent_ = false, closed_ = false;
  long started_ = 0, finished_ = 0;  ///< number of checkpoints
  std::string error_;
  std::thread thread_;
};

}  // namespace tenon::runtime
