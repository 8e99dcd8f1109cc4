// Files that are not scenes are rejected in one line, without a crash or a hang.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "content/reader/load_scene.h"

namespace tenon::content::test {
namespace {

/// A temporary folder for one test.
class SceneFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tenon-scene-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    const std::string file = (folder_ / name).string();
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  static std::string errorForFile(const std::string& file) {
    try {
      loadScene(file);
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find(file + ": "), 0u) << what;
      EXPECT_EQ(what.find('\n'), what.npos) << what;
      EXPECT_NE(what.find("; "), what.npos) << what;
      return what;
    }
    return "";
  }

  std::filesystem::path folder_;
};

void expectWord(const std::string& errorText, const std::string& word) {
  EXPECT_NE(errorText.find(word), errorText.npos) << errorText;
}

TEST_F(SceneFile, missingFileIsReported) {
  expectWord(errorForFile((folder_ / "none.json").string()), "does not exist");
}

TEST_F(SceneFile, directoryIsReported) {
  expectWord(errorForFile(folder_.string()), "is a directory");
}

TEST_F(SceneFile, emptyFileIsReported) {
  expectWord(errorForFile(write("empty.json", "")), "is empty");
}

TEST_F(SceneFile, pipeIsRejectedWithoutWaiting) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expectWord(errorForFile(pipe), "not a regular file");
}

/// Loads a file as an unprivileged user, and ends the process with 0 if the error is the expected one.
[[noreturn]] void loadWithoutPrivilege(const std::string& file) {
  constexpr uid_t kNobody = 65534;
  if (geteuid() == 0 && setuid(kNobody) != 0) std::_Exit(2);
  try {
    loadScene(file);
  } catch (const InputError& error) {
    std::_Exit(std::string(error.what()).find("ermission denied") != std::string::npos ? 0 : 1);
  }
  std::_Exit(1);
}

TEST_F(SceneFile, fileWithoutPermissionIsReported) {
  const std::string file = write("locked.json", "{}");
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  ASSERT_EQ(chmod(file.c_str(), 0), 0);
  EXPECT_EXIT(loadWithoutPrivilege(file), ::testing::ExitedWithCode(0), "");
}

TEST_F(SceneFile, folderWithoutPermissionIsReported) {
  const std::string file = write("hidden.json", "{}");
  ASSERT_EQ(chmod(folder_.c_str(), 0), 0);
  EXPECT_EXIT(loadWithoutPrivilege(file), ::testing::ExitedWithCode(0), "");
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
}

TEST_F(SceneFile, readErrorIsReported) {
  // Opening succeeds, but reading the first byte fails.
  const std::string file = "/proc/self/mem";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file << " on this system";
  expectWord(errorForFile(file), "cannot be read");
}

TEST_F(SceneFile, tenMegabytesOfGarbageAreRejected) {
  const unsigned seed = 20240611;
  std::mt19937 random(seed);
  std::string garbage(10u << 20, '\0');
  for (char& c : garbage) c = static_cast<char>(random());
  expectWord(errorForFile(write("large.json", garbage)), "larger than 4 MiB");
  garbage.resize(4u << 20);
  expectWord(errorForFile(write("garbage.json", garbage)), "not valid JSON");
  for (const char c : {'[', '"', '1', ' ', '\xFF'}) {
    SCOPED_TRACE(c);
    EXPECT_NE(errorForFile(write("same.json", std::string(4u << 20, c))), "") << "seed " << seed;
  }
}

TEST_F(SceneFile, pointerFollowsTheFileName) {
  const std::string file = write("bad.json", "{\"tenon\": 1, \"unit\": \"mm\", \"title\": 3, \"parts\": []}");
  EXPECT_EQ(errorForFile(file), file + ": /title: is a number; give a text in quotes");
}

}  // namespace
}  // namespace tenon::content::test
