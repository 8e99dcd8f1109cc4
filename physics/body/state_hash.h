// One number for the states of all bodies: what replays and repeats are compared by.
#pragma once

#include <cstdint>
#include <span>

#include "physics/body/body_state.h"

namespace tenon::physics {

/// 64-bit FNV-1a over the bytes (little-endian) of p, q (x, y, z, w), v and ω of all bodies, in their order;
/// −0 counts as 0. Some 0.1 µs a body.
std::uint64_t stateHash(std::span<const BodyState> states);

}  // namespace tenon::physics
