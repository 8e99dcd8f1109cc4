// Events and contact episodes of a session, the rows of the tables event and contact_episode.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::runtime {

struct SessionEvent {
  std::int64_t tick = 0;
  double time = 0;                                  ///< [s]
  std::string kind;                                 ///< one of those in format.md
  int hand = -1, body = -1, other = -1, goal = -1;  ///< −1: none
  std::string text;                                 ///< detail, or ""
};

/// Interval in which two bodies exert force on each other. Pauses shorter than kEpisodePause belong to it.
struct ContactEpisode {
  int i = -1, j = -1;
  std::int64_t firstTick = 0, lastTick = 0;  ///< first and last tick with a force
  double start = 0, end = 0;                 ///< times of these [s]
  std::int64_t loadedTicks = 0;              ///< ticks with a force
  double peakForce = 0;  ///< maximum of the sum over the pair's contacts, in the ticks that converged [N]
  std::int64_t peakTick = 0;
  double forceSum = 0;  ///< over the loaded ticks that converged [N]
  std::int64_t convergedTicks = 0;

  double meanForce() const { return convergedTicks > 0 ? forceSum / static_cast<double>(convergedTicks) : 0; }
};

inline constexpr double kEpisodePause = 0.01;  ///< [s]

}  // namespace tenon::runtime
