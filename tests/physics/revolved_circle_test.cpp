// Local minima along circles: all that a dense scan sees are found.
#include "physics/collision/revolved/circle_bound.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/physics/revolved_parts.h"

namespace tenon::physics::revolved_circle_test {
namespace {

using std::numbers::pi;
using test::Random;

constexpr int kSamples = 3000;
constexpr double kStep = 2 * pi / kSamples;

// Least of f near phase t, where its neighbors at ±kStep are higher.
template <class F>
double deepest(double t, const F& f) {
  double low = t - kStep, high = t + kStep;
  for (int k = 0; k < 60; ++k) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    if (f(a) < f(b))
      high = b;
    else
      low = a;
  }
  return f(0.5 * (low + high));
}

// Every local minimum of the scan that lies deeper than `shallow` under its surroundings has a found one as
// deep.
template <class F>
void expectAllFound(const std::vector<double>& found, double shallow, const F& f) {
  std::vector<double> value(kSamples);
  for (int i = 0; i < kSamples; ++i) value[static_cast<std::size_t>(i)] = f(i * kStep);
  const auto at = [&](int i) { return value[static_cast<std::size_t>((i + kSamples) % kSamples)]; };
  for (int i = 0; i < kSamples; ++i) {
    if (at(i) > at(i - 1) || at(i) >= at(i + 1)) continue;
    // Up to the maxima on either side.
    int left = i, right = i;
    while (left > i - kSamples && at(left - 1) >= at(left)) --left;
    while (right < i + kSamples && at(right + 1) >= at(right)) ++right;
    const double least = deepest(i * kStep, f);
    if (std::min(at(left), at(right)) - least < shallow) continue;
    bool known = false;
    for (double t : found) {
      const double off = std::remainder(t - i * kStep, 2 * pi);
      known = known || (off > (left - i) * kStep && off < (right - i) * kStep && f(t) <= least + 1e-12);
    }
    EXPECT_TRUE(known) << "minimum at " << i * kStep << " of " << least << ", " << found.size() << " found";
  }
}

// A circle whose points come near the circle of radius 1 about z.
Circle circleNear(double radius, Random& random) {
  const double phi = random.between(0, 2 * pi);
  const Vector3d turn = pi * random.direction();
  const Quaterniond q = exponential(turn * random.between(0, 1));
  Circle c;
  c.radius = radius;
  c.x = q * Vector3d::UnitX();
  c.y = q * Vector3d::UnitY();
  c.axis = q * Vector3d::UnitZ();
  const double theirs = random.between(0, 2 * pi), off = std::pow(10, random.between(-6, -1));
  c.center = Vector3d(std::cos(phi), std::sin(phi), 0) -
             radius * c.outward(std::cos(theirs), std::sin(theirs)) + off * random.vector();
  return c;
}

template <class SlopeFrom>
std::vector<double> minima(const Circle& circle, const CircleFunction& function, const SlopeFrom& slope) {
  const CirclePoints points(circle, fullCircleGrid());
  std::vector<double> found;
  forEachMinimum(
      fullCircleGrid(), circle.radius, 1e9, 1e-15, [&](std::size_t i) { return slope(points.points[i]); },
      [&](double t) { return slope(points.at(t)); }, [&] { return function; },
      [&](double t) { found.push_back(t); });
  return found;
}

TEST(RevolvedCircle, AllNearestPointsToAnotherCircleAreFound) {
  Random random(61);
  for (int k = 0; k < 4000; ++k) {
    SCOPED_TRACE("seed 61, pair " + std::to_string(k));
    const Circle circle = circleNear(random.between(0.1, 1), random);
    const auto found = minima(circle, CircleFunction::toCircle(circle, 1), [](const MeridianPoint& m) {
      const double x = m.rho - 1;
      return Slope{0, x * m.dRho + m.z * m.dZ, m.dRho * m.dRho + x * m.ddRho + m.dZ * m.dZ + m.z * m.ddZ};
    });
    expectAllFound(found, 1e-5, [&](double t) {
      const Vector3d p = circle.at(std::cos(t), std::sin(t));
      return std::hypot(std::hypot(p.x(), p.y()) - 1, p.z());
    });
  }
}

TEST(RevolvedCircle, AllNearestPointsToAFlankAreFound) {
  Random random(62);
  for (int k = 0; k < 4000; ++k) {
    SCOPED_TRACE("seed 62, pair " + std::to_string(k));
    const Circle circle = circleNear(random.between(0.1, 4), random);
    const double slant = k % 3 == 0 ? 0 : random.between(-pi, pi);
    const Vector2d n(std::cos(slant), std::sin(slant));
    const auto found =
        minima(circle, CircleFunction::toFlank(circle, n.y(), n.x()), [&](const MeridianPoint& m) {
          return Slope{0, m.dRho * n.x() + m.dZ * n.y(), m.ddRho * n.x() + m.ddZ * n.y()};
        });
    expectAllFound(found, 1e-5, [&](double t) {
      const Vector3d p = circle.at(std::cos(t), std::sin(t));
      return n.x() * (std::hypot(p.x(), p.y()) - 1) + n.y() * p.z();
    });
  }
}

// A dip almost as wide as two cells, so that a cell may begin before a minimum and end after the maximum: its
// slope falls at both ends.
TEST(RevolvedCircle, AMinimumAndAMaximumInOneCellAreNotOverlooked) {
  const Grid& turn = fullCircleGrid();
  for (int k = -20; k <= 20; ++k) {
    SCOPED_TRACE("shift " + std::to_string(k));
    // Minima at ±half about the maximum at `middle`.
    const double half = 0.97 * turn.step, middle = turn.at[2] - 1e-3 * k;
    const auto f = [&](double t) {
      return 0.25 * std::cos(2 * (t - middle)) - std::cos(half) * std::cos(t - middle);
    };
    const auto slope = [&](double t) {
      const double u = t - middle;
      return Slope{0, -0.5 * std::sin(2 * u) + std::cos(half) * std::sin(u),
                   -std::cos(2 * u) + std::cos(half) * std::cos(u)};
    };
    CircleFunction function;
    function.radius = 1;
    function.T = {-std::cos(half) * std::cos(middle), -std::cos(half) * std::sin(middle),
                  0.25 * std::cos(2 * middle), 0.25 * std::sin(2 * middle)};
    std::vector<double> found;
    forEachMinimum(
        turn, 1, 1e9, 1e-15, [&](std::size_t i) { return slope(turn.at[i]); }, slope,
        [&] { return function; }, [&](double t) { found.push_back(t); });
    EXPECT_EQ(found.size(), 2U);
    expectAllFound(found, 1e-9, f);
  }
}

/// A root met at an end of its bracket, but for rounding: halving the bracket would take some 35 evaluations.
TEST(RevolvedCircle, RootAtAnEndOfItsBracketTakesOneEvaluation) {
  for (const double root : {1.0 + 1e-17, 1.0 + 1e-13, 1.4 - 1e-13}) {
    const double slopeAtLow = 2 * (1.0 - root), slopeAtHigh = 2 * (1.4 - root);
    const double start = 1.0 - 0.4 * slopeAtLow / (slopeAtHigh - slopeAtLow);
    int evaluations = 0;
    const double found = rootBetween(1.0, 1.4, start, [&](double t) {
      ++evaluations;
      return Slope{0, 2 * (t - root) - 1e-18, 2};
    });
    EXPECT_NEAR(found, root, 1e-15);
    EXPECT_EQ(evaluations, 1) << root;
  }
}

}  // namespace
}  // namespace tenon::physics::revolved_circle_test
