// Sound waves, and the speaker with a null device or none.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

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

TEST(Speaker, PlaysOnANullDevice) {
  setenv("ALSOFT_DRIVERS", "null", 1);
  const SoundProbe probe = probeSound();
  if (probe.detail.find("without OpenAL") != std::string::npos) GTEST_SKIP() << probe.detail;
  EXPECT_TRUE(probe.works) << probe.detail;
  Speaker speaker(true);
  EXPECT_TRUE(speaker.isAvailable());
  for (int k = 0; k < 20; ++k) speaker.play(k % 2 == 0 ? Sound::contact : Sound::goal, 0.5);
  unsetenv("ALSOFT_DRIVERS");
}

}  // namespace
}  // namespace tenon::xr
