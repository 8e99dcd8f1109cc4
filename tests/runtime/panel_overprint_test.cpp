// The panels of the windows without a window: all that is written can be read, also at 800 × 600.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "content/reader/load_scene.h"
#include "runtime/live_view/panels.h"
#include "runtime/live_view/render_scene_builder.h"
#include "runtime/live_view/verdict_colors.h"
#include "runtime/live_view/view_actions.h"
#include "runtime/replay/replay_panels.h"
#include "runtime/simulation/live_world.h"
#include "tests/runtime/live_scene.h"
#include "tests/support/contrast.h"
#include "tests/support/manual_clock.h"
#include "tests/support/panel_texts.h"
#include "tests/support/program_run.h"
#include "xr/display/panel_ui.h"

namespace tenon::tests {
namespace {

using namespace runtime;

struct Size {
  int width = 800, height = 600;
};

/// A scene's script after so many seconds, in windows.
class Panels {
 public:
  Panels(const std::string& scene, double seconds)
      : scene_(std::make_shared<content::Scene>(content::loadScene(scenePath(scene)))),
        world_(scene_, {.world = liveOptions(), .scripted = true}, clock_),
        sceneView_(scene_) {
    while (world_.world().stepResult().time < seconds) {
      clock_.advance(std::max<std::int64_t>(world_.nextStepTime_ns() - clock_.now_ns(), 0));
      world_.step();
    }
    world_.fillFrame(moment_);
    moment_.record.step_us = 1234.5;
    const auto frame = std::make_shared<SimulationFrame>(moment_);
    interpolateAt({frame, frame}, moment_.displayTime_ns, drawn_);
    history_.add(world_.trace(), *scene_);
    state_.stats.fps = 59;
  }

  std::vector<Glyph> preview(const Size& size) {
    const auto width = static_cast<float>(size.width), height = static_cast<float>(size.height);
    return glyphs(size, [&](PanelContext& context) {
      drawPanels(context);
      const ImageArea area = imageAreaBeside(state_, 1, width, height);
      state_.camera.frame(sceneView_.corners(drawn_.X_WP, std::nullopt), area.width / area.height);
      const xr::View view = viewIn(state_, area.x, area.y, area.width, area.height, width, height);
      drawOverlay(area, view, renderSceneBuilder_.build(sceneView_, moment_, drawn_, state_), sceneView_,
                  moment_, drawn_, state_);
    });
  }
  std::vector<Glyph> replay(const Size& size, ReplayView& view) {
    return glyphs(size, [&](PanelContext& context) { drawReplayPanels(context, view); });
  }

  ViewState& state() { return state_; }
  SimulationFrame& frame() { return moment_; }
  bool isMarked(const std::string& name) const { return state_.marks.contains(name); }
  const std::array<float, 4>& marked(const std::string& name) const { return state_.marks.at(name); }

 private:
  /// Of the third picture: windows have found their sizes.
  template <class Draw>
  std::vector<Glyph> glyphs(const Size& size, const Draw& draw) {
    xr::PanelUi ui(size.width, size.height, 1);
    std::vector<Glyph> all;
    for (int k = 0; k < 3; ++k) {
      ui.begin({}, 1.0 / 60);
      PanelContext context{state_, sceneView_, moment_, history_, device_, 1};
      draw(context);
      all = glyphsOf(ui.end());
    }
    return all;
  }

  ManualClock clock_;
  std::shared_ptr<const content::Scene> scene_;
  LiveWorld world_;
  SceneView sceneView_;
  ViewState state_;
  SimulationFrame moment_;
  InterpolatedState drawn_;
  History history_;
  RenderSceneBuilder renderSceneBuilder_;
  std::string device_ = "llvmpipe (LLVM 15.0.6, 256 bits) of a machine with a long name";
};

constexpr Size kSizes[] = {{1280, 720}, {800, 600}, {640, 400}};

TEST(PanelOverprint, TextsDoNotOverlap) {
  for (const auto& [scene, seconds] :
       {std::pair{"bolt-in-plate", 0.5}, {"bolt-in-plate", 2.3}, {"flange", 3.0}}) {
    Panels panels(scene, seconds);
    panels.state().settings.contacts = true;
    for (const Size& size : kSizes) {
      const std::vector<Glyph> glyphs = panels.preview(size);
      EXPECT_GT(glyphs.size(), 200u);
      EXPECT_EQ(overprints(glyphs), "") << scene << " at " << seconds << " s, " << size.width << " wide";
    }
  }
}

TEST(PanelOverprint, ALongNoticeIsShortenedBesideTheFigures) {
  Panels panels("bolt-in-plate", 0.01);
  panels.state().showNotice(std::string(300, 'W'));
  for (const Size& size : kSizes) {
    EXPECT_EQ(overprints(panels.preview(size)), "") << size.width;
    EXPECT_LE(panels.marked("status")[2], static_cast<float>(size.width));
  }
}

TEST(PanelOverprint, ManyGoalsAreOneLineEachUnderTheirNumber) {
  Panels panels("peg-board", 0.01);
  const std::size_t count = panels.frame().goals.size();
  ASSERT_GT(count, 4u);
  for (std::size_t k = 1; k < count; ++k) panels.frame().goals[k].verdict = Verdict::inserted;
  panels.frame().goals[0].verdict = Verdict::blocked;
  EXPECT_EQ(overprints(panels.preview({1280, 720})), "");
  EXPECT_TRUE(panels.isMarked("goals reached"));
  EXPECT_TRUE(panels.isMarked("goal 0 bar")) << "what is blocked has its details";
  EXPECT_FALSE(panels.isMarked("goal 1 bar"));
  EXPECT_LT(panels.marked("View")[3], 500) << "the list scrolls";
}

TEST(PanelOverprint, TheWholeToolbarIsVisibleAt800Pixels) {
  Panels panels("bolt-in-plate", 0.01);
  panels.preview({800, 600});
  for (const char* name :
       {"play", "step", "reset", "speed", "undo", "redo", "script", "hand", "record", "open", "help"}) {
    ASSERT_TRUE(panels.isMarked(name)) << name;
    EXPECT_LE(panels.marked(name)[2], 800) << name;
  }
}

/// Each line of F1 has its text beside its name, within the list.
void expectWholeList(Panels& panels, const std::vector<Glyph>& glyphs, const Size& size) {
  int lines = 0;
  for (const auto& [name, box] : panels.state().marks) {
    if (!name.starts_with("help ") || name.starts_with("help name ")) continue;
    ++lines;
    EXPECT_LE(box[2], static_cast<float>(size.width)) << name;
    const auto& its = panels.marked("help name " + name.substr(5));
    EXPECT_GE(box[0], its[2]) << name << " is beside its name";
    const bool seen = std::any_of(glyphs.begin(), glyphs.end(), [&, at = box](const Glyph& glyph) {
      return glyph.left >= at[0] - 1 && glyph.right <= at[2] + 1 && glyph.top >= at[1] &&
             glyph.bottom <= at[3];
    });
    EXPECT_TRUE(seen) << name << " is empty at " << size.width << " × " << size.height;
  }
  EXPECT_GT(lines, 25);
}

std::vector<Glyph> ofList(std::vector<Glyph> glyphs) {
  std::erase_if(glyphs, [](const Glyph& glyph) { return glyph.window != "Keys and mouse"; });
  return glyphs;
}

TEST(PanelOverprint, TheKeyListIsCompleteInThePreview) {
  Panels panels("bolt-in-plate", 0.01);
  panels.state().help = true;
  for (const Size& size : {kSizes[0], kSizes[1]}) {
    const std::vector<Glyph> list = ofList(panels.preview(size));
    expectWholeList(panels, list, size);
    EXPECT_EQ(overprints(list), "");
    EXPECT_TRUE(panels.isMarked("help Left on a part")) << "the mouse's help";
  }
}

TEST(PanelOverprint, TheKeyListIsCompleteInTheReplay) {
  Panels panels("bolt-in-plate", 0.01);
  Playback playback(4.4, {});
  ReplayView view{playback, "session.tenon", "", "", "", false, "", {}, {}, {}, 0, 4400, "", {}, {}, false};
  for (const Size& size : {kSizes[0], kSizes[1]}) {
    panels.state().help = false;
    EXPECT_EQ(overprints(panels.replay(size, view)), "") << size.width;
    panels.state().help = true;
    const std::vector<Glyph> list = ofList(panels.replay(size, view));
    expectWholeList(panels, list, size);
    EXPECT_EQ(overprints(list), "");
  }
}

double contrastOf(const Glyph& glyph, xr::Color ground) {
  return contrast(blended(glyph.color, glyph.opacity, ground), ground);
}

/// The first text that cannot be read on what is below it, or "".
std::string hardToRead(const std::vector<Glyph>& glyphs) {
  for (const Glyph& glyph : glyphs)
    for (const xr::Color ground : glyph.grounds)
      if (const double found = contrastOf(glyph, ground); found < 4.5)
        return fmt::format("{} at ({}, {}): {} on {}: {:.2f}", glyph.window, glyph.left, glyph.top,
                           xr::hexOf(glyph.color), xr::hexOf(ground), found);
  return "";
}

TEST(PanelContrast, GoalBarsHaveReadableContrast) {
  Panels panels("bolt-in-plate", 0.01);
  panels.frame().goals.at(0).depth = 0.029;
  for (const Verdict verdict :
       {Verdict::inserted, Verdict::jammed, Verdict::blocked, Verdict::released, Verdict::pending}) {
    panels.frame().goals.at(0).verdict = verdict;
    int letters = 0;
    for (const Glyph& glyph : panels.preview({800, 600})) {
      if (!glyph.isIn(panels.marked("goal 0 bar"))) continue;
      ++letters;
      EXPECT_GE(contrastOf(glyph, barColorOf(verdict)), 4.5) << toText(verdict);
    }
    EXPECT_GT(letters, 8);
  }
}

TEST(PanelContrast, AllTextsOfThePreviewCanBeReadOnTheirGrounds) {
  for (const auto& [scene, seconds] : {std::pair{"bolt-in-plate", 2.3}, {"flange", 3.0}}) {
    Panels panels(scene, seconds);
    EXPECT_EQ(hardToRead(panels.preview({1280, 720})), "") << scene;
    panels.frame().goals.at(0).verdict = Verdict::jammed;
    panels.frame().status.achievedRatio = 0.5;
    panels.state().showNotice("A warning");
    panels.state().section = {0, -1};  // the handle of its slider is below the value
    EXPECT_EQ(hardToRead(panels.preview({1280, 720})), "") << scene << ", with a section";
    panels.state().help = true;
    EXPECT_EQ(hardToRead(panels.preview({1280, 720})), "") << scene << ", with warnings";
  }
}

TEST(PanelContrast, LabelsOverTheImageAreOnAGroundOfTheirOwn) {
  Panels panels("flange", 3.0);
  int labels = 0;
  for (const Glyph& glyph : panels.preview({1280, 720})) {
    if (glyph.color != xr::palette::kInk || glyph.window == "view cube") continue;
    ++labels;
    for (const xr::Color ground : glyph.grounds) EXPECT_GT(contrast(ground, {}), 15) << glyph.left;
  }
  EXPECT_GT(labels, 40) << "the legend and the forces";
}

TEST(PanelContrast, AllTextsOfTheReplayCanBeReadOnTheirGrounds) {
  Panels panels("bolt-in-plate", 0.01);
  Playback playback(4.4, {{1, "jam", "screw: jammed"},
                          {2, "bookmark", "bookmark"},
                          {3, "undo", "undo"},
                          {3.5, "seated", "screw: inserted"}});
  ReplayView view{playback,
                  "session.tenon",
                  "",
                  "",
                  "",
                  false,
                  "no hash",
                  {{0, 0.5, 3, "screw"}},
                  {"right"},
                  {"plate", "screw"},
                  0,
                  4400,
                  "the file is damaged",
                  {},
                  {},
                  false};
  const std::vector<Glyph> glyphs = panels.replay({1280, 720}, view);
  EXPECT_GT(glyphs.size(), 150u);
  EXPECT_EQ(hardToRead(glyphs), "");
  const auto onTheBar = std::count_if(glyphs.begin(), glyphs.end(), [](const Glyph& glyph) {
    return glyph.grounds[0] == xr::palette::kHeldFill;
  });
  EXPECT_GE(onTheBar, 4) << "the part that the hand holds";
}

}  // namespace
}  // namespace tenon::tests
