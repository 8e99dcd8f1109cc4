// OpenAL with a few sources used in rotation.
#include "xr/sound/speaker.h"

#ifdef TENON_OPENAL
#include <AL/al.h>
#include <AL/alc.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "xr/isolated_process.h"
#endif

namespace tenon::xr {

#ifdef TENON_OPENAL

namespace {

constexpr int kRate = 44100;
constexpr std::size_t kSources = 8, kSounds = 2;

}  // namespace

struct Speaker::Implementation {
  ALCdevice* device = nullptr;
  ALCcontext* context = nullptr;
  std::array<ALuint, kSources> sources{};
  std::array<ALuint, kSounds> buffers{};
  std::size_t next = 0;

  ~Implementation() {
    if (context != nullptr) {
      alDeleteSources(kSources, sources.data());
      alDeleteBuffers(kSounds, buffers.data());
      alcMakeContextCurrent(nullptr);
      alcDestroyContext(context);
    }
    if (device != nullptr) alcCloseDevice(device);
  }

  /// False if there is no device.
  bool open() {
    device = alcOpenDevice(nullptr);
    if (device == nullptr) return false;
    context = alcCreateContext(device, nullptr);
    if (context == nullptr || alcMakeContextCurrent(context) != ALC_TRUE) return false;
    alGenSources(kSources, sources.data());
    alGenBuffers(kSounds, buffers.data());
    for (std::size_t k = 0; k < kSounds; ++k) {
      const auto wave = synthesize(static_cast<Sound>(k), kRate);
      alBufferData(buffers[k], AL_FORMAT_MONO16, wave.data(),
                   static_cast<ALsizei>(wave.size() * sizeof wave[0]), kRate);
    }
    return alGetError() == AL_NO_ERROR;
  }

  void play(Sound sound, double gain) {
    const ALuint source = sources[next];
    next = (next + 1) % kSources;  // the one started longest ago
    alSourceStop(source);
    alSourcei(source, AL_BUFFER, static_cast<ALint>(buffers[static_cast<std::size_t>(sound)]));
    alSourcef(source, AL_GAIN, static_cast<ALfloat>(std::clamp(gain, 0.0, 1.0)));
    alSourcePlay(source);
  }
};

SoundProbe probeSound() {
  using namespace std::chrono_literals;
  const IsolatedResult result = runIsolated(
      [] {
        ALCdevice* const device = alcOpenDevice(nullptr);
        if (device == nullptr) return std::string();
        const char* const name = alcGetString(device, ALC_DEVICE_SPECIFIER);
        return std::string(name == nullptr ? "a device without a name" : name);
      },
      5s);
  if (result.end == IsolatedResult::End::finished && !result.output.empty())
    return {true, "OpenAL, " + result.output, ""};
  return {false, "OpenAL finds no audio device", "connect one, or start the sound server"};
}

std::string soundLibrary() {
  return "OpenAL";
}

Speaker::Speaker(bool on) {
  if (!on || !probeSound().works) return;
  implementation_ = std::make_unique<Implementation>();
  if (!implementation_->open()) implementation_.reset();
}

void Speaker::play(Sound sound, double gain) {
  if (implementation_) implementation_->play(sound, gain);
}

#else

struct Speaker::Implementation {};

SoundProbe probeSound() {
  return {false, "built without OpenAL", "sudo apt-get install libopenal-dev, and build again"};
}

std::string soundLibrary() {
  return "";
}

Speaker::Speaker(bool /*on*/) {}

void Speaker::play(Sound /*sound*/, double /*gain*/) {}

#endif

Speaker::~Speaker() = default;

}  // namespace tenon::xr
