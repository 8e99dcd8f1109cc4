// Scenes that name mesh files, from outside: check, run, the cache, and real parts where they are at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/content/mesh_samples.h"
#include "tests/support/program_run.h"

namespace tenon::tests::mesh_scene_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// In millimetres.
std::string objOf(const content::TriangleMesh& mesh) {
  std::string text;
  for (const auto& p : mesh.vertices)
    text += "v " + std::to_string(p.x() * 1e3) + " " + std::to_string(p.y() * 1e3) + " " +
            std::to_string(p.z() * 1e3) + "\n";
  for (const auto& t : mesh.triangles)
    text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
            std::to_string(t[2] + 1) + "\n";
  return text;
}

/// A peg whose tip is its origin is brought to the mouth at height `top`, 0.3 mm beside it and 1° tilted, and
/// in. The hand and its path are those of factory-peg-8mm.
Json pegScene(const std::string& peg, const std::string& hole, const std::string& unit, double top,
              double depth) {
  Json scene = Json::parse(std::ifstream(scenePath("factory-peg-8mm")));
  scene["parts"][0]["shape"] = {{"kind", "mesh"}, {"file", hole}, {"unit", unit}};
  scene["parts"][0]["position"] = {0, 0, -top};
  scene["parts"][1]["shape"] = {{"kind", "mesh"}, {"file", peg}, {"unit", unit}};
  scene["parts"][1].erase("features");
  scene["hands"][0]["script"][2]["move"]["position"] = {0, 0, -depth};
  scene["goals"][0]["feature"] = "end -z";
  scene["goals"][0]["hole"] = "hole +z";
  scene["goals"][0]["depth"] = depth;
  return scene;
}

class MeshScene : public testing::Test {
 protected:
  void SetUp() override {
    write(folder_ / "peg.obj", objOf(content::test::turnedMesh(
                                   {{0, 0}, {0, 0.0035}, {0.0005, 0.004}, {0.05, 0.004}, {0.05, 0}}, 96)));
    write(folder_ / "hole.obj",
          objOf(content::test::drilledMesh({content::test::polygon(0.02, 6), 0.012, 0.0041, 0, 1, 96})));
    save(pegScene("peg.obj", "hole.obj", "mm", 0, 10));
  }
  void save(const Json& scene) const { write(folder_ / "scene.json", scene.dump()); }
  Outcome tenon(std::vector<std::string> arguments) const {
    return runTenon(arguments, {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
  }
  Json checked() const { return Json::parse(tenon({"check", folder_ / "scene.json", "--json"}).out); }

  TemporaryFolder folder_;
};

TEST_F(MeshScene, APegGoesIntoAHexagonalPlateByTheirFilesAlone) {
  const Outcome outcome = tenon({"run", folder_ / "scene.json", "--json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("goals")[0].at("verdict"), "inserted");
  EXPECT_LT(result.at("max_penetration_m").get<double>(), 10e-9);
}

TEST_F(MeshScene, CheckListsFacesHolesEndsAndClearance) {
  const Outcome outcome = tenon({"check", folder_ / "scene.json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* part : {"hole +z (12.000 mm deep, through)", "end -z, end +z", "outer cylinder", "Ø8.0000",
                           "inner cylinder", "96, corners Ø8.2000", "clearance 0.196 mm"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is missing in:\n" << outcome.out;
}

TEST_F(MeshScene, TheCacheIsUsedAndADamagedEntryIsNot) {
  const Json first = checked();
  ASSERT_TRUE(fs::exists(folder_ / "cache/tenon"));
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder_ / "cache/tenon")) entries.push_back(entry.path());
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(checked(), first);
  for (const fs::path& entry : entries) {
    std::string text((std::istreambuf_iterator<char>(*std::make_unique<std::ifstream>(entry))),
                     std::istreambuf_iterator<char>());
    text[text.size() / 2] ^= 1;
    write(entry.string(), text);
  }
  EXPECT_EQ(checked(), first);
}

TEST_F(MeshScene, TheCollisionShapeIsWrittenWithItsHoleOpen) {
  ASSERT_EQ(tenon({"check", folder_ / "scene.json", "--collision-out", folder_ / "shapes.obj"}).exitCode, 0);
  std::ifstream stream(folder_ / "shapes.obj");
  std::string word;
  int parts = 0;
  bool inHole = false;
  // The plate reaches around z; no corner of its shape may stand in the hole.
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("o ")) ++parts;
    double x = 0, y = 0, z = 0;
    if (parts == 1 && std::sscanf(line.c_str(), "v %lf %lf %lf", &x, &y, &z) == 3)
      inHole = inHole || std::hypot(x, y) < 4.09;
  }
  EXPECT_EQ(parts, 2);
  EXPECT_FALSE(inHole);
}

TEST_F(MeshScene, WhatCannotBeReadIsRefusedInOneLine) {
  const Json good = pegScene("peg.obj", "hole.obj", "mm", 0, 10);
  const auto refused = [&](const Json& scene, const std::string& part) {
    save(scene);
    const Outcome outcome = tenon({"check", folder_ / "scene.json"});
    EXPECT_EQ(outcome.exitCode, 2) << part;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " is missing in: " << outcome.err;
  };
  Json scene = good;
  scene["parts"][1]["shape"].erase("unit");
  refused(scene, "/parts/1/shape/unit: is missing");
  for (const char* path : {"../peg.obj", "/peg.obj", "a/../../peg.obj"}) {
    scene = good;
    scene["parts"][1]["shape"]["file"] = path;
    refused(scene, "leads out of the scene's folder");
  }
  scene = good;
  scene["parts"][1]["shape"]["file"] = "peg.ply";
  refused(scene, "an unknown format");
  scene["parts"][1]["shape"]["file"] = "none.obj";
  refused(scene, "does not exist");
  std::string open = objOf(content::test::turnedMesh({{0, 0.004}, {0.05, 0.004}, {0.05, 0}}, 96));
  write(folder_ / "open.obj", open);
  scene["parts"][1]["shape"]["file"] = "open.obj";
  refused(scene, "open edges");
}

class FactoryScene : public testing::TestWithParam<int> {};

TEST_P(FactoryScene, PegIsInsertedByTheFilesAlone) {
  const char* meshes = std::getenv("TENON_FACTORY_DIR");
  if (!meshes)
    GTEST_SKIP() << "TENON_FACTORY_DIR is not set: it names the folder with factory_round_*.obj of "
                    "IsaacGymEnvs (assets/factory/mesh)";
  TemporaryFolder folder;
  const std::string size = std::to_string(GetParam());
  const std::string peg = "factory_round_peg_" + size + "mm_tight.obj",
                    hole = "factory_round_hole_" + size + "mm_subdiv_3x.obj";
  for (const std::string& name : {peg, hole}) fs::copy_file(fs::path(meshes) / name, folder / name);
  write(folder / "scene.json", pegScene(peg, hole, "m", 8.992, 8.9).dump());
  const Outcome outcome = runTenon({"run", folder / "scene.json", "--json"},
                                   {{"XDG_CACHE_HOME=" + (folder / "cache")}, false, ""});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Sizes, FactoryScene, testing::Values(8, 16));

}  // namespace
}  // namespace tenon::tests::mesh_scene_test
