// Frames that are too slow for the display are drawn smaller, and larger again when there is time.
#include "xr/display/dynamic_resolution.h"

#include <gtest/gtest.h>

namespace tenon::tests {
namespace {

using xr::DynamicResolution;

constexpr double kPeriod = 1e3 / 90;  // [ms]

/// Frames whose time is proportional to their pixels: at full resolution `full` periods.
void draw(DynamicResolution& resolution, double full, int frames) {
  for (int k = 0; k < frames; ++k)
    resolution.add(full * resolution.scale() * resolution.scale() * kPeriod, kPeriod);
}

TEST(DynamicResolution, StaysFullWhileFramesAreInTime) {
  DynamicResolution resolution;
  draw(resolution, 0.85, 1000);
  EXPECT_EQ(resolution.scale(), 1);
}

TEST(DynamicResolution, FallsUntilFramesAreInTimeAndStaysThere) {
  DynamicResolution resolution;
  draw(resolution, 1.5, 200);
  EXPECT_EQ(resolution.scale(), 0.7);  // 0.74 of a period; at 0.8 it were 0.96
  draw(resolution, 1.5, 10000);
  EXPECT_EQ(resolution.scale(), 0.7) << "it does not swing";
}

TEST(DynamicResolution, RisesAfterAWhileWithTimeToSpare) {
  DynamicResolution resolution;
  draw(resolution, 1.5, 200);
  draw(resolution, 0.3, DynamicResolution::kFastFrames - 1);
  EXPECT_EQ(resolution.scale(), 0.7);
  draw(resolution, 0.3, 1);
  EXPECT_EQ(resolution.scale(), 0.8);
  draw(resolution, 0.3, 1000);
  EXPECT_EQ(resolution.scale(), 1);
}

TEST(DynamicResolution, OneSlowFrameChangesNothing) {
  DynamicResolution resolution;
  for (int k = 0; k < 100; ++k) {
    resolution.add(3 * kPeriod, kPeriod);
    draw(resolution, 0.5, DynamicResolution::kSlowFrames);
  }
  EXPECT_EQ(resolution.scale(), 1);
}

TEST(DynamicResolution, IsNeverBelowHalf) {
  DynamicResolution resolution;
  draw(resolution, 100, 1000);
  EXPECT_EQ(resolution.scale(), 0.5);
}

TEST(DynamicResolution, UnknownTimesAreIgnored) {
  DynamicResolution resolution;
  for (int k = 0; k < 10; ++k) {
    resolution.add(0, kPeriod);
    resolution.add(100, 0);
  }
  EXPECT_EQ(resolution.scale(), 1);
}

}  // namespace
}  // namespace tenon::tests
