// A session with a headset copes with invalid poses, missing haptics and depth, and frames that stop.
#include <gtest/gtest.h>
#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <thread>

#include "tests/runtime/vr_layer_person.h"
#include "tests/support/png_picture.h"

namespace tenon::tests {
namespace {

using physics::Pose;

class VrFaults : public VrLayerPerson {
 protected:
  /// Once the session is over: the lines of its frames.
  std::vector<Json> framesTraced() const {
    std::vector<Json> all;
    std::ifstream in(folder_ / "trace.jsonl");
    for (std::string text; std::getline(in, text);)
      if (Json line = Json::parse(text); line.contains("hands")) all.push_back(std::move(line));
    return all;
  }
};

TEST_F(VrFaults, HandWithInvalidPoseIsUntracked) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  ASSERT_TRUE(moveHand(kRight, Pose::at({-0.028, 0, 0.034}))) << said();
  for (const char* const what : {"hands nan", "hands zero", "axes nan"}) {
    SCOPED_TRACE(what);
    const int before = now()["rejected_poses"].get<int>();
    wish(std::string("spoil ") + what + "\n");
    ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["tracked"] == false; })) << said();
    ASSERT_TRUE(waitSeconds(0.2)) << said();
    EXPECT_GT(now()["rejected_poses"].get<int>(), before);
    EXPECT_EQ(now()["failure"], "");
    EXPECT_EQ(handNow(kRight)["holds"], "screw");
    wish("");
    ASSERT_TRUE(waitForHand(kRight, [](const Json& hand) { return hand["tracked"] == true; })) << said();
  }
  ASSERT_TRUE(moveHand(kRight, Pose::at({-0.028, 0, 0.054}))) << said();
  EXPECT_TRUE(waitFor([&](const Json&) { return std::abs(partPose("screw").p.z() - 0.058) < 1e-3; }))
      << said();
  EXPECT_EQ(stop(), 130) << said();
}

TEST_F(VrFaults, InvalidEyePosesAreIgnored) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  for (const char* const what : {"eyes nan", "eyes zero", "fov nan", "fov zero"}) {
    SCOPED_TRACE(what);
    const int before = now()["rejected_poses"].get<int>();
    wish(std::string("spoil ") + what + "\n");
    ASSERT_TRUE(waitFor([](const Json& line) { return line["drawn"] == false; })) << said();
    ASSERT_TRUE(waitSeconds(0.1)) << said();
    EXPECT_TRUE(now()["head"].is_null());
    EXPECT_GT(now()["rejected_poses"].get<int>(), before);
    wish("");
    ASSERT_TRUE(waitFor([](const Json& line) { return line["drawn"] == true; })) << said();
  }
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["wrong"], "");
}

TEST_F(VrFaults, HapticsThatFailAreReportedOnceAndTheSessionGoesOn) {
  wish(fault("always", "ApplyHapticFeedback", XR_ERROR_RUNTIME_FAILURE) + "\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  for (int k = 1; k <= 3; ++k) {  // up, and hard onto the plate
    ASSERT_TRUE(moveHand(kRight, Pose::at({-0.028, 0, 0.024}))) << said();
    ASSERT_TRUE(waitSeconds(0.2)) << said();
    ASSERT_TRUE(moveHand(kRight, Pose::at({-0.028, 0, -0.006}))) << said();
    EXPECT_TRUE(waitFor([&](const Json& line) { return line["shakes"].get<int>() >= k; })) << said();
  }
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid("without haptics: xrApplyHapticFeedback returned XR_ERROR_RUNTIME_FAILURE"), 1)
      << said();
  EXPECT_TRUE(wasNeverLost()) << said();
}

TEST_F(VrFaults, DepthThatFailsIsReportedOnceAndTheSessionGoesOnWithoutIt) {
  struct Case {
    const char* call;
    XrResult result;
    int skip;  ///< calls for the image of the eyes, which comes first
    bool atStart;
  };
  for (const Case& one : {Case{"CreateSwapchain", XR_ERROR_RUNTIME_FAILURE, 1, true},
                          Case{"AcquireSwapchainImage", XR_ERROR_RUNTIME_FAILURE, 1, false},
                          Case{"WaitSwapchainImage", XR_ERROR_RUNTIME_FAILURE, 1, false},
                          Case{"ReleaseSwapchainImage", XR_ERROR_RUNTIME_FAILURE, 1, false},
                          Case{"EndFrame", XR_ERROR_LAYER_INVALID, 0, false}}) {
    SCOPED_TRACE(one.call);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    const std::string line = fault("fail", one.call, one.result) + " " + std::to_string(one.skip) + "\n";
    wish(one.atStart ? line : "");
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    if (!one.atStart) wish(line);
    ASSERT_TRUE(waitUntilWishesAreDone()) << said();
    ASSERT_TRUE(waitSeconds(0.2)) << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid("without the depth layer: xr" + std::string(one.call) + " returned"), 1) << said();
    EXPECT_TRUE(wasNeverLost()) << said();
    const Json counted = frames();
    EXPECT_EQ(counted["begun"], counted["ended"]) << counted;
    EXPECT_EQ(counted["wrong"], "");
    EXPECT_GT(counted["drawn"], counted["depth"]) << "pictures go on without depth";
  }
}

TEST_F(VrFaults, RefreshRateThatFailsIsReportedOnceAndTheSessionGoesOn) {
  for (const char* const call : {"EnumerateDisplayRefreshRatesFB", "GetDisplayRefreshRateFB"}) {
    SCOPED_TRACE(call);
    for (const char* const file : {"trace.jsonl", "stderr"}) std::filesystem::remove(folder_ / file);
    wish(fault("always", call, XR_ERROR_SESSION_LOST) + "\n");
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--refresh-rate", "90"}));
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(" the refresh rate: "), 1) << said();
    EXPECT_EQ(timesSaid("xr" + std::string(call) + " returned XR_ERROR_SESSION_LOST"), 1) << said();
    EXPECT_TRUE(wasNeverLost()) << said();
  }
}

/// Pixels and rate of a usual headset, which Monado's null compositor does not have. A machine without a
/// graphics card draws some of these frames a second; the display's times between them pass without a new
/// picture.
TEST_F(VrFaults, ScrewIsInsertedAt90HzAndAHeadsetsResolution) {
  constexpr std::int64_t kPeriod_ns = 1'000'000'000 / 90;
  const std::string session = folder_ / "s.tenon", picture = folder_ / "eyes.png";
  wish("display 1832 1920 90\n");
  ASSERT_NO_FATAL_FAILURE(
      startWithFaults({unhurried("bolt-in-plate"), "--record", session, "--screenshot", picture}));
  ASSERT_TRUE(take(kRight, "screw", Pose::at({-0.028, 0, 0.004}))) << said();
  ASSERT_TRUE(carry(kRight, tilted({-0.028, 0, 0.050}, std::numbers::pi), 1)) << said();
  ASSERT_TRUE(carry(kRight, tilted({-0.014, 0, 0.065}, std::numbers::pi / 2), 2)) << said();
  ASSERT_TRUE(carry(kRight, tilted({0.001, 0, 0.033}, 0.02), 2)) << said();
  ASSERT_TRUE(carry(kRight, tilted({0, 0, -0.0003}, 0), 6)) << said();
  EXPECT_TRUE(waitFor([](const Json& line) { return line["goals"][0]["verdict"] == "inserted"; }))
      << now()["goals"].dump() << said();
  EXPECT_GT(now()["goals"][0]["depth_mm"].get<double>(), 29.9);
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid("1832 × 1920 pixels per eye"), 1) << said();
  EXPECT_EQ(timesSaid(" frames of 11.1 ms, "), 1) << said();
  const PngPicture eyes = readPng(picture);
  EXPECT_EQ(eyes.width, 2 * 1832);
  EXPECT_EQ(eyes.height, 1920);
  const std::vector<Json> traced = framesTraced();
  ASSERT_FALSE(traced.empty());
  std::int64_t last_ns = traced.front()["display_ns"].get<std::int64_t>() - kPeriod_ns;
  for (const Json& line : traced) {
    EXPECT_NEAR(line["period_ms"].get<double>(), 1e3 / 90, 1e-5);
    const std::int64_t now_ns = line["display_ns"].get<std::int64_t>();
    EXPECT_GT(now_ns, last_ns);
    EXPECT_EQ((now_ns - last_ns) % kPeriod_ns, 0);
    last_ns = now_ns;
  }
  const auto isFirst = [](const Json& line) { return line.contains("first_frame_s"); };
  ASSERT_EQ(std::count_if(traced.begin(), traced.end(), isFirst), 1);
  const Json& first = *std::find_if(traced.begin(), traced.end(), isFirst);
  EXPECT_EQ(first, *std::find_if(traced.begin(), traced.end(),
                                 [](const Json& line) { return line["drawn"] == true; }));
  EXPECT_GT(first["first_frame_s"].get<double>(), 0);
  EXPECT_EQ(frames()["wrong"], "");
  EXPECT_GT(frames()["drawn"].get<int>(), 10);
  EXPECT_EQ(verify(session), 0) << said();
}

TEST_F(VrFaults, PersonWhoTakesTheHeadsetOffPausesTheSimulation) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  wish("event 104\n");
  ASSERT_TRUE(waitFor([](const Json& line) { return line["paused"] == true; })) << said();
  EXPECT_EQ(now()["state"], "focused") << "frames go on";
  wish("event 105\n");
  EXPECT_TRUE(waitFor([](const Json& line) { return line["paused"] == false; })) << said();
  EXPECT_EQ(stop(), 130) << said();
}

TEST_F(VrFaults, PerformanceIsRequestedAndHeatIsReported) {
  wish("offer\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  // Processor and graphics card: the highest level that they sustain.
  EXPECT_EQ(noted("performance "), (std::vector<std::string>{"performance 1 50", "performance 2 50"}));
  wish("event 106\n");
  ASSERT_TRUE(waitFor([&](const Json&) {
    return timesSaid("the headset's graphics card is hot; lower --resolution") == 1;
  })) << said();
  EXPECT_EQ(stop(), 130) << said();
}

TEST_F(VrFaults, PerformanceThatFailsIsReportedOnceAndTheSessionGoesOn) {
  wish("offer\n" + fault("always", "PerfSettingsSetPerformanceLevelEXT", XR_ERROR_RUNTIME_FAILURE) + "\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid("without performance levels: xrPerfSettingsSetPerformanceLevelEXT returned"), 1)
      << said();
  EXPECT_TRUE(wasNeverLost()) << said();
}

/// A place of the left eye's image above the parts.
bool isBackgroundBlack(const PngPicture& picture) {
  const auto at = 3 * (static_cast<std::size_t>(picture.height / 5) * picture.width + picture.width / 4);
  return picture.rgb[at] == 0 && picture.rgb[at + 1] == 0 && picture.rgb[at + 2] == 0;
}

TEST_F(VrFaults, RoomIsSeenByTheBlendModesOfTheDisplay) {
  struct Case {
    const char* modes;  ///< 1 opaque, 2 additive, 3 alpha blend
    bool wanted;
    int chosen;
  };
  for (const Case& one :
       {Case{"1 2 3", true, 3}, Case{"2 1", true, 2}, Case{"1 3", false, 1}, Case{"2", false, 2}}) {
    SCOPED_TRACE(one.modes);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    wish("blend " + std::string(one.modes) + "\n");
    const std::string picture = folder_ / "eyes.png";
    std::vector<std::string> arguments{unhurried("bolt-in-plate"), "--screenshot", picture, "--force"};
    if (one.wanted) arguments.emplace_back("--passthrough");
    ASSERT_NO_FATAL_FAILURE(startWithFaults(arguments));
    EXPECT_EQ(stop(), 130) << said();
    const Json counted = frames();
    EXPECT_EQ(counted["blend"], one.chosen);
    EXPECT_EQ(counted["alpha"], one.chosen == 1 ? 0 : counted["drawn"].get<int>());
    EXPECT_EQ(counted["room"], 0);
    EXPECT_EQ(isBackgroundBlack(readPng(picture)), one.chosen != 1);
  }
}

TEST_F(VrFaults, RoomIsSeenByPassthroughWhereTheDisplayIsOpaque) {
  wish("blend 1\noffer\n");
  const std::string picture = folder_ / "eyes.png";
  ASSERT_NO_FATAL_FAILURE(
      startWithFaults({unhurried("bolt-in-plate"), "--passthrough", "--screenshot", picture}));
  EXPECT_EQ(stop(), 130) << said();
  const Json counted = frames();
  EXPECT_EQ(counted["blend"], 1);
  EXPECT_EQ(counted["room"], counted["drawn"]) << "below the scene in each frame";
  EXPECT_EQ(counted["alpha"], counted["drawn"]);
  EXPECT_TRUE(isBackgroundBlack(readPng(picture)));
}

TEST_F(VrFaults, HeadsetWithoutPassthroughIsReportedAndTheSessionGoesOn) {
  for (const bool fails : {false, true}) {
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    wish("blend 1\n" +
         (fails ? "offer\n" + fault("always", "CreatePassthroughFB", XR_ERROR_FEATURE_UNSUPPORTED) : ""));
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--passthrough"}));
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(fails ? "without the view of the room: xrCreatePassthroughFB returned"
                              : "without the view of the room: the headset offers neither"),
              1)
        << said();
    EXPECT_EQ(frames()["alpha"], 0);
    EXPECT_TRUE(wasNeverLost()) << said();
  }
}

TEST_F(VrFaults, WhatTheLensesHideIsNotDrawn) {
  for (const bool changes : {false, true}) {
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    const std::string picture = folder_ / "eyes.png";
    wish("mask -0.3\n");
    ASSERT_NO_FATAL_FAILURE(
        startWithFaults({unhurried("bolt-in-plate"), "--screenshot", picture, "--force"}));
    const double border = changes ? 0.1 : -0.3;
    if (changes) {
      wish("mask 0.1\nevent 107\n");
      ASSERT_TRUE(waitSeconds(0.3)) << said();
    }
    const Json t = now()["eyes"][0]["tangents"];
    EXPECT_EQ(stop(), 130) << said();
    const PngPicture eyes = readPng(picture);
    const double left = t[0].get<double>(), right = t[1].get<double>();
    const int width = eyes.width / 2, x = static_cast<int>(width * (border - left) / (right - left));
    ASSERT_TRUE(x > 3 && x < width - 3) << x;
    EXPECT_EQ(blackShare(eyes, 1), 1);
    EXPECT_EQ(blackShare(eyes, x - 3), 1) << "left of " << border;
    EXPECT_LT(blackShare(eyes, x + 3), 0.1);
    EXPECT_LT(blackShare(eyes, width - 1), 0.1);
  }
}

TEST_F(VrFaults, MaskThatFailsIsReportedOnceAndTheSessionGoesOn) {
  wish(fault("always", "GetVisibilityMaskKHR", XR_ERROR_RUNTIME_FAILURE) + "\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid("without the visibility mask: xrGetVisibilityMaskKHR returned"), 1) << said();
  EXPECT_TRUE(wasNeverLost()) << said();
}

TEST_F(VrFaults, NextFrameIsWaitedForWhileThisOneIsDrawn) {
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  wish("pipelined\n");
  const std::int64_t from = now()["frame"].get<std::int64_t>();
  ASSERT_TRUE(waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + 10; }))
      << said();
  wish("");
  EXPECT_EQ(stop(), 130) << said();
  const Json counted = frames();
  EXPECT_GE(counted["ahead"].get<int>(), 8) << counted;
  EXPECT_EQ(counted["wrong"], "") << counted;
}

TEST_F(VrFaults, ResolutionScalesTheRecommendedImages) {
  const std::string picture = folder_ / "eyes.png";
  wish("display 400 300 90\n");
  ASSERT_NO_FATAL_FAILURE(
      startWithFaults({unhurried("bolt-in-plate"), "--resolution", "0.5", "--screenshot", picture}));
  EXPECT_EQ(timesSaid("200 × 150 pixels per eye"), 1) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(readPng(picture).width, 400);
  EXPECT_EQ(readPng(picture).height, 150);
}

TEST_F(VrFaults, ResolutionFallsWhereTheDeviceIsTooSlow) {
  wish("display 800 600 1000000\n");  // 1 µs a picture: too little at half the size too
  const std::string picture = folder_ / "eyes.png";
  for (const bool captures : {false, true}) {
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    std::vector<std::string> arguments{unhurried("bolt-in-plate"), "--resolution", "auto"};
    if (captures) arguments.insert(arguments.end(), {"--screenshot", picture});
    ASSERT_NO_FATAL_FAILURE(startWithFaults(arguments));
    ASSERT_TRUE(waitFor([](const Json& line) { return line["gpu_ms"].get<double>() > 0; })) << said();
    ASSERT_TRUE(waitFor([](const Json& line) { return line["resolution"] == 0.5; })) << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(frames()["wrong"], "");
    EXPECT_EQ(frames()["width"], captures ? 800 : 400);
    if (captures) {
      EXPECT_EQ(readPng(picture).width, 1600) << "images are saved at full size";
    }
  }
}

TEST_F(VrFaults, ImagesOf16BitFloatsLookLikeThoseOf8Bits) {
  std::array<PngPicture, 2> pictures;
  constexpr std::array kFormats{VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R16G16B16A16_SFLOAT};
  for (std::size_t k = 0; k < kFormats.size(); ++k) {
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    const std::string format = std::to_string(kFormats[k]), picture = folder_ / (format + ".png");
    // The unknown ones are skipped.
    wish("formats 1 2 " + format + " 50 " + std::to_string(VK_FORMAT_D32_SFLOAT_S8_UINT) + "\n");
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--screenshot", picture}));
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(noted("swapchain " + format).size(), 1U) << "for both eyes";
    pictures[k] = readPng(picture);
  }
  EXPECT_LT(difference(pictures[0], pictures[1]).mean, 0.7);
}

TEST_F(VrFaults, RuntimeWithoutAKnownFormatIsOneLineAndExit3) {
  wish("formats 1 2 3\n");
  start({unhurried("bolt-in-plate")}, layerVariables(), Wait::none);
  EXPECT_EQ(program_->exitCode(), 3) << said();
  EXPECT_EQ(timesSaid("supports neither 8-bit sRGB images nor linear ones of 16-bit floats"), 1) << said();
}

// --- a runtime that does not answer --------------------------------------------------------------------

TEST_F(VrFaults, MissingFramesPauseTheSimulation) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--record", session}));
  ASSERT_TRUE(waitSeconds(0.1)) << said();
  wish("hang WaitFrame\n");
  constexpr double kAway = 3;  // [s]
  std::this_thread::sleep_for(std::chrono::duration<double>(kAway));
  const double before = now()["time_s"].get<double>();
  wish("");
  ASSERT_TRUE(waitFor([&](const Json& line) { return line["time_s"].get<double>() > before; })) << said();
  EXPECT_LT(now()["time_s"].get<double>() - before, 0.5 * kAway) << "time stops while it is hidden";
  ASSERT_TRUE(waitSeconds(0.2)) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(verify(session), 0) << last_;
}

TEST_F(VrFaults, FrameThatNeverComesDoesNotKeepTheSessionFromEnding) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(
      startWithFaults({unhurried("bolt-in-plate"), "--record", session, "--wait-for-headset", "0"}));
  ASSERT_TRUE(waitSeconds(0.1)) << said();
  wish("hang WaitFrame\nevent " + std::to_string(XR_SESSION_STATE_STOPPING) + "\n");
  EXPECT_FALSE(program_->waitFor([](const Json&) { return false; }));
  ASSERT_TRUE(program_->hasEnded()) << said();
  EXPECT_EQ(program_->exitCode(), 3) << said();
  EXPECT_EQ(timesSaid("the OpenXR runtime hangs: xrWaitFrame has not returned for 3 s"), 1) << said();
  EXPECT_EQ(timesSaid("its session is abandoned"), 1) << said();
  wish("");
  EXPECT_EQ(verify(session), 0) << last_;
}

TEST_F(VrFaults, SessionThatIsOverEndsAlsoIfTheRuntimeHangs) {
  const std::string session = folder_ / "s.tenon";
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--record", session}));
  ASSERT_TRUE(waitSeconds(0.1)) << said();
  wish("hang DestroySession\nevent " + std::to_string(XR_SESSION_STATE_EXITING) + "\n");
  EXPECT_FALSE(program_->waitFor([](const Json&) { return false; }));
  ASSERT_TRUE(program_->hasEnded()) << said();
  EXPECT_EQ(program_->exitCode(), 0) << said();
  EXPECT_EQ(timesSaid("does not answer"), 1) << said();
  wish("");
  EXPECT_EQ(verify(session), 0) << last_;
}

TEST_F(VrFaults, OneCtrlCEndsASessionWhoseRuntimeHangs) {
  for (const char* const call : {"WaitFrame", "PollEvent", "DestroySession"}) {
    SCOPED_TRACE(call);
    for (const char* const file : {"trace.jsonl", "stderr"}) std::filesystem::remove(folder_ / file);
    const std::string session = folder_ / (std::string(call) + ".tenon"), picture = folder_ / "eyes.png";
    ASSERT_NO_FATAL_FAILURE(startWithFaults(
        {unhurried("bolt-in-plate"), "--record", session, "--screenshot", picture, "--force"}));
    ASSERT_TRUE(waitSeconds(0.1)) << said();
    wish(std::string("hang ") + call + "\n");
    program_->send(SIGINT);
    EXPECT_FALSE(program_->waitFor([](const Json&) { return false; }));
    if (!program_->hasEnded()) program_->send(SIGKILL);
    EXPECT_EQ(program_->exitCode(), 130) << said();
    // A frame that is waited for ahead is found to hang by the headset's end, any other call by the watch.
    EXPECT_EQ(timesSaid("does not answer") + timesSaid("its session is abandoned"), 1) << said();
    wish("");
    EXPECT_EQ(verify(session), 0) << last_;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      EXPECT_NE(entry.path().extension(), ".part") << entry.path() << " is left behind";
  }
}

}  // namespace
}  // namespace tenon::tests
