// Files that nest by the hundred thousand: every reader refuses them by name, none runs out of stack.
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

using test::complaintOf;
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

void expectRefused(const std::string& complaint) {
  EXPECT_NE(complaint.find("nested more than 64 deep"), std::string::npos) << complaint;
  EXPECT_LT(complaint.size(), 500U);
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
std::string gltfComplaint(const std::string& bytes) {
  DiskFileSource disk;
  return complaintOf([&] { parseGltf(bytes, "deep.gltf", disk); });
}

TEST(DeepNesting, OfGltfIsRefusedWhereverItIs) {
  for (const std::string& deep : {arrays(20'000), objects(20'000), arrays(kDeep), objects(kDeep)})
    for (const char* where :
         {R"(,"extras":)", R"(,"extensions":)", R"(,"extensions":{"X":)", R"(,"nodes":[{"extras":)"}) {
      const std::string end = std::string(where).find("\"X\"") != std::string::npos   ? "}"
                              : std::string(where).find("nodes") != std::string::npos ? "}]"
                                                                                      : "";
      const std::string text = gltfWith(where + deep + end);
      expectRefused(gltfComplaint(text));
      expectRefused(gltfComplaint(glbOf(text)));
    }
  // Brackets that are never closed, and a chunk that claims more than the file has.
  expectRefused(gltfComplaint(gltfWith(R"(,"extras":)" + std::string(kDeep, '['))));
  std::string longer = glbOf(gltfWith(R"(,"extras":)" + arrays(kDeep)));
  longer[15] = '\x7f';
  expectRefused(gltfComplaint(longer));
}

TEST(DeepNesting, OfGltfIsNamedWithItsPlace) {
  EXPECT_NE(gltfComplaint("{\n\n \"extras\": " + arrays(kDeep) + "}").find("deep.gltf: line 3, column 75: "),
            std::string::npos)
      << gltfComplaint("{\n\n \"extras\": " + arrays(kDeep) + "}");
}

TEST(DeepNesting, OfGltfIsAcceptedAsFarAsSceneFilesMayNest) {
  for (const std::string& deep : {arrays(63), objects(63)}) {
    const std::string text = gltfWith(R"(,"extras":)" + deep);
    EXPECT_EQ(gltfComplaint(text), "");
    EXPECT_EQ(gltfComplaint(glbOf(text)), "");
  }
  expectRefused(gltfComplaint(gltfWith(R"(,"extras":)" + arrays(64))));
  // Brackets in texts, and bytes after the chunk, are none.
  EXPECT_EQ(gltfComplaint(gltfWith(R"(,"extras":"\\\")" + std::string(kDeep, '[') + "\"")), "");
  std::string withBuffer = gltfWith(R"(,"buffers":[{"byteLength":1000}])");
  withBuffer.append(3 - (withBuffer.size() + 3) % 4, ' ');
  EXPECT_EQ(gltfComplaint(withBuffer).find("nested"), std::string::npos);
}

TEST(DeepNesting, OfNodesIsRefused) {
  std::string nodes = R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)";
  for (int k = 1; k <= 20'000; ++k) nodes += R"({"children":[)" + std::to_string(k) + "]},";
  EXPECT_NE(gltfComplaint(nodes + "{}]}").find("nested too deep"), std::string::npos);
}

TEST(DeepNesting, OfSceneProblemAndPartFilesIsRefused) {
  for (const std::string& deep : {arrays(kDeep), objects(kDeep), std::string(kDeep, '['),
                                  R"({"parts": [{"shape": )" + objects(kDeep) + "}]}"}) {
    expectRefused(complaintOf([&] { parseScene(deep, "deep.json"); }));
    expectRefused(complaintOf([&] { parseProblem(deep, "deep.json"); }));
    expectRefused(complaintOf([&] { parametricPart(deep, "deep.json"); }));
  }
}

TEST(DeepNesting, OfExpressionsIsComputedOrRefused) {
  nlohmann::json document = smallScene();
  const auto complaint = [&](const std::string& expression) {
    document["parts"][0]["position"][1] = expression;
    return complaintOf([&] { parsed(document); });
  };
  EXPECT_EQ(complaint("=" + std::string(240, '(') + "0" + std::string(240, ')')), "");
  EXPECT_EQ(complaint("=" + repeated("sin(", 99) + "0" + std::string(99, ')')), "");
  EXPECT_NE(complaint("=" + std::string(499, '(')), "");
  EXPECT_NE(complaint("=" + std::string(498, '-') + "0"), "");
  EXPECT_NE(complaint("=" + repeated("1?", 249) + "0"), "");
  EXPECT_NE(complaint("=" + std::string(kDeep, '(') + "0" + std::string(kDeep, ')')), "");
}

TEST(DeepNesting, OfMeshesAsTextAndOfTheCacheIsRefused) {
  DiskFileSource disk;
  for (const std::string& deep : {std::string(kDeep, '('), arrays(kDeep), "f " + arrays(kDeep) + "\n"})
    EXPECT_NE(complaintOf([&] { parseMesh(deep, MeshFormat::obj, "deep.obj", disk); }), "");
  EXPECT_NE(complaintOf([&] {
              parseMesh("solid a\n" + repeated("facet normal 0 0 1\nouter loop\n", 100'000), MeshFormat::stl,
                        "deep.stl", disk);
            }),
            "");
  for (const std::string& deep : {arrays(kDeep), objects(kDeep), R"({"shape": )" + arrays(kDeep) + "}"})
    EXPECT_FALSE(fromCacheText(withChecksum(deep)));
}

TEST(DeepNesting, IsCountedOutsideOfTextsOnly) {
  const auto complaint = [](const std::string& text) {
    return complaintOf([&] { checkNesting(text, "a.json"); });
  };
  EXPECT_EQ(complaint(arrays(64)), "");
  expectRefused(complaint(arrays(65)));
  expectRefused(complaint(repeated(R"({"]": [)", 33)));
  EXPECT_EQ(complaint(repeated("[]{}", 1000)), "");
  EXPECT_EQ(complaint("\"" + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\""), "");
  EXPECT_EQ(complaint(std::string(1000, ']') + arrays(64)), "");
  EXPECT_EQ(complaint("\"\\"), "");
}

}  // namespace
}  // namespace tenon::content
