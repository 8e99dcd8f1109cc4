// What `tenon check` and loading say of a mesh whose collision shape lies off it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/content/mesh_samples.h"
#include "tests/support/program_run.h"

namespace tenon::tests::mesh_deviation_test {
namespace {

using Json = nlohmann::ordered_json;

class MeshDeviation : public testing::Test {
 protected:
  /// A scene of one fixed part, the mesh.
  void save(const content::TriangleMesh& mesh) const {
    std::ofstream obj(folder_ / "part.obj");
    obj.precision(12);
    for (const auto& p : mesh.vertices)
      obj << "v " << p.x() * 1e3 << ' ' << p.y() * 1e3 << ' ' << p.z() * 1e3 << '\n';
    for (const auto& t : mesh.triangles)
      obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    const Json scene = {{"tenon", 1},
                        {"title", "one part"},
                        {"unit", "mm"},
                        {"duration_s", 0.01},
                        {"parts",
                         {{{"name", "finned"},
                           {"shape", {{"kind", "mesh"}, {"file", "part.obj"}, {"unit", "mm"}}},
                           {"motion", "fixed"}}}}};
    std::ofstream(folder_ / "scene.json") << scene.dump();
  }
  Outcome tenon(const std::string& command, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {command, folder_ / "scene.json"});
    return runTenon(more, {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
  }

  TemporaryFolder folder_;
};

TEST_F(MeshDeviation, OfThinFinsIsNone) {
  for (const auto& mesh : {content::test::finnedMesh(0.005), content::test::finnedAndDrilledMesh(0.00008)}) {
    save(mesh);
    for (int cached = 0; cached < 2; ++cached) {
      const Outcome text = tenon("check");
      EXPECT_EQ(text.exitCode, 0) << text.err;
      EXPECT_EQ(text.out.find("warning"), std::string::npos) << text.out;
      EXPECT_NE(text.out.find("shape   collides as its "), std::string::npos) << text.out;
    }
    const Json found = Json::parse(tenon("check", {"--json"}).out).at("meshes")[0];
    EXPECT_TRUE(found.at("triangles_collide").get<bool>());
    EXPECT_LT(found.at("inside_mesh").at("distance_m").get<double>(), 1e-6);  // planes within 1 µm
    EXPECT_NEAR(found.at("shape_volume_m3").get<double>() / found.at("mesh_volume_m3").get<double>(), 1,
                1e-4);
  }
}

TEST_F(MeshDeviation, APartWithinItIsNotWarnedOf) {
  content::TriangleMesh mesh;
  content::test::addBox({0.02, 0.01, 0.01}, {0, 0, 0}, mesh);
  content::test::addBox({0.01, 0.01, 0.01}, {0.005, 0, 0.01}, mesh);
  save(mesh);
  const Outcome outcome = tenon("check");
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("warning"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("shape outside the mesh by up to 0; inside it by up to 0"), std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace tenon::tests::mesh_deviation_test
