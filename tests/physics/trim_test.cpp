// Trims around an axis: no angle lies between the end of one segment and the beginning of the next.
#include "physics/collision/brep/trim.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace tenon::physics::brep::trim_test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// Lengths of a unit of u and of v [m].
const Vector2d kScale(0.01, 0.01);

/// The angle, its neighbors among the doubles, and what a turn more or less makes of them.
std::vector<double> anglesAround(double angle) {
  std::vector<double> all;
  for (const double turns : {-kTurn, 0.0, kTurn})
    for (const double u :
         {std::nextafter(angle + turns, -HUGE_VAL), angle + turns, std::nextafter(angle + turns, HUGE_VAL)})
      all.push_back(u);
  return all;
}

void expectBand(const Trim& band, double angle) {
  for (const double u : anglesAround(angle)) {
    EXPECT_TRUE(band.contains({u, 0.5}, kScale, 0)) << u;
    EXPECT_FALSE(band.contains({u, -0.5}, kScale, 0)) << u;
    EXPECT_FALSE(band.contains({u, 1.5}, kScale, 0)) << u;
  }
}

// 0 < v < 1, between two circles that begin anywhere.
TEST(Trim, BandsAroundAnAxisHaveEveryAngle) {
  const std::array starts{0.0,  8.3e-45, 1e-17, -1e-17, std::numbers::pi / 2, std::numbers::pi,
                          -2.0, 4.0,     11.0};
  for (const double low : starts)
    for (const double high : starts) {
      Trim band;
      band.addLine({low, 0}, {low + kTurn, 0});
      band.addLine({high, 1}, {high - kTurn, 1});
      band.finish(true);
      for (const double angle : starts) expectBand(band, angle);
      for (int k = 0; k < 100; ++k) expectBand(band, kTurn * k / 100);
    }
}

// As of a sphere that is closed over its pole: the circle begins at the angle of a corner, not at 0.
TEST(Trim, EndsThatDifferByRoundingAcrossTheTurnAreOne) {
  constexpr double kOff = 1.1e-11, kJoint = 5e-8;
  for (const double off : {-kOff, kOff}) {
    Trim band;
    band.addLine({0, 1}, {kTurn, 1});
    band.addLine({off, 0}, {2.0, 0});
    band.addLine({2.0, 0}, {off + kTurn, 0});
    band.finish(true, kJoint);
    for (const double angle : {0.0, off, off / 2, 2 * off, 2.0}) expectBand(band, angle);
  }
}

}  // namespace
}  // namespace tenon::physics::brep::trim_test
