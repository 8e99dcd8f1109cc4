// Goals without a round hole: sockets that the scene declares, and poses of parts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "content/model/part_holes.h"
#include "tests/content/small_scene.h"

namespace tenon::content::test {
namespace {

using Json = nlohmann::json;

Json poseGoal() {
  return Json::parse(R"({"part": "pin", "into": "cart", "along": [0, 0, -3], "depth": 12,
      "pose": {"position": [1, 2, 3], "rotation": {"axis": [0, 1, 0], "angle_deg": 90}},
      "depth_tolerance": 0.1, "tolerance": 0.2, "tilt_tolerance_deg": 2})");
}

Json withGoal(const Json& goal) {
  Json scene = smallScene();
  scene["goals"] = Json::array({goal});
  return scene;
}

std::string errorOf(const Json& scene) {
  return errorFor(scene.dump());
}

TEST(PoseGoal, BecomesAFrameOfThePartAndAWayToItsPlace) {
  const Scene scene = parsed(withGoal(poseGoal()));
  const Goal& goal = scene.goals.front();
  ASSERT_TRUE(goal.pose);
  EXPECT_NEAR((goal.pose->X_IP.p - Vector3d(1e-3, 2e-3, 3e-3)).norm(), 0, 1e-15);
  EXPECT_NEAR(goal.pose->across, 2e-4, 1e-15);
  // Depth counts from 12 mm above the place, along −z.
  EXPECT_NEAR((goal.X_IH.p - Vector3d(1e-3, 2e-3, 15e-3)).norm(), 0, 1e-15);
  EXPECT_NEAR((goal.X_IH.q * Vector3d::UnitZ() - Vector3d::UnitZ()).norm(), 0, 1e-15);
  // The part's x axis lies along the cart's −z there, so it moves along its own x.
  const AxisFeature& frame = scene.part(goal.part).features.back();
  EXPECT_EQ(frame.name, "frame");
  EXPECT_NEAR((frame.direction - Vector3d::UnitX()).norm(), 0, 1e-15);
  EXPECT_FALSE(mouthOf(scene, goal));
}

TEST(PoseGoal, MayBeGivenSeveralTimes) {
  Json scene = withGoal(poseGoal());
  scene["goals"].push_back(poseGoal());
  const Scene read = parsed(scene);
  EXPECT_EQ(read.part(read.goals[1].part).features.back().name, "frame 2");
}

TEST(PoseGoal, NamesTheFieldThatIsMissingOrWrong) {
  for (const char* field : {"along", "tolerance", "depth"}) {
    Json goal = poseGoal();
    goal.erase(field);
    EXPECT_NE(errorOf(withGoal(goal)).find(std::string("\"") + field + "\""), std::string::npos) << field;
  }
  Json goal = poseGoal();
  goal["hole"] = "left";
  EXPECT_NE(errorOf(withGoal(goal)).find("/goals/0/hole"), std::string::npos) << errorOf(withGoal(goal));
  goal = poseGoal();
  goal["along"] = {0, 0, 0};
  EXPECT_NE(errorOf(withGoal(goal)).find("/goals/0/along"), std::string::npos);
}

Json withSocket() {
  Json scene = smallScene();
  scene["parts"][2]["sockets"] = {{{"name", "slot"},
                                   {"origin", {0, 0, 5}},
                                   {"direction", {0, 0, 1}},
                                   {"width", 9},
                                   {"depth", 4},
                                   {"through", true}}};
  scene["goals"] = Json::parse(R"([{"part": "pin", "feature": "tip", "into": "cart", "hole": "slot far side",
      "depth": 3, "depth_tolerance": 0.1, "tilt_tolerance_deg": 1}])");
  return scene;
}

TEST(Socket, IsAHoleForGoalsFromBothSides) {
  const Scene scene = parsed(withSocket());
  const Goal& goal = scene.goals.front();
  EXPECT_NEAR((goal.X_IH.p - Vector3d(0, 0, 1e-3)).norm(), 0, 1e-15);
  EXPECT_NEAR((goal.X_IH.q * Vector3d::UnitZ() + Vector3d::UnitZ()).norm(), 0, 1e-15);
  const auto mouth = mouthOf(scene, goal);
  ASSERT_TRUE(mouth);
  EXPECT_FALSE(mouth->isRound);
  EXPECT_EQ(mouth->hole(), "slot");
}

TEST(Socket, HasItsOwnNameAndAFitOnlyOfFacesThatCanMove) {
  Json scene = withSocket();
  scene["goals"][0]["fit"] = "H7/g6";
  EXPECT_NE(errorOf(scene).find("/goals/0/fit: is for \"cart\", a shape whose faces cannot be moved"),
            std::string::npos)
      << errorOf(scene);
  scene = withSocket();
  scene["parts"][2]["sockets"].push_back(scene["parts"][2]["sockets"][0]);
  EXPECT_NE(errorOf(scene).find("/parts/2/sockets/1/name"), std::string::npos) << errorOf(scene);
  scene = withSocket();
  scene["parts"][2]["sockets"][0]["through"] = false;
  scene["goals"][0]["hole"] = "slot";
  scene["goals"][0]["depth"] = 5;
  EXPECT_NE(errorOf(scene).find("deeper than the blind hole \"slot\""), std::string::npos) << errorOf(scene);
}

}  // namespace
}  // namespace tenon::content::test
