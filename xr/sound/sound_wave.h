// Synthesized sounds; there are no sound files.
#pragma once

#include <cstdint>
#include <vector>

namespace tenon::xr {

enum class Sound {
  contact,  ///< a short click
  goal,     ///< two tones, the second one higher
};

/// Mono samples at `rate` [Hz]; they begin and end at 0.
std::vector<std::int16_t> synthesize(Sound sound, int rate);

}  // namespace tenon::xr
