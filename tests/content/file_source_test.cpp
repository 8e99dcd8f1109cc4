// Sources of a scene's files: recorded files are those that were read, and replace the disk.
#include "content/input/file_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"

namespace tenon::content {
namespace {

namespace fs = std::filesystem;

const TextFileKind kMesh{"mesh", 100, "use a smaller one"};

class FileSources : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_ / "parts");
    write("parts/peg.obj", "a peg");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  tests::TemporaryFolder folder_;
  std::string scene_ = folder_ / "scene.json", peg_ = folder_ / "parts/peg.obj";
};

TEST_F(FileSources, RecordedFilesHavePathsRelativeToTheScene) {
  RecordingFileSource noted(folder_ / "parts/../scene.json");
  EXPECT_EQ(noted.read(folder_ / "parts/../parts/./peg.obj", kMesh), "a peg");
  EXPECT_EQ(noted.drain(), (FileBytes{{"parts/peg.obj", "a peg"}}));
  EXPECT_TRUE(noted.drain().empty());
}

TEST_F(FileSources, AFileThatChangesBetweenTwoReadsIsReadOnce) {
  RecordingFileSource noted(scene_);
  noted.read(peg_, kMesh);
  write("parts/peg.obj", "another");
  EXPECT_EQ(noted.read(peg_, kMesh), "a peg");
}

TEST_F(FileSources, OnlyRecordedFilesAreServedWithoutTheDisk) {
  write("new.obj", "not kept");
  const FileBytes kept{{"parts/peg.obj", "as it was"}, {"large.obj", std::string(101, 'x')}};
  StoredFileSource files(scene_, kept);
  EXPECT_EQ(files.read(peg_, kMesh), "as it was");
  EXPECT_EQ(files.find(peg_, folder_ / "parts"), FileStatus::found);
  EXPECT_EQ(files.find(folder_ / "new.obj", folder_.path()), FileStatus::missing);
  EXPECT_THROW(files.read(folder_ / "new.obj", kMesh), InputError);
  EXPECT_THROW(files.read(folder_ / "large.obj", kMesh), InputError);
}

TEST_F(FileSources, ASceneWithoutFolderHasItsFilesInTheSameFolder) {
  const FileBytes kept{{"peg.obj", "a peg"}};
  EXPECT_EQ(StoredFileSource("scene.json", kept).read("peg.obj", kMesh), "a peg");
  EXPECT_EQ(StoredFileSource("scene.json", kept).read("./peg.obj", kMesh), "a peg");
  EXPECT_EQ(StoredFileSource("../scene.json", kept).read("../peg.obj", kMesh), "a peg");
  EXPECT_EQ(StoredFileSource("/scene.json", kept).read("/peg.obj", kMesh), "a peg");
}

TEST_F(FileSources, TheDiskDistinguishesMissingFromOutside) {
  DiskFileSource disk;
  EXPECT_EQ(disk.find(peg_, folder_.path()), FileStatus::found);
  EXPECT_EQ(disk.find(folder_ / "none.obj", folder_.path()), FileStatus::missing);
  EXPECT_EQ(disk.find(scene_, folder_ / "parts"), FileStatus::outsideFolder);
  fs::create_symlink("/etc/hostname", folder_ / "link.obj");
  EXPECT_EQ(disk.find(folder_ / "link.obj", folder_.path()), FileStatus::outsideFolder);
}

}  // namespace
}  // namespace tenon::content
