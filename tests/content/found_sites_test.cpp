// Openings and ends found in a file, as holes and features of a part: their
// names beside declared ones, and what a goal takes that names none.
#include "content/reader/found_sites.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "content/input/file_source.h"
#include "content/reader/read_mesh.h"
#include "content/reader/read_parts.h"
#include "tests/content/prism_solid.h"

namespace tenon::content::found_sites_test {
namespace {

using Names = std::vector<std::string>;
using physics::Vector3d;

PrismaticSite siteAt(const std::string& name, const Vector3d& origin, const Vector3d& out) {
  PrismaticSite site;
  site.name = name;
  site.X = {physics::shortestRotation(Vector3d::UnitZ(), out), origin};
  site.width = site.height = 0.01;
  site.depth = 0.015;
  return site;
}

/// With two pockets at z = 0 and the ends of a bar in its file.
class FoundSites : public testing::Test {
 protected:
  FoundSites() {
    const auto mesh = std::make_shared<MeshShape>();
    mesh->prismatic.sockets = {siteAt("socket +z", {0, 0, 0}, Vector3d::UnitZ()),
                               siteAt("socket +z 2", {0.03, 0, 0}, Vector3d::UnitZ())};
    mesh->prismatic.ends = {siteAt("end -z", {0, 0, -0.03}, -Vector3d::UnitZ()),
                            siteAt("end +z", {0, 0, 0}, Vector3d::UnitZ())};
    part_.mesh = mesh;
  }

  void declareEnd(const std::string& name, const Vector3d& origin, const Vector3d& direction) {
    part_.features.push_back({name, origin, direction});
  }
  void declareSocket(const std::string& name, const Vector3d& mouth, bool through = false) {
    part_.sockets.push_back(socketOf(name, mouth, Vector3d::UnitZ(), 0.01, 0.01, through));
  }
  Names sockets() const { return namesOf(part_.sockets); }
  Names ends() const { return namesOf(part_.features); }
  std::string hole() const {
    const auto found = defaultHole(part_);
    return found ? found->name : "";
  }
  std::string end() const {
    const auto found = defaultFeature(part_);
    return found ? part_.features[static_cast<std::size_t>(*found)].name : "";
  }

  Part part_;
};

TEST_F(FoundSites, AreAddedAndMarked) {
  addFoundSites(part_);
  EXPECT_EQ(sockets(), (Names{"socket +z", "socket +z 2"}));
  EXPECT_EQ(ends(), (Names{"end -z", "end +z"}));
  EXPECT_TRUE(part_.sockets.front().isFound);
  EXPECT_TRUE(part_.features.front().isFound);
  EXPECT_EQ(hole(), "") << "one of two has to be named";
  EXPECT_EQ(end(), "");
}

TEST_F(FoundSites, ADeclaredOneIsTheDefault) {
  declareEnd("foot", {0.001, 0, -0.03}, -Vector3d::UnitZ());
  declareSocket("pocket", {0.001, 0, 0});
  addFoundSites(part_);
  EXPECT_EQ(hole(), "pocket");
  EXPECT_EQ(end(), "foot");
  declareEnd("top", {0, 0, 0.01}, Vector3d::UnitZ());
  declareSocket("bay", {-0.03, 0, 0});
  EXPECT_EQ(hole(), "");
  EXPECT_EQ(end(), "");
}

TEST_F(FoundSites, ADeclaredOneMayHaveTheNameOfAFoundOne) {
  declareEnd("end -z", {0.001, 0, -0.03}, -Vector3d::UnitZ());
  declareSocket("socket +z", {0.001, 0, 0});
  addFoundSites(part_);
  EXPECT_EQ(sockets(), (Names{"socket +z", "socket +z 2"}));
  EXPECT_EQ(ends(), (Names{"end -z", "end +z"}));
  EXPECT_EQ(part_.sockets.front().X_PH.p.x(), 0.001) << "the declared one";
  EXPECT_EQ(hole(), "socket +z");
  EXPECT_EQ(end(), "end -z");
}

TEST_F(FoundSites, OneAtTheSamePlaceKeepsItsDeclaredName) {
  declareEnd("foot", {0, 0, -0.03}, -Vector3d::UnitZ());
  declareSocket("pocket", {0, 0, 0});
  addFoundSites(part_);
  EXPECT_EQ(sockets(), (Names{"pocket", "socket +z 2"}));
  EXPECT_EQ(ends(), (Names{"foot", "end +z"}));
  EXPECT_EQ(hole(), "pocket");
  EXPECT_EQ(end(), "foot");
}

TEST_F(FoundSites, AnotherDirectionOrADistanceIsAnotherPlace) {
  declareEnd("foot", {0, 0, -0.03}, Vector3d::UnitX());
  declareSocket("pocket", {2e-6, 0, 0});
  addFoundSites(part_);
  EXPECT_EQ(sockets(), (Names{"pocket", "socket +z", "socket +z 2"}));
  EXPECT_EQ(ends(), (Names{"foot", "end -z", "end +z"}));
}

// Its recognized planes have borders like those of a closed part.
TEST(FoundSitesOfAFile, AnOpenSurfaceHasNone) {
  const auto solid = offset_test::blockWithPocket(offset_test::rectangle(0.02, 0.02),
                                                  offset_test::rectangle(0.005, 0.004), 0.015, 0.02);
  const auto socketsOf = [&](std::size_t triangles) {
    std::string text;
    for (const Vector3d& p : solid.vertices) text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
    for (std::size_t t = 0; t < triangles; ++t) {
      const auto& [a, b, c] = solid.triangles[t];
      text += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    const FileBytes files{{"block.obj", text}};
    StoredFileSource source("scene.json", files);
    ReadContext context;
    context.files = &source;
    return readMeshFile("block.obj", "m", context)->prismatic.sockets.size();
  };
  EXPECT_EQ(socketsOf(solid.triangles.size()), 1U);
  EXPECT_EQ(socketsOf(solid.triangles.size() - 2), 0U) << "without the floor";
}

TEST_F(FoundSites, TheOnlyOneIsTheDefault) {
  const auto mesh = std::make_shared<MeshShape>();
  mesh->prismatic.sockets = {siteAt("slot +x", {0, 0, 0}, Vector3d::UnitX())};
  mesh->prismatic.ends = {siteAt("end +x", {0.05, 0, 0}, Vector3d::UnitX())};
  part_.mesh = mesh;
  addFoundSites(part_);
  EXPECT_EQ(hole(), "slot +x");
  EXPECT_EQ(end(), "end +x");
}

}  // namespace
}  // namespace tenon::content::found_sites_test
