// A session of a server for a window or a headset: hands and controls go there, its states come back as
// frames.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime/service/client/hand_stream.h"
#include "runtime/service/client/remote_server.h"
#include "runtime/service/client/state_frames.h"
#include "runtime/simulation/clock.h"
#include "runtime/simulation/live_session.h"

namespace tenon::service {

struct RemoteLiveOptions {
  bool scripted = false;           ///< hands follow scripts, not setHands()
  bool handsAwaitOpening = false;  ///< hands that are closed at the start must be opened before they grasp
  bool ownsSession = true;         ///< finish() closes the session
  std::string record;              ///< file that gets the session's record when it ends; empty: none
  bool force = false;              ///< overwrite an existing file
};

/// Three threads: one reads states, one passes controls on, one passes hand samples on. Frames are displayed
/// up to two intervals after their arrival, so that motion is even although states arrive unevenly. If the
/// server goes away, LiveStatus::failure says so and the last frame stays.
class RemoteLive final : public runtime::LiveSession {
 public:
  /// Gets the present state. Throws StatusError.
  RemoteLive(RemoteSession session, const std::shared_ptr<const content::Scene>& scene,
             RemoteLiveOptions options);
  /// Calls finish("given up").
  ~RemoteLive() override;

  void setHands(std::span<const xr::HandSample> samples, std::int64_t sampleTime_ns,
                std::int64_t moveDuration_ns) override;
  void setHead(const runtime::HeadSample& /*head*/) override {}  // not in records of a server
  void reportActivity() override {}
  void enqueue(runtime::Control control) override;

  runtime::FrameBuffer frameBuffer() const override;
  void drainTrace(runtime::LiveTrace& trace) override;
  std::int64_t now_ns() const override { return clock_.now_ns(); }
  /// Downloads the record, if there is a file for it.
  bool finish(const std::string& reason) override;

 private:
  struct Sample {
    xr::HandSample value;
    std::int64_t moveDuration_ns = 0;
  };

  void readStates();
  void passControls();
  void passHands();
  bool waitForHands(std::vector<std::pair<int, Sample>>& samples);

  void perform(const runtime::PlayControl& control);
  void perform(const runtime::StepControl& control);
  void perform(const runtime::SpeedControl& control);
  void perform(const runtime::ScriptControl& control);
  void perform(const runtime::GuidanceControl& control);
  void perform(const runtime::ResetControl& control);
  void perform(const runtime::UndoControl& control);
  void perform(const runtime::RedoControl& control);
  void perform(const runtime::SolverControl& control);
  void perform(const runtime::RateControl& control);
  void perform(const runtime::DynamicsControl& control);
  void perform(const runtime::ThrusterControl& control);
  void perform(const runtime::SceneControl& control);
  void perform(const runtime::MarkControl& control);
  void perform(const runtime::EndRecordControl& control);

  /// Adds a state to the frames and the trace.
  void add(const v1::State& state);
  void schedule(runtime::SimulationFrame& frame, std::int64_t returns);
  void addTrace(const v1::State& state);
  /// Publishes the newest frame again with a message, or as that of a session that has ended.
  void report(const std::string& message, bool ended);
  /// Publishes the newest frame again, with the present status of this client.
  void republish(const std::string& failure);
  void push(std::shared_ptr<runtime::SimulationFrame> frame);
  bool downloadRecord();

  RemoteSession session_;
  StateFrames frames_of_;
  RemoteLiveOptions options_;
  mutable runtime::SteadyClock clock_;
  std::shared_ptr<runtime::FramePool> pool_ = std::make_shared<runtime::FramePool>();
  grpc::ClientContext watch_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false, ended_ = false;
  std::deque<runtime::Control> controls_;
  bool scripted_ = false;                    ///< samples are not passed on
  bool handsEnded_ = false;                  ///< the server has ended the stream of hands
  std::vector<std::deque<Sample>> samples_;  ///< by hand, not yet passed on
  std::vector<bool> awaitsOpening_;          ///< by hand: closed samples count as open until an open one
  std::vector<std::optional<Sample>> lastSample_;  ///< by hand
  std::deque<std::shared_ptr<runtime::SimulationFrame>>
      frames_;  ///< never empty; displayed one after another
  std::int64_t number_ = 0, returns_ = 0;
  std::string message_;
  int messages_ = 0;
  runtime::LiveTrace trace_;

  bool finished_ = false, complete_ = true;
  std::thread states_, passing_, hands_;
};

}  // namespace tenon::service
