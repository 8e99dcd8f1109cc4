// Files given instead of a scene: each error contains the detected format and the remedy.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "content/reader/load_scene.h"
#include "tests/support/program_run.h"

namespace tenon::content {
namespace {

using tests::TemporaryFolder;

std::string errorFor(const std::string& name, const std::string& bytes) {
  const TemporaryFolder folder;
  std::ofstream(folder / name, std::ios::binary) << bytes;
  try {
    loadScene(folder / name);
  } catch (const InputError& error) {
    const std::string what = error.what();
    return what.substr(folder.path().size() + 1);
  }
  return "";
}

std::string utf16(const std::string& text, bool mark, bool bigEndian) {
  std::string bytes = !mark ? "" : bigEndian ? "\xfe\xff" : "\xff\xfe";
  for (const char c : text) bytes += bigEndian ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

TEST(SceneMistakes, CommentsOfOtherLanguagesAreReportedWithTheirPosition) {
  const std::string remedy = "begin it with //, or write it between /* and */";
  for (const auto& [comment, column] : {std::pair("# lengths", "3"), std::pair("-- lengths", "4")})
    EXPECT_EQ(errorFor("s.json", std::string("{\n  ") + comment + "\n\"tenon\": 1}"),
              std::string("s.json: line 2, column ") + column +
                  ": not valid JSON: no comment can begin like this; " + remedy)
        << comment;
  EXPECT_NE(errorFor("s.json", "{\"tenon\": 1, /* not closed\n").find("missing closing '*/'"),
            std::string::npos);
}

/// Comments are ignored, and errors behind them keep their places.
TEST(SceneMistakes, CommentsChangeNothing) {
  const std::string plain = errorFor("s.json", "{\"tenon\": 1}");
  for (const char* text : {"// first\n{\"tenon\": 1}", "{\"tenon\": /* version \" [ { */ 1} // end",
                           "{// \\\"\n\"tenon\": 1/**/}", "/* // */{\"tenon\": 1}"})
    EXPECT_EQ(errorFor("s.json", text), plain) << text;
  EXPECT_EQ(
      errorFor("s.json", "{\"tenon\": 1, // comment\n}").find("s.json: line 2, column 1: not valid JSON"),
      0U);
}

TEST(SceneMistakes, ExtraCommasAreReported) {
  EXPECT_EQ(errorFor("s.json", "{\"tenon\": 1,\n}"),
            "s.json: line 2, column 1: not valid JSON: a comma before the closing }; remove the comma");
  EXPECT_NE(errorFor("s.json", "{\"parts\": [1, ]}").find("a comma before the closing ]"), std::string::npos);
  EXPECT_NE(errorFor("s.json", "{\"tenon\": 1,, \"title\": 2}").find("two commas in a row"),
            std::string::npos);
  EXPECT_NE(errorFor("s.json", "{'tenon': 1}").find("JSON takes double quotes only"), std::string::npos);
}

TEST(SceneMistakes, OtherEncodingsAreReported) {
  for (const bool mark : {true, false})
    for (const bool bigEndian : {true, false})
      EXPECT_EQ(errorFor("s.json", utf16("{\"tenon\": 1}", mark, bigEndian)),
                "s.json: is UTF-16 text, not UTF-8; save it as UTF-8")
          << mark << bigEndian;
  const std::string latin = errorFor("s.json",
                                     "{\"title\": \"Gr\xf6\xdf"
                                     "e\"}");
  EXPECT_NE(latin.find("ill-formed UTF-8 byte; save the file as UTF-8"), std::string::npos) << latin;
}

TEST(SceneMistakes, MeshesAndSessionsAreDetected) {
  for (const auto& [name, bytes] : {std::pair<const char*, std::string>{"part.stl", "solid x\nendsolid x\n"},
                                    {"binary.STL", std::string(84, '\0')},
                                    {"large.stl", std::string(5 << 20, '\0')},  // larger than any scene
                                    {"part.obj", "v 0 0 0\n"},
                                    {"part.glb", "glTF...."},
                                    {"part.gltf", "{\"asset\": {\"version\": \"2.0\"}}"}}) {
    const std::string errorText = errorFor(name, bytes);
    EXPECT_NE(errorText.find("is a mesh, not a scene; write a scene that has a part with \"shape\""),
              std::string::npos)
        << errorText;
  }
  EXPECT_NE(errorFor("a.step", "ISO-10303-21;\n").find("tenon parts import-assembly"), std::string::npos);
  EXPECT_NE(errorFor("s.tenon", "SQLite format 3")
                .find("is a recorded session, not a scene; show it: "
                      "tenon replay"),
            std::string::npos);
}

TEST(SceneMistakes, ASceneIsDetectedWithAnyFileName) {
  const TemporaryFolder folder;
  for (const char* name : {"scene.obj", "scene.png", "scene"}) {
    std::filesystem::copy_file(tests::scenePath("stack"), folder / name);
    EXPECT_NO_THROW(loadScene(folder / name)) << name;
  }
}

}  // namespace
}  // namespace tenon::content
