// tenon vr with a real OpenXR runtime whose head and hands a test moves, and where there is none.
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "tests/runtime/vr_person.h"
#include "tests/support/png_picture.h"

namespace tenon::tests::vr_test {
namespace {

using Json = TracedProgram::Json;
using physics::Pose;
using physics::Quaterniond;
using physics::Vector3d;

const Json& hand(const Json& line, const std::string& name) {
  for (const Json& one : line["hands"])
    if (one["hand"] == name) return one;
  throw std::runtime_error("no hand " + name);
}

/// What the right hand does alone.
class VrCommand : public VrPerson {
 protected:
  bool moveHand(const Pose& X_WH) { return VrPerson::moveHand(kRight, X_WH); }
  bool squeezeHand(double squeeze) { return VrPerson::squeezeHand(kRight, squeeze); }
  bool take(const std::string& part, const Vector3d& p_W) {
    return VrPerson::take(kRight, part, Pose::at(p_W));
  }
  bool carry(const Pose& X_WP, int steps) { return VrPerson::carry(kRight, X_WP, steps); }
};

/// Variables with which Khronos' layers watch the program's calls; empty where they are not here.
std::vector<std::string> validation() {
  const std::string vulkan = "/usr/share/vulkan/explicit_layer.d",
                    openxr = "/usr/share/openxr/1/api_layers/explicit.d";
  if (!std::filesystem::exists(vulkan + "/VkLayer_khronos_validation.json") ||
      !std::filesystem::exists(openxr))
    return {};
  return {"VK_LAYER_PATH=" + vulkan, "VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation",
          "XR_API_LAYER_PATH=" + openxr, "XR_ENABLE_API_LAYERS=XR_APILAYER_LUNARG_core_validation",
          "XR_CORE_VALIDATION_EXPORT_TYPE=text"};
}

TEST_F(VrCommand, HandInsertsTheScrewValidatedAndTheRecordIsVerified) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--record", session}, validation()));
  ASSERT_TRUE(take("screw", {-0.028, 0, 0.004})) << said();
  ASSERT_TRUE(carry(tilted({-0.028, 0, 0.050}, std::numbers::pi), 4)) << said();
  ASSERT_TRUE(carry(tilted({-0.014, 0, 0.065}, std::numbers::pi / 2), 6)) << said();
  ASSERT_TRUE(carry(tilted({0.001, 0, 0.033}, 0.02), 6)) << said();
  ASSERT_TRUE(carry(tilted({0, 0, -0.0003}, 0), 24)) << said();
  EXPECT_TRUE(waitFor([](const Json& line) { return line["goals"][0]["verdict"] == "inserted"; }))
      << now()["goals"].dump() << said();
  EXPECT_TRUE(squeezeHand(0)) << said();
  EXPECT_TRUE(waitFor([](const Json& line) { return hand(line, "right")["holds"].is_null(); })) << said();
  EXPECT_TRUE(moveHand(Pose::at({0, 0, 0.2}))) << said();
  EXPECT_EQ(now()["goals"][0]["verdict"], "inserted") << now()["goals"].dump();
  EXPECT_GT(now()["goals"][0]["depth_mm"].get<double>(), 29.9);
  EXPECT_GT(now()["shakes"].get<int>(), 0) << "the hand felt the hole's edge";
  const Vector3d head = (poseOf(now()["world_in_room"]).inverse() * poseOf(now()["head"])).p;
  if (!validation().empty()) {
    std::ifstream maps("/proc/" + std::to_string(program_->process()) + "/maps");
    const std::string loaded{std::istreambuf_iterator<char>(maps), {}};
    EXPECT_NE(loaded.find("libVkLayer_khronos_validation"), std::string::npos) << "it was to be on";
    EXPECT_NE(loaded.find("libXrApiLayer_core_validation"), std::string::npos) << "it was to be on";
  }
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  for (const char* complaint : {"VUID", "Validation Error", "[ERROR", "OpenXR warning", "OpenXR error"})
    EXPECT_EQ(said().find(complaint), std::string::npos) << said();
  {
    const SQLite::Database record(session);
    SQLite::Statement row(record, "SELECT px_m, py_m, pz_m FROM head_pose ORDER BY tick DESC LIMIT 1");
    ASSERT_TRUE(row.executeStep());
    const Vector3d last(row.getColumn(0).getDouble(), row.getColumn(1).getDouble(),
                        row.getColumn(2).getDouble());
    EXPECT_LT((last - head).norm(), 1e-6) << "the record has the head where the trace had it";
  }

  // By the same libraries: another C library rounds differently.
  TracedProgram replay(monado_->with({TENON_PROGRAM, "replay", session, "--verify"}), monado_->environment(),
                       folder_.path(), folder_ / "none");
  EXPECT_EQ(replay.exitCode(), 0) << replay.said();
}

TEST_F(VrCommand, TriggerGivesFineMotionAndStickTurns) {
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate"), "--turn", "45"}));
  ASSERT_TRUE(take("screw", {-0.028, 0, 0.004})) << said();
  ASSERT_TRUE(carry(tilted({-0.028, 0, 0.050}, std::numbers::pi), 4)) << said();
  RemoteHand& remote = monado_->hands[Monado::kRight];
  remote.trigger = 1;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return hand(line, "right")["fine"] == true; })) << said();
  const Pose before = poseOf(hand(now(), "right")["target"]);
  remote.X_SH.p.y() += 0.05;  // up
  monado_->send();
  EXPECT_TRUE(waitFor([&](const Json& line) {
    return (poseOf(hand(line, "right")["target"]).p - before.p - Vector3d(0, 0, 0.005)).norm() < 2e-5;
  })) << said();
  // With a part in the hand there is no turn; with open hands the world turns about the head.
  const Pose room = X_SW();
  remote.thumbstickX = 1;
  monado_->send();
  remote.trigger = 0;
  ASSERT_TRUE(squeezeHand(0)) << said();
  EXPECT_LT((X_SW().p - room.p).norm(), 1e-9);
  remote.thumbstickX = 0;
  monado_->send();
  const double time = now()["time_s"].get<double>();
  ASSERT_TRUE(waitFor([&](const Json& line) { return line["time_s"].get<double>() > time + 0.5; })) << said();
  remote.thumbstickX = 1;
  monado_->send();
  EXPECT_TRUE(waitFor([&](const Json& line) {
    const Pose turned = poseOf(line["world_in_room"]);
    return std::abs(turned.q.angularDistance(room.q) - std::numbers::pi / 4) < 1e-4;
  })) << said();
  const Vector3d head = poseOf(now()["head"]).p;
  EXPECT_LT((X_SW().inverse() * head - room.inverse() * head).norm(), 1e-4);
}

TEST_F(VrCommand, UntrackedHandKeepsItsGrasp) {
  ASSERT_NO_FATAL_FAILURE(start({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(take("screw", {-0.028, 0, 0.004})) << said();
  ASSERT_TRUE(carry(tilted({-0.028, 0, 0.050}, std::numbers::pi), 4)) << said();
  RemoteHand& remote = monado_->hands[Monado::kRight];
  remote.active = false;
  remote.squeeze = 0;
  monado_->send();
  ASSERT_TRUE(waitFor([](const Json& line) { return hand(line, "right")["tracked"] == false; })) << said();
  const double lost = now()["time_s"].get<double>();
  ASSERT_TRUE(waitFor([&](const Json& line) { return line["time_s"].get<double>() > lost + 0.3; })) << said();
  EXPECT_EQ(hand(now(), "right")["holds"], "screw");
  EXPECT_NEAR(partPose("screw").p.z(), 0.050, 1e-3) << "it hangs where it was";
  // Seen again, closed, elsewhere: the hand goes on with it.
  remote.active = true;
  ASSERT_TRUE(squeezeHand(1)) << said();
  ASSERT_TRUE(carry(tilted({-0.028, 0, 0.080}, std::numbers::pi), 4)) << said();
  EXPECT_EQ(hand(now(), "right")["holds"], "screw");
  EXPECT_TRUE(waitFor([&](const Json&) { return std::abs(partPose("screw").p.z() - 0.080) < 1e-3; }))
      << said();
}

TEST_F(VrCommand, LostRuntimeEndsTheSessionAndKeepsTheRecord) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(
      start({unhurried("bolt-in-plate"), "--record", session, "--wait-for-headset", "0"}));
  ASSERT_TRUE(take("screw", {-0.028, 0, 0.004})) << said();
  monado_->kill();
  EXPECT_EQ(program_->exitCode(), 3) << said();
  EXPECT_NE(said().find("the OpenXR runtime was lost"), std::string::npos) << said();
  TracedProgram replay(monado_->with({TENON_PROGRAM, "replay", session, "--verify"}), monado_->environment(),
                       folder_.path(), folder_ / "none");
  EXPECT_EQ(replay.exitCode(), 0) << replay.said();
}

/// Where the mean of what is dark green is, in one half of the picture [pixels from that half's left]: the
/// screw that a hand may take.
double middleOfTheGreen(const PngPicture& picture, int left, int width) {
  double sum = 0, moment = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t at = 3 * (static_cast<std::size_t>(y) * picture.width + left + x);
      if (picture.rgb[at] >= 90 || picture.rgb[at + 1] < picture.rgb[at] + 15) continue;
      sum += 1;
      moment += x;
    }
  EXPECT_GT(sum, 20) << "nothing green is to be seen";
  return moment / sum;
}

TEST_F(VrCommand, EachEyeSeesTheSceneFromItsOwnPlace) {
  const std::string file = folder_ / "eyes.png";
  ASSERT_NO_FATAL_FAILURE(start({scenePath("bolt-in-plate"), "--table", "0.8", "--screenshot", file}));
  // Bowed over the plate, whose middle is 0.55 m ahead and 0.8 m high.
  Pose& head = monado_->X_SHead;
  head.p = {0, 1.05, -0.40};
  head.q = Quaterniond(Eigen::AngleAxisd(-1.0, Vector3d::UnitX()));
  monado_->hands[0].active = monado_->hands[1].active = false;
  monado_->send();
  ASSERT_TRUE(waitFor([&](const Json& line) {
    return !line["head"].is_null() && (poseOf(line["head"]).p - head.p).norm() < 1e-4;
  })) << now()["head"].dump();
  const Json& eyes = now()["eyes"];
  ASSERT_EQ(eyes.size(), 2U);
  const double apart = (poseOf(eyes[1]["in_room"]).p - poseOf(eyes[0]["in_room"]).p).x();
  EXPECT_GT(apart, 0.05) << "left is left";
  EXPECT_TRUE(now()["drawn"].get<bool>());
  EXPECT_NEAR((X_SW() * partPose("plate").p).z(), -0.55, 0.02) << "the scene stays where it was placed";
  const double tangents = eyes[0]["tangents"][1].get<double>() - eyes[0]["tangents"][0].get<double>();
  const double ahead = -(poseOf(eyes[0]["in_room"]).inverse() * (X_SW() * partPose("plate").p)).z();
  program_->send(SIGINT);
  ASSERT_EQ(program_->exitCode(), 130) << said();

  const PngPicture picture = readPng(file);
  ASSERT_GT(picture.width, 0);
  const int width = picture.width / 2;
  const double parallax = middleOfTheGreen(picture, 0, width) - middleOfTheGreen(picture, width, width);
  const double expected = apart / ahead / tangents * width;
  EXPECT_NEAR(parallax, expected, 0.2 * expected) << "of what is nearer to the left eye's right";
  EXPECT_EQ(unlikeGolden("eyes", file), "");
  // The probe of the software rendering that comes with Monado, see xr/multiview_test.cpp.
  EXPECT_NE(said().find("both eyes in one pass"), std::string::npos) << said();
}

TEST(VrCommandWithoutRuntime, ReportsWhatIsMissingAndExits3) {
  const Outcome outcome = runTenon({"vr", scenePath("bolt-in-plate")},
                                   {{"XR_RUNTIME_JSON=/nonexistent/runtime.json"}, false, ""});
  EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.find("/nonexistent/runtime.json") != std::string::npos ||
              outcome.err.find("no OpenXR loader") != std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST(VrCommandWithoutRuntime, BadSceneIsReportedBeforeTheHeadset) {
  const Outcome outcome =
      runTenon({"vr", "/nonexistent/scene.json"}, {{"XR_RUNTIME_JSON=/nonexistent"}, false, ""});
  EXPECT_EQ(outcome.exitCode, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("scene.json"), std::string::npos) << outcome.err;
}

TEST(VrCommandWithoutRuntime, ExistingRecordIsReportedBeforeTheHeadset) {
  const TemporaryFolder folder;
  const std::string file = folder / "s.tenon";
  std::ofstream(file) << "mine";
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"vr", scenePath("bolt-in-plate"), "--record"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runTenon(arguments, {{"XR_RUNTIME_JSON=/nonexistent"}, false, ""});
  };
  const Outcome there = run({file});
  EXPECT_EQ(there.exitCode, 2) << there.err;
  EXPECT_NE(there.err.find("exists already"), std::string::npos) << there.err;
  const Outcome nowhere = run({folder / "none/s.tenon"});
  EXPECT_EQ(nowhere.exitCode, 2) << nowhere.err;
  // With --force the headset is what is missing, and the file stays.
  EXPECT_EQ(run({file, "--force"}).exitCode, 3);
  std::ifstream in(file);
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "mine");
}

}  // namespace
}  // namespace tenon::tests::vr_test
