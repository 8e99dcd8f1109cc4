// Brings what was committed to the disk, and from SQLite's log into the file, on a thread of its own.
#pragma once

#include <SQLiteCpp/Database.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace tenon::runtime {

/// A commit only hands its pages to the operating system: they survive the end of the process, and no
/// commit waits for the disk. The checkpointer flushes the log (`FILE-wal`) to the disk, ten times a second
/// at most: then they also survive a power cut. Once the log is long it copies its pages into the file, while
/// commits go on: it has a connection of its own.
///
/// The log starts from its beginning again only where all of it is in the file before the next transaction.
/// So that it does not grow without end, the writer calls limitLog() between its transactions.
class Checkpointer {
 public:
  static constexpr std::size_t kMaxLog = 64 << 20;  ///< [bytes]

  /// `path`: a database in WAL mode. Throws SQLite::Exception where it cannot be opened.
  explicit Checkpointer(const std::string& path, std::size_t maxLog = kMaxLog);
  /// Waits for a flush that is under way.
  ~Checkpointer();
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  /// There is something new in the log, which is now so long [bytes].
  void committed(std::size_t log);
  /// Where the log has grown by `maxLog` since it began, or since it was last waited for: waits until all of
  /// it is in the file. Not within a transaction.
  void limitLog();
  /// Why a checkpoint failed; empty: none has.
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
  long started_ = 0, finished_ = 0;  ///< checkpoints
  std::string error_;
  std::thread thread_;
};

}  // namespace tenon::runtime
