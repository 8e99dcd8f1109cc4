// The scale of force arrows in the window: round, steady, and silent where there is nothing to see.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "content/reader/load_scene.h"
#include "runtime/live_view/render_scene_builder.h"
#include "tests/support/program_run.h"
#include "xr/hands/mouse_hands.h"

namespace tenon::tests {
namespace {

using namespace runtime;
using physics::Vector3d;

/// bolt-in-plate.json with a hand that holds the screw and pulls.
struct Window {
  SceneView sceneView{
      std::make_shared<content::Scene>(xr::withTwoHands(content::loadScene(scenePath("bolt-in-plate"))))};
  RenderSceneBuilder builder;
  ViewState state;
  SimulationFrame moment;
  InterpolatedState drawn;

  Window() {
    moment.scene = sceneView.scene;
    moment.record.tick.bodies.resize(2);
    moment.record.tick.hands.resize(2);
    moment.record.tick.hands[0].body = physics::BodyId{1};
    for (const content::Part& part : sceneView.scene->parts) drawn.X_WP.push_back(part.X_WP);
    drawn.hands.resize(2);
  }
  /// The picture so much later in which the hand pulls so hard [s], [N].
  xr::RenderScene after(double seconds, double newtons) {
    moment.time_ns += static_cast<std::int64_t>(1e9 * seconds);
    moment.record.tick.hands[0].force = Vector3d(0, 0, newtons);
    return builder.build(sceneView, moment, drawn, state);
  }
};

std::string scaleOf(const xr::RenderScene& picture) {
  for (const xr::Caption& caption : picture.captions)
    if (caption.text.starts_with("Scale: ")) return caption.text;
  return "";
}

TEST(ForceScale, IsRound) {
  Window window;
  EXPECT_EQ(scaleOf(window.after(0, 0.781)), "Scale: 1 N = 20 mm");
  EXPECT_EQ(scaleOf(window.after(0.016, 3.2)), "Scale: 5 N = 20 mm") << "a greater force counts at once";
}

TEST(ForceScale, IsStableForSmallChangesOfForce) {
  Window window;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> trembling(0.25, 0.95);
  std::set<std::string> scales;
  window.after(0, 0.95);
  for (int k = 0; k < 600; ++k) scales.insert(scaleOf(window.after(0.016, trembling(random))));
  EXPECT_EQ(scales, std::set<std::string>{"Scale: 1 N = 20 mm"});
  // From 1 N to rest: one step at a time, and each for a while.
  std::string before = scaleOf(window.after(0.016, 0.95));
  int changes = 0;
  for (int k = 0; k < 600; ++k) {
    const std::string now = scaleOf(window.after(0.016, 0.02));
    changes += now != before;
    before = now;
  }
  EXPECT_LE(changes, 4);
  EXPECT_EQ(before, "Scale: 0.05 N = 20 mm");
}

TEST(ForceScale, AtRestNothingIsDrawn) {
  Window window;
  for (const double rest : {0.0, 1e-9, 3e-6, 9e-4}) {
    const xr::RenderScene picture = window.after(0.016, rest);
    EXPECT_TRUE(picture.arrows.empty()) << rest;
    EXPECT_TRUE(picture.labels.empty()) << rest;
    EXPECT_EQ(picture.captions.back().text, "No forces above 0.001 N") << rest;
  }
  EXPECT_EQ(window.after(0.016, 0.002).arrows.size(), 1u);
}

TEST(ForceScale, LabelsOfKilonewtonsHaveNoExponent) {
  for (const auto& [force, text] : {std::pair(0.0123, "0.0123 N"), std::pair(933.4, "933 N"),
                                    std::pair(999.7, "1 kN"), std::pair(2288.0, "2.29 kN")}) {
    Window window;
    const xr::RenderScene picture = window.after(0.016, force);
    ASSERT_FALSE(picture.labels.empty()) << text;
    EXPECT_EQ(picture.labels.front().text, text);
  }
}

TEST(ForceScale, MatchesTheShownTime) {
  Window window;
  window.after(5, 80);
  EXPECT_EQ(scaleOf(window.after(0.016, 0.1)), "Scale: 100 N = 20 mm");
  EXPECT_EQ(scaleOf(window.after(-4, 0.1)), "Scale: 0.1 N = 20 mm") << "a reset, or the time line";
}

}  // namespace
}  // namespace tenon::tests
