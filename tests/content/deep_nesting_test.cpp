// Deeply nested files: every reader rejects them with the file name and without a stack overflow.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "content/input/json_nesting.h"
#include "content/mesh/load_mesh.h"
#include "content/mesh/read_gltf.h"
#include "content/parts/parametric_part.h"
#include "content/reader/load_problem.h"
#include "content/reader/load_scene.h"
#include "content/recognize/recognized_cache.h"
#include "tests/content/mesh_samples.h"
#include "tests/content/small_scene.h"

namespace tenon::content {
namespace {

using test::errorFrom;
using test::parsed;
using test::smallScene;

constexpr std::size_t kDeep = 200'000;

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t k = 0; k < times; ++k) all += text;
  return all;
}
std::string arrays(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}
std::string objects(std::size_t depth) {
  return repeated(R"({"a":)", depth) + "1" + std::string(depth, '}');
}

void expectRefused(const std::string& errorText) {
  EXPECT_NE(errorText.find("nested more than 64 deep"), std::string::npos) << errorText;
  EXPECT_LT(errorText.size(), 500U);
}

std::string gltfWith(const std::string& more) {
  return R"({"asset":{"version":"2.0"},"scenes":[])" + more + "}";
}
std::string glbOf(const std::string& json) {
  std::string bytes = "glTF";
  const auto word = [&](std::size_t value) {
    for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * k & 0xff);
  };
  word(2);
  word(20 + json.size());
  word(json.size());
  return bytes + "JSON" + json;
}
std::string gltfError(const std::string& bytes) {
  DiskFileSource disk;
  return errorFrom([&] { parseGltf(bytes, "deep.gltf", disk); });
}

TEST(DeepNesting, OfGltfIsRejectedEverywhere) {
  for (const std::string& deep : {arrays(20'000), objects(20'000), arrays(kDeep), objects(kDeep)})
    for (const char* where :
         {R"(,"extras":)", R"(,"extensions":)", R"(,"extensions":{"X":)", R"(,"nodes":[{"extras":)"}) {
      const std::string end = std::string(where).find("\"X\"") != std::string::npos   ? "}"
                              : std::string(where).find("nodes") != std::string::npos ? "}]"
                                                                                      : "";
      const std::string text = gltfWith(where + deep + end);
      expectRefused(gltfError(text));
      expectRefused(gltfError(glbOf(text)));
    }
  // Brackets that are not closed, and a chunk longer than the file.
  expectRefused(gltfError(gltfWith(R"(,"extras":)" + std::string(kDeep, '['))));
  std::string longer = glbOf(gltfWith(R"(,"extras":)" + arrays(kDeep)));
  longer[15] = '\x7f';
  expectRefused(gltfError(longer));
}

TEST(DeepNesting, OfGltfIsReportedWithItsPosition) {
  EXPECT_NE(gltfError("{\n\n \"extras\": " + arrays(kDeep) + "}").find("deep.gltf: line 3, column 75: "),
            std::string::npos)
      << gltfError("{\n\n \"extras\": " + arrays(kDeep) + "}");
}

TEST(DeepNesting, OfGltfIsAcceptedUpToTheLimitOfSceneFiles) {
  for (const std::string& deep : {arrays(63), objects(63)}) {
    const std::string text = gltfWith(R"(,"extras":)" + deep);
    EXPECT_EQ(gltfError(text), "");
    EXPECT_EQ(gltfError(glbOf(text)), "");
  }
  expectRefused(gltfError(gltfWith(R"(,"extras":)" + arrays(64))));
  // Brackets in strings and bytes after the chunk do not count.
  EXPECT_EQ(gltfError(gltfWith(R"(,"extras":"\\\")" + std::string(kDeep, '[') + "\"")), "");
  std::string withBuffer = gltfWith(R"(,"buffers":[{"byteLength":1000}])");
  withBuffer.append(3 - (withBuffer.size() + 3) % 4, ' ');
  EXPECT_EQ(gltfError(withBuffer).find("nested"), std::string::npos);
}

TEST(DeepNesting, OfNodesIsRejected) {
  std::string nodes = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (int k = 1; k <= 20'000; ++k) nodes += R"({"children":[)" + std::to_string(k) + "]},";
  EXPECT_NE(gltfError(nodes + "{}]}").find("nested too deep"), std::string::npos);
}

TEST(DeepNesting, OfSceneProblemAndPartFilesIsRejected) {
  for (const std::string& deep : {arrays(kDeep), objects(kDeep), std::string(kDeep, '['),
                                  R"({"parts": [{"shape": )" + objects(kDeep) + "}]}"}) {
    expectRefused(errorFrom([&] { parseScene(deep, "deep.json"); }));
    expectRefused(errorFrom([&] { parseProblem(deep, "deep.json"); }));
    expectRefused(errorFrom([&] { parametricPart(deep, "deep.json"); }));
  }
}

TEST(DeepNesting, OfExpressionsIsComputedOrRejected) {
  nlohmann::json document = smallScene();
  const auto errorText = [&](const std::string& expression) {
    document["parts"][0]["position"][1] = expression;
    return errorFrom([&] { parsed(document); });
  };
  EXPECT_EQ(errorText("=" + std::string(240, '(') + "0" + std::string(240, ')')), "");
  EXPECT_EQ(errorText("=" + repeated("sin(", 99) + "0" + std::string(99, ')')), "");
  EXPECT_NE(errorText("=" + std::string(499, '(')), "");
  EXPECT_NE(errorText("=" + std::string(498, '-') + "0"), "");
  EXPECT_NE(errorText("=" + repeated("1?", 249) + "0"), "");
  EXPECT_NE(errorText("=" + std::string(kDeep, '(') + "0" + std::string(kDeep, ')')), "");
}

TEST(DeepNesting, OfMeshesAsTextAndOfTheCacheIsRejected) {
  DiskFileSource disk;
  for (const std::string& deep : {std::string(kDeep, '('), arrays(kDeep), "f " + arrays(kDeep) + "\n"})
    EXPECT_NE(errorFrom([&] { parseMesh(deep, MeshFormat::obj, "deep.obj", disk); }), "");
  EXPECT_NE(errorFrom([&] {
              parseMesh("solid a\n" + repeated("facet normal 0 0 1\nouter loop\n", 100'000), MeshFormat::stl,
                        "deep.stl", disk);
            }),
            "");
  for (const std::string& deep : {arrays(kDeep), objects(kDeep), R"({"shape": )" + arrays(kDeep) + "}"})
    EXPECT_FALSE(fromCacheText(withChecksum(deep)));
}

TEST(DeepNesting, IsCountedOutsideStringsOnly) {
  const auto errorText = [](const std::string& text) {
    return errorFrom([&] { checkNesting(text, "a.json"); });
  };
  EXPECT_EQ(errorText(arrays(64)), "");
  expectRefused(errorText(arrays(65)));
  expectRefused(errorText(repeated(R"({"]": [)", 33)));
  EXPECT_EQ(errorText(repeated("[]{}", 1000)), "");
  EXPECT_EQ(errorText("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\""), "");
  EXPECT_EQ(errorText(std::string(1000, ']') + arrays(64)), "");
  EXPECT_EQ(errorText("\"\\"), "");
}

}  // namespace
}  // namespace tenon::content
