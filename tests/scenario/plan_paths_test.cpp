// Plans with paths around corners: burrs come apart exactly if their voxels do, and no path collides by
// geometry that does not call the engine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "runtime/plan/make_plan.h"
#include "tests/runtime/plan/corner_scenes.h"
#include "tests/support/convex_overlap.h"
#include "tests/support/program_run.h"
#include "tests/support/share.h"

namespace tenon::tests {
namespace {

using content::Scene;
using physics::Pose;
using physics::Vector3d;
using runtime::AssemblyPlan;
using runtime::PathLeg;
using runtime::PlanStep;

/// Overlap that the engine accepts on a path [m]: 2 µm, and chords of 0.2 µm.
constexpr double kAcceptedOnPath = 2.3e-6;
/// Displacement between samples of a path [m], [rad].
constexpr double kPathSample = 2e-4, kTurnSample = 0.01;

/// A burr of which no pieces have to move together.
constexpr std::uint32_t kSingleBurr = 61;
/// One of which two pieces move together.
constexpr std::uint32_t kTogetherBurr = 123;

/// Boxes only.
std::vector<ConvexBody> bodiesOf(const physics::Shape& shape, const Pose& X_WP) {
  std::vector<ConvexBody> bodies;
  for (const physics::PlacedShape& child : std::get<physics::Compound>(shape).children)
    bodies.push_back(boxBody(std::get<physics::Box>(child.shape).halfExtents, X_WP * child.X_PS));
  return bodies;
}

double worstOfBodies(const std::vector<ConvexBody>& a, const std::vector<ConvexBody>& b) {
  double worst = 0;
  for (const ConvexBody& i : a)
    for (const ConvexBody& j : b) worst = std::max(worst, overlapOf(i, j));
  return worst;
}

/// Takes the assembly apart, step by step backwards, and measures overlaps between what moves and what rests.
class PlanReferee {
 public:
  explicit PlanReferee(const AssemblyPlan& plan) : plan_(plan), scene_(*plan.assembly.scene) {}

  double worst() {
    double worst = 0;
    for (std::size_t k = 0; k < plan_.steps.size(); ++k) worst = std::max(worst, worstOf(k));
    return worst;
  }

 private:
  std::vector<int> partsOf(const std::vector<int>& units) const {
    std::vector<int> parts;
    for (const int unit : units)
      for (const int part : plan_.assembly.units[static_cast<std::size_t>(unit)].parts) parts.push_back(part);
    return parts;
  }

  double worstOf(std::size_t index) {
    const PlanStep& step = plan_.steps[index];
    present_ = partsOf(step.units);
    for (const int part : step.onto >= 0 ? partsOf({step.onto}) : plan_.assembly.base)
      present_.push_back(part);
    for (std::size_t k = 0; k < index; ++k)
      if (plan_.steps[k].group == step.group)
        for (const int part : partsOf(plan_.steps[k].units)) present_.push_back(part);
    X_WP_ = plan_.assembly.X_WP;
    std::vector<PathLeg> legs = step.legs;
    legs.push_back({step.units, step.travel * step.motion.direction});
    double worst = 0;
    for (const PathLeg& leg : legs) worst = std::max(worst, alongLeg(leg));
    // Those that made way go back, without what has left.
    std::erase_if(present_, [&](int part) {
      const std::vector<int> gone = partsOf(step.units);
      return std::find(gone.begin(), gone.end(), part) != gone.end();
    });
    for (PathLeg leg : step.insertionLegs()) {
      std::erase_if(leg.units, [&](int unit) {
        return std::find(step.units.begin(), step.units.end(), unit) != step.units.end();
      });
      if (!leg.units.empty()) worst = std::max(worst, alongLeg(leg));
    }
    for (const int part : present_)
      EXPECT_LT((X_WP_[at(part)].p - plan_.assembly.X_WP[at(part)].p).norm(), 1e-9) << "part " << part;
    return worst;
  }

  double alongLeg(const PathLeg& leg) {
    const std::vector<int> moving = partsOf(leg.units);
    const int samples = 1 + static_cast<int>(std::max(leg.displacement.norm() / kPathSample,
                                                      leg.rotation.norm() / kTurnSample));
    double worst = 0;
    for (const int other : present_) {
      if (std::find(moving.begin(), moving.end(), other) != moving.end()) continue;
      const std::vector<ConvexBody> rest = bodiesOf(scene_.part(other).shape, X_WP_[at(other)]);
      for (const int part : moving)
        for (int k = 0; k <= samples; ++k)
          worst = std::max(
              worst,
              worstOfBodies(bodiesOf(scene_.part(part).shape,
                                     poseAlong(leg, X_WP_[at(part)], static_cast<double>(k) / samples)),
                            rest));
    }
    for (const int part : moving) X_WP_[at(part)] = poseAlong(leg, X_WP_[at(part)], 1);
    return worst;
  }

  static std::size_t at(int part) { return static_cast<std::size_t>(part); }

  const AssemblyPlan& plan_;
  const Scene& scene_;
  std::vector<int> present_;
  std::vector<Pose> X_WP_;
};

TEST(PlanPaths, haveNoCollision) {
  for (const Scene& scene : {tSlot(), drawerBehindALip(), hookInAPlate(7), hookInAPlate(8), latchedPlug()}) {
    const AssemblyPlan plan = runtime::makePlan(scene, {});
    EXPECT_TRUE(plan.isComplete());
    EXPECT_LE(PlanReferee(plan).worst(), kAcceptedOnPath);
  }
}

/// The referee itself: a step without its legs collides.
TEST(PlanPaths, collideWithoutTheirLegs) {
  const Scene scene = tSlot();
  AssemblyPlan plan = runtime::makePlan(scene, {});
  ASSERT_EQ(plan.steps.size(), 1u);
  plan.steps[0].legs.clear();
  EXPECT_GT(PlanReferee(plan).worst(), 1e-3);
}

TEST(PlanPaths, takeBurrsApartExactlyIfTheirVoxelsComeApart) {
  int apart = 0, withCorners = 0, together = 0;
  for (std::uint32_t seed = 1; seed <= 20 / test::kShare; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<Voxels> pieces = randomBurr(seed);
    const Scene scene = burrScene(pieces);
    const AssemblyPlan plan = runtime::makePlan(scene, {});
    EXPECT_EQ(plan.isComplete(), comesApart(pieces));
    EXPECT_LE(PlanReferee(plan).worst(), kAcceptedOnPath);
    apart += plan.isComplete() ? 1 : 0;
    for (const PlanStep& step : plan.steps) {
      withCorners += step.legs.empty() ? 0 : 1;
      together += step.movesOthers() || step.units.size() > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(apart, 0);
  EXPECT_GT(withCorners, 0);
  EXPECT_GT(together, 0);
}

/// The scene as a file [mm]: parts of boxes and cylinders, features, steel with a friction of 0.1.
nlohmann::json fileOf(const Scene& scene) {
  using nlohmann::json;
  const auto vector = [](const Vector3d& v) { return json{v.x(), v.y(), v.z()}; };
  json file = {{"tenon", 1}, {"title", "corners"}, {"unit", "mm"}, {"duration_s", 1}};
  file["gravity_m_per_s2"] = vector(scene.gravity);
  file["materials"] = {{{"name", "steel"}, {"density_kg_per_m3", 7850}}};
  file["material_pairs"] = {{{"materials", {"steel", "steel"}}, {"friction", 0.1}}};
  for (const content::Part& part : scene.parts) {
    json entry = {{"name", part.name}, {"material", "steel"}};
    if (part.motion == physics::MotionType::fixed) entry["motion"] = "fixed";
    entry["shape"]["kind"] = "compound";
    for (const physics::PlacedShape& child : std::get<physics::Compound>(part.shape).children) {
      json shape;
      if (const auto* box = std::get_if<physics::Box>(&child.shape)) {
        shape = {{"kind", "box"}, {"size", vector(2e3 * box->halfExtents)}};
      } else {
        const auto& cylinder = std::get<physics::Cylinder>(child.shape);
        shape = {
            {"kind", "cylinder"}, {"diameter", 2e3 * cylinder.radius}, {"length", 2e3 * cylinder.halfLength}};
      }
      entry["shape"]["children"].push_back({{"shape", shape}, {"position", vector(1e3 * child.X_PS.p)}});
    }
    for (const content::AxisFeature& feature : part.features)
      entry["features"].push_back({{"name", feature.name},
                                   {"origin", vector(1e3 * feature.origin)},
                                   {"direction", vector(feature.direction)}});
    file["parts"].push_back(entry);
  }
  return file;
}

/// A hand slides, lifts and turns the parts to their places, with friction and forces.
TEST(PlanPaths, areCarriedOut) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json";
  for (const Scene& scene : {tSlot(), drawerBehindALip(), bayonet(), hookInAPlate(7)}) {
    std::ofstream(file) << fileOf(scene);
    const Outcome planned = runTenon({"plan", file, "--carry-out"});
    EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
    EXPECT_NE(planned.out.find("carried out: 1 of 1 goal reached"), std::string::npos) << planned.out;
  }
}

/// Of pieces with 0.1 mm of play each, which come out one at a time: hands assemble the whole burr.
TEST(PlanPaths, assembleABurr) {
  const TemporaryFolder folder;
  const std::string file = folder / "burr.json";
  std::ofstream(file) << fileOf(burrScene(randomBurr(kSingleBurr), 0.1));
  const Outcome planned = runTenon({"plan", file, "--carry-out"});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(planned.out.find("then 1 move"), std::string::npos) << planned.out;
  EXPECT_NE(planned.out.find("carried out: 5 of 5 goals reached"), std::string::npos) << planned.out;
}

/// One hand moves the latch aside and back, the other one brings the plug meanwhile.
TEST(PlanPaths, areCarriedOutWhereAnotherPartMakesWay) {
  const TemporaryFolder folder;
  const std::string file = folder / "scene.json", plan = folder / "plan.json";
  std::ofstream(file) << fileOf(latchedPlug());
  const Outcome planned = runTenon({"plan", file, "--out", plan});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(planned.out.find("step 2: before it latch (1, 0, 0) by 12.000 mm; then latch (-1, 0, 0)"),
            std::string::npos)
      << planned.out;
  const Outcome run = runTenon({"run", file, "--plan", plan, "--json"});
  EXPECT_EQ(run.exitCode, 0) << run.err << run.out;
  const auto goals = nlohmann::json::parse(run.out).at("goals");
  ASSERT_EQ(goals.size(), 2u);
  for (const auto& goal : goals) EXPECT_EQ(goal.at("verdict"), "inserted") << goal;
  // Without the moves of the latch the plug stays above it.
  auto still = nlohmann::json::parse(fileText(plan));
  for (auto& hand : still.at("hands"))
    if (hand.at("name") == "left") hand.at("script").clear();
  std::ofstream(plan) << still;
  const Outcome locked = runTenon({"run", file, "--plan", plan, "--json"});
  EXPECT_EQ(locked.exitCode, 1) << locked.err << locked.out;
  EXPECT_EQ(nlohmann::json::parse(locked.out).at("goals").at(1).at("verdict"), "jammed") << locked.out;
}

/// A burr in which one piece is moved down, and up again together with the next one: by both hands at once.
TEST(PlanPaths, areCarriedOutWhereTwoPiecesMoveTogether) {
  const TemporaryFolder folder;
  const std::string file = folder / "burr.json";
  std::ofstream(file) << fileOf(burrScene(randomBurr(kTogetherBurr), 0.1));
  const Outcome planned = runTenon({"plan", file, "--carry-out"});
  EXPECT_EQ(planned.exitCode, 0) << planned.err << planned.out;
  EXPECT_NE(planned.out.find("before it piece 5 down by 10.200 mm; then piece 3 + piece 5 up by 10.200 mm"),
            std::string::npos)
      << planned.out;
  EXPECT_NE(planned.out.find("carried out: 5 of 5 goals reached"), std::string::npos) << planned.out;
}

}  // namespace
}  // namespace tenon::tests
