// Files that are not the surface of one solid, in a running scene: open surfaces carry on both sides, and
// nothing stops what slides over bodies that were united.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/content/mesh_samples.h"
#include "tests/support/program_run.h"

namespace tenon::tests::imported_surface_test {
namespace {

using Json = nlohmann::ordered_json;

class ImportedSurface : public testing::Test {
 protected:
  void save(const std::string& name, const content::TriangleMesh& mesh) const {
    std::ofstream obj(folder_ / name);
    obj.precision(12);
    for (const auto& p : mesh.vertices)
      obj << "v " << p.x() * 1e3 << ' ' << p.y() * 1e3 << ' ' << p.z() * 1e3 << '\n';
    for (const auto& t : mesh.triangles)
      obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }

  /// A box of 10 mm beside or on the part of a file, without friction, for 0.3 s at 1 kHz.
  Json run(const std::string& file, const std::array<double, 3>& gravity,
           const std::array<double, 3>& start) const {
    const Json scene = {
        {"tenon", 1},
        {"title", "a box on a surface"},
        {"unit", "mm"},
        {"duration_s", 0.3},
        {"gravity_m_per_s2", gravity},
        {"materials", Json::array({{{"name", "steel"}, {"density_kg_per_m3", 7850}}})},
        {"parts", Json::array({{{"name", "surface"},
                                {"motion", "fixed"},
                                {"shape", {{"kind", "mesh"}, {"file", file}, {"unit", "mm"}}}},
                               {{"name", "box"},
                                {"material", "steel"},
                                {"shape", {{"kind", "box"}, {"size", std::array<double, 3>{10, 10, 10}}}},
                                {"position", start}}})}};
    std::ofstream(folder_ / "scene.json") << scene.dump();
    const Outcome outcome = runTenon({"run", folder_ / "scene.json", "--rate", "1000", "--json"},
                                     {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  static double coordinate(const Json& result, std::size_t axis) {
    return result.at("parts")[1].at("position_mm")[axis].get<double>();
  }

  TemporaryFolder folder_;
};

content::TriangleMesh openSquare() {
  return {{{-0.03, -0.02, 0}, {0.03, -0.02, 0}, {0.03, 0.02, 0}, {-0.03, 0.02, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

TEST_F(ImportedSurface, AnOpenOneCarriesOnBothSides) {
  save("square.obj", openSquare());
  const Json above = run("square.obj", {0, 0, -9.81}, {0, 0, 12});
  EXPECT_NEAR(coordinate(above, 2), 5, 2e-6);
  EXPECT_EQ(above.at("not_converged_steps"), 0);
  const Json below = run("square.obj", {0, 0, 9.81}, {0, 0, -12});
  EXPECT_NEAR(coordinate(below, 2), -5.001, 2e-6);
  // Only half of the box lies on it, its middle above the surface.
  const Json edge = run("square.obj", {0, 0, -9.81}, {28, 0, 8});
  EXPECT_NEAR(coordinate(edge, 2), 5, 2e-6);
}

// Along the flush top of two bodies, the box moves as on one: by a/2 t (t + Δt).
TEST_F(ImportedSurface, NothingStopsWhatSlidesOverUnitedBodies) {
  const double expected = -20 + 1e3 * 0.5 * 1.0 * 0.3 * 0.301;
  for (const double overlap : {0.0, 1e-3, 0.02}) {
    content::TriangleMesh mesh;
    content::test::addBox({0.04 + overlap, 0.03, 0.01}, {-0.04, -0.015, -0.01}, mesh);
    content::test::addBox({0.06, 0.02, 0.02}, {0, -0.01, -0.02}, mesh);
    save("two.obj", mesh);
    const Json result = run("two.obj", {1, 0, -9.81}, {-20, 0, 5});
    EXPECT_NEAR(coordinate(result, 0), expected, 1e-6) << overlap;
    EXPECT_NEAR(coordinate(result, 2), 5, 2e-6) << overlap;
    EXPECT_EQ(result.at("not_converged_steps"), 0) << overlap;
  }
}

TEST_F(ImportedSurface, AnOpenOneThatMovesNeedsAMass) {
  save("square.obj", openSquare());
  Json scene = {
      {"tenon", 1},
      {"title", "a loose sheet"},
      {"unit", "mm"},
      {"duration_s", 0.1},
      {"materials", Json::array({{{"name", "steel"}, {"density_kg_per_m3", 7850}}})},
      {"parts", Json::array({{{"name", "sheet"},
                              {"material", "steel"},
                              {"shape", {{"kind", "mesh"}, {"file", "square.obj"}, {"unit", "mm"}}}}})}};
  std::ofstream(folder_ / "scene.json") << scene.dump();
  const Outcome outcome = runTenon({"check", folder_ / "scene.json"});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_NE(outcome.err.find("/parts/0/material: gives a density to a mesh that is not closed"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace tenon::tests::imported_surface_test
