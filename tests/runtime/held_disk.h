// A disk that flushes nothing as long as it is held: what is written stays with the operating system, as on a
// machine whose disk is busy. SQLite goes through it.
#pragma once

#include <sqlite3.h>

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>

namespace tenon::tests {

/// In place of SQLite's access to the system for all files that are opened while it is there; one at a time,
/// and gone only after they are closed.
class HeldDisk {
 public:
  HeldDisk() : system_(sqlite3_vfs_find(nullptr)), vfs_(*system_) {
    current() = this;
    vfs_.zName = "held";
    vfs_.xOpen = [](sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* outFlags) {
      HeldDisk& disk = *current();
      const int result = disk.system_->xOpen(disk.system_, name, file, flags, outFlags);
      if (result == SQLITE_OK) disk.divert(*file);
      return result;
    };
    sqlite3_vfs_register(&vfs_, 1);
  }
  ~HeldDisk() {
    release();
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(system_, 1);
  }
  HeldDisk(const HeldDisk&) = delete;
  HeldDisk& operator=(const HeldDisk&) = delete;

  void hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  void release() {
    {
      const std::lock_guard lock(mutex_);
      held_ = false;
    }
    changed_.notify_all();
  }
  /// Returns when a thread waits for a flush.
  void waitForFlush() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0; });
  }

 private:
  /// The system's functions for a kind of file, with one of ours among them.
  struct Methods {
    sqlite3_io_methods ours;  ///< first: a file's pointer to it is one to this
    const sqlite3_io_methods* systems = nullptr;
  };

  static HeldDisk*& current() {
    static HeldDisk* disk = nullptr;
    return disk;
  }
  void divert(sqlite3_file& file) {
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Methods>& methods = methods_[file.pMethods];
    if (methods == nullptr) {
      methods = std::make_unique<Methods>(Methods{*file.pMethods, file.pMethods});
      methods->ours.xSync = [](sqlite3_file* f, int flags) {
        current()->flush();
        return reinterpret_cast<const Methods*>(f->pMethods)->systems->xSync(f, flags);
      };
    }
    file.pMethods = &methods->ours;
  }
  void flush() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !held_; });
    --waiting_;
  }

  sqlite3_vfs* system_;
  sqlite3_vfs vfs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  int waiting_ = 0;
  std::map<const sqlite3_io_methods*, std::unique_ptr<Methods>> methods_;
};

}  // namespace tenon::tests
