// Hash chain over a session: detects any change of its inputs and states.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "physics/step/command.h"
#include "runtime/record/session_header.h"
#include "runtime/record/world_change.h"

namespace tenon::runtime {

/// 64-bit FNV-1a of the bytes only. About 1 s/GB.
std::uint64_t bytesHash(std::string_view bytes);

/// 64-bit FNV-1a, each text after its length, each number by its little-endian bytes, of: scene text;
/// number of mesh files, each path and hash of its bytes, by path; parameters by name, each name and value;
/// solver; number of its options, and each; rate; seed.
/// It detects accidental changes, not forgery: the hash has no key.
std::uint64_t chainStart(const SessionHeader& header);

/// The next link: FNV-1a of the previous link, of each command's kind, hand, body (as 64-bit integers, −1 for
/// none) and pose (p, q as x, y, z, w) if present, and of the hash of the resulting states.
/// Changes of the world precede the commands: kind, −1, −1, and tick, name of the solver, or rate.
std::uint64_t chainNext(std::uint64_t chain, std::span<const physics::Command> commands,
                        std::uint64_t stateHash, std::span<const WorldChange> changes = {});

}  // namespace tenon::runtime
