// FNV-1a (Fowler, Noll, Vo).
#include "physics/body/state_hash.h"

#include <cstring>

namespace tenon::physics {

std::uint64_t stateHash(std::span<const BodyState> states) {
  std::uint64_t hash = 14695981039346656037ull;
  const auto add = [&hash](double value) {
    if (value == 0) value = 0;  // −0 and 0 are the same state
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  };
  for (const BodyState& state : states) {
    for (int k = 0; k < 3; ++k) add(state.X_WC.p[k]);
    for (int k = 0; k < 4; ++k) add(state.X_WC.q.coeffs()[k]);
    for (int k = 0; k < 3; ++k) add(state.v[k]);
    for (int k = 0; k < 3; ++k) add(state.omega[k]);
  }
  return hash;
}

}  // namespace tenon::physics
