// "Put on my table" in a headset that finds tables, in one that does not, and with calls that fail.
#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/vr_layer_person.h"

namespace tenon::tests {
namespace {

constexpr double kStart = 0.9;  ///< height of the table at the start [m]
constexpr const char* kShow = "Lay a controller on your table and pull its trigger";
// Orientation 0: upward; semantic type 2: floor, 4: platform. The second one has a pose of NaN.
constexpr const char* kRoom =
    "plane 0 0 0 4 4 0 2\n"
    "plane 0 0.7 -0.5 2 2 0 4 nan\n"
    "plane 0 1.05 -0.8 3 0.9 0 0\n"
    "plane 0.1 0.72 -0.75 1.2 0.6 0 4\n";

class VrTable : public VrLayerPerson {
 protected:
  void startAtTable() {
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--table", std::to_string(kStart)}));
    before_ = X_SW();
  }
  /// By the menu.
  bool putOnMyTable() {
    return (now()["menu"]["shown"] == true || openMenu()) &&
           (now()["menu"]["page"] == "room" || openPage("room")) && shoot("table");
  }
  bool waitForAdvice(const std::string& text) {
    return waitFor([&](const Json& line) {
      last_ = line["card"].dump();
      return line["card"].is_object() && line["card"]["advice"] == text;
    });
  }
  /// By how much the parts stand higher than at the start [m].
  double raised() { return X_SW().p.y() - before_.p.y(); }
  /// Origin of the screw's plate in the room [m].
  Vector3d plate() { return X_SW() * partPose("plate").p; }

  Pose before_;
};

TEST_F(VrTable, PartsStandOnTheTableThatTheHeadsetFinds) {
  wish(std::string("planes pending\n") + kRoom);
  ASSERT_NO_FATAL_FAILURE(startAtTable());
  const int rejected = now()["rejected_poses"].get<int>();
  ASSERT_TRUE(putOnMyTable()) << said();
  ASSERT_TRUE(waitForAdvice("Looking for your table")) << said();
  const std::int64_t from = now()["frame"].get<std::int64_t>();
  ASSERT_TRUE(waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + 2; }))
      << "frames go on " << said();
  EXPECT_NEAR(raised(), 0, 1e-6);
  wish(std::string("planes done\n") + kRoom);
  ASSERT_TRUE(waitForAdvice("The parts stand on your table, 0.72 m high")) << said();
  EXPECT_NEAR(raised(), 0.72 - kStart, 1e-4);
  EXPECT_NEAR(plate().x(), 0, 0.02) << "in front of the person";
  EXPECT_NEAR(plate().z(), -0.55, 0.02);
  EXPECT_EQ(now()["rejected_poses"].get<int>(), rejected + 1);
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["wrong"], "");
  EXPECT_EQ(noted("planes "),
            (std::vector<std::string>{"planes created", "planes searched", "planes destroyed"}));
}

TEST_F(VrTable, RecenteringBeginsTheSearchAgain) {
  wish(std::string("planes pending\n") + kRoom);
  ASSERT_NO_FATAL_FAILURE(startAtTable());
  ASSERT_TRUE(putOnMyTable()) << said();
  ASSERT_TRUE(waitForAdvice("Looking for your table")) << said();
  ASSERT_TRUE(waitFor([&](const Json&) { return noted("planes searched").size() == 1; })) << said();
  wish(std::string("planes pending\nevent 101\n") + kRoom);
  ASSERT_TRUE(waitFor([&](const Json&) { return noted("planes searched").size() == 2; })) << said();
  EXPECT_EQ(now()["card"]["advice"], "Looking for your table");
  wish(std::string("planes done\n") + kRoom);
  ASSERT_TRUE(waitForAdvice("The parts stand on your table, 0.72 m high")) << said();
  EXPECT_NEAR(raised(), 0.72 - kStart, 1e-4);
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["wrong"], "");
  EXPECT_EQ(noted("planes searched").size(), 2U) << "once";
}

TEST_F(VrTable, ControllerShowsTheTableWhereTheHeadsetFindsNone) {
  for (const char* const planes : {"", "planes done\nplane 0 0 0 4 4 0 2\n", "planes error\n"}) {
    SCOPED_TRACE(planes);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    wish(planes);
    ASSERT_NO_FATAL_FAILURE(startAtTable());
    ASSERT_TRUE(putOnMyTable()) << said();
    ASSERT_TRUE(waitForAdvice((*planes == 0 ? "" : "No table found. ") + std::string(kShow))) << said();
    EXPECT_NEAR(raised(), 0, 1e-6);
    ASSERT_TRUE(closeMenu()) << said();
    RemoteHand& hand = monado_->hands[kRight];
    hand.X_SH = Pose::at({0.2, 0.77, -0.45});
    hand.trigger = 1;
    monado_->send();
    ASSERT_TRUE(waitForAdvice("The parts stand on your table, 0.75 m high")) << said();
    EXPECT_NEAR(raised(), 0.75 - kStart, 1e-4);
    hand.trigger = 0;
    monado_->send();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid("without the detection of tables"), 0) << said();
    EXPECT_EQ(frames()["wrong"], "");
  }
}

TEST_F(VrTable, DetectionThatFailsIsReportedOnceAndTheControllerShowsTheTable) {
  for (const std::string call : {"CreatePlaneDetectorEXT", "BeginPlaneDetectionEXT",
                                 "GetPlaneDetectionStateEXT", "GetPlaneDetectionsEXT", ""}) {
    SCOPED_TRACE(call);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    wish(call.empty()
             ? "planes fatal\n"
             : std::string("planes done\n") + kRoom + fault("always", call, XR_ERROR_RUNTIME_FAILURE) + "\n");
    ASSERT_NO_FATAL_FAILURE(startAtTable());
    ASSERT_TRUE(putOnMyTable()) << said();
    ASSERT_TRUE(waitForAdvice(std::string("No table found. ") + kShow)) << said();
    ASSERT_TRUE(putOnMyTable()) << said();
    ASSERT_TRUE(waitForAdvice(kShow)) << "not tried again: " << said();
    EXPECT_NEAR(raised(), 0, 1e-6);
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(call.empty() ? "without the detection of tables: the runtime reports"
                                     : "without the detection of tables: xr" + call + " returned"),
              1)
        << said();
    EXPECT_TRUE(wasNeverLost()) << said();
    EXPECT_EQ(frames()["wrong"], "");
    EXPECT_EQ(noted("planes created").size(), noted("planes destroyed").size());
  }
}

}  // namespace
}  // namespace tenon::tests
