// Polynomials in two variables in Bernstein form: their halves, and the binomial coefficients that turn
// products of them into sums.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tenon::physics::brep {

/// n over k at [n][k]: rows of Pascal's triangle, enough for the product of two patches of the largest
/// degree.
inline constexpr auto kBinomials = [] {
  constexpr std::size_t kRows = 51;
  std::array<std::array<double, kRows>, kRows> rows{};
  for (std::size_t n = 0; n < kRows; ++n) {
    rows[n][0] = rows[n][n] = 1;
    for (std::size_t i = 1; i < n; ++i) rows[n][i] = rows[n - 1][i - 1] + rows[n - 1][i];
  }
  return rows;
}();

/// The coefficients over the halves of 0 … 1 in s (direction 0) or t, by de Casteljau's scheme. `points`: of
/// i = 0 … degree in s and k = 0 … degree in t, at i (degree in t + 1) + k.
template <class Vector>
std::array<std::vector<Vector>, 2> halvesOf(const std::vector<Vector>& points,
                                            const std::array<std::size_t, 2>& degree, std::size_t direction) {
  std::array<std::vector<Vector>, 2> both{points, points};
  const std::size_t rows = degree[0] + 1, columns = degree[1] + 1;
  const std::size_t length = direction == 0 ? rows : columns, lines = direction == 0 ? columns : rows;
  std::array<Vector, kBinomials.size()> q;
  for (std::size_t line = 0; line < lines; ++line) {
    const auto index = [&](std::size_t k) {
      return direction == 0 ? k * columns + line : line * columns + k;
    };
    for (std::size_t k = 0; k < length; ++k) q[k] = points[index(k)];
    for (std::size_t left = length; left > 0; --left) {
      both[0][index(length - left)] = q[0];
      both[1][index(left - 1)] = q[left - 1];
      for (std::size_t k = 0; k + 1 < left; ++k) q[k] = 0.5 * (q[k] + q[k + 1]);
    }
  }
  return both;
}

}  // namespace tenon::physics::brep
