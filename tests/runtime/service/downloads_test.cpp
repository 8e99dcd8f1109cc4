// Copies for downloads: space of the disk, and errors that a client gets.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "runtime/service/messages/status.h"
#include "runtime/service/server/database_copy.h"
#include "tests/support/program_run.h"

namespace tenon::tests::downloads_test {
namespace {

using namespace service;
using grpc::StatusCode;

TEST(Downloads, CopiesThatAreBeingMadeLeaveTheirSpaceToNoOther) {
  const TemporaryFolder folder;
  const std::string file = folder / "record.tenon";
  // Less than is free, and two are more.
  const std::uintmax_t most = std::filesystem::space(folder.path()).available * 6 / 10;
  DiskSpace space;
  const auto reserve = [&] { return guarded([&] { DiskSpace::Reservation(space, most, file); }); };
  {
    const DiskSpace::Reservation first(space, most, file);
    const grpc::Status second = reserve();
    EXPECT_EQ(second.error_code(), StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_NE(second.error_message().find("record.tenon: the server's disk has no room"), std::string::npos);
  }
  EXPECT_TRUE(reserve().ok()) << "the first copy is made";
  EXPECT_TRUE(reserve().ok()) << "one that was refused reserved nothing";
}

TEST(Downloads, ACopyHasTheBytesThatAreNotInTheFileYet) {
  const TemporaryFolder folder;
  const std::string file = folder / "record.tenon";
  std::ofstream(file) << std::string(1000, 'x');
  EXPECT_EQ(databaseBytes(file), 1000U);
  std::ofstream(file + "-wal") << std::string(234, 'x');
  EXPECT_EQ(databaseBytes(file), 1234U);
}

TEST(Downloads, AFullDiskIsNoDamagedFile) {
  EXPECT_EQ(copyError("a.tenon", SQLITE_FULL, "full").code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(copyError("a.tenon", SQLITE_CORRUPT, "malformed").code(), StatusCode::DATA_LOSS);
}

TEST(Downloads, ACopyThatCannotBeReadToItsEndIsNoWholeDownload) {
  const TemporaryFolder folder;
  std::ofstream(folder / "whole") << std::string(300'000, 'x');
  std::ifstream whole(folder / "whole", std::ios::binary);
  std::string part, all;
  do all += part;
  while (readPart(whole, part), !part.empty());
  EXPECT_EQ(all, std::string(300'000, 'x'));
  std::ifstream unreadable(folder.path(), std::ios::binary);  // a folder: it opens, and cannot be read
  ASSERT_TRUE(unreadable.is_open());
  EXPECT_EQ(guarded([&] { readPart(unreadable, part); }).error_code(), StatusCode::DATA_LOSS);
}

}  // namespace
}  // namespace tenon::tests::downloads_test
