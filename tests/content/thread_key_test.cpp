// The key "thread" of a scene: shapes, limits, errors, and drawings of threads.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "content/model/part_holes.h"
#include "content/parts/display_mesh.h"
#include "content/parts/thread_pair.h"
#include "content/parts/threaded_shapes.h"
#include "physics/body/mass_properties.h"
#include "small_scene.h"
#include "tests/support/scene_mistakes.h"

namespace tenon::content::test {
namespace {

using nlohmann::json;
using std::numbers::pi;

/// A block with a tapped hole, a turned bolt and a standard nut.
json threadScene() {
  return json::parse(R"({
    "tenon": 1, "title": "threads", "unit": "mm", "duration_s": 1,
    "materials": [{"name": "steel", "density_kg_per_m3": 7850}],
    "parts": [
      {"name": "block", "motion": "fixed", "material": "steel", "position": [0, 0, -12],
       "shape": {"kind": "block", "size": [40, 40, 24], "holes": [
         {"name": "M8", "at": [0, 0], "depth": 20, "chamfer": {"width": 0.8, "angle_deg": 60},
          "thread": {"size": "M8", "class": "6H", "depth": 16}}]}},
      {"name": "bolt", "material": "steel", "position": [0, 0, 20],
       "shape": {"kind": "turned", "profile": [[0, 0], [0, 3], [1, 4], [20, 4], [20, 6.5], [25, 6.5], [25, 0]],
         "thread": {"size": "M8", "class": "6g", "length": 12}},
       "features": [{"name": "tip", "origin": [0, 0, 0], "direction": [0, 0, -1]}]},
      {"name": "nut", "material": "steel", "standard": "ISO 4032 M8", "thread": {"class": "5H", "at": "max"},
       "position": [60, 0, 0]},
      {"name": "bush", "material": "steel", "position": [-60, 0, 0],
       "shape": {"kind": "turned", "profile": [[0, 5], [0, 10], [10, 10], [10, 5], [9, 4], [1, 4], [0, 5]],
         "thread": {"size": "M8", "left_handed": true}}}
    ],
    "goals": [{"part": "bolt", "feature": "tip", "into": "block", "hole": "M8", "turns": 3, "tilt_tolerance_deg": 1}]
  })");
}

Scene load(const json& document) {
  return parseScene(document.dump(), "small.json");
}

physics::Thread threadOf(const Scene& scene, int part) {
  const auto threads = threadsOf(scene.part(part).shape);
  EXPECT_EQ(threads.size(), 1u);
  return threads.front().thread;
}

TEST(ThreadKey, hasTheMiddleOfItsToleranceAndTheEndsOfItsPart) {
  const Scene scene = load(threadScene());
  const physics::Thread bolt = threadOf(scene, 1), tapped = threadOf(scene, 0);
  EXPECT_FALSE(bolt.isInternal);
  EXPECT_NEAR(bolt.majorDiameter, 0.5 * (7.760e-3 + 7.972e-3), 1e-6);
  EXPECT_NEAR(bolt.pitchDiameter, 0.5 * (7.042e-3 + 7.160e-3), 1e-6);
  EXPECT_NEAR(bolt.low, 0, 1e-12);
  EXPECT_NEAR(bolt.high, 12e-3, 1e-12);
  EXPECT_NEAR(bolt.ends[0].radius, 3e-3, 1e-12);
  EXPECT_NEAR(bolt.ends[0].length, bolt.majorDiameter / 2 - 3e-3, 1e-12);  // 45° up to the crests
  EXPECT_EQ(bolt.ends[1].length, 0);
  EXPECT_TRUE(tapped.isInternal);
  EXPECT_NEAR(tapped.pitchDiameter, 0.5 * (7.188e-3 + 7.348e-3), 1e-6);
  EXPECT_NEAR(tapped.high - tapped.low, 16e-3, 1e-12);
  EXPECT_NEAR(tapped.ends[1].radius, tapped.minorDiameter / 2 + 0.8e-3, 1e-12);
  EXPECT_NEAR(tapped.ends[1].length, 0.8e-3 / std::sqrt(3.0), 1e-12);
  const physics::Thread nut = threadOf(scene, 2), bush = threadOf(scene, 3);
  EXPECT_NEAR(nut.pitchDiameter, 7.188e-3 + 125e-6, 1e-6);
  EXPECT_TRUE(bush.isLeftHanded);
  EXPECT_NEAR(bush.low, 0, 1e-12);
  EXPECT_NEAR(bush.high, 10e-3, 1e-12);
}

TEST(ThreadKey, StandardPartsHaveTheirThreadsUnlessTheSceneSaysFalse) {
  json document = threadScene();
  document["parts"][2].erase("thread");
  document["parts"].push_back(json::parse(
      R"({"name": "screw", "material": "steel", "standard": "ISO 4762 M8x20", "position": [90, 0, 0]})"));
  const Scene scene = load(document);
  const physics::Thread nut = threadOf(scene, 2), screw = threadOf(scene, 4);
  EXPECT_NEAR(nut.pitchDiameter, 0.5 * (7.188e-3 + 7.348e-3), 1e-6);
  EXPECT_NEAR(screw.pitchDiameter, 0.5 * (7.042e-3 + 7.160e-3), 1e-6);
  document["parts"][2]["thread"] = document["parts"][4]["thread"] = false;
  const Scene smooth = load(document);
  for (const int part : {2, 4}) {
    EXPECT_TRUE(threadsOf(smooth.part(part).shape).empty());
    EXPECT_NEAR(smooth.part(part).mass.mass, scene.part(part).mass.mass, 0.05 * scene.part(part).mass.mass);
  }
  EXPECT_EQ(holesOf(smooth.part(2)).at(0).name, "thread");
}

TEST(ThreadKey, keepsTheHolesOfItsPart) {
  const Scene scene = load(threadScene());
  const auto holes = holesOf(scene.part(0));
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].name, "M8");
  EXPECT_NEAR(holes[0].depth(), 20e-3, 1e-12);
  ASSERT_EQ(holesOf(scene.part(2)).size(), 1u);
  EXPECT_EQ(holesOf(scene.part(2))[0].name, "thread");
  ASSERT_EQ(holesOf(scene.part(3)).size(), 1u);
  EXPECT_EQ(holesOf(scene.part(3))[0].name, "hole");
}

TEST(ThreadKey, goalsWithTurnsHaveTheDepthOfTheseTurns) {
  const Scene scene = load(threadScene());
  const Goal& goal = scene.goals.at(0);
  const auto threads = threadPairOf(scene, goal);
  ASSERT_TRUE(threads);
  EXPECT_TRUE(threads->isMatching());
  EXPECT_NEAR(goal.depth, 3 * 1.25e-3 + threads->external.ends[0].length + threads->internal.ends[1].length,
              1e-12);
}

TEST(ThreadKey, runsOutBesideTheThreadAndFillsItsPart) {
  const Scene scene = load(threadScene());
  const auto& bolt = std::get<physics::Compound>(scene.part(1).shape);
  ASSERT_EQ(bolt.children.size(), 2u);  // thread, rest
  const auto& rest = std::get<physics::SolidOfRevolution>(bolt.children[1].shape).profile;
  EXPECT_NEAR(rest[1].y(), threadOf(scene, 1).minorDiameter / 2, 1e-12);
  EXPECT_NEAR(rest[2].x(), 12e-3 + 1.25 * 1.25e-3, 1e-12);
  EXPECT_NEAR(rest[2].y(), 4e-3, 1e-12);
}

TEST(ThreadKey, cutsAStudAtBothEndsAndInTheMiddle) {
  json document = threadScene();
  json& shape = document["parts"][1]["shape"];
  shape["profile"] = {{0, 0}, {0, 3}, {1, 4}, {29, 4}, {30, 3}, {30, 0}};
  shape["thread"] = {{"size", "M8"}, {"length", 30}};
  const physics::Thread whole = threadOf(load(document), 1);
  EXPECT_GT(whole.ends[0].length, 0);
  EXPECT_NEAR(whole.ends[0].length, whole.ends[1].length, 1e-12);
  shape["thread"] = {{"size", "M8"}, {"from", 10}, {"length", 8}};
  const Scene scene = load(document);
  const auto& parts = std::get<physics::Compound>(scene.part(1).shape).children;
  ASSERT_EQ(parts.size(), 3u);
  const auto& below = std::get<physics::SolidOfRevolution>(parts[0].shape).profile;
  EXPECT_NEAR(below.back().x(), 10e-3, 1e-12);
  EXPECT_NEAR((below.end() - 2)->y(), threadOf(scene, 1).minorDiameter / 2, 1e-12);
}

TEST(ThreadKey, takesDeviationsAndASeed) {
  json document = threadScene();
  json& thread = document["parts"][1]["shape"]["thread"];
  thread = {{"diameter", 8},
            {"pitch", 1.25},
            {"length", 12},
            {"starts", 2},
            {"deviations_um", {{"major", -100}, {"pitch", -40}}}};
  const physics::Thread given = threadOf(load(document), 1);
  EXPECT_NEAR(given.majorDiameter, 7.9e-3, 1e-12);
  EXPECT_NEAR(given.pitchDiameter, 8e-3 - 0.75 * physics::threadTriangleHeight(1.25e-3) - 40e-6, 1e-12);
  EXPECT_NEAR(given.lead(), 2.5e-3, 1e-15);
  thread = {{"size", "M8"}, {"length", 12}, {"at", "random"}, {"seed", 1}};
  const physics::Thread one = threadOf(load(document), 1);
  thread["seed"] = 2;
  const physics::Thread two = threadOf(load(document), 1);
  EXPECT_NE(one.pitchDiameter, two.pitchDiameter);
  EXPECT_GE(std::min(one.pitchDiameter, two.pitchDiameter), 7.042e-3 - 1e-6);
  EXPECT_LE(std::max(one.pitchDiameter, two.pitchDiameter), 7.160e-3 + 1e-6);
}

TEST(ThreadKey, mistakesAreReported) {
  const std::string bolt = "/parts/1/shape/thread", hole = "/parts/0/shape/holes/0/thread";
  const std::string size = bolt + "/size", length = bolt + "/length", depth = hole + "/depth",
                    holeClass = hole + "/class";
  tests::expectErrors(
      threadScene(), "small.json",
      {
          {"pitch of another size", size, "\"M8x1.5\"", size, {"pitch of 1.5 mm", "1.25, 1, 0.75"}},
          {"no size", size, "\"8\"", size, {"no size", "M8"}},
          {"size beyond the table", size, "\"M30\"", size, {"no size of ISO 261", "diameter"}},
          {"class of a nut", bolt + "/class", "\"6H\"", bolt + "/class", {"4h, 6h, 6g"}},
          {"unknown class", holeClass, "\"7H\"", holeClass, {"5H, 6H"}},
          {"thread below its hole", depth, "22", depth, {"22 mm", "20 mm", "shorter"}},
          {"thread beyond its part", length, "30", bolt, {"beyond the part", "shorter"}},
          {"thread on another diameter", size, "\"M10\"", bolt, {"needs Ø 10 mm", "from"}},
          {"thread on the head", length, "22", bolt, {"Ø 13 mm", "needs Ø 8 mm"}},
          {"thread on a cone",
           "/parts/1/shape/profile",
           "[[0, 0], [0, 3], [1, 4], [6, 4], [12, 5], [25, 5], [25, 0]]",
           bolt,
           {"on a cone", "cylinder"}},
          {"no length", bolt, R"({"size": "M8"})", length, {"is missing"}},
          {"size and pitch", bolt, R"({"size": "M8", "pitch": 1, "length": 10})", bolt, {"either"}},
          {"minor diameter below zero",
           bolt,
           R"({"diameter": 8, "pitch": 7, "length": 12})",
           bolt,
           {"0 < minor < pitch < major"}},
          {"deviations and a class",
           bolt,
           R"({"size": "M8", "class": "6g", "length": 12, "deviations_um": {"pitch": -10}})",
           "/parts/1/shape/thread/class",
           {"together"}},
          {"crests beyond their tips",
           bolt,
           R"({"size": "M8", "length": 12, "deviations_um": {"major": 900}})",
           "/parts/1/shape/thread/deviations_um",
           {"teeth end below the crests"}},
          {"too many starts",
           bolt,
           R"({"size": "M8", "length": 12, "starts": 5})",
           "/parts/1/shape/thread/starts",
           {"4"}},
          {"thread of a washer",
           "/parts/2/standard",
           "\"ISO 7089 M8\"",
           "/parts/2/thread",
           {"without a thread"}},
          {"a smooth washer",
           "/parts/2",
           R"({"name": "nut", "material": "steel", "standard": "ISO 7089 M8", "thread": false})",
           "/parts/2/thread",
           {"without a thread"}},
          {"thread beside a shape",
           "/parts/1/thread",
           R"({"class": "6g"})",
           "/parts/1/thread",
           {"no standard screw"}},
          {"length in a ring",
           "/parts/3/shape/thread",
           R"({"size": "M8", "length": 5})",
           "/parts/3/shape/thread/length",
           {"is not a field"}},
          {"ring of another diameter",
           "/parts/3/shape/thread/size",
           "\"M10\"",
           "/parts/3/shape/thread",
           {"Ø 8 mm", "to 10 mm"}},
          {"turns without a thread",
           "/parts/1/shape",
           R"({"kind": "cylinder", "diameter": 6, "length": 20})",
           "/goals/0/turns",
           {"external thread", "depth"}},
          {"more turns than there are", "/goals/0/turns", "30", "/goals/0/turns", {"complete turns"}},
          {"turns and a depth", "/goals/0/depth", "5", "/goals/0/depth", {"together"}},
      },
      [](const std::string& text) { return errorFor(text); });
}

// --- drawings ----------------------------------------------------------------------------------------------

/// The volume of a thread by the area of its axial section: ∫ π ρ² dz, for θ from 0 to 2π.
double volumeOfThread(const physics::Thread& t) {
  constexpr int kAngles = 64, kHeights = 20000;
  double volume = 0;
  for (int k = 0; k < kAngles; ++k)
    for (int i = 0; i < kHeights; ++i) {
      const double z = t.low + (t.high - t.low) * (i + 0.5) / kHeights, theta = 2 * pi * (k + 0.5) / kAngles;
      const double u = std::remainder(z - t.lead() / (2 * pi) * (theta - t.phase), t.pitch);
      const double r =
          t.pitchDiameter / 2 + (t.pitch / 4 - std::abs(u)) / std::tan(t.halfAngle) * (t.isInternal ? -1 : 1);
      double rho = std::clamp(r, t.minorDiameter / 2, t.majorDiameter / 2);
      const double crest = (t.isInternal ? t.minorDiameter : t.majorDiameter) / 2;
      for (const bool high : {false, true}) {
        const physics::ThreadEnd& end = t.ends[high ? 1 : 0];
        if (end.length == 0) continue;
        const double cone = end.radius + (crest - end.radius) * (high ? t.high - z : z - t.low) / end.length;
        rho = t.isInternal ? std::min(std::max(rho, cone), t.majorDiameter / 2) : std::min(rho, cone);
      }
      const double section = t.isInternal ? t.majorDiameter * t.majorDiameter / 4 - rho * rho : rho * rho;
      volume += pi * section * (t.high - t.low) / kHeights / kAngles;
    }
  return volume;
}

/// Sum of the signed lengths of edges without a partner [m]: 0 for a closed mesh.
double openEdges(const DisplayMesh& mesh) {
  using Key = std::array<double, 3>;  // [10 nm]
  const auto key = [&](std::uint32_t v) {
    const Vector3d p = mesh.positions[v] * 1e8;
    return Key{std::round(p.x()), std::round(p.y()), std::round(p.z())};
  };
  std::map<std::pair<Key, Key>, int> edges;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Key a = key(t[k]), b = key(t[(k + 1) % 3]);
      if (a < b) ++edges[{a, b}];
      if (b < a) --edges[{b, a}];
    }
  double open = 0;
  for (const auto& [edge, count] : edges)
    open += std::abs(count) * 1e-8 *
            std::hypot(edge.first[0] - edge.second[0], edge.first[1] - edge.second[1],
                       edge.first[2] - edge.second[2]);
  return open;
}

std::vector<physics::Thread> drawnThreads() {
  std::vector<physics::Thread> threads;
  for (const bool isInternal : {false, true})
    for (const bool isLeft : {false, true})
      for (const int starts : {1, 3}) {
        physics::Thread t = physics::basicThread(8e-3, 1.25e-3, isInternal, -2e-3, 7e-3);
        t.isLeftHanded = isLeft;
        t.starts = starts;
        t.phase = 0.7;
        threads.push_back(t);
        t.ends[0] = isInternal ? physics::ThreadEnd{4.4e-3, 0.6e-3} : physics::ThreadEnd{2.9e-3, 1.1e-3};
        t.ends[1] = isInternal ? physics::ThreadEnd{3.7e-3, 0.5e-3} : physics::ThreadEnd{3.6e-3, 0.4e-3};
        threads.push_back(t);
      }
  return threads;
}

TEST(ThreadMesh, hasTheVolumeOfItsThread) {
  for (const physics::Thread& t : drawnThreads()) {
    DisplayMesh mesh;
    MeshBuilder(mesh).thread(t, Pose(), false);
    // Chords of 48 facets have 0.3 % less area than their circle.
    const double whole = volumeOfThread(t);
    EXPECT_NEAR(volumeOf(mesh), whole, 0.012 * whole) << t.isInternal << t.isLeftHanded << t.starts;
  }
}

TEST(ThreadMass, isThatOfTheThreadWithItsGrooves) {
  for (const physics::Thread& t : drawnThreads()) {
    const double whole = volumeOfThread(t);
    EXPECT_NEAR(physics::massProperties(physics::threadedSolid(t), 1).mass, whole, 0.01 * whole);
  }
}

TEST(ThreadMesh, isClosed) {
  for (const physics::Thread& t : drawnThreads()) {
    if (t.isInternal) continue;  // the roots of its grooves are the wall of a hole
    DisplayMesh mesh;
    MeshBuilder(mesh).thread(t, Pose(), false);
    double length = 0;
    for (const auto& triangle : mesh.triangles)
      length += (mesh.positions[triangle[0]] - mesh.positions[triangle[1]]).norm();
    EXPECT_LT(openEdges(mesh), 1e-3 * length);
  }
}

TEST(ThreadMesh, normalsAreThoseOfTheSurface) {
  for (const physics::Thread& t : drawnThreads()) {
    DisplayMesh mesh;
    MeshBuilder(mesh).thread(t, Pose(), true);
    for (const auto& triangle : mesh.triangles) {
      const Vector3d &a = mesh.positions[triangle[0]], &b = mesh.positions[triangle[1]],
                     &c = mesh.positions[triangle[2]];
      const Vector3d n = (b - a).cross(c - a);
      if (n.norm() < 1e-8) continue;  // slivers at the ends
      for (const std::uint32_t v : triangle) {
        EXPECT_NEAR(mesh.normals[v].norm(), 1, 1e-9);
        EXPECT_GT(mesh.normals[v].dot(n.normalized()), 0.9);
      }
    }
  }
}

}  // namespace
}  // namespace tenon::content::test
