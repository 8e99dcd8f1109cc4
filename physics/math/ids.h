// Typed ids: a body, a hand and a material are not interchangeable integers.
#pragma once

#include <compare>
#include <cstdint>

namespace tenon::physics {

/// An index that only compares with ids of its own kind. Default: none.
template <class Tag>
struct Id {
  std::int32_t value = -1;                      ///< the index, ≥ 0; −1: none
  bool valid() const { return value >= 0; }     ///< false for none
  auto operator<=>(const Id&) const = default;  ///< by index
};

using BodyId = Id<struct BodyTag>;          ///< index into World's bodies
using HandId = Id<struct HandTag>;          ///< index into World's hands
using JointId = Id<struct JointTag>;        ///< index into World's joints
using MaterialId = Id<struct MaterialTag>;  ///< index into World's materials

}  // namespace tenon::physics
