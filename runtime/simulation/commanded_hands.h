// Scripted hands that commands or live samples take over, one by one: for programs that step a scene
// themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/simulation/hand_mailbox.h"
#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// Which hands have been taken over, by HandId; a value, so that a snapshot can contain it.
using CommandedFlags = std::vector<bool>;

/// The live samples of hands, by HandId; null: the hand has none. Each mailbox is for one hand.
using LiveSamples = std::vector<std::unique_ptr<HandMailbox>>;

/// A hand follows its script until it is taken over. From then on it follows its live samples; without them
/// it is untracked: it keeps its target and what it holds, and commands alone move it.
class CommandedHands final : public xr::HandSource {
 public:
  /// `flags` and `live` must have an entry for each hand, and may change between two samples. `step_ns`:
  /// simulated time of a step; must outlive this.
  CommandedHands(std::unique_ptr<xr::HandSource> scripts, std::shared_ptr<const CommandedFlags> flags,
                 std::shared_ptr<const LiveSamples> live, const std::int64_t& step_ns);

  void sample(std::int64_t time_ns, std::vector<xr::HandSample>& samples) override;

 private:
  std::unique_ptr<xr::HandSource> scripts_;
  std::shared_ptr<const CommandedFlags> flags_;
  std::shared_ptr<const LiveSamples> live_;
  const std::int64_t& step_ns_;
  std::vector<xr::HandSample> consumed_;  ///< of one hand, reused memory
};

}  // namespace tenon::runtime
