// Sounds that are computed: no files come with them.
#pragma once

#include <cstdint>
#include <vector>

namespace tenon::xr {

enum class Sound {
  contact,  ///< a short click: two hard things meet
  goal,     ///< two tones, the second one higher: a goal
};

/// Its samples, one channel, so many in a second; they begin and end at rest.
std::vector<std::int16_t> synthesize(Sound sound, int rate);

}  // namespace tenon::xr
