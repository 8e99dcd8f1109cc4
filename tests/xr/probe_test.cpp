// The probes work on every machine: with or without drivers, runtimes and headsets, even if those crash or
// hang.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "xr/isolated_process.h"
#include "xr/openxr/runtime_probe.h"
#include "xr/text_fields.h"
#include "xr/vulkan/vulkan_probe.h"

namespace tenon::xr {
namespace {

using namespace std::chrono_literals;
using End = IsolatedResult::End;

/// Sets an environment variable for one test and restores the old value.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value, 1);
  }
  ~ScopedVariable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(IsolatedProcess, ReturnsTheWholeOutput) {
  const std::string large(1'000'000, 'x');  // more than a pipe holds at once
  const IsolatedResult result = runIsolated([&] { return large; }, 60s);
  EXPECT_EQ(result.end, End::finished);
  EXPECT_EQ(result.output, large);
}

TEST(IsolatedProcess, SurvivesACrash) {
  const auto crash = []() -> std::string {
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would print a report first
    raise(SIGSEGV);
    return "unreachable";
  };
  EXPECT_EQ(runIsolated(crash, 60s).end, End::crashed);
}

TEST(IsolatedProcess, SurvivesAnException) {
  const auto fail = []() -> std::string { throw std::runtime_error("no"); };
  EXPECT_EQ(runIsolated(fail, 60s).end, End::crashed);
}

TEST(IsolatedProcess, KillsATaskAfterTheTimeLimit) {
  const auto hang = []() -> std::string {
    while (true) pause();
  };
  EXPECT_EQ(runIsolated(hang, 50ms).end, End::timedOut);
}

TEST(IsolatedProcess, KillsACancelledTask) {
  const auto hang = []() -> std::string {
    while (true) pause();
  };
  int calls = 0;
  EXPECT_EQ(runIsolated(hang, 60s, [&] { return ++calls == 3; }).end, End::cancelled);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(runIsolated([] { return std::string("here"); }, 60s, [] { return false; }).output, "here");
}

TEST(IsolatedProcess, DiscardsConsoleOutput) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const IsolatedResult result = runIsolated(
      []() -> std::string {
        const char text[] = "chatter\n";
        const bool written = write(STDOUT_FILENO, text, sizeof text - 1) > 0 &&
                             write(STDERR_FILENO, text, sizeof text - 1) > 0;
        return written ? "written" : "not written";
      },
      60s);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(result.output, "written");
}

TEST(TextFields, AreReadAsTheyWereWritten) {
  FieldWriter writer;
  writer.add("one");
  writer.add("");
  writer.addBool(true);
  writer.addBool(false);
  writer.add(std::string_view("cut\0off", 7));
  FieldReader reader(writer.text());
  EXPECT_EQ(reader.next(), "one");
  EXPECT_EQ(reader.next(), "");
  EXPECT_TRUE(reader.nextBool());
  EXPECT_FALSE(reader.nextBool());
  EXPECT_FALSE(reader.atEnd());
  EXPECT_EQ(reader.next(), "cut");
  EXPECT_TRUE(reader.atEnd());
  EXPECT_EQ(reader.next(), "");
}

void expectConsistent(const VulkanProbe& probe) {
  EXPECT_EQ(probe.devices.empty(), !probe.problem.empty()) << probe.problem;
  if (!probe.loader) {
    EXPECT_TRUE(probe.devices.empty());
  }
  for (const VulkanDevice& device : probe.devices) {
    EXPECT_FALSE(device.name.empty());
    EXPECT_FALSE(device.type.empty());
    EXPECT_FALSE(device.driver.empty());
    EXPECT_EQ(device.apiVersion.rfind("1.", 0), 0U) << device.apiVersion;
  }
}

TEST(VulkanProbe, ListsDevicesOrReportsTheProblem) {
  expectConsistent(probeVulkan());
}

TEST(VulkanProbe, NamesTheRemedyWithoutADriver) {
  const ScopedVariable icd("VK_ICD_FILENAMES", "/nonexistent/driver.json");
  const ScopedVariable drivers("VK_DRIVER_FILES", "/nonexistent/driver.json");
  const VulkanProbe probe = probeVulkan();
  expectConsistent(probe);
  EXPECT_TRUE(probe.devices.empty());
  EXPECT_NE(probe.problem.find("install"), std::string::npos) << probe.problem;
}

void expectConsistent(const OpenXrProbe& probe) {
  EXPECT_EQ(probe.headset, probe.problem.empty()) << probe.problem;
  EXPECT_EQ(probe.problem.empty(), probe.remedy.empty()) << probe.remedy;
  EXPECT_TRUE(probe.loader || !probe.runtime);
  EXPECT_TRUE(probe.runtime || !probe.headset);
  EXPECT_EQ(probe.runtime, !probe.runtimeName.empty()) << probe.runtimeName;
}

TEST(OpenXrProbe, FindsAHeadsetOrReportsTheProblem) {
  expectConsistent(probeOpenXr());
}

TEST(OpenXrProbe, NamesTheManifestThatDoesNotLoad) {
  const ScopedVariable manifest("XR_RUNTIME_JSON", "/nonexistent/runtime.json");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const OpenXrProbe probe = probeOpenXr();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  expectConsistent(probe);
  EXPECT_FALSE(probe.runtime);
  if (probe.loader) {
    EXPECT_NE(probe.problem.find("/nonexistent/runtime.json"), std::string::npos) << probe.problem;
    EXPECT_NE(probe.remedy.find("XR_RUNTIME_JSON"), std::string::npos) << probe.remedy;
  }
}

}  // namespace
}  // namespace tenon::xr
