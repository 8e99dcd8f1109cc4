// Connects the profile lines of a group to chains.
#pragma once

#include "content/recognize/revolved_groups.h"

namespace tenon::content {

/// The exact surface of a line, n · (r, z) = d: see ProfileChain::points.
struct ExactLine {
  Eigen::Vector2d n;  ///< unit
  double d;           ///< [m]
  ExactLine(const ProfileLine& line, BoreRule rule) : n(line.n), d(line.d) {
    if (followsFlats(line, rule)) n.x() /= line.flatRatio;
    const double scale = n.norm();
    n /= scale;
    d /= scale;
  }
};

/// Chains of lines of `group` that meet in full circles. `regionOf`: region of each triangle.
std::vector<ProfileChain> profileChains(const Facets& facets, const std::vector<int>& regionOf,
                                        const RevolvedGroup& group, BoreRule rule);

}  // namespace tenon::content
