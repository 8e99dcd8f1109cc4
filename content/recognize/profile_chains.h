// Connects the profile lines of a group to chains.
#pragma once

#include "content/recognize/revolved_groups.h"

namespace tenon::content {

/// Chains of lines of `group` that meet in full circles. `regionOf`: region of each triangle.
std::vector<ProfileChain> profileChains(const Facets& facets, const std::vector<int>& regionOf,
                                        const RevolvedGroup& group, BoreRule rule);

}  // namespace tenon::content
