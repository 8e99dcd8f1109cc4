// What of a recording is in the file while it goes on, whatever the disk does: the mechanism behind
// format.md's promise of what survives.
#include <gtest/gtest.h>

#include <SQLiteCpp/Database.h>

#include <filesystem>
#include <vector>

#include "runtime/record/checkpointer.h"
#include "runtime/record/step_queue.h"
#include "tests/runtime/held_disk.h"
#include "tests/runtime/recording.h"

namespace tenon::tests {
namespace {

using runtime::StepQueue;
using std::chrono::milliseconds;

/// Pushes records of 1 ms until there is no room; how many went in.
int pushed(StepQueue& queue) {
  int count = 0;
  for (; count < 1000; ++count) {
    StepQueue::Entry entry = queue.acquire();
    if (!queue.tryPush(entry, milliseconds(1))) break;
  }
  return count;
}

TEST(RecordDurability, NoMoreThanItsSpanIsUnsaved) {
  StepQueue queue(std::size_t{1} << 30, milliseconds(100));
  EXPECT_EQ(pushed(queue), 100);
  std::vector<StepQueue::Entry> taken;
  queue.drain(taken, 60, milliseconds(0));
  ASSERT_EQ(taken.size(), 60u);
  EXPECT_TRUE(queue.isUrgent()) << "60 ms have been taken and not saved";
  queue.recycle(taken);
  EXPECT_EQ(pushed(queue), 0) << "what was taken is not in the file yet";
  queue.markSaved();
  EXPECT_FALSE(queue.isUrgent());
  EXPECT_EQ(pushed(queue), 60);
}

TEST(RecordDurability, ARecordThatIsLongerThanTheSpanHasRoomAlone) {
  StepQueue queue(std::size_t{1} << 30, milliseconds(100));
  StepQueue::Entry first = queue.acquire(), second = queue.acquire();
  EXPECT_TRUE(queue.tryPush(first, milliseconds(150)));
  EXPECT_FALSE(queue.tryPush(second, milliseconds(150)));
  std::vector<StepQueue::Entry> taken;
  queue.drain(taken, 60, milliseconds(0));
  queue.markSaved();
  EXPECT_TRUE(queue.tryPush(second, milliseconds(150)));
}

TEST(RecordDurability, CommitsDoNotWaitForTheDisk) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  HeldDisk disk;
  {
    Session session(file);
    disk.hold();
    session.step(1500);
    disk.waitForFlush();
    EXPECT_TRUE(waitUntilOnDisk(file, 1500)) << "steps are not in the file while the disk is held";
    disk.release();
    session.recorder().finish("done");
    EXPECT_TRUE(session.recorder().isComplete()) << session.endMessage;
  }
  EXPECT_EQ(verifiedTicks(file), 1500);
  EXPECT_FALSE(std::filesystem::exists(file + "-wal"));
}

TEST(RecordDurability, WhatIsCommittedIsFlushedToo) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  HeldDisk disk;
  Session session(file);
  disk.hold();
  session.step(1);
  disk.waitForFlush();  // does not return if nothing is ever flushed
  disk.release();
  session.recorder().finish("done");
  EXPECT_EQ(verifiedTicks(file), 1);
}

TEST(RecordDurability, TheLogDoesNotGrowWithoutEnd) {
  constexpr std::size_t kMaxLog = 1 << 18;
  const TemporaryFolder folder;
  const std::string path = folder / "log.db";
  SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (bytes BLOB)");
  std::size_t log = 0;
  const auto note = [](void* bytes, sqlite3* /*file*/, const char* /*name*/, int frames) {
    *static_cast<std::size_t*>(bytes) = static_cast<std::size_t>(frames) * 4096;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(database.getHandle(), note, &log);  // in place of the one that makes checkpoints
  runtime::Checkpointer checkpointer(path, kMaxLog);
  for (int k = 0; k < 300; ++k) {
    database.exec("INSERT INTO t VALUES (randomblob(20000))");
    checkpointer.committed(log);
    checkpointer.limitLog();
  }
  EXPECT_EQ(checkpointer.error(), "");
  EXPECT_LT(std::filesystem::file_size(path + "-wal"), 2 * kMaxLog) << "of 6 MB that went through it";
}

}  // namespace
}  // namespace tenon::tests
