// See commanded_hands.h.
#include "runtime/simulation/commanded_hands.h"

#include <utility>

namespace tenon::runtime {

CommandedHands::CommandedHands(std::unique_ptr<xr::HandSource> scripts,
                               std::shared_ptr<const CommandedFlags> flags,
                               std::shared_ptr<const LiveSamples> live, const std::int64_t& step_ns)
    : scripts_(std::move(scripts)), flags_(std::move(flags)), live_(std::move(live)), step_ns_(step_ns) {}

void CommandedHands::sample(std::int64_t time_ns, std::vector<xr::HandSample>& samples) {
  // Closed as it was: an untracked hand neither grasps nor releases.
  std::vector<bool> closed(flags_->size(), false);
  for (std::size_t k = 0; k < samples.size() && k < closed.size(); ++k) closed[k] = samples[k].closed;
  scripts_->sample(time_ns, samples);
  for (std::size_t k = 0; k < samples.size(); ++k) {
    if (!(*flags_)[k]) continue;
    samples[k] = {};
    if (HandMailbox* const live = (*live_)[k].get()) {
      live->consume(step_ns_, consumed_);
      samples[k] = consumed_.front();
    }
    if (!samples[k].tracked) samples[k].closed = closed[k];
  }
}

}  // namespace tenon::runtime
