// What a person hears, where the program was built with OpenAL and the machine has a device for it; else
// nothing, and that is no error.
#pragma once

#include <memory>
#include <string>

#include "xr/sound/sound_wave.h"

namespace tenon::xr {

class Speaker {
 public:
  /// `on`: false asks for no device. A device that hangs or crashes is asked for in a process apart first:
  /// call it before threads are started.
  explicit Speaker(bool on);
  ~Speaker();
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;

  /// Whether something can be heard.
  bool isAvailable() const { return implementation_ != nullptr; }
  /// Once, 0…1 loud; with what sounds still. Does not wait.
  void play(Sound sound, double loudness);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

struct SoundProbe {
  bool works = false;
  std::string detail;  ///< what plays, or why nothing is heard
  std::string remedy;  ///< what to do; empty where it works
};
/// In a process apart.
SoundProbe probeSound();

/// The library that plays sounds, such as "OpenAL"; empty: this build has none.
std::string soundLibrary();

}  // namespace tenon::xr
