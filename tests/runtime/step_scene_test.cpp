// STEP from outside: scenes that name such files, assemblies that become scenes, sessions that keep them, and
// builds without the component.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <utility>

#include "tests/support/program_run.h"
#include "tests/support/step_file.h"

namespace tenon::tests::step_scene_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string contentOf(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

class StepProgram : public testing::Test {
 protected:
  Outcome tenon(const std::vector<std::string>& arguments) const {
    return runTenon(arguments, {{"XDG_CACHE_HOME=" + (folder_ / "cache")}, false, ""});
  }
  void expectRefused(const std::vector<std::string>& arguments, const std::string& part, int code = 2) const {
    const Outcome outcome = tenon(arguments);
    EXPECT_EQ(outcome.exitCode, code) << outcome.out << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << " is missing in: " << outcome.err;
  }
  std::string doctorSays() const {
    const Json json = Json::parse(tenon({"doctor", "--json"}).out);
    for (const Json& check : json["checks"])
      if (check["name"] == "STEP files") return check["status"];
    return "nothing";
  }

  TemporaryFolder folder_;
};

TEST_F(StepProgram, WithoutTheComponentNamesThePackageToInstall) {
  if (stepIsMissing().empty())
    GTEST_SKIP() << "built with OpenCASCADE; configure with -DTENON_STEP=OFF for this";
  EXPECT_EQ(doctorSays(), "missing");
  write(folder_ / "a.step", "ISO-10303-21;");
  expectRefused({"parts", "import-assembly", folder_ / "a.step", "--out", folder_ / "a.json"},
                "libocct-data-exchange-dev", 3);
  EXPECT_FALSE(fs::exists(folder_ / "a.json"));
}

class StepScene : public StepProgram {
 protected:
  void SetUp() override {
    if (const std::string missing = stepIsMissing(); !missing.empty()) GTEST_SKIP() << missing;
  }
  /// factory-peg-8mm or -16mm, peg and block from STEP.
  void makePegScene(double peg, double hole, const std::string& name) const {
    ASSERT_TRUE(makeStep("peg", folder_ / "peg.step", {peg, 50, 0.5}));
    ASSERT_TRUE(makeStep("bored", folder_ / "HOLE.STP", {hole, 9, 0}));
    Json scene = Json::parse(std::ifstream(scenePath(name)));
    scene["parts"][0]["shape"] = {{"kind", "mesh"}, {"file", "HOLE.STP"}};
    scene["parts"][0]["position"] = {0, 0, 0};
    scene["parts"][1]["shape"] = {{"kind", "mesh"}, {"file", "peg.step"}};
    scene["parts"][1].erase("features");
    scene["goals"][0]["feature"] = "end -z";
    scene["goals"][0]["hole"] = "hole +z";
    write(folder_ / "scene.json", scene.dump());
  }
};

TEST_F(StepScene, FactoryPegsAreInsertedAsByTheParametricScenes) {
  for (const auto& [peg, hole, name] :
       {std::tuple{7.995, 8.097, "factory-peg-8mm"}, {15.994, 16.496, "factory-peg-16mm"}}) {
    makePegScene(peg, hole, name);
    const Outcome outcome = tenon({"run", folder_ / "scene.json", "--json"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
    const Json found = Json::parse(outcome.out)["goals"][0];
    const Json wanted = Json::parse(tenon({"run", scenePath(name), "--json"}).out)["goals"][0];
    EXPECT_EQ(found["verdict"], "inserted");
    EXPECT_NEAR(found["depth_m"].get<double>(), wanted["depth_m"].get<double>(), 1e-6);
    EXPECT_NEAR(found["time_s"].get<double>(), wanted["time_s"].get<double>(), 0.01);
  }
}

TEST_F(StepScene, CheckListsFacesAndFits) {
  makePegScene(7.995, 8.097, "factory-peg-8mm");
  const Outcome outcome = tenon({"check", folder_ / "scene.json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* part : {"peg.step, faces read in mm: 7.995 × 7.995 × 50 mm", "exact, as in the file",
                           "Ø8.0970", "outer cone 45°", "exact: no facet collides", "clearance 0.102 mm"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is missing in:\n" << outcome.out;
  EXPECT_EQ(doctorSays(), "ok");
}

TEST_F(StepScene, SessionsKeepTheirFiles) {
  makePegScene(7.995, 8.097, "factory-peg-8mm");
  const std::string session = folder_ / "s.tenon";
  ASSERT_EQ(tenon({"run", folder_ / "scene.json", "--duration", "0.3", "--record", session}).exitCode, 1);
  for (const char* name : {"scene.json", "peg.step", "HOLE.STP"}) fs::remove(folder_ / name);
  fs::remove_all(folder_ / "cache");
  const Outcome outcome = tenon({"replay", session, "--verify"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("every state bit for bit"), std::string::npos) << outcome.out;
}

TEST_F(StepScene, BadFilesAreRefused) {
  makePegScene(7.995, 8.097, "factory-peg-8mm");
  const std::string good = contentOf(folder_ / "peg.step");
  write(folder_ / "peg.step", good.substr(0, 1000));
  expectRefused({"check", folder_ / "scene.json"}, "peg.step: is truncated");
  fs::remove(folder_ / "peg.step");
  expectRefused({"check", folder_ / "scene.json"}, "does not exist");
  expectRefused({"parts", "import-assembly", folder_ / "peg.step", "--out", folder_ / "out.json"},
                "does not exist");
  EXPECT_FALSE(fs::exists(folder_ / "out.json"));
}

TEST_F(StepScene, AnAssemblyBecomesAScene) {
  ASSERT_TRUE(makeStep("assembly", folder_ / "bench.step", {0}));
  const std::string out = folder_ / "bench.json";
  const std::vector<std::string> import{"parts", "import-assembly", folder_ / "bench.step", "--out", out};
  const Outcome outcome = tenon(import);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* part :
       {"bench: 4 parts of 3 products", "2 goals", "left bolt", "assumed to be steel", "200 µm"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is missing in:\n" << outcome.out;
  const Json scene = Json::parse(contentOf(out));
  ASSERT_EQ(scene["parts"].size(), 4u);
  EXPECT_EQ(scene["parts"][0]["motion"], "fixed");
  EXPECT_EQ(scene["parts"][0]["color"], "#336699");
  EXPECT_EQ(scene["parts"][1]["shape"],
            Json({{"kind", "mesh"}, {"file", "bench.step"}, {"product", "bolt M8"}}));
  EXPECT_EQ(scene["parts"][2]["shape"], scene["parts"][1]["shape"]);
  EXPECT_EQ(scene["parts"][1]["motion"], "dynamic");
  EXPECT_EQ(scene["parts"][3]["motion"], "fixed") << "nothing shows where the pin belongs";
  ASSERT_EQ(scene["goals"].size(), 2u);
  EXPECT_EQ(scene["goals"][0]["part"], "left bolt");
  EXPECT_EQ(scene["goals"][0]["into"], "base");
  EXPECT_NEAR(scene["goals"][0]["depth"].get<double>(), 30, 1e-9);
  EXPECT_EQ(tenon({"run", out, "--duration", "0.1"}).exitCode, 0) << "the bolts are in";
  const std::string before = contentOf(out);
  expectRefused(import, "exists already");
  EXPECT_EQ(contentOf(out), before);
  auto apart = import;
  apart.insert(apart.end(), {"--apart", "20", "--force"});
  EXPECT_EQ(tenon(apart).exitCode, 0);
  EXPECT_NEAR(Json::parse(contentOf(out))["parts"][1]["position"][2].get<double>(), 50, 1e-9);
  EXPECT_EQ(tenon({"run", out, "--duration", "0.01"}).exitCode, 1) << "the bolts are out";
}

TEST_F(StepScene, AProductThatCannotBeUsedIsLeftOut) {
  ASSERT_TRUE(makeStep("mixed", folder_ / "mixed.step"));
  const std::string out = folder_ / "mixed.json";
  const Outcome outcome = tenon({"parts", "import-assembly", folder_ / "mixed.step", "--out", out});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  for (const char* part :
       {"2 parts of 2 products", "left out: product \"far\" has coordinates above 10 km",
        "left out: product \"long\" is longer than 1 km", "product \"sketch\" has no faces"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " is missing in:\n" << outcome.out;
  const Json scene = Json::parse(contentOf(out));
  ASSERT_EQ(scene["parts"].size(), 2u);
  EXPECT_EQ(scene["parts"][0]["shape"]["product"], "good");
  EXPECT_EQ(tenon({"check", out}).exitCode, 0);
  const Outcome planned = tenon({"plan", folder_ / "mixed.step"});
  EXPECT_NE(planned.err.find("mixed.step: left out: product \"long\" is longer than 1 km"), std::string::npos)
      << planned.err;
  Json far = scene;
  far["parts"][1]["shape"]["product"] = "far";
  write(folder_ / "far.json", far.dump());
  expectRefused({"check", folder_ / "far.json"}, "product \"far\": has coordinates above 10 km");
}

TEST_F(StepScene, BoltsFromBelowGoInFromTheFarSide) {
  ASSERT_TRUE(makeStep("assembly", folder_ / "bench.step", {0, 1}));
  const std::string out = folder_ / "bench.json";
  const Outcome outcome =
      tenon({"parts", "import-assembly", folder_ / "bench.step", "--out", out, "--apart", "20"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Json scene = Json::parse(contentOf(out));
  ASSERT_EQ(scene["goals"].size(), 2u) << outcome.out;
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_EQ(scene["goals"][k]["feature"], "end -z");
    EXPECT_NE(scene["goals"][k]["hole"].get<std::string>().find("hole +z"), std::string::npos);
    EXPECT_NE(scene["goals"][k]["hole"].get<std::string>().find(" far side"), std::string::npos);
    EXPECT_NEAR(scene["goals"][k]["depth"].get<double>(), 30, 1e-9);
    EXPECT_NEAR(scene["parts"][k + 1]["position"][2].get<double>(), -12 - 50, 1e-9);
  }
  EXPECT_EQ(tenon({"run", out, "--duration", "0.01"}).exitCode, 1) << "the bolts are out";
}

TEST_F(StepScene, PartsDrawnAtTheSameSizeGetAFit) {
  ASSERT_TRUE(makeStep("assembly", folder_ / "bench.step", {0.5, 0, 8}));
  const std::string out = folder_ / "bench.json";
  const Outcome outcome = tenon({"parts", "import-assembly", folder_ / "bench.step", "--out", out});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("H7/g6, proposed"), std::string::npos) << outcome.out;
  const Json scene = Json::parse(contentOf(out));
  ASSERT_EQ(scene["goals"].size(), 2u);
  EXPECT_EQ(scene["goals"][0]["fit"], "H7/g6");
  EXPECT_EQ(tenon({"run", out, "--duration", "0.002"}).exitCode, 0) << "the bolts are in";
  const Outcome loose = tenon(
      {"parts", "import-assembly", folder_ / "bench.step", "--out", out, "--force", "--clearance-um", "40"});
  ASSERT_EQ(loose.exitCode, 0) << loose.err;
  EXPECT_EQ(Json::parse(contentOf(out))["goals"][1]["fit"]["clearance_um"], 40);
  const Json checked = Json::parse(tenon({"check", out, "--json"}).out);
  EXPECT_NEAR(checked["goals"][0]["clearance_m"].get<double>(), 40e-6, 1e-9) << checked["goals"];
  expectRefused(
      {"parts", "import-assembly", folder_ / "bench.step", "--out", out, "--force", "--fit", "H8/f7"},
      "use one of H7/g6");
}

TEST_F(StepScene, OverlappingPartsAreJoined) {
  ASSERT_TRUE(makeStep("assembly", folder_ / "bench.step", {-1}));  // heads 1 mm in the plate
  const std::string out = folder_ / "bench.json";
  const Outcome outcome = tenon({"parts", "import-assembly", folder_ / "bench.step", "--out", out});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("2 overlaps in the file"), std::string::npos) << outcome.out;
  const Json scene = Json::parse(contentOf(out));
  EXPECT_FALSE(scene.contains("goals"));
  ASSERT_EQ(scene["joints"].size(), 2u);
  EXPECT_EQ(scene["joints"][0]["to"], "base");
  EXPECT_EQ(tenon({"check", out}).exitCode, 0);
}

/// The only goal of an assembly of two parts that mate.
struct PairCase {
  const char* kind;
  double depth;  ///< [mm]
  std::vector<double> position, along;
};

TEST_F(StepScene, PairsThatAreNotRoundGetAGoalWithAPose) {
  const std::vector<double> down{0, 0, -1};
  for (const PairCase& wanted : std::vector<PairCase>{{"pocket-pair", 15, {0, 0, -15}, down},
                                                      {"slot-pair", 25, {0, 0, -25}, down},
                                                      {"d-pair", 10, {0, 0, -10}, down},
                                                      {"keyed-pair", 24.5, {0, 0, -25}, down},
                                                      {"spline-pair", 15, {0, 0, -15}, down},
                                                      {"dovetail-pair", 25, {0, 0, -25}, down},
                                                      {"cover-pair", 9, {0, 0, 0}, down}}) {
    ASSERT_TRUE(makeStep(wanted.kind, folder_ / "pair.step", {0.02}));
    const std::string out = folder_ / "pair.json";
    const Outcome outcome =
        tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", out, "--force"});
    ASSERT_EQ(outcome.exitCode, 0) << wanted.kind << ": " << outcome.err;
    const Json scene = Json::parse(contentOf(out));
    ASSERT_EQ(scene["goals"].size(), 1U) << wanted.kind << ": " << outcome.out;
    const Json& goal = scene["goals"][0];
    EXPECT_EQ(goal["part"], "mate") << wanted.kind;
    EXPECT_EQ(scene["parts"][0]["motion"], "fixed") << wanted.kind;
    EXPECT_EQ(scene["parts"][1]["motion"], "dynamic") << wanted.kind;
    EXPECT_NEAR(goal["depth"].get<double>(), wanted.depth, 1e-6) << wanted.kind;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(goal["pose"]["position"][k].get<double>(), wanted.position[k], 1e-9) << wanted.kind;
      EXPECT_NEAR(goal["along"][k].get<double>(), wanted.along[k], 1e-9) << wanted.kind;
    }
    EXPECT_EQ(tenon({"run", out, "--duration", "0.002"}).exitCode, 0) << wanted.kind << " is in";
  }
}

TEST_F(StepScene, PairsDrawnAtTheSameSizeGetAFitOfTheirWalls) {
  for (const char* kind : {"pocket-pair", "d-pair", "keyed-pair", "dovetail-pair", "cover-pair"}) {
    ASSERT_TRUE(makeStep(kind, folder_ / "pair.step", {0}));
    const std::string out = folder_ / "pair.json";
    const std::vector<std::string> import{"parts", "import-assembly", folder_ / "pair.step", "--out",
                                          out,     "--force"};
    const Outcome outcome = tenon(import);
    ASSERT_EQ(outcome.exitCode, 0) << kind << ": " << outcome.err;
    EXPECT_NE(outcome.out.find("H7/g6, proposed"), std::string::npos) << kind << ": " << outcome.out;
    EXPECT_EQ(Json::parse(contentOf(out))["goals"][0]["fit"], "H7/g6") << kind;
    EXPECT_EQ(tenon({"check", out}).exitCode, 0) << kind;
    auto loose = import;
    loose.insert(loose.end(), {"--clearance-um", "40"});
    EXPECT_EQ(tenon(loose).exitCode, 0) << kind;
    EXPECT_EQ(Json::parse(contentOf(out))["goals"][0]["fit"]["clearance_um"], 40) << kind;
  }
}

// The names of the pocket and of the bar in their files serve goals and scripts of hands.
TEST_F(StepScene, APegIsInsertedIntoAPocketByTheirNames) {
  ASSERT_TRUE(makeStep("pocket-pair", folder_ / "pair.step", {0.04}));
  const auto part = [](const char* name, double z) -> Json {
    return {{"name", name},
            {"material", "steel"},
            {"shape", {{"kind", "mesh"}, {"file", "pair.step"}, {"product", name}}},
            {"position", {0, 0, z}}};
  };
  Json scene = {{"tenon", 1}, {"unit", "mm"}, {"gravity_m_per_s2", {0, 0, 0}}};
  scene["materials"] = {{{"name", "steel"}, {"density_kg_per_m3", 7850}}};
  scene["parts"] = {part("base", 0), part("mate", 20)};
  scene["parts"][0]["motion"] = "fixed";
  scene["goals"] = {{{"part", "mate"}, {"feature", "end -z"}, {"into", "base"}, {"depth", 15}}};
  scene["hands"] = {{{"script", {{{"take", "mate"}}, {{"insert", "mate"}, {"into", "base/socket +z"}}}}}};
  write(folder_ / "scene.json", scene.dump());
  const Outcome outcome = tenon({"run", folder_ / "scene.json", "--json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
  const Json goal = Json::parse(outcome.out)["goals"][0];
  EXPECT_EQ(goal["verdict"], "inserted");
  EXPECT_EQ(goal["hole"], "socket +z");
}

// Names that the scene declares come before those found in the files, also where both are equal.
TEST_F(StepScene, DeclaredEndsAndSocketsAreTheDefaultsOfGoalsAndScripts) {
  ASSERT_TRUE(makeStep("pocket-pair", folder_ / "pair.step", {0.04}));
  for (const auto& [end, socket] : {std::pair("foot", "pocket"), std::pair("end -z", "socket +z")}) {
    Json scene = {{"tenon", 1}, {"unit", "mm"}, {"gravity_m_per_s2", {0, 0, 0}}};
    for (const char* name : {"base", "mate"})
      scene["parts"].push_back(
          {{"name", name}, {"shape", {{"kind", "mesh"}, {"file", "pair.step"}, {"product", name}}}});
    scene["parts"][0]["motion"] = "fixed";
    scene["parts"][0]["sockets"] = {
        {{"name", socket}, {"origin", {0, 0, 0}}, {"direction", {0, 0, 1}}, {"width", 14}, {"depth", 15}}};
    scene["parts"][1]["position"] = {0, 0, 20};
    scene["parts"][1]["features"] = {{{"name", end}, {"origin", {0, 0, 0}}, {"direction", {0, 0, -1}}}};
    Json goals = scene;
    goals["goals"] = {{{"part", "mate"}, {"into", "base"}, {"depth", 15}}};
    write(folder_ / "scene.json", goals.dump());
    const Outcome outcome = tenon({"check", folder_ / "scene.json"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(std::string("mate/") + end + " into base/" + socket), std::string::npos)
        << outcome.out;
    const std::string into = std::string("base/") + socket;
    scene["hands"] = {
        {{"script", {{{"take", "mate"}}, {{"insert", "mate"}, {"into", into}, {"depth_mm", 10}}}}}};
    write(folder_ / "scene.json", scene.dump());
    const Outcome script = tenon({"check", folder_ / "scene.json"});
    EXPECT_EQ(script.exitCode, 0) << script.err;
  }
}

TEST_F(StepScene, PairsDrawnApartStartOutsideOfTheirPlaces) {
  ASSERT_TRUE(makeStep("d-pair", folder_ / "pair.step", {0.02}));
  const std::string out = folder_ / "pair.json";
  ASSERT_EQ(tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", out, "--apart", "5"}).exitCode,
            0);
  const Json scene = Json::parse(contentOf(out));
  EXPECT_NEAR(scene["parts"][1]["position"][2].get<double>(), -10 + 10 + 5, 1e-6);
  EXPECT_EQ(tenon({"run", out, "--duration", "0.005"}).exitCode, 1) << "it is out";
}

TEST_F(StepScene, WithoutAGoalTheSummaryHasTheReason) {
  ASSERT_TRUE(makeStep("flat-pair", folder_ / "pair.step", {0}));
  const Outcome outcome =
      tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", folder_ / "pair.json"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("no goal for \"base\" and \"mate\": they lie flat on one another"),
            std::string::npos)
      << outcome.out;
}

// A bar through two plates, whose shortest motions out of them are opposite: 22 mm up out of the lower one,
// 28 mm down out of the upper one. Upwards it leaves both after 42 mm, downwards after 48 mm.
TEST_F(StepScene, APartInTwoOthersLeavesBothInOneDirection) {
  ASSERT_TRUE(makeStep("plates-pair", folder_ / "pair.step", {0.02}));
  const std::string out = folder_ / "pair.json";
  std::vector<std::string> import{"parts", "import-assembly", folder_ / "pair.step", "--out", out};
  const Outcome outcome = tenon(import);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  Json scene = Json::parse(contentOf(out));
  ASSERT_EQ(scene["goals"].size(), 2U) << outcome.out;
  EXPECT_EQ(scene["goals"][0]["into"], "base");
  EXPECT_NEAR(scene["goals"][0]["depth"].get<double>(), 22, 1e-6);
  EXPECT_EQ(scene["goals"][1]["into"], "other");
  EXPECT_NEAR(scene["goals"][1]["depth"].get<double>(), 42, 1e-6);
  for (const std::size_t k : {0U, 1U}) EXPECT_EQ(scene["goals"][k]["along"], Json({0.0, 0.0, -1.0}));
  EXPECT_EQ(tenon({"run", out, "--duration", "0.002"}).exitCode, 0) << "it is in both";
  import.insert(import.end(), {"--force", "--apart", "5"});
  ASSERT_EQ(tenon(import).exitCode, 0);
  scene = Json::parse(contentOf(out));
  EXPECT_NEAR(scene["parts"][1]["position"][2].get<double>(), -22 + 42 + 5, 1e-6)
      << "5 mm above the upper one";
}

// The frame of the bar is that of the block, turned by -90° about y and moved by (5, 0, 185) mm. So the
// origin of the block is at (-185, 0, 5) mm of the bar, and its z axis, along which it comes, is the x axis
// of the bar.
TEST_F(StepScene, PosesOfGoalsAreThoseOfTiltedFrames) {
  ASSERT_TRUE(makeStep("tilted-pair", folder_ / "pair.step", {0.04}));
  const std::string out = folder_ / "pair.json";
  std::vector<std::string> import{"parts", "import-assembly", folder_ / "pair.step", "--out", out};
  const Outcome outcome = tenon(import);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Json scene = Json::parse(contentOf(out));
  ASSERT_EQ(scene["goals"].size(), 1U) << outcome.out;
  const Json& goal = scene["goals"][0];
  EXPECT_EQ(goal["part"], "base");
  EXPECT_EQ(goal["into"], "mate");
  EXPECT_NEAR(goal["depth"].get<double>(), 15, 1e-6);
  const std::vector<double> position{-185, 0, 5}, along{1, 0, 0}, axis{0, 1, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(goal["pose"]["position"][k].get<double>(), position[k], 1e-6);
    EXPECT_NEAR(goal["pose"]["rotation"]["axis"][k].get<double>(), axis[k], 1e-9);
    EXPECT_NEAR(goal["along"][k].get<double>(), along[k], 1e-9);
  }
  EXPECT_NEAR(goal["pose"]["rotation"]["angle_deg"].get<double>(), 90, 1e-7);
  EXPECT_EQ(tenon({"run", out, "--duration", "0.002"}).exitCode, 0) << "it is in";
  import.insert(import.end(), {"--force", "--apart", "5"});
  ASSERT_EQ(tenon(import).exitCode, 0);
  // Out is -z of the block: R(axis (1, 2, 3), 2.4 rad) (0, 0, -1), by 20 mm from (11, -7, 3) mm.
  const Eigen::Vector3d moved =
      Eigen::Vector3d(11, -7, 3) +
      Eigen::AngleAxisd(2.4, Eigen::Vector3d(1, 2, 3).normalized()) * Eigen::Vector3d(0, 0, -20);
  const Json apart = Json::parse(contentOf(out));
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(apart["parts"][0]["position"][k].get<double>(), moved[static_cast<Eigen::Index>(k)], 1e-6);
}

TEST_F(StepScene, APartBehindALedgeHasNoGoal) {
  ASSERT_TRUE(makeStep("ledge-pair", folder_ / "pair.step", {0}));
  for (const char* apart : {"0", "5"}) {
    const Outcome outcome = tenon({"parts", "import-assembly", folder_ / "pair.step", "--out",
                                   folder_ / "pair.json", "--force", "--apart", apart});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("no goal for \"base\" and \"mate\": faces bar all directions"),
              std::string::npos)
        << outcome.out;
  }
}

TEST_F(StepScene, APartThatWouldOverlapAnotherOneStaysInItsPlace) {
  ASSERT_TRUE(makeStep("roof-pair", folder_ / "pair.step", {0.02}));
  const std::string out = folder_ / "pair.json";
  for (const auto& [apart, z] :
       std::vector<std::pair<std::string, double>>{{"5", -15}, {"50", -15 + 15 + 50}}) {
    const Outcome outcome =
        tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", out, "--force", "--apart", apart});
    ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(outcome.out.find("\"mate\" stays in its place: pulled out, it would overlap \"other\"") !=
                  std::string::npos,
              z == -15)
        << outcome.out;
    EXPECT_NEAR(Json::parse(contentOf(out))["parts"][1]["position"][2].get<double>(), z, 1e-6);
  }
}

TEST_F(StepScene, NumbersHaveNoRoundingErrors) {
  for (const char* kind : {"dovetail-pair", "keyed-pair", "plates-pair"}) {
    ASSERT_TRUE(makeStep(kind, folder_ / "pair.step", {0.1}));
    const std::string out = folder_ / "pair.json";
    ASSERT_EQ(
        tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", out, "--force", "--apart", "0.1"})
            .exitCode,
        0);
    const std::string text = contentOf(out);
    EXPECT_FALSE(std::regex_search(text, std::regex("[0-9]\\.[0-9]{10}|[0-9]e-"))) << text;
  }
}

TEST_F(StepScene, APartThatStaysFixedHasAReasonBesideOtherGoals) {
  ASSERT_TRUE(makeStep("plates-pair", folder_ / "pair.step", {0.02}));
  const Outcome outcome =
      tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", folder_ / "pair.json"});
  EXPECT_NE(outcome.out.find("2 goals"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("no goal for \"base\" and \"other\": they lie flat on one another"),
            std::string::npos)
      << outcome.out;
}

TEST_F(StepScene, ATongueBetweenTwoWallsIsNotFlat) {
  ASSERT_TRUE(makeStep("tongue-pair", folder_ / "pair.step", {0}));
  const Outcome outcome =
      tenon({"parts", "import-assembly", folder_ / "pair.step", "--out", folder_ / "pair.json"});
  EXPECT_NE(outcome.out.find("one is between two parallel walls"), std::string::npos) << outcome.out;
}

TEST_F(StepScene, AnAssemblyStaysWithItsFile) {
  ASSERT_TRUE(makeStep("assembly", folder_ / "bench.step", {0}));
  fs::create_directories(folder_ / "other");
  expectRefused({"parts", "import-assembly", folder_ / "bench.step", "--out", folder_ / "other/bench.json"},
                "is in another folder");
  expectRefused({"parts", "import-assembly", folder_ / "bench.step", "--out", folder_ / "bench.txt"},
                "end its name in .json");
  expectRefused({"parts", "import-assembly", folder_ / "bench.obj", "--out", folder_ / "bench.json"}, ".stp");
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
}

}  // namespace
}  // namespace tenon::tests::step_scene_test
