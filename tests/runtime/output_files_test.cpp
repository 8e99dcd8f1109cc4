// Nothing that exists is overwritten without --force, by any command, and never what a command reads.
#include "runtime/session/output_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "content/reader/load_scene.h"
#include "tests/runtime/session_file.h"
#include "tests/support/program_run.h"

namespace tenon::tests::output_files_test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kDear = "not to be lost";

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
}

std::string inOneLine(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

/// Exit 2 and one line that has `part`.
void expectRefused(const Words& words, const std::string& part) {
  SCOPED_TRACE(inOneLine(words));
  const Outcome outcome = runTenon(words);
  EXPECT_EQ(outcome.exitCode, 2) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

class OutputFiles : public testing::Test {
 protected:
  /// A scene of its own with a mesh, and a session of it.
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    fs::copy_file(scenePath("stack"), in("scene.json"));
    const Outcome outcome =
        runTenon({"run", in("scene.json"), "--duration", "0.02", "--record", in("s.tenon")});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  }
  static void TearDownTestSuite() { delete folder_; }
  static std::string in(const std::string& name) { return *folder_ / name; }

  static TemporaryFolder* folder_;
};

TemporaryFolder* OutputFiles::folder_ = nullptr;

/// A command that writes the last of its words.
struct Writer {
  Words words;
  bool needsGraphics = false;
};

std::vector<Writer> writers(const std::string& folder) {
  const std::string scene = folder + "/scene.json", session = folder + "/s.tenon";
  return {
      {{"export", session, "--format", "json", "--out", folder + "/out.json"}},
      {{"export", session, "--format", "html", "--out", folder + "/out.html"}},
      {{"export", session, "--format", "glb", "--out", folder + "/out.glb"}},
      {{"run", scene, "--duration", "0.01", "--report", folder + "/out.md"}},
      {{"run", scene, "--duration", "0.01", "--record", folder + "/out.tenon"}},
      {{"check", scene, "--collision-out", folder + "/out.obj"}},
      {{"parts", "make", "iso7089", "M8", "--out", folder + "/part.glb"}},
      {{"render", scene, "--size", "64x64", "--out", folder + "/out.png"}, true},
  };
}

TEST_F(OutputFiles, AreNotOverwrittenWithoutForce) {
  for (const Writer& writer : writers(folder_->path())) {
    const std::string file = writer.words.back();
    write(file, kDear);
    expectRefused(writer.words, "exists already; name another file, or overwrite it with --force");
    EXPECT_EQ(contentOf(file), kDear) << file;
    Words forced = writer.words;
    forced.insert(forced.begin() + (forced[0] == "parts" ? 2 : 1), "--force");
    const Outcome outcome = runTenon(forced);
    if (writer.needsGraphics && outcome.exitCode == 3) continue;
    EXPECT_EQ(outcome.exitCode, 0) << inOneLine(forced) << outcome.err;
    EXPECT_NE(contentOf(file), kDear) << file;
    fs::remove(file);
  }
}

TEST_F(OutputFiles, AreNeverTheSceneTheSessionOrAMesh) {
  const std::string scene = in("scene.json"), session = in("s.tenon");
  const std::string before = contentOf(scene), recorded = contentOf(session);
  for (const char* link : {"hard.obj", "hard.json", "hard.png", "hard.md"})
    fs::create_hard_link(scene, in(link));
  fs::create_symlink(scene, in("soft.json"));
  for (const std::string& out : {scene, in("hard.json"), in("soft.json"), in("./scene.json")})
    expectRefused({"export", session, "--format", "json", "--out", out, "--force"},
                  "is the scene of the session; write to another file");
  expectRefused({"export", session, "--format", "json", "--out", session, "--force"},
                "is the session itself");
  expectRefused({"export", session, "--format", "json", "--out", session + "-wal", "--force"},
                "not named as");
  expectRefused({"check", scene, "--collision-out", in("hard.obj"), "--force"}, "is the scene itself");
  expectRefused({"render", scene, "--out", in("hard.png"), "--force"}, "is the scene itself");
  expectRefused({"run", scene, "--report", in("hard.md"), "--force"}, "is the scene itself");
  expectRefused({"run", scene, "--record", scene, "--force"}, "is the scene itself");
  expectRefused({"replay", session, "--trace", session, "--force"}, "is the session itself");
  EXPECT_EQ(contentOf(scene), before);
  EXPECT_EQ(contentOf(session), recorded);
}

TEST_F(OutputFiles, AreNotTheMeshOfTheScene) {
  ASSERT_EQ(runTenon({"parts", "make", "iso2338", "8x30", "--out", in("pin.obj")}).exitCode, 0);
  write(in("mesh.json"),
        R"({"tenon": 1, "title": "", "unit": "mm", "duration_s": 0.01, "materials": [{"name": "steel",
        "density_kg_per_m3": 7850}], "parts": [{"name": "pin", "material": "steel", "motion": "fixed",
        "shape": {"kind": "mesh", "file": "pin.obj", "unit": "m"}}]})");
  const std::string before = contentOf(in("pin.obj"));
  expectRefused({"check", in("mesh.json"), "--collision-out", in("pin.obj"), "--force"},
                "is a mesh file of the scene; write to another file");
  EXPECT_EQ(contentOf(in("pin.obj")), before);
}

// SQLite puts more files beside a session, which --force moves out of the way.
TEST_F(OutputFiles, AreNotASceneNamedLikeATemporaryFileOfTheRecord) {
  const std::string scene = in("a.tenon-wal");
  fs::copy_file(in("scene.json"), scene);
  expectRefused({"run", scene, "--record", in("a.tenon"), "--force"}, "is the scene itself");
  write(in("old.tenon"), kDear);
  write(in("old.tenon.before"), kDear);
  expectRefused({"run", in("scene.json"), "--record", in("old.tenon"), "--force"},
                "old.tenon.before: exists already");
  EXPECT_EQ(contentOf(in("old.tenon.before")), kDear);
}

TEST_F(OutputFiles, EndAsTheirFormatDoes) {
  const std::string scene = in("scene.json"), session = in("s.tenon");
  struct Case {
    Words words;
    const char* remedy;
  };
  for (const Case& c : std::vector<Case>{
           {{"export", session, "--format", "json", "--out", in("x.html")}, "end its name in .json"},
           {{"export", session, "--format", "html", "--out", in("x.json")}, "end its name in .html"},
           {{"export", session, "--format", "glb", "--out", in("x.gltf")}, "end its name in .glb"},
           {{"export", session, "--format", "csv", "--out", in("x.json")}, "name a folder"},
           {{"render", scene, "--out", in("x.jpg")}, "end its name in .png"},
           {{"run", scene, "--report", in("x.html")}, "end its name in .md"},
           {{"run", scene, "--record", in("x.json")}, "end its name in .tenon"},
           {{"check", scene, "--collision-out", in("x.stl")}, "end its name in .obj"},
           {{"parts", "make", "iso7089", "M8", "--out", in("x.step")}, "end its name in .glb or .obj"},
           {{"preview", scene, "--frames", "1", "--screenshot", in("x.jpg")}, "end its name in .png"},
           {{"replay", session, "--frames", "1", "--screenshot", in("x.jpg")}, "end its name in .png"},
           {{"vr", scene, "--screenshot", in("x.jpg")}, "end its name in .png"}})
    expectRefused(c.words, c.remedy);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_->path()))
    EXPECT_NE(entry.path().stem(), "x") << entry.path();
}

TEST_F(OutputFiles, OfWindowsAreCheckedBeforeTheWindowOpens) {
  const std::string scene = in("scene.json"), session = in("s.tenon"), file = in("there.png");
  write(file, kDear);
  write(in("there.jsonl"), kDear);
  expectRefused({"preview", scene, "--frames", "1", "--screenshot", file}, "exists already");
  expectRefused({"preview", scene, "--trace", in("there.jsonl")}, "exists already");
  expectRefused({"preview", scene, "--trace", in("t"), "--record", in("t")}, "--record and --trace");
  expectRefused({"replay", session, "--frames", "1", "--screenshot", file}, "exists already");
  expectRefused({"replay", session, "--trace", in("there.jsonl")}, "exists already");
  expectRefused({"vr", scene, "--trace", in("there.jsonl")}, "exists already");
  expectRefused({"vr", scene, "--screenshot", file}, "exists already");
  EXPECT_EQ(contentOf(file), kDear);
}

TEST_F(OutputFiles, OutcomeOfAVerificationIsNotOverwritten) {
  const Words words{"replay", in("s.tenon"), "--verify", "--out-dir", in("outcome")};
  EXPECT_EQ(runTenon(words).exitCode, 0);
  expectRefused(words, "verify.txt: --out-dir: exists already");
  Words forced = words;
  forced.push_back("--force");
  EXPECT_EQ(runTenon(forced).exitCode, 0);
}

TEST_F(OutputFiles, TheSceneOfASessionIsKeptWhereverItIsReadFrom) {
  // As a session has it that was recorded in another working folder: the name leads nowhere here.
  const std::string copy = in("elsewhere.json"), edited = in("edited.json"),
                    scene = contentOf(in("scene.json"));
  write(copy, scene);
  write(edited, scene + "\n");
  for (const auto& [file, why] : {std::pair{copy, "is the scene of the session"}, {edited, "is a scene"}}) {
    const std::string before = contentOf(file);
    expectRefused({"export", in("s.tenon"), "--format", "json", "--out", file, "--force"}, why);
    EXPECT_EQ(contentOf(file), before);
  }
}

TEST_F(OutputFiles, AFolderOfTablesIsReplacedOnlyWhereItHasNothingElse) {
  Words words{"export", in("s.tenon"), "--format", "csv", "--out", in("tables")};
  EXPECT_EQ(runTenon(words).exitCode, 0);
  expectRefused(words, "exists already; name another folder, or overwrite it with --force");
  words.push_back("--force");
  write(in("tables/thesis.txt"), kDear);
  expectRefused(words, "contains thesis.txt, which is not an exported table");
  EXPECT_EQ(contentOf(in("tables/thesis.txt")), kDear);
  fs::remove(in("tables/thesis.txt"));
  write(in("tables/ticks.csv"), kDear);
  EXPECT_EQ(runTenon(words).exitCode, 0);
  EXPECT_NE(contentOf(in("tables/ticks.csv")), kDear);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_->path()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

TEST_F(OutputFiles, ForceWithoutAFileIsAnError) {
  for (const char* command : {"run", "check"})
    expectRefused({command, in("scene.json"), "--force"}, "is given without an output file");
}

TEST(UniqueFileName, IsOfNoFileThatExists) {
  const TemporaryFolder folder;
  for (int k = 0; k < 5; ++k) {
    const std::string name = runtime::uniqueFileName(folder.path(), ".png");
    EXPECT_FALSE(fs::exists(name)) << name;
    write(name, "a picture");
  }
}

}  // namespace
}  // namespace tenon::tests::output_files_test
