// Hash of the states of all bodies, for comparing replays and repeated runs.
#pragma once

#include <cstdint>
#include <span>

#include "physics/body/body_state.h"

namespace tenon::physics {

/// 64-bit FNV-1a over the little-endian bytes of p, q (x, y, z, w), v and ω of all bodies in order; −0 counts
/// as 0. About 0.1 µs per body.
std::uint64_t stateHash(std::span<const BodyState> states);

}  // namespace tenon::physics
