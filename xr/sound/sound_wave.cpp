// Sums of decaying sines.
#include "xr/sound/sound_wave.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tenon::xr {

namespace {

/// A tone that starts at `begin` [s] with a frequency [Hz], a decay time constant [s] and an amplitude (0…1).
struct Tone {
  double begin, frequency, decay, amplitude;
};

std::vector<std::int16_t> sum(std::initializer_list<Tone> tones, double length, int rate) {
  constexpr double kAttack = 0.001, kRelease = 0.005;  // [s]
  std::vector<std::int16_t> wave(static_cast<std::size_t>(length * rate));
  for (std::size_t k = 0; k < wave.size(); ++k) {
    const double time = static_cast<double>(k) / rate;
    double value = 0;
    for (const Tone& tone : tones) {
      const double elapsed = time - tone.begin;
      if (elapsed < 0) continue;
      value += tone.amplitude * std::min(1.0, elapsed / kAttack) * std::exp(-elapsed / tone.decay) *
               std::sin(2 * std::numbers::pi * tone.frequency * elapsed);
    }
    value *= std::clamp((length - time) / kRelease, 0.0, 1.0);
    wave[k] = static_cast<std::int16_t>(std::lround(32767 * std::clamp(value, -1.0, 1.0)));
  }
  return wave;
}

}  // namespace

std::vector<std::int16_t> synthesize(Sound sound, int rate) {
  if (sound == Sound::contact)
    return sum({{0, 2350, 0.006, 0.5}, {0, 3730, 0.004, 0.3}, {0, 1180, 0.010, 0.2}}, 0.05, rate);
  return sum({{0, 659.3, 0.12, 0.4}, {0.12, 987.8, 0.18, 0.5}}, 0.7, rate);
}

}  // namespace tenon::xr
