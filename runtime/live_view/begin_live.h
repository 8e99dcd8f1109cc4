// Starts an interactive session, in a window or a headset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/live_view/open_scene.h"
#include "runtime/session/solver_settings.h"
#include "runtime/simulation/live_session.h"

namespace tenon::runtime {

struct LiveStart {
  SolverSettings solver;
  double rate = 0;  ///< [Hz]; 0: the scene's rate
  bool paused = false, scripted = false, guidance = false;
  bool handsAwaitOpening = false;         ///< see LiveOptions
  bool returnsStrayParts = false;         ///< see LiveOptions; not on a server
  std::int64_t inactivityTimeout_ns = 0;  ///< see LiveOptions
  std::optional<std::string> record;      ///< session file
  bool force = false;                     ///< overwrite an existing file
};

/// Where interactive sessions run: in this process, or on a server.
class LiveSource {
 public:
  LiveSource() = default;
  virtual ~LiveSource() = default;
  LiveSource(const LiveSource&) = delete;
  LiveSource& operator=(const LiveSource&) = delete;

  /// The scene of a session that runs already, which the first begin() then joins; empty: there is none.
  virtual std::optional<OpenedScene> runningScene() { return std::nullopt; }
  /// Starts the simulation of an opened scene. Throws like LiveSimulation's constructor, and if a server
  /// rejects it.
  virtual std::unique_ptr<LiveSession> begin(OpenedScene opened, const LiveStart& start) = 0;
  /// True if a running session takes another scene.
  virtual bool takesScenes() const { return true; }
};

/// In this process.
std::shared_ptr<LiveSource> localSessions();

}  // namespace tenon::runtime
