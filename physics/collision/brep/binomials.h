// Binomial coefficients, which turn products of polynomials in Bernstein form into sums.
#pragma once

#include <array>
#include <cstddef>

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

}  // namespace tenon::physics::brep
