// Models of the controllers that the runtime has: the API layer offers them in the place of Monado.
#include <gtest/gtest.h>

#include "content/parts/glb_writer.h"
#include "tests/runtime/vr_view_person.h"

namespace tenon::tests {
namespace {

using physics::Pose;
using physics::Vector3d;

class VrModels : public VrViewPerson {
 protected:
  void forgetRun() const {
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
  }
  /// Brings the right hand upright before the head, beside the parts.
  bool showHand() {
    RemoteHand& hand = monado_->hands[kRight];
    hand.X_SH = Pose::at(monado_->X_SHead.p + Vector3d(0.1, 0, -0.6));
    monado_->send();
    return waitForHand(kRight, [&](const Json& one) {
      return !one["in_room"].is_null() && (poseOf(one["in_room"]).p - hand.X_SH.p).norm() < 1e-4;
    });
  }
  /// Until so many frames more are drawn.
  bool waitFrames(int frames) {
    const auto from = now()["frame"].get<std::int64_t>();
    return waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + frames; });
  }
  /// Colors to the right of the hand and to its left, where the plate of writePlate() is seen if it is there.
  struct Sides {
    Vector3d right, left;
  };
  Sides colorsBesideHand(const std::string& lines) {
    wish(lines);
    if (!waitFrames(3)) return {};
    const std::vector<PngPicture> images = submitted(lines);
    if (images.size() != 2) return {};
    const Json eye = now()["eyes"][0];
    const auto at = [&](double x) {
      const Vector3d p = inEye(eye, monado_->hands[kRight].X_SH.p + Vector3d(x, 0.1, 0));
      const Json& t = eye["tangents"];
      const double right = (p.x() / -p.z() - t[0].get<double>()) / (t[1].get<double>() - t[0].get<double>()),
                   down = (t[3].get<double>() - p.y() / -p.z()) / (t[3].get<double>() - t[2].get<double>());
      return colourAt(images[0],
                      {static_cast<int>(images[0].width * right), static_cast<int>(images[0].height * down)},
                      2);
    };
    return {at(0.08), at(-0.22)};
  }
};

/// A vertical plate of 0.3 m x 0.3 m as binary glTF; the writer turns z up into y up.
void writePlate(const std::string& file) {
  content::GlbWriter writer;
  const int mesh = writer.addMesh(content::displayMeshOf(physics::Box{{0.15, 0.002, 0.15}}), "plate",
                                  content::GlbMaterial());
  writer.addPart("plate", mesh, Pose());
  std::ofstream(file, std::ios::binary) << writer.bytes();
}

TEST_F(VrModels, ModelOfTheControllerIsTheRuntimes) {
  writePlate(folder_ / "plate.glb");
  std::array<Vector3d, 3> colours;
  constexpr std::array kOffers{"", "models fb\n", "models msft\n"};
  for (std::size_t k = 0; k < kOffers.size(); ++k) {
    SCOPED_TRACE(kOffers[k]);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    const std::string file = folder_ / ("hand" + std::to_string(k) + ".png");
    monado_->hands[kLeft].active = false;
    wish(kOffers[k]);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate"), "--screenshot", file}));
    // Upright before the head, beside the parts; the controller is connected later than the session begins.
    RemoteHand& hand = monado_->hands[kRight];
    hand.X_SH = Pose::at(monado_->X_SHead.p + Vector3d(0.1, 0, -0.6));
    monado_->send();
    ASSERT_TRUE(waitForHand(kRight, [&](const Json& one) {
      return !one["in_room"].is_null() && (poseOf(one["in_room"]).p - hand.X_SH.p).norm() < 1e-4;
    })) << said();
    wish(std::string(kOffers[k]) + "model " + (folder_ / "plate.glb") + "\n");
    const auto from = now()["frame"].get<std::int64_t>();
    ASSERT_TRUE(waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + 60; }))
        << said();
    const Json eye = now()["eyes"][0];
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(frames()["wrong"], "");
    const PngPicture picture = readPng(file);
    colours[k] = colourAt(picture, pixelOf(eye, hand.X_SH.p + Vector3d(0.08, 0.1, 0), picture), 2);
  }
  EXPECT_GT((colours[1] - colours[0]).norm(), 30)
      << colours[0].transpose() << " is " << colours[1].transpose();
  EXPECT_GT((colours[2] - colours[0]).norm(), 30)
      << colours[0].transpose() << " is " << colours[2].transpose();
}

TEST_F(VrModels, ModelThatFailsIsReportedOnceAndTheSessionGoesOn) {
  std::ofstream(folder_ / "broken.glb") << "no glTF";
  struct Case {
    std::string lines;
    const char* says;
  };
  const std::string broken = "models fb\nmodel " + (folder_ / "broken.glb") + "\n";
  for (const Case& one :
       {Case{broken, "without the controller's model: "},
        Case{broken + fault("always", "LoadRenderModelFB", XR_ERROR_RUNTIME_FAILURE) + "\n",
             "without the controllers' models: xrLoadRenderModelFB returned"},
        Case{broken + fault("always", "EnumerateRenderModelPathsFB", XR_ERROR_RUNTIME_FAILURE) + "\n",
             "without the controllers' models: xrEnumerateRenderModelPathsFB returned"}}) {
    SCOPED_TRACE(one.says);
    for (const char* const file : {"trace.jsonl", "stderr", "calls"}) std::filesystem::remove(folder_ / file);
    wish(one.lines);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    const auto from = now()["frame"].get<std::int64_t>();
    ASSERT_TRUE(waitFor([&](const Json& line) { return line["frame"].get<std::int64_t>() > from + 60; }))
        << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(one.says), one.lines == broken ? 2 : 1) << said();  // once for each hand
  }
}

TEST_F(VrModels, ModelWithMovingPartsIsWhereTheRuntimeHasIt) {
  writePlate(folder_ / "plate.glb");
  monado_->hands[kLeft].active = false;
  const std::string offer = kReadableFormats + "models ext\n";
  const std::string model = offer + "model " + (folder_ / "plate.glb") + "\n", rest = "node plate 0 0 0\n";
  wish(offer);
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(showHand()) << said();
  const Sides none = colorsBesideHand(offer);
  ASSERT_GT(none.right.norm(), 0) << said();
  struct Case {
    std::string lines;
    bool right, left;  ///< of the hand the plate is seen
  };
  const std::string unavailable = "always CreateRenderModelAssetEXT -1000300001\n";
  for (const Case& one :
       {Case{rest + unavailable, false, false},  // the runtime has not loaded it yet
        Case{rest, true, false}, Case{rest + "model-at -0.3 0 0\n", false, true},
        Case{"node plate -0.3 0 0\n", false, true}, Case{"node plate 0 0 0 hidden\n", false, false},
        Case{"node plate 0 0 0 nan\n", false, false}, Case{rest + "model-lost\n", false, false},
        Case{rest, true, false}}) {
    SCOPED_TRACE(one.lines);
    wish(model + one.lines + "event 108\n");
    ASSERT_TRUE(waitFor([&](const Json&) {
      return fileText(folder_ / "faults").find("event") == std::string::npos;
    })) << said();
    const Sides seen = colorsBesideHand(model + one.lines);
    EXPECT_EQ((seen.right - none.right).norm() > 30, one.right) << seen.right.transpose();
    EXPECT_EQ((seen.left - none.left).norm() > 30, one.left) << seen.left.transpose();
  }
  // A model that is no longer listed is not drawn.
  wish(offer + "event 108\n");
  ASSERT_TRUE(waitFrames(5)) << said();
  EXPECT_LT((colorsBesideHand(offer).right - none.right).norm(), 30);
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid("without the controller"), 0) << said();
  EXPECT_EQ(frames()["wrong"], "");
}

TEST_F(VrModels, CallThatFailsIsReportedOnceAndTheSessionGoesOn) {
  writePlate(folder_ / "plate.glb");
  const std::string model = "models ext\nnode plate 0 0 0\nmodel " + (folder_ / "plate.glb") + "\n";
  for (const char* const call :
       {"EnumerateInteractionRenderModelIdsEXT", "CreateRenderModelEXT", "GetRenderModelPropertiesEXT",
        "CreateRenderModelSpaceEXT", "GetRenderModelPoseTopLevelUserPathEXT", "CreateRenderModelAssetEXT",
        "GetRenderModelAssetDataEXT", "GetRenderModelAssetPropertiesEXT", "GetRenderModelStateEXT"}) {
    SCOPED_TRACE(call);
    forgetRun();
    wish(model + fault("always", call, XR_ERROR_RUNTIME_FAILURE) + "\n");
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    const bool isOfAll = std::string(call).starts_with("Enumerate");
    const std::string says =
        std::string("without ") +
        (isOfAll ? "the controllers' models with moving parts" : "a controller's model") + ": xr" + call +
        " returned";
    ASSERT_TRUE(waitFor([&](const Json&) { return timesSaid(says) == 1; })) << said();
    ASSERT_TRUE(waitFrames(60)) << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(says), 1) << said();
    EXPECT_TRUE(wasNeverLost()) << said();
    EXPECT_EQ(frames()["wrong"], "");
  }
}

TEST_F(VrModels, ModelOfOneHandThatFailsIsLeftOutAlone) {
  writePlate(folder_ / "plate.glb");
  monado_->hands[kLeft].active = false;
  const std::string offer = kReadableFormats + "models ext\nnode plate 0 0 0\n";
  const std::string model = offer + "model " + (folder_ / "plate.glb") + "\n";
  for (const char* const call : {"CreateRenderModelEXT", "GetRenderModelPoseTopLevelUserPathEXT"}) {
    SCOPED_TRACE(call);
    forgetRun();
    wish(offer);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    ASSERT_TRUE(showHand()) << said();
    const Sides none = colorsBesideHand(offer);
    ASSERT_GT(none.right.norm(), 0) << said();
    const std::string lines = model + "model-fails 1 " + call + "\n";
    wish(lines + "event 108\n");
    const std::string says = std::string("without a controller's model: xr") + call + " returned";
    ASSERT_TRUE(waitFor([&](const Json&) { return timesSaid(says) == 1; })) << said();
    EXPECT_GT((colorsBesideHand(lines).right - none.right).norm(), 30);
    ASSERT_TRUE(waitFrames(60)) << said();
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(says), 1) << said();
    EXPECT_EQ(frames()["wrong"], "");
  }
}

TEST_F(VrModels, DataThatAreNotAvailableAreNotRequestedInEachFrame) {
  writePlate(folder_ / "plate.glb");
  monado_->hands[kLeft].active = false;
  wish("models ext\nalways CreateRenderModelAssetEXT -1000300001\nmodel " + (folder_ / "plate.glb") + "\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(showHand()) << said();
  ASSERT_TRUE(waitFor([&](const Json&) { return noted("asset").size() >= 3; })) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_LE(noted("asset").size(), frames()["begun"].get<std::size_t>() / 50 + 2);
  EXPECT_EQ(timesSaid("controller's model"), 0) << said();
}

TEST_F(VrModels, OlderModelsAreDrawnWhereThoseWithMovingPartsFail) {
  writePlate(folder_ / "plate.glb");
  monado_->hands[kLeft].active = false;
  const std::string offer = kReadableFormats + "models ext fb\n";
  struct Case {
    std::string lines;
    const char* says;
  };
  for (const Case& one :
       {Case{fault("always", "EnumerateInteractionRenderModelIdsEXT", XR_ERROR_RUNTIME_FAILURE),
             "with moving parts: xrEnumerateInteractionRenderModelIdsEXT returned"},
        Case{"model-nodes 4000000000",
             "a controller's model: xrGetRenderModelPropertiesEXT returned 4000000000 "
             "moving nodes, more than 4096"}}) {
    SCOPED_TRACE(one.says);
    forgetRun();
    wish(offer);
    ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
    ASSERT_TRUE(showHand()) << said();
    const Sides none = colorsBesideHand(offer);
    ASSERT_GT(none.right.norm(), 0) << said();
    const std::string lines = offer + one.lines + "\nmodel " + (folder_ / "plate.glb") + "\n";
    wish(lines + "event 108\n");
    ASSERT_TRUE(waitFor([&](const Json&) { return timesSaid(one.says) == 1; })) << said();
    ASSERT_TRUE(waitFrames(60)) << said();
    EXPECT_GT((colorsBesideHand(lines).right - none.right).norm(), 30);
    EXPECT_EQ(stop(), 130) << said();
    EXPECT_EQ(timesSaid(one.says), 1) << said();
    EXPECT_EQ(frames()["wrong"], "");
  }
}

TEST_F(VrModels, DamagedModelIsReportedOnceForEachHand) {
  std::ofstream(folder_ / "broken.glb") << "no glTF";
  wish("models ext\nmodel " + (folder_ / "broken.glb") + "\n");
  ASSERT_NO_FATAL_FAILURE(startWithFaults({unhurried("bolt-in-plate")}));
  ASSERT_TRUE(waitFor([&](const Json&) { return timesSaid("without the controller's model: ") == 2; }))
      << said();
  ASSERT_TRUE(waitFrames(60)) << said();
  EXPECT_EQ(stop(), 130) << said();
  EXPECT_EQ(timesSaid("without the controller's model: "), 2) << said();
  EXPECT_TRUE(wasNeverLost()) << said();
}

}  // namespace
}  // namespace tenon::tests
