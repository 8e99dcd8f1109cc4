// Another scene is read on a thread of its own while the simulation of the present one goes on, in a preview
// and with a headset.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/preview/preview_session.h"
#include "runtime/vr/vr_session.h"
#include "tests/support/program_run.h"

namespace tenon::tests::scene_opening_test {
namespace {

runtime::OpenedScene opened(const std::string& name) {
  return runtime::openScene({scenePath(name), {}}, std::nullopt, false);
}

TEST(SceneOpening, ThePreviewRunsOnUntilTheNextSceneIsThere) {
  const runtime::PreviewOptions options;
  runtime::ViewState state;
  runtime::PreviewSession session(options, opened("stack"), state);
  int scenes = 0;
  session.onScene = [&] { ++scenes; };
  session.open({scenePath("bolt-in-plate"), {}});
  EXPECT_EQ(state.loading, scenePath("bolt-in-plate"));
  session.open({scenePath("hinge"), {}});
  EXPECT_EQ(state.notice, "Another scene is still loading.");
  while (session.isOpening()) {
    session.update();
    std::this_thread::yield();
  }
  EXPECT_EQ(scenes, 1);
  EXPECT_EQ(state.loading, "");
  EXPECT_EQ(session.frame().scene->file, scenePath("bolt-in-plate"));
  EXPECT_EQ(session.sceneView().scene, session.frame().scene);
  EXPECT_EQ(session.drawn().X_WP.size(), session.frame().scene->parts.size());
  const std::int64_t step = session.frame().record.tick.step;
  while (session.frame().record.tick.step <= step) {
    session.update();
    std::this_thread::yield();
  }
  EXPECT_TRUE(session.finish("test"));
}

TEST(SceneOpening, ThePreviewKeepsItsSceneWhereTheNextCannotBeRead) {
  const runtime::PreviewOptions options;
  runtime::ViewState state;
  runtime::PreviewSession session(options, opened("stack"), state);
  session.open({"/nonexistent/scene.json", {}});
  while (session.isOpening()) {
    session.update();
    std::this_thread::yield();
  }
  EXPECT_NE(state.notice.find("/nonexistent/scene.json"), std::string::npos) << state.notice;
  EXPECT_EQ(session.frame().scene->file, scenePath("stack"));
  // A session that ends waits for what is still being read.
  session.open({scenePath("bolt-in-plate"), {}});
}

TEST(SceneOpening, TheMenuInTheHeadsetOpensASceneBesideTheSimulation) {
  const runtime::VrOptions options;
  std::string notice;
  runtime::OpenedScene first = opened("stack");
  runtime::VrSession session(options, first.scene, notice);
  int scenes = 0;
  session.onStart = [&](bool newScene) { scenes += newScene ? 1 : 0; };
  session.start(std::move(first), std::nullopt);
  session.setVisible(true);
  runtime::MenuRequests requests;
  requests.scene = scenePath("bolt-in-plate");
  session.perform(requests);
  EXPECT_EQ(notice, "Loading " + scenePath("bolt-in-plate") + " …");
  while (notice.starts_with("Loading ")) {
    session.perform({});
    session.update(0, 0);
    std::this_thread::yield();
  }
  EXPECT_EQ(notice, "");
  EXPECT_EQ(scenes, 1);
  EXPECT_EQ(session.frame().scene->file, scenePath("bolt-in-plate"));
  EXPECT_EQ(session.scene().view.scene, session.frame().scene);
  EXPECT_TRUE(session.finish("test"));
}

}  // namespace
}  // namespace tenon::tests::scene_opening_test
