// Sizes and limits of metric threads against published tables.
#include <gtest/gtest.h>

#include <cmath>

#include "content/fits/iso965.h"

namespace tenon::content {
namespace {

/// Limits in the order of the sources: crest and pitch diameter [mm].
struct PublishedLimits {
  const char* size;
  const char* toleranceClass;
  double crestLow, crestHigh, pitchLow, pitchHigh;
};

// External: charts of limiting dimensions by ASME B1.13M (which has the tolerances of ISO 965-1), printed by
// amesweb.info and apporo-cnc.com. Internal: the same by engineersedge.com.
constexpr PublishedLimits kPublished[]{
    {"M3", "6g", 2.874, 2.980, 2.580, 2.655},           {"M3", "6h", 2.894, 3.000, 2.600, 2.675},
    {"M3x0.35", "6g", 2.896, 2.981, 2.687, 2.754},      {"M3.5", "6g", 3.354, 3.479, 3.004, 3.089},
    {"M3.5", "6h", 3.375, 3.500, 3.025, 3.110},         {"M4", "6g", 3.838, 3.978, 3.433, 3.523},
    {"M4", "6h", 3.860, 4.000, 3.455, 3.545},           {"M4x0.5", "6g", 3.874, 3.980, 3.580, 3.655},
    {"M5", "6g", 4.826, 4.976, 4.361, 4.456},           {"M5", "6h", 4.850, 5.000, 4.385, 4.480},
    {"M5x0.5", "6g", 4.874, 4.980, 4.580, 4.655},       {"M6", "6g", 5.794, 5.974, 5.212, 5.324},
    {"M6x0.75", "6g", 5.838, 5.978, 5.391, 5.491},      {"M7", "6g", 6.794, 6.974, 6.212, 6.324},
    {"M8", "6g", 7.760, 7.972, 7.042, 7.160},           {"M8x1", "6g", 7.794, 7.974, 7.212, 7.324},
    {"M8x0.75", "6g", 7.838, 7.978, 7.391, 7.491},      {"M10", "6g", 9.732, 9.968, 8.862, 8.994},
    {"M10x1.25", "6g", 9.760, 9.972, 9.042, 9.160},     {"M10x1", "6g", 9.794, 9.974, 9.212, 9.324},
    {"M12x1.25", "6g", 11.760, 11.972, 11.028, 11.160}, {"M12x1", "6g", 11.794, 11.974, 11.206, 11.324},
    {"M10", "6H", 8.376, 8.676, 9.026, 9.206},          {"M10x1.25", "6H", 8.647, 8.912, 9.188, 9.348},
    {"M10x1", "6H", 8.917, 9.153, 9.350, 9.500},        {"M10x0.75", "6H", 9.188, 9.378, 9.513, 9.645},
    {"M12", "6H", 10.106, 10.441, 10.863, 11.063},      {"M12x1.5", "6H", 10.376, 10.676, 11.026, 11.216},
    {"M12x1.25", "6H", 10.647, 10.912, 11.188, 11.368}, {"M12x1", "6H", 10.917, 11.153, 11.350, 11.510},
    {"M14", "6H", 11.835, 12.210, 12.701, 12.913},      {"M14x1.5", "6H", 12.376, 12.676, 13.026, 13.216},
    {"M20", "6H", 17.294, 17.744, 18.376, 18.600},      {"M24", "6H", 20.752, 21.252, 22.051, 22.316}};

ThreadSizeAndPitch sizeOf(const char* text) {
  std::string problem, remedy;
  const auto size = parseThreadSize(text, problem, remedy);
  EXPECT_TRUE(size) << text << ": " << problem;
  return size.value_or(ThreadSizeAndPitch{});
}

TEST(Iso965, limitsAreThePublishedOnes) {
  for (const PublishedLimits& p : kPublished) {
    const auto limits = threadLimits(p.toleranceClass, p.toleranceClass[1] == 'H', sizeOf(p.size));
    ASSERT_TRUE(limits) << p.size << " " << p.toleranceClass;
    const double half = 0.5001e-6;  // the tables are rounded to a micrometer
    EXPECT_NEAR(limits->crest.low, p.crestLow / 1e3, half) << p.size << " " << p.toleranceClass;
    EXPECT_NEAR(limits->crest.high, p.crestHigh / 1e3, half) << p.size << " " << p.toleranceClass;
    EXPECT_NEAR(limits->pitch.low, p.pitchLow / 1e3, half) << p.size << " " << p.toleranceClass;
    EXPECT_NEAR(limits->pitch.high, p.pitchHigh / 1e3, half) << p.size << " " << p.toleranceClass;
  }
}

// 4g6g of ASME B1.13M has the pitch diameter of 4g: a tolerance of grade 4, here without its deviation.
TEST(Iso965, grade4IsThePublishedOne) {
  const struct {
    const char* size;
    double tolerance_um;
  } published[]{{"M3", 48}, {"M3.5", 53}, {"M4", 56}, {"M5", 60}, {"M8", 75}, {"M10", 85}};
  for (const auto& p : published) {
    const auto limits = threadLimits("4h", false, sizeOf(p.size));
    ASSERT_TRUE(limits);
    EXPECT_NEAR(1e6 * (limits->pitch.high - limits->pitch.low), p.tolerance_um, 1e-6) << p.size;
  }
}

TEST(Iso965, anyClassesFitEachOtherWithoutInterference) {
  for (const ThreadSeries& series : threadSeries())
    for (const double pitch : series.pitches) {
      const ThreadSizeAndPitch size{series.diameter / 1e3, pitch / 1e3};
      for (const char* external : {"4h", "6h", "6g"})
        for (const char* internal : {"5H", "6H"})
          for (const double share : {0.0, 1.0}) {
            const auto bolt = threadBetween(size, false, *threadLimits(external, false, size), share, share);
            const auto nut =
                threadBetween(size, true, *threadLimits(internal, true, size), 1 - share, 1 - share);
            EXPECT_LE(bolt.majorDiameter, nut.majorDiameter);
            EXPECT_LE(bolt.pitchDiameter, nut.pitchDiameter + 1e-12);
            EXPECT_LE(bolt.minorDiameter, nut.minorDiameter);
            for (physics::Thread thread : {bolt, nut}) {
              thread.high = size.pitch;
              EXPECT_EQ(physics::problemWith(thread), std::nullopt) << threadSizeText(size);
            }
          }
    }
}

TEST(Iso965, designationsAreReadAndWritten) {
  for (const char* text : {"M8", "M8x1", "M3.5", "M24x1.5"}) EXPECT_EQ(threadSizeText(sizeOf(text)), text);
  EXPECT_EQ(threadSizeText(sizeOf("M8x1.25")), "M8");
  EXPECT_EQ(threadSizeText(sizeOf("m10 x 1")), "M10x1");
  EXPECT_EQ(threadSizeText(sizeOf("M10×1.25")), "M10x1.25");
  std::string problem, remedy;
  EXPECT_FALSE(parseThreadSize("M8x0.9", problem, remedy));
  EXPECT_EQ(problem, "has a pitch of 0.9 mm, which M8 does not have");
  EXPECT_NE(remedy.find("1.25, 1, 0.75"), std::string::npos) << remedy;
  EXPECT_FALSE(parseThreadSize("M9", problem, remedy));
  EXPECT_NE(problem.find("no size of ISO 261"), std::string::npos) << problem;
  for (const char* text : {"", "M", "8", "M8x", "M8-1", "M8x1 6g", "MM8", "M1e1"})
    EXPECT_FALSE(parseThreadSize(text, problem, remedy)) << text;
}

}  // namespace
}  // namespace tenon::content
