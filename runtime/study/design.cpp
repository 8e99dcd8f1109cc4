// Counter-based: every number is a hash of (seed, case, variable), mapped by the inverse of its distribution.
#include "runtime/study/design.h"

#include <algorithm>
#include <bit>
#include <boost/math/special_functions/erf.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numbers>

namespace tenon::runtime {

namespace {

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection of 64 bits.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

std::uint64_t hashOf(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mix(mix(mix(seed) ^ a) ^ b);
}

/// In (0, 1), never an end.
double unitInterval(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

/// A permutation of 0 to count − 1 by a keyed Feistel network over the next power of 4; values beyond `count`
/// are mapped again until they are below (cycle walking, Black and Rogaway 2002).
std::uint64_t permuted(std::uint64_t k, std::uint64_t count, std::uint64_t key) {
  const int half = std::max(1, (static_cast<int>(std::bit_width(count - 1)) + 1) / 2);
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = k >> half, right = k & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (hashOf(key, round, right) & mask);
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= count);
  return k;
}

/// The quantile at `u` in (0, 1).
double quantile(const Variable& variable, double u) {
  const std::vector<double>& n = variable.numbers;
  switch (variable.distribution) {
    case Distribution::uniform:
      return n[0] + u * (n[1] - n[0]);
    case Distribution::normal: {
      const double within = boost::math::erf(kTruncation / std::numbers::sqrt2);
      return n[0] + n[1] * std::numbers::sqrt2 * boost::math::erf_inv((2 * u - 1) * within);
    }
    case Distribution::triangular: {
      const double width = n[2] - n[0], rise = n[1] - n[0], fall = n[2] - n[1];
      return u * width < rise ? n[0] + std::sqrt(u * width * rise) : n[2] - std::sqrt((1 - u) * width * fall);
    }
    case Distribution::list:
      break;
  }
  const auto size = static_cast<double>(n.size());
  return n[static_cast<std::size_t>(std::min(u * size, size - 1))];
}

std::vector<double> gridValues(const StudyPlan& plan, std::int64_t k) {
  std::vector<double> values(plan.variables.size());
  for (std::size_t d = values.size(); d-- > 0;) {  // the last variable changes fastest
    const std::vector<double>& numbers = plan.variables[d].numbers;
    values[d] = numbers[static_cast<std::size_t>(k) % numbers.size()];
    k /= static_cast<std::int64_t>(numbers.size());
  }
  return values;
}

/// Points in the unit cube, one coordinate a variable. Sobol's points are shifted digitally by the seed.
std::vector<double> unitPoint(const StudyPlan& plan, std::uint64_t k) {
  const std::size_t dimension = plan.variables.size();
  std::vector<double> point(dimension);
  if (plan.design == Design::sobol) {
    boost::random::sobol engine(dimension);
    engine.discard(k * dimension);
    for (std::size_t d = 0; d < dimension; ++d) point[d] = unitInterval(engine() ^ hashOf(plan.seed, d, 2));
    return point;
  }
  const auto count = static_cast<std::uint64_t>(plan.count);
  for (std::size_t d = 0; d < dimension; ++d) {
    point[d] = unitInterval(hashOf(plan.seed, k, 16 + d));
    if (plan.design == Design::latinHypercube)
      point[d] = (static_cast<double>(permuted(k, count, hashOf(plan.seed, d, 1))) + point[d]) /
                 static_cast<double>(count);
  }
  return point;
}

}  // namespace

std::vector<double> valuesOfCase(const StudyPlan& plan, std::int64_t k) {
  if (plan.design == Design::grid) return gridValues(plan, k);
  std::vector<double> values = unitPoint(plan, static_cast<std::uint64_t>(k));
  for (std::size_t d = 0; d < values.size(); ++d) values[d] = quantile(plan.variables[d], values[d]);
  return values;
}

std::uint64_t seedOfCase(const StudyPlan& plan, std::int64_t k) {
  return hashOf(plan.seed, static_cast<std::uint64_t>(k), 0);
}

}  // namespace tenon::runtime
