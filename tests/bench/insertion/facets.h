// The bore for engines without round bores: facets tangent to the true bore and cone from outside, so that it
// is never narrower than drawn.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/bench/insertion/insertion_trial.h"

namespace tenon::bench {

using Sector = std::array<Vector3d, 10>;

/// kFacets convex sectors, as corners in world axes [m], one with its facet at +x. Wall and lead-in are one
/// piece: where they are two, the inner edge between them catches the peg's rim (Bullet jams at 20 µm).
inline std::vector<Sector> facets(const tests::PegAndBore& fit) {
  constexpr double kHalfAngle = std::numbers::pi / kFacets;
  const double mouth = fit.boreRadius + fit.chamfer, outside = mouth + 3e-3;
  const std::array<std::array<double, 2>, 5> profile{{{fit.boreRadius, -fit.height},
                                                      {fit.boreRadius, -fit.chamfer},
                                                      {mouth, 0},
                                                      {outside, 0},
                                                      {outside, -fit.height}}};
  std::vector<Sector> sectors;
  for (int k = 0; k < kFacets; ++k) {
    Sector& sector = sectors.emplace_back();
    std::size_t corner = 0;
    for (const double angle : {(2 * k - 1) * kHalfAngle, (2 * k + 1) * kHalfAngle})
      for (const auto& [r, z] : profile)
        sector[corner++] =
            Vector3d(r * std::cos(angle), r * std::sin(angle), 0) / std::cos(kHalfAngle) + Vector3d(0, 0, z);
  }
  return sectors;
}

}  // namespace tenon::bench
