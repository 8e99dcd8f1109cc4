// From the profile lines of a group to chains of them.
#pragma once

#include "content/recognize/revolved_groups.h"

namespace tenon::content {

/// Chains of `group` by the circles in which its lines meet. `regionOf`: of each triangle.
std::vector<ProfileChain> profileChains(const Facets& facets, const std::vector<int>& regionOf,
                                        const RevolvedGroup& group, BoreRule rule);

}  // namespace tenon::content
