// What becomes of a session with a headset when calls fail, the headset is taken off, or the runtime goes
// away and returns.
#include <gtest/gtest.h>
#include <openxr/openxr.h>
#include <vulkan/vulkan_core.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <thread>

#include "tests/support/desktop_window.h"
#include "tests/support/monado.h"
#include "tests/support/png_picture.h"
#include "tests/support/screen.h"
#include "tests/support/traced_program.h"
#include "xr/openxr/xr_functions.h"

namespace tenon::tests::vr_session_test {
namespace {

using Json = TracedProgram::Json;

/// All lines of JSON in a file that are whole.
/// The lines of JSON of a file; the layer also notes calls in words.
std::vector<Json> linesOf(const std::string& file) {
  std::vector<Json> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && !in.eof();)
    if (line.starts_with('{')) all.push_back(Json::parse(line));
  return all;
}

/// tenon vr with Monado, and between them a layer that does what a test says (tests/support/xr_faults).
class VrSession : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = whyNoMonado(); !why.empty()) GTEST_SKIP() << why;
    monado_.emplace();
  }

  void start(std::vector<std::string> arguments, const std::vector<std::string>& more = {}) {
    arguments.insert(arguments.begin(), {TENON_PROGRAM, "vr", scenePath("bolt-in-plate")});
    arguments.insert(arguments.end(), {"--trace", trace()});
    std::vector<std::string> environment = monado_->environment();
    environment.insert(
        environment.end(),
        {"XR_API_LAYER_PATH=" TENON_XR_FAULTS_FOLDER, "TENON_XR_FAULTS=" + (folder_ / "faults"),
         "XR_ENABLE_API_LAYERS=XR_APILAYER_TENON_faults", "TENON_XR_CALLS=" + (folder_ / "calls")});
    environment.insert(environment.end(), more.begin(), more.end());
    program_.emplace(monado_->with(arguments), environment, folder_.path(), trace());
  }
  std::string trace() const { return folder_ / "trace.jsonl"; }
  std::string session() const { return folder_ / "s.tenon"; }
  std::string said() const { return program_->said() + "\nMonado: " + monado_->said(); }

  /// From now on, these lines.
  void wish(const std::string& lines) const {
    std::ofstream(folder_ / "wish") << lines;
    std::filesystem::rename(folder_ / "wish", folder_ / "faults");
  }
  /// Lines that have not been taken.
  std::string wishesLeft() const {
    std::ifstream in(folder_ / "faults");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// All lines have been taken.
  bool wishesDone() const { return std::filesystem::file_size(folder_ / "faults") == 0; }

  /// Lines of frames alone.
  bool waitFor(const std::function<bool(const Json&)>& is) {
    return program_->waitFor([&](const Json& line) { return line.contains("hands") && is(line); });
  }
  bool waitForPlay() {
    return waitFor([](const Json& line) { return line["state"] == "focused" && line["paused"] == false; });
  }
  /// Simulated time goes on.
  bool waitForTime(double seconds) {
    const double from = program_->now()["time_s"].get<double>();
    return waitFor([&](const Json& line) { return line["time_s"].get<double>() > from + seconds; });
  }
  /// All states that the trace has, each once in a row.
  std::vector<std::string> states() const {
    std::vector<std::string> all;
    for (const Json& line : linesOf(trace()))
      if (const std::string state = line["state"]; all.empty() || all.back() != state) all.push_back(state);
    return all;
  }
  /// Frames of all sessions were ended, and nothing else was against the rules. How many sessions there were.
  std::size_t expectBalance() const {
    const std::vector<Json> sessions = linesOf(folder_ / "calls");
    for (const Json& one : sessions) {
      EXPECT_EQ(one["begun"], one["ended"]) << one;
      EXPECT_EQ(one["wrong"], "") << one;
    }
    return sessions.size();
  }
  void expectVerified() {
    // By the same libraries: another C library rounds differently.
    TracedProgram replay(monado_->with({TENON_PROGRAM, "replay", session(), "--verify"}),
                         monado_->environment(), folder_ / "", folder_ / "none");
    EXPECT_EQ(replay.exitCode(), 0) << replay.said();
    EXPECT_EQ(replay.said().find("cut off"), std::string::npos) << replay.said();
  }

  TemporaryFolder folder_;
  std::optional<Monado> monado_;
  std::optional<TracedProgram> program_;
};

TEST_F(VrSession, SessionContinuesWhenTheRuntimeReturns) {
  ASSERT_NO_FATAL_FAILURE(start({"--record", session(), "--wait-for-headset", "100"}));
  ASSERT_TRUE(waitForPlay()) << said();
  ASSERT_TRUE(waitForTime(0.2)) << said();
  monado_->kill();
  ASSERT_TRUE(program_->waitFor([](const Json& line) { return line["state"] == "lost"; })) << said();
  constexpr double kAway = 2;  // [s]
  std::this_thread::sleep_for(std::chrono::duration<double>(kAway));
  EXPECT_NE(said().find("simulation paused until it returns"), std::string::npos) << said();
  monado_->start();
  ASSERT_TRUE(waitForPlay()) << said();
  ASSERT_TRUE(waitForTime(0.2)) << said();
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  expectVerified();
  // Nothing happened in between.
  double last = 0, longest = 0;
  for (const Json& line : linesOf(trace())) {
    if (!line.contains("time_s")) continue;
    const double now = line["time_s"].get<double>();
    longest = std::max(longest, now - last);
    last = now;
  }
  EXPECT_LT(longest, kAway) << "time stops while it is hidden";
  EXPECT_EQ(expectBalance(), 2U);
}

TEST_F(VrSession, WaitingEndsByCtrlCOrTimeout) {
  const auto waitUntilSaid = [&](const char* text) {
    const auto start = std::chrono::steady_clock::now();
    while (program_->said().find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() - start > std::chrono::minutes(1)) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
  };
  for (const bool interrupted : {true, false}) {
    SCOPED_TRACE(interrupted ? "Ctrl-C" : "time is over");
    std::filesystem::remove(trace());
    std::filesystem::remove(folder_ / "stderr");
    ASSERT_NO_FATAL_FAILURE(
        start({"--record", session(), "--force", "--wait-for-headset", interrupted ? "100" : "1"}));
    ASSERT_TRUE(waitForPlay()) << said();
    monado_->kill();
    ASSERT_TRUE(waitUntilSaid("simulation paused until it returns")) << said();
    if (interrupted) program_->send(SIGINT);
    EXPECT_EQ(program_->exitCode(), interrupted ? 130 : 3) << said();
    EXPECT_EQ(said().find("it did not return: ") == std::string::npos, interrupted) << said();
    expectVerified();
    if (interrupted) monado_->start();
  }
  // Before a session, too.
  std::filesystem::remove(trace());
  std::filesystem::remove(folder_ / "stderr");
  ASSERT_NO_FATAL_FAILURE(start({"--wait-for-headset", "100"}));
  ASSERT_TRUE(waitUntilSaid("waiting for it for up to 100 s")) << said();
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
}

// --- calls that fail -----------------------------------------------------------------------------------

struct Failing {
  const char* call;
  XrResult result;
};

/// Every call of the program, in the order of its list, with what such a call may well return.
std::vector<Failing> failingCalls() {
  std::vector<Failing> all;
  constexpr XrResult kResults[] = {XR_ERROR_RUNTIME_FAILURE, XR_ERROR_SESSION_LOST, XR_ERROR_INSTANCE_LOST};
#define TENON_XR_LIST(Name) all.push_back({#Name, kResults[all.size() % 3]});
  TENON_XR_FUNCTIONS(TENON_XR_LIST)
  TENON_XR_EXTENSION_FUNCTIONS(TENON_XR_LIST)
#undef TENON_XR_LIST
  return all;
}

/// In each frame that is seen.
constexpr const char* kOfFrames[] = {"AcquireSwapchainImage",
                                     "BeginFrame",
                                     "EndFrame",
                                     "GetActionStateBoolean",
                                     "GetActionStateFloat",
                                     "GetActionStateVector2f",
                                     "LocateHandJointsEXT",
                                     "LocateSpace",
                                     "LocateViews",
                                     "PollEvent",
                                     "ReleaseSwapchainImage",
                                     "SyncActions",
                                     "WaitFrame",
                                     "WaitSwapchainImage"};
/// On occasions that other tests bring about; a hand's shake needs something to touch.
constexpr const char* kOfOccasions[] = {"ApplyHapticFeedback", "EndSession", "RequestExitSession"};
/// Those of a beginning that the probe calls too, before it in each attempt.
constexpr const char* kOfTheProbe[] = {"GetInstanceProperties", "GetSystem"};

bool isIn(std::span<const char* const> list, const std::string& call) {
  return std::any_of(list.begin(), list.end(), [&](const char* one) { return call == one; });
}

TEST_F(VrSession, EachCallOfAFrameMayFailAndTheSessionReturns) {
  // Without depth: a call for its images that fails does not end a session, and may be the next one.
  const std::string always = "formats " + std::to_string(VK_FORMAT_R8G8B8A8_SRGB) + "\n";
  wish(always);
  ASSERT_NO_FATAL_FAILURE(start({"--record", session(), "--wait-for-headset", "1000"}));
  ASSERT_TRUE(waitForPlay()) << said();
  std::size_t losses = 0;
  for (const Failing& one : failingCalls()) {
    if (!isIn(kOfFrames, one.call)) continue;
    SCOPED_TRACE(one.call);
    wish(always + "fail " + std::string(one.call) + " " + std::to_string(one.result) + " 1\n");
    ASSERT_TRUE(program_->waitFor([](const Json& line) { return line["state"] == "lost"; })) << said();
    EXPECT_EQ(wishesLeft(), always);
    ASSERT_TRUE(waitForPlay()) << said();
    ++losses;
    EXPECT_NE(said().find("xr" + std::string(one.call) + " returned"), std::string::npos) << said();
  }
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  EXPECT_EQ(losses, std::size(kOfFrames));
  EXPECT_EQ(expectBalance(), losses + 1);
  expectVerified();
}

TEST_F(VrSession, EachCallOfABeginningMayFailAndTheNextAttemptSucceeds) {
  ASSERT_NO_FATAL_FAILURE(
      start({"--record", session(), "--wait-for-headset", "1000", "--refresh-rate", "90"}));
  ASSERT_TRUE(waitForPlay()) << said();
  // One attempt after the other fails, each a call further.
  std::string lines = "fail EndFrame " + std::to_string(XR_ERROR_SESSION_LOST) + " 0\n";
  for (const Failing& one : failingCalls())
    if (!isIn(kOfFrames, one.call) && !isIn(kOfOccasions, one.call) && !isIn(kOfTheProbe, one.call))
      lines += "fail " + std::string(one.call) + " " + std::to_string(one.result) + " 0\n";
  wish(lines);
  ASSERT_TRUE(program_->waitFor([](const Json& line) { return line["state"] == "lost"; })) << said();
  ASSERT_TRUE(waitForPlay()) << said();
  ASSERT_TRUE(waitForTime(0.1)) << said();
  for (const char* const call : kOfTheProbe) {
    SCOPED_TRACE(call);
    wish("fail EndFrame " + std::to_string(XR_ERROR_SESSION_LOST) + " 0\nfail " + call + " " +
         std::to_string(XR_ERROR_RUNTIME_FAILURE) + " 1\n");
    ASSERT_TRUE(program_->waitFor([](const Json& line) { return line["state"] == "lost"; })) << said();
    ASSERT_TRUE(waitForPlay()) << said();
    EXPECT_TRUE(wishesDone());
  }
  // Nothing hangs on how a runtime takes the goodbye.
  std::ofstream(folder_ / "faults", std::ios::app)
      << "fail RequestExitSession " << XR_ERROR_RUNTIME_FAILURE << " 0\n";
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  std::ifstream rest(folder_ / "faults");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(rest), {}), "") << "these calls never came";
  expectBalance();
  expectVerified();
}

// --- a headset that comes and goes ---------------------------------------------------------------------

TEST_F(VrSession, TakingOffTheHeadsetPausesTheSimulation) {
  ASSERT_NO_FATAL_FAILURE(start({"--record", session()}));
  ASSERT_TRUE(waitForPlay()) << said();
  wish("event " + std::to_string(XR_SESSION_STATE_STOPPING) + "\n");
  ASSERT_TRUE(program_->waitFor([](const Json& line) { return line["state"] == "idle"; })) << said();
  wish("event " + std::to_string(XR_SESSION_STATE_READY) + "\n");
  ASSERT_TRUE(waitForPlay()) << said();
  ASSERT_TRUE(waitForTime(0.1)) << said();
  // The runtime goes, by its own word, or where a session is to end; then it is there again.
  const std::string ending = "event " + std::to_string(XR_SESSION_STATE_STOPPING) + "\nfail EndSession " +
                             std::to_string(XR_ERROR_RUNTIME_FAILURE) + " 0\n";
  for (const std::string& lines : {std::string("event 100\n"), ending}) {
    wish(lines);
    ASSERT_TRUE(program_->waitFor([](const Json& line) { return line["state"] == "lost"; })) << said();
    ASSERT_TRUE(waitForPlay()) << said();
  }
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  const std::vector<std::string> on{"idle", "ready", "synchronized", "visible", "focused"};
  std::vector<std::string> wanted;
  const auto then = [&](const std::vector<std::string>& more) {
    wanted.insert(wanted.end(), more.begin(), more.end());
  };
  then(on);
  then({"stopping"});
  then(on);
  then({"lost"});
  then(on);
  then({"stopping", "lost"});
  then(on);
  then({"visible", "synchronized", "stopping", "idle", "exiting"});
  EXPECT_EQ(states(), wanted);
  EXPECT_NE(said().find("XrEventDataInstanceLossPending"), std::string::npos) << said();
  EXPECT_EQ(expectBalance(), 3U);
  expectVerified();
}

TEST_F(VrSession, RecenteringPlacesTheSceneBeforeTheHead) {
  ASSERT_NO_FATAL_FAILURE(start({}));
  ASSERT_TRUE(waitForPlay()) << said();
  const Json first = program_->now()["world_in_room"];
  monado_->X_SHead.p.x() += 0.3;
  monado_->send();
  ASSERT_TRUE(waitForTime(0.2)) << said();
  const auto tellOf = [&](const char* event) {
    const std::int64_t from = program_->now()["display_ns"].get<std::int64_t>();
    wish(event);
    return from;
  };
  const auto isPast = [](const Json& line, std::int64_t from) {
    return line["display_ns"].get<std::int64_t>() >= from + 1'000'000'000;
  };
  std::int64_t from = tellOf("event 102\n");
  ASSERT_TRUE(waitFor([&](const Json& line) { return wishesDone() && isPast(line, from + 500'000'000); }))
      << said();
  EXPECT_EQ(program_->now()["world_in_room"], first) << "of another space";
  from = tellOf("event 101\n");
  ASSERT_TRUE(waitFor([&](const Json& line) { return line["world_in_room"] != first; })) << said();
  EXPECT_TRUE(isPast(program_->now(), from)) << "before it is another one";
  const Json second = program_->now()["world_in_room"];
  EXPECT_NEAR(second[0].get<double>() - first[0].get<double>(), 0.3, 1e-3);
  ASSERT_TRUE(waitForTime(0.2)) << said();
  EXPECT_EQ(program_->now()["world_in_room"], second) << "once";
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
}

TEST_F(VrSession, RoomWithoutAStageStandsOnItsFloor) {
  wish("unstaged\n");
  ASSERT_NO_FATAL_FAILURE(start({"--table", "0.7"}));
  ASSERT_TRUE(waitForPlay()) << said();
  // From a head that is taken to be 1.6 m over it, the floor would be below 0.
  const double height = program_->now()["world_in_room"][1].get<double>();
  EXPECT_GT(height, 0.69);
  EXPECT_LT(height, 0.85);
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
}

TEST_F(VrSession, RendersOnlyRequestedFramesWithTrackedEyes) {
  ASSERT_NO_FATAL_FAILURE(start({}));
  ASSERT_TRUE(waitForPlay()) << said();
  for (const char* line : {"blind\n", "unseen\n"}) {
    wish(line);
    ASSERT_TRUE(waitFor([](const Json& frame) { return frame["drawn"] == false; })) << said();
    wish("");
    ASSERT_TRUE(waitFor([](const Json& frame) { return frame["drawn"] == true; })) << said();
  }
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  ASSERT_EQ(expectBalance(), 1U);
  const Json frames = linesOf(folder_ / "calls").front();
  EXPECT_GE(frames["empty"].get<int>(), 2);
  EXPECT_GE(frames["drawn"].get<int>(), 3);
  EXPECT_EQ(frames["late"], frames["drawn"]) << "eyes are located after everything else";
  EXPECT_EQ(frames["depth"], frames["drawn"]) << "Monado takes depth";
  EXPECT_NE(said().find("p50/p99 in ms: wait "), std::string::npos) << said();
  for (const Json& line : linesOf(trace())) {
    if (!line.contains("hands") || line["drawn"] == false) continue;
    for (const char* part : {"wait_ms", "begin_ms", "ask_ms", "draw_ms", "end_ms", "cpu_ms", "physics_ms"}) {
      ASSERT_TRUE(line.contains(part)) << line;
    }
  }
}

TEST_F(VrSession, RuntimeMessagesArePrintedOnce) {
  ASSERT_NO_FATAL_FAILURE(start({}));
  ASSERT_TRUE(waitForPlay()) << said();
  wish("say the lens is dusty\nsay the lens is dusty\nsay it rains\n");
  const auto start = std::chrono::steady_clock::now();
  while (!wishesDone() && std::chrono::steady_clock::now() - start < std::chrono::minutes(1))
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(wishesDone());
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  const std::string text = program_->said();
  const std::string dusty = "tenon: OpenXR warning: xrPollEvent: the lens is dusty\n";
  const auto at = text.find(dusty);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(dusty, at + 1), std::string::npos) << text;
  EXPECT_NE(text.find("tenon: OpenXR warning: xrPollEvent: it rains\n"), std::string::npos) << text;
}

TEST_F(VrSession, DoctorFindsRuntimeAndHeadset) {
  program_.emplace(monado_->with({TENON_PROGRAM, "doctor"}), monado_->environment(), folder_.path(),
                   folder_ / "none");
  program_->exitCode();
  const std::string text = program_->said();
  EXPECT_NE(text.find("Monado"), std::string::npos) << text;
  EXPECT_NE(text.find("ready"), std::string::npos) << text;
}

// --- ends ----------------------------------------------------------------------------------------------

/// What the program itself said, without its runtime's chatter and the figures at the end.
std::vector<std::string> ownLines(const std::string& said) {
  std::vector<std::string> own;
  std::istringstream in(said);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("tenon: ") && line.find("p50/p99") == std::string::npos) own.push_back(line);
  return own;
}

TEST_F(VrSession, LossWithoutWaitingIsOneLineAndExit3) {
  ASSERT_NO_FATAL_FAILURE(start({"--record", session(), "--wait-for-headset", "0"}));
  ASSERT_TRUE(waitForPlay()) << said();
  ASSERT_TRUE(waitForTime(0.1)) << said();
  wish("event " + std::to_string(XR_SESSION_STATE_LOSS_PENDING) + "\n");
  EXPECT_EQ(program_->exitCode(), 3) << said();
  const auto own = ownLines(program_->said());
  ASSERT_EQ(own.size(), 2U) << said();  // the first one greets
  EXPECT_EQ(own[1], "tenon: the headset is being lost (XR_SESSION_STATE_LOSS_PENDING)");
  const std::vector<std::string> all = states();
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[all.size() - 2], "loss pending");
  EXPECT_EQ(all.back(), "lost");
  EXPECT_EQ(expectBalance(), 1U);
  expectVerified();
}

TEST_F(VrSession, DeviceThatFailsWithinAFrameEndsItAndTheSession) {
  ASSERT_NO_FATAL_FAILURE(start({"--record", session()}, {"VK_INSTANCE_LAYERS=VK_LAYER_TENON_faults",
                                                          "VK_LAYER_PATH=" TENON_FAULTS_FOLDER,
                                                          "TENON_FAULTS=" + (folder_ / "fault")}));
  ASSERT_TRUE(waitForPlay()) << said();
  std::ofstream(folder_ / "fault.next") << "submit -4";
  std::filesystem::rename(folder_ / "fault.next", folder_ / "fault");
  EXPECT_EQ(program_->exitCode(), 3) << said();
  EXPECT_NE(said().find("the Vulkan device failed"), std::string::npos) << said();
  EXPECT_EQ(expectBalance(), 1U);
  expectVerified();
}

TEST_F(VrSession, BeginningThatFailsIsOneLineAndExit3) {
  struct Case {
    const char* call;
    XrResult result;
    int skip;  ///< calls of the probe
    const char* says;
  };
  for (const Case& one :
       {Case{"GetSystem", XR_ERROR_FORM_FACTOR_UNAVAILABLE, 0, "finds no headset"},
        Case{"GetVulkanGraphicsDevice2KHR", XR_ERROR_RUNTIME_FAILURE, 0,
             "the headset's graphics device is not available to Vulkan"},
        Case{"CreateInstance", XR_ERROR_RUNTIME_FAILURE, 1, "the OpenXR runtime cannot be used"},
        Case{"CreateSession", XR_ERROR_LIMIT_REACHED, 0, "xrCreateSession returned"}}) {
    SCOPED_TRACE(one.call);
    for (const char* const file : {"trace.jsonl", "stderr"}) std::filesystem::remove(folder_ / file);
    wish("fail " + std::string(one.call) + " " + std::to_string(one.result) + " " + std::to_string(one.skip) +
         "\n");
    ASSERT_NO_FATAL_FAILURE(start({}));
    EXPECT_EQ(program_->exitCode(), 3) << said();
    const auto own = ownLines(program_->said());
    ASSERT_EQ(own.size(), 1U) << said();
    EXPECT_NE(own[0].find(one.says), std::string::npos) << own[0];
  }
}

TEST_F(VrSession, WaitsForTheHeadsetOnRequest) {
  wish("fail GetSystem " + std::to_string(XR_ERROR_FORM_FACTOR_UNAVAILABLE) + " 0\n");
  ASSERT_NO_FATAL_FAILURE(start({"--wait-for-headset", "100"}));
  ASSERT_TRUE(waitForPlay()) << said();
  EXPECT_NE(said().find("finds no headset"), std::string::npos) << said();
  EXPECT_NE(said().find("waiting for it"), std::string::npos) << said();
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
  // Also where it goes between the probe and the beginning.
  std::filesystem::remove(trace());
  wish("fail GetSystem " + std::to_string(XR_ERROR_FORM_FACTOR_UNAVAILABLE) + " 1\n");
  ASSERT_NO_FATAL_FAILURE(start({"--wait-for-headset", "100"}));
  ASSERT_TRUE(waitForPlay()) << said();
  EXPECT_NE(said().find("the headset was lost"), std::string::npos) << said();
  program_->send(SIGINT);
  EXPECT_EQ(program_->exitCode(), 130) << said();
}

TEST_F(VrSession, UnknownRefreshRateIsAccepted) {
  for (const char* const call :
       {"EnumerateDisplayRefreshRatesFB", "GetDisplayRefreshRateFB", "RequestDisplayRefreshRateFB"}) {
    SCOPED_TRACE(call);
    std::filesystem::remove(trace());
    wish("fail " + std::string(call) + " " + std::to_string(XR_ERROR_RUNTIME_FAILURE) + " 0\n");
    ASSERT_NO_FATAL_FAILURE(start({"--refresh-rate", "90"}));
    ASSERT_TRUE(waitForPlay()) << said();
    EXPECT_TRUE(wishesDone());
    program_->send(SIGINT);
    EXPECT_EQ(program_->exitCode(), 130) << said();
  }
}

// --- the window beside ---------------------------------------------------------------------------------

/// Every so many pixels of it, of its left part.
PngPicture sampled(const PngPicture& from, int width, int height, int each) {
  PngPicture out{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (std::size_t k = 0; k < 3; ++k)
        out.rgb.push_back(
            from.rgb[3 * (static_cast<std::size_t>(each * y + each / 2) * from.width + each * x + each / 2) +
                     k]);
  return out;
}

TEST_F(VrSession, MirrorWindowShowsTheLeftEyeAndMayBeClosed) {
  if (const std::string why = whyNoScreen(); !why.empty()) GTEST_SKIP() << why;
  for (const bool dies : {false, true}) {
    SCOPED_TRACE(dies ? "the display dies" : "it is closed");
    Screen screen;
    const std::string file = folder_ / (dies ? "dies.png" : "closed.png");
    std::filesystem::remove(trace());
    // Whose calls are watched, where that is possible.
    const std::string layers = "/usr/share/vulkan/explicit_layer.d";
    ASSERT_NO_FATAL_FAILURE(
        start({"--screenshot", file},
              std::filesystem::exists(layers + "/VkLayer_khronos_validation.json")
                  ? std::vector<std::string>{"DISPLAY=" + screen.name(), "VK_LAYER_PATH=" + layers,
                                             "VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation"}
                  : std::vector<std::string>{"DISPLAY=" + screen.name()}));
    ASSERT_TRUE(waitForPlay()) << said();
    ASSERT_TRUE(waitFor([](const Json& line) { return line["mirrored"].get<int>() > 3; })) << said();
    const unsigned long window = std::stoul(screen.xdotool("search --onlyvisible --name 'headset view'"));
    const PngPicture seen = pixelsOf(screen.name(), window);
    dies ? screen.kill() : askToClose(screen.name(), window);
    ASSERT_TRUE(waitFor([](const Json& line) { return line["mirrored"] == 0; })) << said();
    ASSERT_TRUE(waitForTime(0.2)) << said();
    program_->send(SIGINT);
    EXPECT_EQ(program_->exitCode(), 130) << said();
    EXPECT_EQ(said().find("VUID"), std::string::npos) << said();
    const PngPicture eyes = readPng(file);
    ASSERT_EQ(eyes.width, 640);
    ASSERT_EQ(seen.width, 960);
    ASSERT_EQ(seen.height, 3 * eyes.height);
    // It shows three pixels for one.
    EXPECT_LT(difference(sampled(seen, 320, 240, 3), sampled(eyes, 320, 240, 1)).mean, 2);
    double spread = 0;
    for (const unsigned char value : seen.rgb)
      spread = std::max(spread, std::abs(value - double(seen.rgb[0])));
    EXPECT_GT(spread, 30) << "it is a picture";
  }
}

}  // namespace
}  // namespace tenon::tests::vr_session_test
