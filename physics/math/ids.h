// Typed ids: body, hand, joint and material indices cannot be mixed up.
#pragma once

#include <compare>
#include <cstdint>

namespace tenon::physics {

/// An index that compares only with ids of the same kind. Default: invalid.
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
using HexagonId = Id<struct HexagonTag>;    ///< index into World's hexagons of screws
using DriverId = Id<struct DriverTag>;      ///< index into World's drivers
using ThrusterId = Id<struct ThrusterTag>;  ///< index into World's thrusters

}  // namespace tenon::physics
