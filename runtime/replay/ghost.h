// Re-simulates a session on a thread of its own and measures its difference from the record.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "content/model/scene.h"
#include "physics/world.h"

namespace tenon::runtime {

/// Progress and result of the re-simulation.
struct GhostStatus {
  std::int64_t tick = -1;                      ///< simulated last; −1: none
  double time = 0;                             ///< of that tick, in session time [s]
  bool done = false;                           ///< finished
  std::optional<std::int64_t> firstDifferent;  ///< first tick with a different state hash
  double firstDifferentTime = 0;               ///< [s]
  double maxDistance = 0;      ///< of a center of mass from its recorded position, over all keyframes [m]
  int body = -1;               ///< with that distance
  double maxDistanceTime = 0;  ///< [s]
  std::string problem;         ///< why it stopped early, or ""
};

class Ghost {
 public:
  /// Opens `file` separately. `options`: the initial world options of the session.
  Ghost(std::string file, std::shared_ptr<const content::Scene> scene, const physics::WorldOptions& options);
  ~Ghost();
  Ghost(const Ghost&) = delete;
  Ghost& operator=(const Ghost&) = delete;

  GhostStatus status() const;
  /// Sets `X_WP` to the part poses at this session time. False, without changing `X_WP`, if the re-simulation
  /// has not reached that time or is identical to the record there.
  bool posesAt(double time, std::vector<physics::Pose>& X_WP) const;

 private:
  void runThread();
  void simulate();
  void storePoses(double time, std::vector<physics::Pose> poses);

  static constexpr std::size_t kMaxBytes = 256
                                           << 20;  ///< of stored poses; beyond it every second one is removed

  std::string file_;
  std::shared_ptr<const content::Scene> scene_;
  physics::WorldOptions options_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  GhostStatus status_;
  std::map<double, std::vector<physics::Pose>> poses_;  ///< by time, from the first difference
  std::int64_t sampleInterval_ = 1, sampleCount_ = 0;   ///< only every n-th sample is stored
  std::thread thread_;
};

}  // namespace tenon::runtime
