// See motion_times.h.
#include "runtime/assess/motion_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

namespace tenon::runtime {

namespace {

constexpr double kInch = 0.0254;       ///< [m]
constexpr double kPound = 0.45359237;  ///< [kg]
constexpr double kDegree = std::numbers::pi / 180;

/// Distances of the tables of reach and move [in]; the first row is "¾ or less".
constexpr std::array<double, 21> kInches{0.75, 1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
                                         12,   14, 16, 18, 20, 22, 24, 26, 28, 30};

struct DistanceTable {
  std::array<double, 21> tmu;
  double perInch;  ///< beyond the last row [TMU/in]
};

constexpr DistanceTable kReachA{{2.0, 2.5,  4.0,  5.3,  6.1,  6.5,  7.0,  7.4,  7.9,  8.3, 8.7,
                                 9.6, 10.5, 11.4, 12.3, 13.1, 14.0, 14.9, 15.8, 16.7, 17.5},
                                0.4};
constexpr DistanceTable kReachB{{2.0,  2.5,  4.0,  5.3,  6.4,  7.8,  8.6,  9.3,  10.1, 10.8, 11.5,
                                 12.9, 14.4, 15.8, 17.2, 18.6, 20.1, 21.5, 22.9, 24.4, 25.8},
                                0.7};
/// Of cases C and D.
constexpr DistanceTable kReachC{{2.0,  3.6,  5.9,  7.3,  8.4,  9.4,  10.1, 10.8, 11.5, 12.2, 12.9,
                                 14.2, 15.6, 17.0, 18.4, 19.8, 21.2, 22.5, 23.9, 25.3, 26.7},
                                0.7};
constexpr DistanceTable kReachE{{2.0,  2.4,  3.8,  5.3,  6.8,  7.4,  8.0,  8.7,  9.3,  9.9, 10.5,
                                 11.8, 13.0, 14.2, 15.5, 16.7, 18.0, 19.2, 20.4, 21.7, 22.9},
                                0.6};

constexpr DistanceTable kMoveA{{2.0,  2.5,  3.6,  4.9,  6.1,  7.3,  8.1,  8.9,  9.7,  10.5, 11.3,
                                12.9, 14.4, 16.0, 17.6, 19.2, 20.8, 22.4, 24.0, 25.5, 27.1},
                               0.8};
constexpr DistanceTable kMoveB{{2.0,  2.9,  4.6,  5.7,  6.9,  8.0,  8.9,  9.7,  10.6, 11.5, 12.2,
                                13.4, 14.6, 15.8, 17.0, 18.2, 19.4, 20.6, 21.8, 23.1, 24.3},
                               0.6};
constexpr DistanceTable kMoveC{{2.0,  3.4,  5.2,  6.7,  8.0,  9.2,  10.3, 11.1, 11.8, 12.7, 13.5,
                                15.2, 16.9, 18.7, 20.4, 22.1, 23.8, 25.5, 27.3, 29.0, 30.7},
                               0.85};

/// Allowance for weight: time = constant + factor × table.
struct WeightClass {
  double upTo_lb, constant, factor;
};
constexpr std::array<WeightClass, 10> kWeights{{{2.5, 0, 1.00},
                                                {7.5, 2.2, 1.06},
                                                {12.5, 3.9, 1.11},
                                                {17.5, 5.6, 1.17},
                                                {22.5, 7.4, 1.22},
                                                {27.5, 9.1, 1.28},
                                                {32.5, 10.8, 1.33},
                                                {37.5, 12.5, 1.39},
                                                {42.5, 14.3, 1.44},
                                                {47.5, 16.0, 1.50}}};

/// Angles of the table of turns [°], and their times by weight: up to 2, 10 and 35 lb.
constexpr std::array<double, 11> kTurns_deg{30, 45, 60, 75, 90, 105, 120, 135, 150, 165, 180};
constexpr std::array<double, 11> kTurnSmall{2.8, 3.5, 4.1, 4.8, 5.4, 6.1, 6.8, 7.4, 8.1, 8.7, 9.4};
constexpr std::array<double, 11> kTurnMedium{4.4, 5.5, 6.5, 7.5, 8.5, 9.6, 10.6, 11.6, 12.7, 13.7, 14.8};
constexpr std::array<double, 11> kTurnLarge{8.4, 10.5, 12.3, 14.4, 16.2, 18.3, 20.4, 22.2, 24.3, 26.1, 28.2};

/// By fit and symmetry, easy to handle.
constexpr std::array<std::array<double, 3>, 3> kPositions{
    {{5.6, 9.1, 10.4}, {16.2, 19.7, 21.0}, {43.0, 46.5, 47.8}}};
constexpr std::array<double, 3> kDisengage{4.0, 7.5, 22.9};

/// Linear between the rows; below the first row its value, beyond the last one `slope` per unit.
double interpolated(std::span<const double> x, std::span<const double> y, double at, double slope) {
  if (at <= x.front()) return y.front();
  if (at >= x.back()) return y.back() + slope * (at - x.back());
  const auto next = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), at) - x.begin());
  const double t = (at - x[next - 1]) / (x[next] - x[next - 1]);
  return y[next - 1] + t * (y[next] - y[next - 1]);
}

double timeOver(const DistanceTable& table, double distance) {
  return interpolated(kInches, table.tmu, distance / kInch, table.perInch);
}

const WeightClass& weightClassOf(double mass) {
  const auto found = std::find_if(kWeights.begin(), kWeights.end(),
                                  [&](const WeightClass& weight) { return mass <= weight.upTo_lb * kPound; });
  return found == kWeights.end() ? kWeights.back() : *found;
}

}  // namespace

double reachTime(ReachCase motion, double distance) {
  switch (motion) {
    case ReachCase::A:
      return timeOver(kReachA, distance);
    case ReachCase::B:
      return timeOver(kReachB, distance);
    case ReachCase::C:
    case ReachCase::D:
      return timeOver(kReachC, distance);
    case ReachCase::E:
      return timeOver(kReachE, distance);
  }
  return 0;
}

double moveTime(MoveCase motion, double distance, double mass) {
  const DistanceTable& table = motion == MoveCase::A ? kMoveA : motion == MoveCase::B ? kMoveB : kMoveC;
  const WeightClass& weight = weightClassOf(mass);
  return weight.constant + weight.factor * timeOver(table, distance);
}

double turnTime(double angle, double mass) {
  const double degrees = angle / kDegree;
  if (degrees < kTurns_deg.front() / 2) return 0;
  const auto& table = mass <= 2 * kPound ? kTurnSmall : mass <= 10 * kPound ? kTurnMedium : kTurnLarge;
  return interpolated(kTurns_deg, table, std::min(degrees, kTurns_deg.back()), 0);
}

double positionTime(FitClass fit, Symmetry symmetry) {
  return kPositions[static_cast<std::size_t>(fit)][static_cast<std::size_t>(symmetry)];
}

double disengageTime(FitClass fit) {
  return kDisengage[static_cast<std::size_t>(fit)];
}

}  // namespace tenon::runtime
