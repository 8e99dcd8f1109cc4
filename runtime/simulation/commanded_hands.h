// Scripted hands that commands take over, one by one: for programs that step a scene themselves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "xr/hands/hand_source.h"

namespace tenon::runtime {

/// Which hands have been taken over, by HandId; a value, so that a snapshot can contain it.
using CommandedFlags = std::vector<bool>;

/// A hand follows its script until it is taken over. From then on it is untracked: it keeps its target and
/// what it holds, and commands alone move it.
class CommandedHands final : public xr::HandSource {
 public:
  /// `flags` must have an entry for each hand, and may change between two samples.
  CommandedHands(std::unique_ptr<xr::HandSource> scripts, std::shared_ptr<const CommandedFlags> flags);

  void sample(std::int64_t time_ns, std::vector<xr::HandSample>& samples) override;

 private:
  std::unique_ptr<xr::HandSource> scripts_;
  std::shared_ptr<const CommandedFlags> flags_;
};

}  // namespace tenon::runtime
