// Feature codes, and contacts from surface points.
#include "physics/collision/revolved/pair_search.h"

#include <algorithm>

namespace tenon::physics {

std::uint32_t featureCode(Owner owner, int own, int other, Kind kind, int sector) {
  return static_cast<std::uint32_t>(owner) << 31 | static_cast<std::uint32_t>(own) << 18 |
         static_cast<std::uint32_t>(other) << 5 | static_cast<std::uint32_t>(kind) << 3 |
         static_cast<std::uint32_t>(sector);
}

SurfaceContact contactOf(Owner owner, const Vector3d& p, const Vector3d& normal, double distance,
                         std::uint32_t code) {
  return {p - 0.5 * distance * normal, owner == Owner::kA ? Vector3d(-normal) : normal, distance, code};
}

void recordNotFacing(const PairSearch& pair, const SurfaceContact& contact) {
  if (contact.separation < pair.notFacing.separation) pair.notFacing = contact;
}

bool hasOverlapContact(const PairSearch& pair, std::size_t first) {
  return std::any_of(pair.contacts.begin() + static_cast<std::ptrdiff_t>(first), pair.contacts.end(),
                     [](const SurfaceContact& c) { return c.separation < 0; });
}

void finish(const PairSearch& pair, std::size_t first) {
  if (pair.notFacing.separation < 0 && !hasOverlapContact(pair, first))
    pair.contacts.push_back(pair.notFacing);
  std::sort(pair.contacts.begin() + static_cast<std::ptrdiff_t>(first), pair.contacts.end(),
            [](const SurfaceContact& x, const SurfaceContact& y) { return x.feature < y.feature; });
}

}  // namespace tenon::physics
