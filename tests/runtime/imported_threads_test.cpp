// Threads of meshes in a scene: the option "threads", and what `tenon check` says of those that are not used.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program_run.h"
#include "tests/support/thread_meshes.h"

namespace tenon::tests::imported_threads_test {
namespace {

using Json = nlohmann::ordered_json;

class ImportedThreadsOfScenes : public testing::Test {
 protected:
  void save(const std::string& name, const ThreadMeshOptions& options, bool isOpen = false) const {
    physics::BoundarySolid solid = threadMesh(options);
    if (isOpen) solid.triangles.resize(solid.triangles.size() - 2);  // one would be repaired
    std::ofstream obj(folder_ / name);
    obj.precision(12);
    for (const auto& p : solid.vertices)
      obj << "v " << p.x() * 1e3 << ' ' << p.y() * 1e3 << ' ' << p.z() * 1e3 << '\n';
    for (const auto& t : solid.triangles)
      obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }
  static ThreadMeshOptions nut(int facets) {
    ThreadMeshOptions options;
    options.isInternal = true;
    options.facets = facets;
    options.majorDiameter = 8.1e-3;
    options.length = 6.5e-3;
    options.chamfer = 0.9e-3;
    return options;
  }
  static ThreadMeshOptions bolt() {
    ThreadMeshOptions options;
    options.chamfer = 0.8e-3;
    options.facets = 24;
    return options;
  }
  static Json partOf(const std::string& name, double x, const Json& more) {
    Json shape = {{"kind", "mesh"}, {"file", name + ".obj"}, {"unit", "mm"}};
    shape.update(more);
    return {{"name", name}, {"motion", "fixed"}, {"shape", shape}, {"position", {x, 0, 0}}};
  }
  Outcome check(const Json& ofNut, const Json& ofBolt, std::vector<std::string> more = {}) const {
    const Json scene = {{"tenon", 1},
                        {"title", "a bolt beside its nut"},
                        {"unit", "mm"},
                        {"duration_s", 1},
                        {"parts", {partOf("nut", 0, ofNut), partOf("bolt", 50, ofBolt)}}};
    std::ofstream(folder_ / "scene.json") << scene.dump();
    more.insert(more.begin(), {"check", folder_ / "scene.json"});
    return runTenon(more, {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  TemporaryFolder folder_;
};

TEST_F(ImportedThreadsOfScenes, ABoltWhoseNutHasNoThreadIsASmoothRod) {
  save("nut.obj", nut(12));
  save("bolt.obj", bolt());
  const Outcome mixed = check(Json::object(), Json::object());
  EXPECT_EQ(mixed.exitCode, 0) << mixed.err;
  const std::string all = mixed.out + mixed.err;
  EXPECT_TRUE(has(all,
                  "nut and bolt cannot be screwed together: the thread of nut is not used (it has 12 "
                  "facets a turn, fewer than 16), and M8 of bolt collides with its faces as a smooth rod of "
                  "Ø 8 mm: export at least 16 facets a turn; with \"threads\": \"facets\" for bolt too, the "
                  "faces of both collide"))
      << all;
  const Outcome facets = check({{"threads", "facets"}}, {{"threads", "facets"}});
  EXPECT_EQ(facets.exitCode, 0) << facets.err;
  EXPECT_FALSE(has(facets.out + facets.err, "screwed together")) << facets.out << facets.err;
  EXPECT_TRUE(has(facets.out, "thread  not searched: \"threads\": \"facets\"")) << facets.out;
  save("nut.obj", nut(24));
  const Outcome both = check(Json::object(), Json::object());
  EXPECT_FALSE(has(both.out + both.err, "screwed together")) << both.out << both.err;
}

TEST_F(ImportedThreadsOfScenes, ProblemsHaveRemediesInJson) {
  save("nut.obj", nut(12));
  save("bolt.obj", bolt(), true);
  const Json meshes = Json::parse(check(Json::object(), Json::object(), {"--json"}).out).at("meshes");
  ASSERT_EQ(meshes.size(), 2u);
  const Json &coarse = meshes[0].at("threads")[0], &open = meshes[1].at("threads")[0];
  EXPECT_EQ(coarse.at("problem"), "it has 12 facets a turn, fewer than 16");
  EXPECT_EQ(coarse.at("remedy"), "export at least 16 facets a turn");
  EXPECT_EQ(open.at("problem"), "the surface is not closed");
  EXPECT_EQ(open.at("remedy"), "close it in CAD and export it again");
  EXPECT_EQ(open.at("used"), false);
  EXPECT_EQ(meshes[0].at("thread_search"), "complete");
  EXPECT_EQ(meshes[0].at("unsearched_axes"), 0);
  const Json off = Json::parse(check({{"threads", "facets"}}, Json::object(), {"--json"}).out).at("meshes");
  EXPECT_EQ(off[0].at("thread_search"), "off");
  EXPECT_TRUE(off[0].at("threads").empty());
}

TEST_F(ImportedThreadsOfScenes, OtherValuesOfTheOptionAreRefused) {
  save("nut.obj", nut(24));
  save("bolt.obj", bolt());
  const Outcome wrong = check({{"threads", "none"}}, Json::object());
  EXPECT_EQ(wrong.exitCode, 2);
  EXPECT_TRUE(has(wrong.err, "/parts/0/shape/threads: ")) << wrong.err;
  EXPECT_TRUE(has(wrong.err, "\"facets\"")) << wrong.err;
}

}  // namespace
}  // namespace tenon::tests::imported_threads_test
