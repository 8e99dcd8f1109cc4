// Foveated insets: each eye has a second image with more detail. The API layer offers them in the place of
// Monado, and writes the images that are submitted into files.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "tests/runtime/vr_layer_person.h"

namespace tenon::tests {
namespace {

/// Not in the middle, so that a wrong side is seen.
const std::string kInset = " 300 240 -0.2 0.4 -0.35 0.15\n";
const std::string kGaze = "gaze 200 160 -0.5 -0.1 0.1 0.4\n";

class VrFoveated : public VrLayerPerson {
 protected:
  void SetUp() override {
    VrLayerPerson::SetUp();
    if (IsSkipped()) return;
    for (RemoteHand& hand : monado_->hands) hand.active = false;
    monado_->send();
  }
  void forgetRun() const {
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
  }
  bool waitForInset(const std::vector<double>& tangents) {
    return waitFor([&](const Json& line) {
      if (line["insets"].size() != 2) return false;
      for (std::size_t k = 0; k < 4; ++k)
        if (std::abs(line["insets"][0]["tangents"][k].get<double>() - tangents[k]) > 1e-5) return false;
      return true;
    });
  }
};

/// How far the image of an inset is from the same part of its eye's image, moved by some pixels of that: the
/// mean over all channels, in 1/255.
double differenceToEye(const PngPicture& inset, const nlohmann::json& insetTangents, const PngPicture& eye,
                       const nlohmann::json& tangents, double shift) {
  const auto at = [](const nlohmann::json& t, std::size_t low, double share) {
    return t[low].get<double>() + share * (t[low + 1].get<double>() - t[low].get<double>());
  };
  double sum = 0;
  int count = 0;
  for (int y = 0; y < inset.height; ++y)
    for (int x = 0; x < inset.width; ++x) {
      const double right = at(insetTangents, 0, (x + 0.5) / inset.width),
                   up = at(insetTangents, 2, 1 - (y + 0.5) / inset.height);
      const double column = eye.width * (right - tangents[0].get<double>()) /
                            (tangents[1].get<double>() - tangents[0].get<double>()),
                   row = eye.height * (tangents[3].get<double>() - up) /
                         (tangents[3].get<double>() - tangents[2].get<double>());
      const int u = std::clamp(static_cast<int>(column + shift), 0, eye.width - 1),
                v = std::clamp(static_cast<int>(row), 0, eye.height - 1);
      for (int k = 0; k < 3; ++k) {
        sum += std::abs(inset.rgb[3 * (static_cast<std::size_t>(y) * inset.width + x) + k] -
                        eye.rgb[3 * (static_cast<std::size_t>(v) * eye.width + u) + k]);
        ++count;
      }
    }
  return sum / count;
}

TEST_F(VrFoveated, InsetsShowThePartOfTheSceneThatTheyCover) {
  const std::string lines = kReadableFormats + "inset first" + kInset;
  wish(lines);
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitForInset({-0.2, 0.4, -0.35, 0.15})) << said();
  // Looking down at the parts.
  monado_->X_SHead.q = physics::Quaterniond(Eigen::AngleAxisd(-0.63, Vector3d::UnitX()));
  monado_->send();
  ASSERT_TRUE(waitFor([&](const Json& line) {
    return !line["head"].is_null() && poseOf(line["head"]).q.angularDistance(monado_->X_SHead.q) < 1e-4;
  })) << said();
  const std::vector<PngPicture> images = submitted(lines);
  const Json line = now();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid(" pixels per eye and 300 × 240 in its inset"), 1) << said();
  ASSERT_EQ(images.size(), 4U);
  for (std::size_t eye = 0; eye < 2; ++eye) {
    SCOPED_TRACE(eye);
    const PngPicture &whole = images[eye], &inset = images[eye + 2];
    ASSERT_EQ(inset.width, 300);
    ASSERT_EQ(inset.height, 240);
    const Json &ofEye = line["eyes"][eye], &ofInset = line["insets"][eye];
    EXPECT_EQ(ofEye["in_room"], ofInset["in_room"]);
    const auto differenceMoved = [&](double shift) {
      return differenceToEye(inset, ofInset["tangents"], whole, ofEye["tangents"], shift);
    };
    EXPECT_LT(differenceMoved(0), 8) << "edges and texts are drawn at another resolution";
    for (const double shift : {-8, 8}) EXPECT_GT(differenceMoved(shift), 1.5 * differenceMoved(0)) << shift;
  }
  EXPECT_GT(difference(images[2], images[3]).mean, 0.5) << "the eyes differ";
  const Json counted = frames();
  EXPECT_EQ(counted["views"], 4);
  EXPECT_EQ(counted["depth"], counted["drawn"]) << "of all four views";
  EXPECT_EQ(counted["begun"], counted["ended"]);
  EXPECT_EQ(counted["late"], counted["drawn"]);
  EXPECT_EQ(counted["wrong"], "");
}

TEST_F(VrFoveated, KindOfViewsIsTheRuntimesUnlessOneIsGiven) {
  struct Case {
    std::string inset;
    const char* views;
    int count;
  };
  for (const Case& one : {Case{"first", "auto", 4}, Case{"first", "stereo", 2}, Case{"last", "auto", 2},
                          Case{"last", "foveated", 4}, Case{"", "foveated", 2}}) {
    SCOPED_TRACE(one.inset + " " + one.views);
    forgetRun();
    wish(one.inset.empty() ? "" : "inset " + one.inset + kInset);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--views", one.views}));
    EXPECT_EQ(now()["insets"].size(), one.count == 4 ? 2U : 0U);
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(frames()["views"], one.count);
    EXPECT_EQ(frames()["wrong"], "");
    EXPECT_EQ(timesSaid("without foveated insets: the runtime does not offer them"),
              one.inset.empty() ? 1 : 0)
        << said();
  }
}

TEST_F(VrFoveated, InsetsThatFailAreReportedOnceAndTheSessionIsStereo) {
  struct Case {
    std::string lines;
    const char* says;
  };
  for (const Case& one :
       {Case{fault("always", "EnumerateViewConfigurations", XR_ERROR_RUNTIME_FAILURE),
             "xrEnumerateViewConfigurations returned"},
        Case{"views 6", "xrEnumerateViewConfigurationViews returned 6 views, not 4"},
        Case{"views 3", "xrEnumerateViewConfigurationViews returned 3 views, not 4"},
        Case{fault("fail", "CreateSwapchain", XR_ERROR_RUNTIME_FAILURE) + " 1", "xrCreateSwapchain returned"},
        Case{fault("fail", "BeginSession", XR_ERROR_RUNTIME_FAILURE) + " 0", "xrBeginSession returned"}}) {
    SCOPED_TRACE(one.says);
    forgetRun();
    wish("inset first" + kInset + "mask -0.1\n" + one.lines + "\n");
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    EXPECT_EQ(now()["insets"].size(), 0U);
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid("without foveated insets: " + std::string(one.says)), 1) << said();
    EXPECT_TRUE(wasNeverLost()) << said();
    EXPECT_GT(frames()["drawn"], 0);
    EXPECT_EQ(frames()["views"], 2);
    EXPECT_EQ(frames()["wrong"], "");
  }
}

TEST_F(VrFoveated, InvalidInsetIsDrawnAsItsEye) {
  const std::string lines = "inset first" + kInset;
  wish(lines);
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  for (const char* const spoilt : {"spoil inset nan\n", "spoil inset zero\n"}) {
    SCOPED_TRACE(spoilt);
    wish(lines);
    ASSERT_TRUE(waitForInset({-0.2, 0.4, -0.35, 0.15})) << said();
    wish(lines + spoilt);
    ASSERT_TRUE(waitFor([&](const Json& line) {
      return line["eyes"].size() == 2 && line["insets"] == line["eyes"];
    })) << said();
  }
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["views"], 4);
  EXPECT_EQ(frames()["wrong"], "");
}

TEST_F(VrFoveated, WhatTheLensesHideIsNotDrawnInInsets) {
  constexpr std::array kMasks{-0.15, -0.05, -0.1, 0.1};  // by view
  const std::string lines = kReadableFormats + "mask -0.15 -0.05 -0.1 0.1\ninset first" + kInset;
  wish(lines);
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  const std::vector<PngPicture> images = submitted(lines);
  const Json line = now();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["wrong"], "");
  ASSERT_EQ(images.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    SCOPED_TRACE(k);
    const Json& t = (k < 2 ? line["eyes"][k] : line["insets"][k - 2])["tangents"];
    const double left = t[0].get<double>(), right = t[1].get<double>();
    const int border = static_cast<int>(images[k].width * (kMasks[k] - left) / (right - left));
    EXPECT_EQ(blackShare(images[k], border - 3), 1);
    EXPECT_LT(blackShare(images[k], border + 3), 0.1);
  }
}

TEST_F(VrFoveated, ResolutionOfInsetsFallsWhereTheDeviceIsTooSlow) {
  wish("display 800 600 1000000\ninset first 600 400 -0.3 0.3 -0.2 0.2\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--resolution", "auto"}));
  ASSERT_TRUE(waitFor([](const Json& line) { return line["gpu_ms"].get<double>() > 0; })) << said();
  ASSERT_TRUE(waitFor([](const Json& line) { return line["resolution"] == 0.5; })) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["width"], 400);
  EXPECT_EQ(frames()["inset"], 300);
  EXPECT_EQ(frames()["wrong"], "");
}

TEST_F(VrFoveated, InsetsFollowTheGazeWhileItIsKnown) {
  const std::string lines = kReadableFormats + "inset first" + kInset + kGaze;
  wish(lines);
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitForInset({-0.5, -0.1, 0.1, 0.4})) << said();
  const std::vector<PngPicture> images = submitted(lines);
  ASSERT_EQ(images.size(), 4U);
  EXPECT_EQ(images[2].width, 200);
  EXPECT_EQ(images[2].height, 160);
  const Json line = now();
  EXPECT_LT(
      differenceToEye(images[2], line["insets"][0]["tangents"], images[0], line["eyes"][0]["tangents"], 0),
      4);
  wish(lines + "gazeless\n");
  ASSERT_TRUE(waitForInset({-0.2, 0.4, -0.35, 0.15})) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(frames()["inset"], 300);
  EXPECT_EQ(frames()["wrong"], "");
}

TEST_F(VrFoveated, GazeThatFailsIsReportedOnceAndTheSessionGoesOn) {
  wish("inset first" + kInset + kGaze + fault("always", "CreateGazeSpace", XR_ERROR_RUNTIME_FAILURE) + "\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitForInset({-0.2, 0.4, -0.35, 0.15})) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(noted("gaze").size(), 1U) << "not in each frame";
  EXPECT_EQ(timesSaid("without the gaze: xrCreateReferenceSpace returned XR_ERROR_RUNTIME_FAILURE"), 1)
      << said();
  EXPECT_TRUE(wasNeverLost()) << said();
}

TEST_F(VrFoveated, DepthOfInsetsThatFailsIsReportedOnceAndTheSessionGoesOnWithoutIt) {
  const std::string lines = "inset first" + kInset;
  for (const std::string call : {"Acquire", "Release"}) {
    SCOPED_TRACE(call);
    forgetRun();
    wish(lines);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    wish(lines + fault("fail", call + "LastDepth", XR_ERROR_RUNTIME_FAILURE) + " 0\n");
    ASSERT_TRUE(waitFor([&](const Json&) {
      return fileText(folder_ / "faults").find("fail ") == std::string::npos;
    })) << said();
    ASSERT_TRUE(waitSeconds(0.2)) << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid("without the depth layer: xr" + call + "SwapchainImage returned"), 1) << said();
    EXPECT_TRUE(wasNeverLost()) << said();
    const Json counted = frames();
    EXPECT_GT(counted["drawn"], counted["depth"]);
    EXPECT_EQ(counted["views"], 4);
    EXPECT_EQ(counted["wrong"], "");
  }
}

}  // namespace
}  // namespace tenon::tests
