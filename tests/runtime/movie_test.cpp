// Movies of sessions: size, rate and length as ffprobe reads them, frames that show the motion, and no file
// after a failure.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/runtime/session_file.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::movie_test {
namespace {

namespace fs = std::filesystem;

bool hasEncoder() {
  return std::system("command -v ffmpeg > /dev/null && command -v ffprobe > /dev/null") == 0;
}

class Movies : public testing::Test {
 protected:
  void SetUp() override {
    if (!hasEncoder()) GTEST_SKIP() << "there is no ffmpeg: apt install ffmpeg";
    record("bolt-in-plate", "1", session_);
  }
  Outcome exported(const std::string& file, const std::vector<std::string>& options) {
    std::vector<std::string> words{
        "export", session_,       "--format", fs::path(file).extension().string().substr(1),
        "--out",  folder_ / file, "--size",   "96x64"};
    words.insert(words.end(), options.begin(), options.end());
    return runTenon(words);
  }
  /// What ffprobe says of the only stream.
  nlohmann::json streamOf(const std::string& file) {
    const std::string command = "ffprobe -v error -count_frames -show_streams -of json '" + (folder_ / file) +
                                "' > '" + (folder_ / "probe.json") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    const auto all = nlohmann::json::parse(fileText(folder_ / "probe.json"));
    EXPECT_EQ(all["streams"].size(), 1U);
    return all["streams"].at(0);
  }
  /// The frames as gray values.
  std::vector<std::string> framesOf(const std::string& file) {
    const std::string command = "ffmpeg -v error -y -i '" + (folder_ / file) +
                                "' -f rawvideo -pix_fmt gray '" + (folder_ / "frames") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    const std::string bytes = fileText(folder_ / "frames");
    std::vector<std::string> frames;
    for (std::size_t at = 0; at + 96 * 64 <= bytes.size(); at += 96 * 64)
      frames.push_back(bytes.substr(at, 96 * 64));
    return frames;
  }
  /// Pixels that clearly differ.
  static std::size_t changes(const std::string& a, const std::string& b) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
      count += std::abs(static_cast<unsigned char>(a[k]) - static_cast<unsigned char>(b[k])) > 24 ? 1 : 0;
    return count;
  }
  /// Files of an export that has not been finished.
  std::vector<std::string> leftovers() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      if (const std::string name = entry.path().filename(); name.find("movie") != name.npos)
        names.push_back(name);
    return names;
  }

  TemporaryFolder folder_;
  const std::string session_ = folder_ / "s.tenon";
};

TEST_F(Movies, HaveTheSizeTheRateAndTheLengthOfTheOptions) {
  if (xr::probeVulkan().devices.empty()) GTEST_SKIP() << "there is no Vulkan device";
  const Outcome mp4 = exported("movie.mp4", {"--fps", "20"});
  ASSERT_EQ(mp4.exitCode, 0) << mp4.err;
  EXPECT_EQ(mp4.err, "tenon: mp4 written to " + (folder_ / "movie.mp4") + "\n");
  const nlohmann::json stream = streamOf("movie.mp4");
  EXPECT_EQ(stream["codec_name"], "h264");
  EXPECT_EQ(stream["width"], 96);
  EXPECT_EQ(stream["height"], 64);
  EXPECT_EQ(stream["r_frame_rate"], "20/1");
  EXPECT_EQ(stream["nb_read_frames"], "21") << "1 s, both ends included";
  const Outcome webm =
      exported("movie.webm", {"--fps", "10", "--speed", "0.5", "--start", "0.4", "--end", "0.8"});
  ASSERT_EQ(webm.exitCode, 0) << webm.err;
  EXPECT_EQ(streamOf("movie.webm")["codec_name"], "vp9");
  EXPECT_EQ(streamOf("movie.webm")["nb_read_frames"], "9") << "0.8 s of slow motion";
}

TEST_F(Movies, ShowTheMotionFromACameraThatStandsStill) {
  if (xr::probeVulkan().devices.empty()) GTEST_SKIP() << "there is no Vulkan device";
  // Up to 0.4 s the hand goes to the screw, which then is lifted and turned over.
  ASSERT_EQ(exported("movie.mp4", {"--fps", "10", "--view", "front"}).exitCode, 0);
  const std::vector<std::string> frames = framesOf("movie.mp4");
  ASSERT_EQ(frames.size(), 11U);
  EXPECT_LT(changes(frames[0], frames[3]), 10U) << "at rest: also the plate stands still";
  EXPECT_GT(changes(frames[3], frames[8]), 40U) << "the screw has left its place";
  EXPECT_TRUE(std::any_of(frames[0].begin(), frames[0].end(), [](char gray) {
    return static_cast<unsigned char>(gray) > 128;
  })) << "not black";
}

TEST_F(Movies, LeaveNoFileOnAFullDisk) {
  if (xr::probeVulkan().devices.empty()) GTEST_SKIP() << "there is no Vulkan device";
  // A limit of 4 blocks a file, of 512 bytes in dash and of 1024 in bash; an ignored SIGXFSZ gives "File too
  // large", as a full disk "No space left on device".
  const std::string said = folder_ / "said";
  const std::string command = "trap '' XFSZ; ulimit -f 4; " TENON_PROGRAM " export '" + session_ +
                              "' --format mp4 --fps 30 --size 320x240 --out '" + (folder_ / "movie.mp4") +
                              "' 2> '" + said + "'";
  std::ofstream(folder_ / "run.sh") << command;
  const int status = std::system(("sh '" + (folder_ / "run.sh") + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2) << fileText(said);
  EXPECT_EQ(fileText(said),
            "tenon: " + (folder_ / "movie.mp4") +
                ": cannot be written (File too large); name a file in an existing writable folder "
                "with free space\n");
  EXPECT_EQ(leftovers(), std::vector<std::string>());
}

/// A folder whose ffmpeg is this shell script.
void fakeEncoder(const std::string& folder, const std::string& script) {
  fs::create_directory(folder);
  std::ofstream(folder + "/ffmpeg") << "#!/bin/sh\n" << script << "\n";
  fs::permissions(folder + "/ffmpeg", fs::perms::owner_all);
}

TEST_F(Movies, HaveTheColorsOfHighDefinition) {
  if (xr::probeVulkan().devices.empty()) GTEST_SKIP() << "there is no Vulkan device";
  for (const std::string file : {"movie.mp4", "movie.webm"}) {
    const Outcome outcome = exported(file, {"--fps", "10", "--end", "0.2"});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const nlohmann::json stream = streamOf(file);
    EXPECT_EQ(stream["color_space"], "bt709") << file;
    EXPECT_EQ(stream["color_range"], "tv") << file;
    EXPECT_EQ(stream["color_primaries"], "bt709") << file;
    EXPECT_EQ(stream["color_transfer"], "bt709") << file;
  }
}

TEST_F(Movies, AreKeptWhereTheEncoderWarnsAndWhereTheParentIgnoresItsChildren) {
  if (xr::probeVulkan().devices.empty()) GTEST_SKIP() << "there is no Vulkan device";
  fakeEncoder(folder_ / "warns", "echo 'a warning' >&2\nPATH=${PATH#*:}; export PATH; exec ffmpeg \"$@\"");
  const std::string command = "trap '' CHLD; PATH='" + (folder_ / "warns") +
                              "':\"$PATH\"; export PATH; " TENON_PROGRAM " export '" + session_ +
                              "' --format mp4 --end 0.2 --size 96x64 --out '" + (folder_ / "movie.mp4") +
                              "' 2> '" + (folder_ / "said") + "'";
  std::ofstream(folder_ / "run.sh") << command;
  const int status = std::system(("sh '" + (folder_ / "run.sh") + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 0) << fileText(folder_ / "said");
  EXPECT_EQ(streamOf("movie.mp4")["nb_read_frames"], "7");
}

TEST_F(Movies, AreStoppedByCtrlCWhileTheEncoderReadsNothing) {
  if (xr::probeVulkan().devices.empty()) GTEST_SKIP() << "there is no Vulkan device";
  // The encoder stops the export itself, as the terminal would, and then reads nothing.
  fakeEncoder(folder_ / "stalls", "sleep 1; kill -INT $PPID; exec sleep 300");
  const std::string command = "PATH='" + (folder_ / "stalls") +
                              "':\"$PATH\"; export PATH; timeout 120 " TENON_PROGRAM " export '" + session_ +
                              "' --format mp4 --size 640x480 --out '" + (folder_ / "movie.mp4") + "' 2> '" +
                              (folder_ / "said") + "'";
  std::ofstream(folder_ / "run.sh") << command;
  const int status = std::system(("sh '" + (folder_ / "run.sh") + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130) << fileText(folder_ / "said");
  EXPECT_EQ(leftovers(), std::vector<std::string>());
}

TEST_F(Movies, NeedFfmpeg) {
  const std::string said = folder_ / "said";
  const std::string command = "PATH='" + folder_.path() + "' " TENON_PROGRAM " export '" + session_ +
                              "' --format webm --out '" + (folder_ / "movie.webm") + "' 2> '" + said + "'";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  EXPECT_EQ(
      fileText(said),
      "tenon: --format webm needs ffmpeg to encode the movie: install the package ffmpeg, or export web\n");
  EXPECT_EQ(leftovers(), std::vector<std::string>());
}

TEST_F(Movies, RejectWrongOptionsInOneLine) {
  const auto refused = [&](const std::vector<std::string>& options, const std::string& says) {
    const Outcome outcome = exported("movie.mp4", options);
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  };
  refused({"--start", "7"}, "is after the end of the session");
  refused({"--start", "0.5", "--end", "0.4"}, "is before --start");
  refused({"--view", "scrow"}, "did you mean \"screw\"");
  refused({"--section", "w=1"}, "is not a plane");
  const Outcome odd =
      runTenon({"export", session_, "--format", "mp4", "--out", folder_ / "movie.mp4", "--size", "97x64"});
  EXPECT_EQ(odd.exitCode, 2);
  EXPECT_NE(odd.err.find("name even numbers"), std::string::npos) << odd.err;
  const Outcome ending = runTenon({"export", session_, "--format", "mp4", "--out", folder_ / "movie.glb"});
  EXPECT_EQ(ending.exitCode, 2);
  const Outcome other =
      runTenon({"export", session_, "--format", "csv", "--out", folder_ / "movie", "--fps", "30"});
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_NE(other.err.find("--fps: is for --format mp4 and webm alone"), std::string::npos) << other.err;
  EXPECT_EQ(leftovers(), std::vector<std::string>());
}

}  // namespace
}  // namespace tenon::tests::movie_test
