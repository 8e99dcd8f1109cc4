// Sound output by OpenAL. Without OpenAL or an audio device it is silent, which is no error.
#pragma once

#include <memory>
#include <string>

#include "xr/sound/sound_wave.h"

namespace tenon::xr {

class Speaker {
 public:
  /// `enabled`: false opens no device. The device is probed in an isolated process first, against hangs and
  /// crashes: construct it before threads are started.
  explicit Speaker(bool enabled);
  ~Speaker();
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;

  /// True if a device is open.
  bool isAvailable() const { return implementation_ != nullptr; }
  /// Plays a sound once at a gain of 0…1, mixed with others. Does not wait.
  void play(Sound sound, double gain);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

struct SoundProbe {
  bool works = false;
  std::string detail;  ///< the device, or why there is none
  std::string remedy;  ///< empty if it works
};
/// Probes the audio device in an isolated process.
SoundProbe probeSound();

/// The library that plays sounds, such as "OpenAL"; empty: this build has none.
std::string soundLibrary();

}  // namespace tenon::xr
