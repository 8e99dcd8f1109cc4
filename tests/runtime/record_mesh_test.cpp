// Sessions of scenes made of mesh files: they need those files no more, and notice where theirs were changed.
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/record/hash_chain.h"
#include "runtime/record/session_reader.h"
#include "tests/content/mesh_samples.h"
#include "tests/runtime/session_file.h"

namespace tenon::tests::record_mesh_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

void write(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

void append(std::string& bytes, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> 8 * k & 0xff);
}

/// A peg of 4 mm radius: `file`.gltf, its buffer `file`.bin and an image that no reader needs.
void writePeg(const std::string& folder, const std::string& file) {
  const content::TriangleMesh mesh =
      content::test::turnedMesh({{0, 0}, {0, 0.004}, {0.05, 0.004}, {0.05, 0}}, 24);
  std::string bytes;
  for (const auto& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) append(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(p[k])));
  const std::size_t positions = bytes.size();
  for (const auto& t : mesh.triangles)
    for (const int k : t) append(bytes, static_cast<std::uint32_t>(k));
  const Json gltf = {
      {"asset", {{"version", "2.0"}}},
      {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"indices", 1}}}}}}},
      {"accessors",
       {{{"bufferView", 0}, {"componentType", 5126}, {"type", "VEC3"}, {"count", mesh.vertices.size()}},
        {{"bufferView", 1},
         {"componentType", 5125},
         {"type", "SCALAR"},
         {"count", 3 * mesh.triangles.size()}}}},
      {"bufferViews",
       {{{"buffer", 0}, {"byteOffset", 0}, {"byteLength", positions}},
        {{"buffer", 0}, {"byteOffset", positions}, {"byteLength", bytes.size() - positions}}}},
      {"buffers", {{{"uri", file + ".bin"}, {"byteLength", bytes.size()}}}},
      {"images", {{{"uri", file + ".png"}}}}};
  write(folder + "/" + file + ".gltf", gltf.dump());
  write(folder + "/" + file + ".bin", bytes);
  write(folder + "/" + file + ".png", "a picture");
}

/// A glTF peg falls onto an OBJ cube.
class RecordMesh : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "scene/parts");
    writePeg(folder_ / "scene/parts", "peg");
    write(folder_ / "scene/cube.obj", content::test::cubeObj());
    const Json scene = {{"tenon", 1},
                        {"title", "A peg onto a cube"},
                        {"unit", "mm"},
                        {"duration_s", 0.1},
                        {"materials", {{{"name", "steel"}, {"density_kg_per_m3", 7850}}}},
                        {"parts",
                         {{{"name", "cube"},
                           {"material", "steel"},
                           {"motion", "fixed"},
                           {"shape", {{"kind", "mesh"}, {"file", "cube.obj"}, {"unit", "cm"}}},
                           {"position", {-5, -5, -10}}},
                          {{"name", "peg"},
                           {"material", "steel"},
                           {"shape", {{"kind", "mesh"}, {"file", "parts/peg.gltf"}}},
                           {"position", {0, 0, 2}}}}}};
    write(scene_, scene.dump());
    const Outcome outcome = tenon({"run", scene_, "--record", session_});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  }
  Outcome tenon(const std::vector<std::string>& arguments) const {
    return runTenon(arguments, {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
  }
  /// Exit 2, one line that names `part`.
  void expectRefused(const std::vector<std::string>& arguments, const std::string& part) const {
    const Outcome outcome = tenon(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << outcome.out;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " is missing in: " << outcome.err;
  }
  void expectVerified() const {
    const Outcome outcome = tenon({"replay", session_, "--verify"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("every state bit for bit"), std::string::npos) << outcome.out;
  }

  TemporaryFolder folder_;
  std::string scene_ = folder_ / "scene/scene.json", session_ = folder_ / "s.tenon";
};

TEST_F(RecordMesh, ReplaysWhereAllOfItsFilesAreGoneOrOthers) {
  expectVerified();
  write(folder_ / "scene/cube.obj", "no cube");
  fs::remove(folder_ / "scene/parts/peg.bin");
  expectVerified();
  fs::remove_all(folder_ / "scene");
  fs::remove_all(folder_ / "cache");
  expectVerified();
}

TEST_F(RecordMesh, KeepsEachMeshAndBufferAndNoImages) {
  const content::FileBytes kept = runtime::SessionReader(session_).header().meshFiles;
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : kept) {
    paths.push_back(path);
    EXPECT_EQ(bytes.size(), fs::file_size(folder_ / ("scene/" + path))) << path;
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"cube.obj", "parts/peg.bin", "parts/peg.gltf"}));
  EXPECT_EQ(kept.at("cube.obj"), content::test::cubeObj());
}

TEST_F(RecordMesh, AKeptFileThatWasChangedIsNamed) {
  const char* const wider =
      "UPDATE mesh_file SET bytes = CAST(replace(CAST(bytes AS TEXT), 'v 1', 'v 2') AS BLOB) ";
  change(session_, std::string(wider) + "WHERE path = 'cube.obj'");
  expectRefused({"replay", session_}, "mesh_file \"cube.obj\": its bytes are not those that were recorded");
}

TEST_F(RecordMesh, AKeptFileThatIsAnotherLostOrRenamedBreaksTheChain) {
  const std::string another = std::to_string(static_cast<std::int64_t>(runtime::bytesHash("another")));
  for (const std::string& sql :
       {"UPDATE mesh_file SET bytes = CAST('another' AS BLOB), hash = " + another +
            " WHERE path = 'cube.obj'",
        std::string("DELETE FROM mesh_file WHERE path = 'cube.obj'"),
        std::string("UPDATE mesh_file SET path = 'sphere.obj' WHERE path = 'cube.obj'")}) {
    SCOPED_TRACE(sql);
    const std::string copy = folder_ / "copy.tenon";
    fs::copy_file(session_, copy, fs::copy_options::overwrite_existing);
    change(copy, sql);
    expectRefused({"replay", copy, "--verify"}, "tick 0: the chain of hashes is broken");
  }
}

TEST_F(RecordMesh, IsNeverWrittenOverAMeshOfItsScene) {
  for (const char* name : {"cube.obj", "parts/peg.gltf", "parts/peg.bin"}) {
    const std::string file = folder_ / (std::string("scene/") + name);
    const std::uintmax_t size = fs::file_size(file);
    expectRefused({"run", scene_, "--record", file, "--force"}, "is a mesh file of the scene");
    expectRefused({"run", scene_, "--report", file}, "is a mesh file of the scene");
    EXPECT_EQ(fs::file_size(file), size);
  }
}

}  // namespace
}  // namespace tenon::tests::record_mesh_test
