// A person in a headset assembles a whole scene: the hands of its script, carried out through OpenXR, one
// grasp after the other and as slowly as the display needs.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "content/reader/load_scene.h"
#include "tests/runtime/vr_person.h"

namespace tenon::tests {
namespace {

using content::Waypoint;

/// From a waypoint that grasps a part to the one that brings the hand away after the release.
struct Grasp {
  std::size_t side = 0;
  double time = 0;  ///< of the grasp [s]
  std::vector<Waypoint> waypoints;
};

/// All grasps of a scene's scripts, by time.
std::vector<Grasp> graspsOf(const content::Scene& scene) {
  std::vector<Grasp> all;
  for (const content::Hand& hand : scene.hands) {
    bool released = true;
    for (const Waypoint& waypoint : hand.script) {
      if (waypoint.grab >= 0) {
        all.push_back({hand.name == "left" ? Monado::kLeft : Monado::kRight, waypoint.time, {}});
        released = false;
      }
      if (all.empty() || (released && (!waypoint.X_W || all.back().waypoints.back().X_W))) continue;
      all.back().waypoints.push_back(waypoint);
      released = released || waypoint.release;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Grasp& a, const Grasp& b) { return a.time < b.time; });
  return all;
}

class VrAssembly : public VrPerson {
 protected:
  /// Carries out one grasp; false: the program did not follow.
  bool perform(const Grasp& grasp, const content::Scene& scene) {
    constexpr double kStep = 0.1;  // of the script's time between two poses of the hand [s]
    double time = grasp.time;
    for (const Waypoint& waypoint : grasp.waypoints) {
      const int steps = std::max(1, static_cast<int>(std::lround((waypoint.time - time) / kStep)));
      time = waypoint.time;
      if (waypoint.grab >= 0 && !take(grasp.side, scene.part(waypoint.grab).name, *waypoint.X_W))
        return false;
      if (waypoint.release && !letGo(grasp.side)) return false;
      if (!waypoint.X_W || waypoint.grab >= 0) continue;
      const bool ofPart = waypoint.frame == content::WaypointFrame::part;
      if (ofPart ? !carry(grasp.side, *waypoint.X_W, steps) : !moveHand(grasp.side, *waypoint.X_W))
        return false;
    }
    return true;
  }
};

TEST_F(VrAssembly, PersonAssemblesTheFlangeCompletely) {
  const std::string file = unhurried("flange"), session = folder_ / "s.tenon";
  const content::Scene scene = content::loadScene(file);
  const std::vector<Grasp> grasps = graspsOf(scene);
  ASSERT_EQ(grasps.size(), 10U) << "two dowels and eight screws";
  ASSERT_NO_FATAL_FAILURE(start({file, "--record", session, "--training"}));
  EXPECT_EQ(now()["card"]["task"], "Step 1 of 10: left dowel");
  for (const Grasp& grasp : grasps) {
    const std::string part = scene.part(grasp.waypoints.front().grab).name;
    ASSERT_TRUE(perform(grasp, scene)) << part << ": " << now()["goals"].dump() << said();
    for (std::size_t g = 0; g < scene.goals.size(); ++g)
      if (scene.part(scene.goals[g].part).name == part) {
        EXPECT_TRUE(waitFor([&](const Json& line) { return line["goals"][g]["verdict"] == "inserted"; }))
            << now()["goals"][g] << said();
      }
  }
  for (const Json& goal : now()["goals"]) EXPECT_EQ(goal["verdict"], "inserted") << goal;
  EXPECT_TRUE(waitFor([](const Json& line) { return line["card"]["task"] == "Training: all steps done"; }))
      << now()["card"];
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_NE(said().find("training: 10 of 10 steps in "), std::string::npos) << said();
  // The right hand of the script takes its screw before the left one, of which the scene names the goals
  // first.
  EXPECT_NE(said().find(", wrong parts 4, "), std::string::npos) << said();
  {
    const SQLite::Database record(session);
    SQLite::Statement rows(record, "SELECT text FROM event WHERE kind = 'training' ORDER BY tick");
    int count = 0;
    for (; rows.executeStep(); ++count)
      EXPECT_TRUE(rows.getColumn(0).getString().find(" of 10, ") != std::string::npos)
          << rows.getColumn(0).getString();
    EXPECT_EQ(count, 10) << "a mark for each step";
  }
  EXPECT_EQ(verify(session), 0) << last_;
}

}  // namespace
}  // namespace tenon::tests
