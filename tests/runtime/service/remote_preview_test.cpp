// tenon preview --connect: the window shows and drives a session of a server, over loopback.
#include <gtest/gtest.h>

#include <csignal>
#include <memory>

#include "runtime/service/client/remote_server.h"
#include "tests/runtime/screw_by_mouse.h"
#include "tests/runtime/service/server_program.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::tests::remote_preview_test {
namespace {

using Json = PreviewWindow::Json;

/// Of a machine with a virtual screen and a Vulkan device.
class RemotePreview : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
    static const xr::VulkanProbe probe = xr::probeVulkan();
    if (!probe.problem.empty()) GTEST_SKIP() << probe.problem;
    server_ = std::make_unique<ServerProgram>();
    ASSERT_FALSE(server_->address().empty()) << server_->program().said();
  }

  std::unique_ptr<ServerProgram> server_;
};

TEST_F(RemotePreview, MouseInsertsTheScrewOnTheServerAndItsRecordIsVerified) {
  const TemporaryFolder folder;
  const std::string record = folder / "record.tenon";
  {
    PreviewWindow window({scenePath("bolt-in-plate"), "--connect", server_->address(), "--record", record});
    insertScrewByMouse(window);
    window.key("ctrl+z");
    EXPECT_TRUE(window.waitFor([](const Json& picture) {
      return picture["goals"][0]["verdict"] != "inserted";
    })) << window.now().dump();
    window.key("ctrl+y");
    EXPECT_TRUE(window.waitFor([](const Json& picture) {
      return picture["goals"][0]["verdict"] == "inserted";
    })) << window.now().dump();
    window.key("Escape");
    EXPECT_EQ(window.exitCode(), 0) << window.said();
  }
  const Outcome verified = runTenon({"replay", record, "--verify"});
  EXPECT_EQ(verified.exitCode, 0) << verified.out << verified.err;
}

TEST_F(RemotePreview, AWindowJoinsARunningSessionAndTakesItsHandsOver) {
  service::RemoteServer client(
      {.address = server_->address(), .token = "", .authority = "", .certificate = "", .key = ""});
  runtime::LoadedScene scene = runtime::loadScene({scenePath("bolt-in-plate"), {}});
  v1::CreateSessionRequest request;
  request.set_scene(client.upload(scene));
  const v1::Session session = client.create(request);
  PreviewWindow window({"--connect", server_->address(), "--session", session.id()});
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["paused"] == true; }));
  window.key("space");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return number(picture["time_s"]) > 0.1; }));
  window.key("space");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["paused"] == true; }));
  const double stopped = number(window.now()["time_s"]);
  window.key("BackSpace");
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return number(picture["time_s"]) == 0; })) << stopped;
  window.key("p");
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["scripted"] == false; }));
  window.key("space");
  const Place screw = placeOf(window.now(), "screw");
  window.moveTo(screw.x, screw.y);
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return picture["under"] == "screw"; }));
  window.press(1);
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["hands"][0]["holds"] == "screw"; }))
      << window.now().dump();
  window.release(1);
  EXPECT_TRUE(window.waitFor([](const Json& picture) { return picture["hands"][0]["holds"] != "screw"; }));
  window.key("Escape");
  EXPECT_EQ(window.exitCode(), 0) << window.said();
  EXPECT_TRUE(client.sessions().front().running()) << "the window has joined it, and does not end it";
}

TEST_F(RemotePreview, AServerThatGoesAwayIsSaidAndTheLastPictureStays) {
  PreviewWindow window({scenePath("bolt-in-plate"), "--connect", server_->address()});
  ASSERT_TRUE(window.waitFor([](const Json& picture) { return number(picture["time_s"]) > 0.1; }));
  server_->program().send(SIGKILL);
  ASSERT_TRUE(
      window.waitFor([](const Json& picture) { return !picture["failure"].get<std::string>().empty(); }));
  EXPECT_NE(window.now()["failure"].get<std::string>().find("the server has gone away"), std::string::npos)
      << window.now()["failure"];
  const Json poses = window.now()["poses"];
  EXPECT_EQ(poses.size(), 3u) << "screw, plate and floor";
  window.key("1");
  ASSERT_TRUE(window.waitForPictures(3));
  EXPECT_EQ(window.now()["poses"], poses);
}

TEST(RemotePreviewOptions, BadOptionsAreOneLine) {
  const TemporaryFolder folder;
  const auto refused = [](const std::vector<std::string>& options, int exitCode, const std::string& text) {
    std::vector<std::string> words{"preview"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = runTenon(words);
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  refused({"--connect", "nowhere"}, 2, "nowhere");
  refused({"--connect", "unix:" + folder.path() + "/none"}, 3, "no server answers");
  refused({"--connect", "unix:" + folder.path() + "/none", "--token-file", folder / "missing"}, 2,
          "--token-file");
  refused({"--session", "0123456789abcdef"}, 2, "--connect");
  const std::vector<std::string> joins{"--connect", "127.0.0.1:1", "--session", "0123456789abcdef"};
  for (const std::vector<std::string>& own : {std::vector<std::string>{"--play"},
                                              {"--paused"},
                                              {"--record", folder / "s.tenon"},
                                              {scenePath("flange")}}) {
    std::vector<std::string> options = joins;
    options.insert(options.end(), own.begin(), own.end());
    refused(options, 2, "--session");
  }
}

}  // namespace
}  // namespace tenon::tests::remote_preview_test
