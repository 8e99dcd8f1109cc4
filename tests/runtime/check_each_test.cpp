// `tenon check --each DIR`: a row for each part of each file, whatever the file does.
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include "tests/content/mesh_samples.h"
#include "tests/support/program_run.h"
#include "tests/support/step_file.h"
#include "tests/support/thread_meshes.h"

namespace tenon::tests::check_each_test {
namespace {

using Json = nlohmann::ordered_json;

class CheckEach : public testing::Test {
 protected:
  void save(const std::string& name, const content::TriangleMesh& mesh, double scale = 1e3) const {
    std::ofstream obj(folder_ / name);
    obj.precision(12);
    for (const auto& p : mesh.vertices)
      obj << "v " << p.x() * scale << ' ' << p.y() * scale << ' ' << p.z() * scale << '\n';
    for (const auto& t : mesh.triangles)
      obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }
  Outcome each(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"check", "--each", folder_.path()});
    return runTenon(more, {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
  }
  static Json rowOf(const Json& result, const std::string& file) {
    for (const Json& row : result.at("parts"))
      if (row.at("file") == file) return row;
    ADD_FAILURE() << file << " has no row";
    return nullptr;
  }

  TemporaryFolder folder_;
};

content::TriangleMesh drilledBlock() {
  content::test::Drilled block;
  block.outline = {{-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.02}, {-0.02, 0.02}};
  block.height = 0.012;
  block.radius = 0.008;
  block.depth = 1;
  return content::test::drilledMesh(block);
}

TEST_F(CheckEach, ListsWhatUsablePartsBecome) {
  save("block.obj", drilledBlock());
  const Outcome text = each();
  EXPECT_EQ(text.exitCode, 0) << text.err;
  EXPECT_NE(text.out.find("block.obj  yes     6 planes, 1 cylinder  1      100.0 %"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("1 part: 1 usable, 0 refused\n"), std::string::npos) << text.out;
  const Json result = Json::parse(each({"--json"}).out);
  const Json row = rowOf(result, "block.obj");
  EXPECT_TRUE(row.at("usable").get<bool>());
  EXPECT_EQ(row.at("surfaces").at("cylinder"), 1);
  EXPECT_EQ(row.at("exact_area"), 1);
  EXPECT_NEAR(row.at("holes")[0].at("diameter_m").get<double>(), 0.016, 1e-4);
  EXPECT_NEAR(row.at("holes")[0].at("depth_m").get<double>(), 0.012, 1e-9);
  EXPECT_LE(row.at("outside_mesh").at("distance_m").get<double>(), 1e-8);
  EXPECT_GT(row.at("given_to_colliding").at("worst_m").get<double>(), 1e-6);  // the sagitta
}

TEST_F(CheckEach, OneFileIsListedWithItsHoles) {
  save("block.obj", drilledBlock());
  save("other.obj", drilledBlock());
  const Outcome one = runTenon({"check", "--each", folder_ / "block.obj"});
  EXPECT_EQ(one.exitCode, 0) << one.err;
  EXPECT_NE(one.out.find("1 part: 1 usable, 0 refused\n"), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("hole +z      block.obj  0 0 0    0 0 1  15.9"), std::string::npos) << one.out;
  EXPECT_EQ(each().out.find("hole +z"), std::string::npos) << "of a folder only their number";
  const Outcome other = runTenon({"check", "--each", scenePath("stack")});
  EXPECT_EQ(other.exitCode, 2);
  EXPECT_NE(other.err.find("is not a CAD or mesh file"), std::string::npos) << other.err;
  const Outcome scene = runTenon({"check", folder_ / "block.obj"});
  EXPECT_EQ(scene.exitCode, 2);
  EXPECT_NE(scene.err.find("tenon check --each"), std::string::npos) << scene.err;
}

TEST_F(CheckEach, PocketsAndBarsAreListed) {
  if (const std::string why = stepIsMissing(); !why.empty()) GTEST_SKIP() << why;
  ASSERT_TRUE(makeStep("pocket", folder_ / "pocket.step", {10, 8, 15}));
  const Outcome table = runTenon({"check", "--each", folder_ / "pocket.step"});
  EXPECT_NE(table.out.find("socket +z    pocket.step: pocket  0 0 0    0 0 1  10 × 8         15"),
            std::string::npos)
      << table.out;
  const Json socket = rowOf(Json::parse(each({"--json"}).out), "pocket.step").at("sockets").at(0);
  EXPECT_EQ(socket.at("name"), "socket +z");
  EXPECT_NEAR(socket.at("size_m")[1].get<double>(), 0.008, 1e-9);
  EXPECT_FALSE(socket.at("through").get<bool>());
  ASSERT_TRUE(makeStep("bar", folder_ / "bar.step", {10, 8, 30}));
  const Json ends = rowOf(Json::parse(each({"--json"}).out), "bar.step").at("bar_ends");
  EXPECT_EQ(ends.size(), 2U) << "at z: longer than 10 mm";
}

TEST_F(CheckEach, EndsHaveTheirShafts) {
  save("bolt.obj",
       content::test::boltMesh({content::test::polygon(0.0075, 6), 0.0053, 0.004, 0.03, 0.001, 36}));
  const Json end = rowOf(Json::parse(each({"--json"}).out), "bolt.obj").at("end_sites").at(0);
  EXPECT_EQ(end.at("name"), "end -z");
  EXPECT_NEAR(end.at("diameter_m").get<double>(), 0.008, 1e-8);
  EXPECT_NEAR(end.at("length_m").get<double>(), 0.029, 1e-8) << "without its chamfer";
  EXPECT_FALSE(end.at("facets_collide").get<bool>());
  const Outcome table = runTenon({"check", "--each", folder_ / "bolt.obj"});
  EXPECT_NE(table.out.find("end -z       bolt.obj  0 0 -30  0 0 -1  8              29"), std::string::npos)
      << table.out;
}

// A prism of eight facets: a hole with the circle between them.
TEST_F(CheckEach, HolesBetweenFacetsAreListedAsSuch) {
  content::test::Drilled prism;
  prism.outline = content::test::polygon(0.015, 5, 0.3);
  prism.height = 0.012;
  prism.radius = 0.004;
  prism.depth = 1;
  prism.facets = 8;
  save("prism.obj", content::test::drilledMesh(prism));
  const Json hole = rowOf(Json::parse(each({"--json"}).out), "prism.obj").at("holes").at(0);
  EXPECT_TRUE(hole.at("facets_collide").get<bool>());
  EXPECT_NEAR(hole.at("diameter_m").get<double>(), 0.008 * std::cos(std::numbers::pi / 8), 1e-8);
  const Outcome table = runTenon({"check", "--each", folder_ / "prism.obj"});
  EXPECT_NE(table.out.find("7.39104 between facets"), std::string::npos) << table.out;
}

TEST_F(CheckEach, ShowsItsStagesOnATerminalAlone) {
  save("block.obj", drilledBlock());
  Setting terminal;
  terminal.terminal = true;
  terminal.environment = {"TERM=xterm", "XDG_CACHE_HOME=" + (folder_ / "cache")};
  const std::string shown = runTenon({"check", "--each", folder_.path()}, terminal).out;
  EXPECT_NE(shown.find("1 of 1: block.obj: recognizing round faces"), std::string::npos) << shown;
  EXPECT_NE(shown.find("1 part: 1 usable, 0 refused"), std::string::npos) << shown;
  const Outcome piped = each();
  EXPECT_EQ(piped.err, "");
  EXPECT_EQ(piped.out.find("repairing"), std::string::npos) << piped.out;
}

// A binary STL file has floats.
TEST_F(CheckEach, FloatsFarFromTheOriginAreAWarning) {
  content::TriangleMesh box;
  content::test::addBox({0.04, 0.02, 0.01}, {0, 0, 0}, box);
  for (const float at : {0.0F, 9e6F}) {
    std::string bytes(80, ' ');
    const auto add = [&](const auto& value) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    add(static_cast<std::uint32_t>(box.triangles.size()));
    for (const auto& t : box.triangles) {
      add(std::array<float, 3>{});
      for (const int v : t)
        for (const double x : box.vertices[static_cast<std::size_t>(v)])
          add(static_cast<float>(1e3 * x) + at);
      add(std::uint16_t{0});
    }
    std::ofstream(folder_ / "box.stl", std::ios::binary) << bytes;
    const Json row = rowOf(Json::parse(each({"--json"}).out), "box.stl");
    ASSERT_TRUE(row.at("usable")) << row.dump();
    const double largest = at > 0 ? 9e3 : 0.04;
    EXPECT_NEAR(row.at("coordinate_rounding_m").get<double>() / largest, 0x1p-24, 1e-12);
    EXPECT_EQ(each().out.find("coordinates are floats, rounded by up to 536 µm so far from the origin") !=
                  std::string::npos,
              at > 0);
  }
}

TEST_F(CheckEach, ListsThreads) {
  ThreadMeshOptions bolt;
  bolt.chamfer = 0.8e-3;
  bolt.facets = 24;
  const physics::BoundarySolid good = threadMesh(bolt);
  save("bolt.obj", {good.vertices, good.triangles});
  bolt.halfAngle = 0.25;
  const physics::BoundarySolid other = threadMesh(bolt);
  save("other.obj", {other.vertices, other.triangles});
  const Outcome text = each();
  EXPECT_EQ(text.exitCode, 0) << text.err;
  EXPECT_NE(text.out.find("thread M8, right-handed, external, 9.5 turns, class 6h, 24 facets a turn: "),
            std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("not used as a thread, its faces collide: its flank angle is 28."),
            std::string::npos)
      << text.out;
  EXPECT_NE(
      text.out.find(", not 60°: leave the thread out in CAD and give it with \"thread\", or give this part "
                    "\"threads\": \"facets\" if its faces are meant to collide"),
      std::string::npos)
      << text.out;
  const Json result = Json::parse(each({"--json"}).out);
  const Json row = rowOf(result, "bolt.obj");
  ASSERT_EQ(row.at("threads").size(), 1u);
  const Json& thread = row.at("threads")[0];
  EXPECT_EQ(thread.at("pitch_m"), 1.25e-3);
  EXPECT_TRUE(thread.at("used").get<bool>());
  EXPECT_LT(thread.at("worst_m").get<double>(), 1e-8);
  EXPECT_EQ(rowOf(result, "other.obj").at("threads")[0].at("used"), false);
}

TEST_F(CheckEach, OneBadFileEndsNothing) {
  save("a-block.obj", drilledBlock());
  content::TriangleMesh open = drilledBlock();
  open.triangles.resize(open.triangles.size() - 5);
  save("b-open.obj", open);
  std::ofstream(folder_ / "c-garbage.stl") << "solid nonsense\nfacet normal x y z\n";
  std::ofstream(folder_ / "d-empty.glb") << "";
  ASSERT_EQ(mkfifo((folder_ / "e-pipe.stl").c_str(), 0600), 0);
  ASSERT_EQ(mkdir((folder_ / "f-folder.obj").c_str(), 0700), 0);
  std::ofstream(folder_ / "g-nan.obj") << "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  save("h-block.obj", drilledBlock());
  std::ofstream(folder_ / "notes.txt") << "not a part";
  const Outcome json = each({"--json", "--limit", "60"});
  EXPECT_EQ(json.exitCode, 2) << json.err;
  const Json result = Json::parse(json.out);
  EXPECT_EQ(result.at("files"), 8);
  EXPECT_EQ(result.at("usable"), 3);
  EXPECT_EQ(result.at("refused"), 5);
  for (const char* good : {"a-block.obj", "b-open.obj", "h-block.obj"})
    EXPECT_TRUE(rowOf(result, good).at("usable").get<bool>());
  for (const char* bad : {"c-garbage.stl", "d-empty.glb", "e-pipe.stl", "f-folder.obj", "g-nan.obj"}) {
    const Json row = rowOf(result, bad);
    EXPECT_FALSE(row.at("usable").get<bool>());
    const auto problem = row.at("problem").get<std::string>();
    EXPECT_NE(problem.find("; "), std::string::npos) << problem;  // the remedy
    EXPECT_EQ(problem.find('\n'), std::string::npos);
  }
  EXPECT_GT(rowOf(result, "b-open.obj").at("open_edges").get<int>(), 0);
  EXPECT_FALSE(rowOf(result, "b-open.obj").at("closed").get<bool>());
}

TEST_F(CheckEach, TheUnitIsThatOfTheOption) {
  save("block.obj", drilledBlock(), 1 / 0.0254);
  const Json row = rowOf(Json::parse(each({"--json", "--unit", "in"}).out), "block.obj");
  EXPECT_NEAR(row.at("holes")[0].at("depth_m").get<double>(), 0.012, 1e-9);
}

TEST_F(CheckEach, UsageIsChecked) {
  EXPECT_EQ(each().exitCode, 2);  // empty
  EXPECT_EQ(runTenon({"check"}).exitCode, 2);
  EXPECT_EQ(runTenon({"check", scenePath("stack.json"), "--each", folder_.path()}).exitCode, 2);
  EXPECT_EQ(runTenon({"check", scenePath("stack.json"), "--unit", "in"}).exitCode, 2);
  EXPECT_EQ(runTenon({"check", "--each", folder_ / "missing"}).exitCode, 2);
}

TEST_F(CheckEach, EachProductOfAnAssemblyIsARow) {
  if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  ASSERT_TRUE(makeStep("assembly", folder_ / "bench.step", {0}));
  const Outcome json = each({"--json"});
  const Json result = Json::parse(json.out);
  EXPECT_EQ(result.at("files"), 1);
  EXPECT_EQ(result.at("parts").size(), 3U);
  for (const Json& row : result.at("parts")) {
    EXPECT_TRUE(row.at("usable").get<bool>()) << row.at("problem");
    EXPECT_FALSE(row.at("product").is_null());
  }
}

TEST_F(CheckEach, AProductThatCannotBeUsedIsARowBesideTheOthers) {
  if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  ASSERT_TRUE(makeStep("mixed", folder_ / "mixed.step"));
  const Outcome json = each({"--json"});
  EXPECT_EQ(json.exitCode, 2) << json.err;
  const Json result = Json::parse(json.out);
  EXPECT_EQ(result.at("usable"), 2);
  EXPECT_EQ(result.at("refused"), 3);
  for (const Json& row : result.at("parts")) {
    const auto product = row.at("product").get<std::string>();
    const bool isUsable = product == "good" || product == "sheet";
    EXPECT_EQ(row.at("usable").get<bool>(), isUsable) << row;
    if (!isUsable) {
      EXPECT_EQ(row.at("problem").get<std::string>().find("product \"" + product + "\": "), 0u) << row;
    }
  }
}

}  // namespace
}  // namespace tenon::tests::check_each_test
