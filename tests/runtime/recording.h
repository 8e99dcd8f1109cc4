// A session that is recorded within the test's process, and what is then in its file.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "content/reader/load_scene.h"
#include "runtime/assess/assessment.h"
#include "runtime/record/recorder.h"
#include "runtime/record/replay_check.h"
#include "runtime/simulation/simulation.h"
#include "tests/runtime/session_file.h"
#include "xr/hands/scripted_hands.h"

namespace tenon::tests {

/// A recording of bolt-in-plate within this process.
class Session {
 public:
  explicit Session(const std::string& file,
                   runtime::OverflowPolicy overflowPolicy = runtime::OverflowPolicy::wait,
                   std::size_t queueBytes = runtime::Recorder::kQueueBytes)
      : text_(content::readSceneText(scenePath("bolt-in-plate"))),
        scene_(content::parseScene(text_, scenePath("bolt-in-plate"))),
        assessment_(scene_),
        simulation_(scene_, {.dt = 1 / scene_.rate}, std::make_unique<xr::ScriptedHands>(scene_.hands)) {
    runtime::SessionHeader header;
    header.program = runtime::thisProgram();
    header.started = "2026-01-01T00:00:00Z";
    header.sceneFile = scene_.file;
    header.sceneText = text_;
    header.solver = "auto";
    header.rate = scene_.rate;
    recorder_ = std::make_unique<runtime::Recorder>(
        file, false, header, scene_, simulation_.world(), overflowPolicy,
        [this](const std::string& message) { endMessage = message; }, queueBytes);
  }
  void step(int steps) {
    for (int k = 0; k < steps; ++k) {
      assessment_.add(simulation_.step());
      recorder_->add(simulation_.world(), simulation_.commands(), simulation_.samples(), assessment_.goals(),
                     0);
    }
  }
  runtime::Recorder& recorder() { return *recorder_; }
  const physics::World& world() const { return simulation_.world(); }

  std::string endMessage;  ///< why the recording ended early; read it after finish()

 private:
  std::string text_;
  content::Scene scene_;
  runtime::Assessment assessment_;
  runtime::Simulation simulation_;
  std::unique_ptr<runtime::Recorder> recorder_;
};

/// Reads all of a session, which checks its hashes, and compares it with a re-simulation.
inline std::int64_t verifiedTicks(const std::string& file) {
  runtime::SessionReader session(file);
  const runtime::SessionHeader& header = session.header();
  const content::Scene scene = content::parseScene(header.sceneText, header.sceneFile, header.parameters);
  runtime::Resimulation resimulation(session, scene, {.dt = 1 / header.rate});
  const runtime::ReplayCheck result =
      runtime::verifyReplay(session, &resimulation, [](double) { return true; });
  EXPECT_FALSE(result.firstDifferent.has_value());
  return result.steps;
}

/// The ticks that a reader sees now; −1: no session yet.
inline std::int64_t ticksIn(const std::string& file) {
  try {
    return runtime::SessionReader(file).lastTick();
  } catch (const content::InputError&) {
    return -1;
  }
}

/// Steps until the file on the disk has all of it: a minute is far more than any disk takes.
inline bool waitUntilOnDisk(const std::string& file, std::int64_t tick) {
  for (int k = 0; k < 6000 && ticksIn(file) < tick; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return ticksIn(file) >= tick;
}

}  // namespace tenon::tests
