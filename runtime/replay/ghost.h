// A session simulated again beside its record, on a thread of its own: where it is elsewhere, and how far.
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

/// How far it has come, and what it has found.
struct GhostStatus {
  std::int64_t tick = -1;                      ///< that was simulated last; −1: none yet
  double time = 0;                             ///< of that tick, in the session's time [s]
  bool done = false;                           ///< nothing more will come
  std::optional<std::int64_t> firstDifferent;  ///< tick with another state hash
  double firstDifferentTime = 0;               ///< [s]
  double greatest = 0;      ///< distance of a centre of mass from its recorded place, at any keyframe [m]
  int body = -1;            ///< whose
  double greatestTime = 0;  ///< when [s]
  std::string problem;      ///< why it went no further, or ""
};

class Ghost {
 public:
  /// Reads `file` once more, for itself. `options`: those that the session began with.
  Ghost(std::string file, std::shared_ptr<const content::Scene> scene, const physics::WorldOptions& options);
  ~Ghost();
  Ghost(const Ghost&) = delete;
  Ghost& operator=(const Ghost&) = delete;

  GhostStatus status() const;
  /// Where the parts' frames are in it at this time of the session, where it has come that far and differs
  /// from the record; else false, and `X_WP` as before.
  bool posesAt(double time, std::vector<physics::Pose>& X_WP) const;

 private:
  void work();
  void simulate();
  void keep(double time, std::vector<physics::Pose> poses);

  static constexpr std::size_t kMaxBytes = 256 << 20;  ///< of poses; with more, every second one goes

  std::string file_;
  std::shared_ptr<const content::Scene> scene_;
  physics::WorldOptions options_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;
  GhostStatus status_;
  std::map<double, std::vector<physics::Pose>> poses_;  ///< by time, from the first that differ on
  std::int64_t every_ = 1, seen_ = 0;                   ///< every so many of those seen are kept
  std::thread thread_;
};

}  // namespace tenon::runtime
