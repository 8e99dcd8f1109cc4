// Sessions whose recording was ended by force: what was committed is there, whole and valid.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>

#include "content/reader/load_scene.h"
#include "tests/runtime/recording.h"
#include "tests/support/share.h"

namespace tenon::tests {
namespace {

namespace fs = std::filesystem;
using runtime::OverflowPolicy;
using runtime::SessionReader;

/// `work` in a process that then kills itself as `kill -9` would.
template <class Work>
void killedAfter(const Work& work) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work();
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(RecordCrash, KilledAtAnyTimeItKeepsCommittedRows) {
  constexpr std::uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  RecordProperty("seed", static_cast<int>(kSeed));
  int cut = 0;
  for (int trial = 0; trial < 60 / test::kShare; ++trial) {
    const TemporaryFolder folder;
    const std::string file = folder / "s.tenon";
    const int committed = 1 + static_cast<int>(random() % 50), more = static_cast<int>(random() % 3000);
    SCOPED_TRACE(trial);
    killedAfter([&] {
      Session& session = *new Session(file);  // never ended: its destructor would say so in the file
      session.step(committed);
      if (!waitUntilOnDisk(file, committed)) _exit(1);
      session.step(more);
    });
    const std::int64_t ticks = verifiedTicks(file);
    EXPECT_GE(ticks, committed) << "what was on the disk is gone";
    EXPECT_LE(ticks, committed + more);
    EXPECT_FALSE(SessionReader(file).ending().has_value()) << "a recording cut off claims to have ended";
    if (ticks < committed + more) ++cut;
  }
  EXPECT_GT(cut, 0) << "no kill came in the middle of anything";
}

TEST(RecordCrash, KilledAtAnyTimeItLosesATenthOfASecondAtMost) {
  constexpr std::uint32_t kSeed = 17;
  std::mt19937 random(kSeed);
  RecordProperty("seed", static_cast<int>(kSeed));
  for (int trial = 0; trial < 20 / test::kShare; ++trial) {
    const TemporaryFolder folder;
    const std::string file = folder / "s.tenon";
    const int steps = 200 + static_cast<int>(random() % 3000);
    SCOPED_TRACE(trial);
    killedAfter([&] {
      Session& session = *new Session(file);  // as above
      session.step(steps);
    });
    // Steps of 1 ms, as fast as the machine can.
    EXPECT_GE(ticksIn(file), steps - 100);
    EXPECT_LE(ticksIn(file), steps);
  }
}

TEST(RecordCrash, ALogCutOffAtAnyByteLeavesAValidBeginning) {
  constexpr std::uint32_t kSeed = 11;
  std::mt19937 random(kSeed);
  RecordProperty("seed", static_cast<int>(kSeed));
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  killedAfter([&] {
    Session& session = *new Session(file);  // as above
    for (int k = 1; k <= 5; ++k) {
      session.step(100);
      if (!waitUntilOnDisk(file, 100 * k)) _exit(1);
    }
  });
  const std::uintmax_t size = fs::file_size(file + "-wal");
  ASSERT_GT(size, 0u);
  int sessions = 0;
  std::int64_t longest = 0;
  for (int trial = 0; trial < 140 / test::kShare; ++trial) {
    const std::string copy = folder / "copy.tenon";
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(copy + suffix);
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    fs::copy_file(file + "-wal", copy + "-wal");
    const std::uintmax_t left = trial == 0 ? size : random() % size;
    fs::resize_file(copy + "-wal", left);
    SCOPED_TRACE(left);
    if (ticksIn(copy) < 0) continue;  // cut before the session's first commit: said so
    ++sessions;
    longest = std::max(longest, verifiedTicks(copy));
  }
  EXPECT_EQ(longest, 500);
  EXPECT_GT(sessions, 1);
}

TEST(RecordCrash, AFileCutOffAtAnyByteIsRefusedOrWhole) {
  constexpr std::uint32_t kSeed = 13;
  std::mt19937 random(kSeed);
  RecordProperty("seed", static_cast<int>(kSeed));
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon", copy = folder / "copy.tenon";
  {
    Session session(file);
    session.step(300);
    session.recorder().finish("done");
    EXPECT_TRUE(session.recorder().isComplete());
  }
  const std::uintmax_t size = fs::file_size(file);
  for (int trial = 0; trial < 100 / test::kShare; ++trial) {
    fs::copy_file(file, copy, fs::copy_options::overwrite_existing);
    const std::uintmax_t left = random() % size;
    fs::resize_file(copy, left);
    SCOPED_TRACE(left);
    try {
      EXPECT_EQ(verifiedTicks(copy), 300);
    } catch (const content::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(copy), std::string::npos) << error.what();
    }
  }
}

TEST(RecordCrash, AFullDiskIsReportedOnceAndTheSimulationGoesOn) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // the limit is on this process: a file that would grow beyond it does not
    signal(SIGXFSZ, SIG_IGN);
    int failures = 0;
    {
      Session session(file);
      session.step(20);
      if (!waitUntilOnDisk(file, 20)) _exit(10);
      const rlimit limit{fs::file_size(file + "-wal") + 20000, RLIM_INFINITY};
      setrlimit(RLIMIT_FSIZE, &limit);
      session.step(2000);
      session.recorder().finish("done");
      if (session.recorder().isComplete()) failures |= 1;
      if (session.endMessage.find("s.tenon: the recording ends at 0.0") == std::string::npos) failures |= 2;
      if (session.world().stepResult().step != 2020) failures |= 4;
    }
    _exit(failures);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: claims to be complete, 2: not reported, 4: steps are missing";
  EXPECT_GE(verifiedTicks(file), 20);
}

TEST(RecordCrash, ADeletedFileIsReportedAndTheSimulationGoesOn) {
  const TemporaryFolder folder;
  Session session(folder / "s.tenon");
  session.step(20);
  ASSERT_TRUE(waitUntilOnDisk(folder / "s.tenon", 20));
  fs::remove(folder / "s.tenon");
  session.step(20);
  session.recorder().finish("done");
  EXPECT_FALSE(session.recorder().isComplete());
  EXPECT_NE(session.endMessage.find("moved or deleted"), std::string::npos) << session.endMessage;
  EXPECT_EQ(session.world().stepResult().step, 40);
}

TEST(RecordCrash, ADiskThatDoesNotKeepUpEndsTheRecordingAndNotTheSimulation) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  Session session(file, OverflowPolicy::stop, 1 << 20);  // full long before SQLite gives up
  session.step(20);
  ASSERT_TRUE(waitUntilOnDisk(file, 20));
  std::int64_t steps = 20;
  {
    SQLite::Database other(file, SQLite::OPEN_READWRITE, 10000);
    other.exec("BEGIN IMMEDIATE");  // now nothing can be written
    for (; session.endMessage.empty() && steps < 1000000; ++steps) session.step(1);
    other.exec("ROLLBACK");
  }
  session.step(20);
  session.recorder().finish("done");
  EXPECT_FALSE(session.recorder().isComplete());
  EXPECT_NE(session.endMessage.find("does not keep up"), std::string::npos) << session.endMessage;
  EXPECT_EQ(session.world().stepResult().step, steps + 20);
  // All but the tick that found no room, and those after it.
  EXPECT_EQ(SessionReader(file).lastTick(), steps - 1);
  EXPECT_EQ(SessionReader(file).ending(), "the disk did not keep up");
}

TEST(RecordCrash, AFolderThatMayNotBeWrittenIsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere: run as another user";
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THROW(Session(folder / "s.tenon"), content::InputError);
  fs::permissions(folder.path(), fs::perms::owner_all);
}

}  // namespace
}  // namespace tenon::tests
