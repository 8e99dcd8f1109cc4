// Sounds as numbers, and a speaker with no device, or with one that writes a file.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "xr/sound/speaker.h"

namespace tenon::xr {
namespace {

double energyOf(const std::vector<std::int16_t>& wave, double from, double to) {
  double sum = 0;
  for (auto k = static_cast<std::size_t>(from * static_cast<double>(wave.size()));
       k < static_cast<std::size_t>(to * static_cast<double>(wave.size())); ++k)
    sum += std::pow(wave[k] / 32768.0, 2);
  return sum;
}

/// Frequency by the upward zero crossings of `count` samples after `from` [Hz].
double pitchOf(const std::vector<std::int16_t>& wave, std::size_t from, std::size_t count, int rate) {
  int ups = 0;
  for (std::size_t k = from + 1; k < from + count; ++k) ups += wave[k - 1] < 0 && wave[k] >= 0 ? 1 : 0;
  return static_cast<double>(ups) * rate / static_cast<double>(count);
}

TEST(SoundWave, ClickIsShortAndDecays) {
  const auto wave = synthesize(Sound::contact, 44100);
  ASSERT_EQ(wave.size(), 2205U);
  EXPECT_LT(std::abs(wave.front()), 1000) << "no crack at the beginning";
  EXPECT_LT(std::abs(wave.back()), 10) << "nor at the end";
  EXPECT_GT(energyOf(wave, 0, 0.3), 0.95 * energyOf(wave, 0, 1));
}

TEST(SoundWave, GoalIsTwoTonesWithTheHigherOneSecond) {
  const auto wave = synthesize(Sound::goal, 44100);
  EXPECT_NEAR(pitchOf(wave, 0, 4410, 44100), 659.3, 15);
  EXPECT_NEAR(pitchOf(wave, 44100 / 2, 4410, 44100), 987.8, 15);
}

TEST(Speaker, PlaysWithoutADeviceWithoutAnError) {
  Speaker silent(false);
  EXPECT_FALSE(silent.isAvailable());
  silent.play(Sound::contact, 1);
}

TEST(Speaker, IsUnavailableWithoutADevice) {
  setenv("ALSOFT_DRIVERS", "no-such-driver", 1);
  EXPECT_FALSE(probeSound().works);
  EXPECT_NE(probeSound().remedy, "");
  Speaker speaker(true);
  EXPECT_FALSE(speaker.isAvailable());
  speaker.play(Sound::goal, 1);
  unsetenv("ALSOFT_DRIVERS");
}

/// Samples other than 0 in the WAV file that OpenAL's device "wave" writes.
std::size_t loudSamples(const std::filesystem::path& file) {
  std::ifstream wav(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(wav), {}};
  const std::size_t data = bytes.find("data");
  if (data == std::string::npos) return 0;
  return bytes.size() - data - 8 -
         static_cast<std::size_t>(
             std::count(bytes.begin() + static_cast<std::ptrdiff_t>(data) + 8, bytes.end(), 0));
}

TEST(Speaker, PlaysOnTheDevice) {
  const std::string folder = testing::TempDir() + "tenon-sound-" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::string wave = folder + "/played.wav";
  std::ofstream(folder + "/alsoft.conf")
      << "[general]\ndrivers = wave\ndither = false\n[wave]\nfile = " << wave << "\n";
  setenv("ALSOFT_CONF", (folder + "/alsoft.conf").c_str(), 1);
  const SoundProbe probe = probeSound();
  if (probe.detail.find("without OpenAL") != std::string::npos) GTEST_SKIP() << probe.detail;
  EXPECT_TRUE(probe.works) << probe.detail;
  Speaker speaker(true);
  ASSERT_TRUE(speaker.isAvailable());
  EXPECT_EQ(loudSamples(wave), 0U);
  speaker.play(Sound::goal, 1);
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (loudSamples(wave) < 1000 && std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(loudSamples(wave), 1000U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace tenon::xr
