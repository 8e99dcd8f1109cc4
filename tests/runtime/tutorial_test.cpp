// The tutorial: its commands work and print what its pages say; links lead somewhere; the gallery is
// complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/support/png_picture.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::tutorial_test {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = TENON_SOURCE_DIR;
const fs::path kTutorial = kSource / "runtime" / "tutorial";

std::vector<fs::path> pages() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kTutorial))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct Step {
  std::vector<std::string> words;
  std::vector<std::string> shown;  ///< lines that the page shows of its output
};

/// The commands of the blocks "```console": lines that begin with $, each with the lines that follow it.
std::vector<Step> stepsOf(const fs::path& page) {
  std::vector<Step> steps;
  std::istringstream lines(fileText(page));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      std::istringstream words(line.substr(2));
      Step& step = steps.emplace_back();
      for (std::string word; words >> word;) step.words.push_back(word);
    } else if (inside && !steps.empty()) {
      steps.back().shown.push_back(line);
    }
  }
  return steps;
}

/// With single blanks, as columns are wider where others are.
std::string withoutColumns(const std::string& text) {
  static const std::regex blanks("[ \\t]+");
  return std::regex_replace(text, blanks, " ");
}

/// A working folder with the files that the pages name, as in a clone.
class WorkingFolder {
 public:
  WorkingFolder() : before_(fs::current_path()) {
    for (const char* name : {"content", "runtime"}) fs::create_symlink(kSource / name, folder_ / name);
    fs::current_path(folder_.path());
  }
  ~WorkingFolder() { fs::current_path(before_); }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  TemporaryFolder folder_;
  fs::path before_;
};

/// Windows and headsets are not there: the command says so after it has read everything else.
bool opensAWindow(const std::vector<std::string>& words) {
  const bool text = std::find(words.begin(), words.end(), "--verify") != words.end();
  return words[1] == "preview" || words[1] == "vr" || (words[1] == "replay" && !text);
}

void carryOut(const Step& step) {
  std::string command;
  for (const std::string& word : step.words) command += word + " ";
  SCOPED_TRACE(command);
  if (step.words[0] == "cp") {
    for (std::size_t k = 1; k + 1 < step.words.size(); ++k) fs::copy(step.words[k], step.words.back());
    return;
  }
  ASSERT_EQ(step.words[0], "tenon");
  const Setting noDisplay{{"DISPLAY=", "WAYLAND_DISPLAY=", "XR_RUNTIME_JSON=/none.json"}, false, ""};
  const Outcome outcome = runTenon({step.words.begin() + 1, step.words.end()}, noDisplay);
  if (opensAWindow(step.words))
    EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
  else
    EXPECT_LE(outcome.exitCode, 1) << outcome.err;
  const std::string output = withoutColumns(outcome.out + outcome.err);
  for (const std::string& line : step.shown)
    EXPECT_NE(output.find(withoutColumns(line)), std::string::npos) << line << "\nis not in\n" << output;
}

class Tutorial : public testing::TestWithParam<const char*> {};

TEST_P(Tutorial, commandsDoWhatThePageSays) {
  if (const std::string missing = stepIsMissing();
      !missing.empty() && std::string(GetParam()).starts_with("2"))
    GTEST_SKIP() << missing;
  static const xr::VulkanProbe probe = xr::probeVulkan();
  if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  const WorkingFolder folder;
  const std::vector<Step> steps = stepsOf(kTutorial / GetParam());
  ASSERT_GE(steps.size(), 2u);
  for (const Step& step : steps) carryOut(step);
}

INSTANTIATE_TEST_SUITE_P(Pages, Tutorial,
                         testing::Values("1-first-bolt.md", "2-your-own-step.md", "3-fits-and-jams.md",
                                         "4-record-and-report.md", "5-headset.md"),
                         [](const auto& page) { return std::string("Page") + page.param[0]; });

TEST(TutorialPages, LinksAndPicturesAreThere) {
  static const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  std::size_t links = 0;
  for (const fs::path& page : pages()) {
    const std::string text = fileText(page);
    for (std::sregex_iterator found(text.begin(), text.end(), link), end; found != end; ++found, ++links)
      EXPECT_TRUE(fs::exists(kTutorial / (*found)[1].str())) << page << ": " << found->str();
  }
  EXPECT_GT(links, 30u);
}

TEST(TutorialPages, TheGalleryHasEveryScene) {
  const std::string command = "python3 '" + (kTutorial / "gallery.py").string() + "' --check";
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "there is no python3";
  EXPECT_EQ(std::system(command.c_str()), 0) << "run python3 runtime/tutorial/gallery.py";
}

/// Each picture shows what its command draws today.
TEST(GalleryPictures, AreUpToDate) {
  static const xr::VulkanProbe probe = xr::probeVulkan();
  if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
  static const std::regex command("`tenon (render content/scenes/\\S+ [^`]*)--out (\\S+) --force`");
  const TemporaryFolder folder;
  const std::string text = fileText(kTutorial / "gallery.md");
  std::size_t pictures = 0;
  const WorkingFolder here;
  for (std::sregex_iterator found(text.begin(), text.end(), command), end; found != end;
       ++found, ++pictures) {
    SCOPED_TRACE(found->str());
    std::istringstream line((*found)[1].str());
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word);
    // Those of longer simulations are only counted.
    const auto time = std::find(words.begin(), words.end(), "--time");
    if (time != words.end() && std::stod(*(time + 1)) > 0.5) continue;
    words.insert(words.end(), {"--out", folder / "picture.png", "--force"});
    const Outcome outcome = runTenon(words);
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    const PictureDifference off =
        difference(readPng(folder / "picture.png"), readPng((kSource / (*found)[2].str()).string()));
    EXPECT_LT(off.mean, 2) << "python3 runtime/tutorial/gallery.py makes it again";
    EXPECT_LT(off.worst, 40) << "python3 runtime/tutorial/gallery.py makes it again";
  }
  EXPECT_GE(pictures, 20u);
}

}  // namespace
}  // namespace tenon::tests::tutorial_test
