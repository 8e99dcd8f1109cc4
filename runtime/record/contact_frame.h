// Contacts of a keyframe as compressed bytes, relative to those of the row before: see format.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "physics/world.h"

namespace tenon::runtime {

/// A contact in single precision (relative rounding error at most 6e-8). It does not affect the motion: a
/// re-simulation computes all contacts again.
struct RecordedContact {
  /// Point and normal (in the world), distance [m], normal force and friction [N], coefficient of friction.
  enum Value { px, py, pz, nx, ny, nz, distance, force, frictionX, frictionY, frictionZ, mu, count };

  int i = 0, j = 0;                   ///< ids of the bodies
  std::uint64_t feature = 0;          ///< as in physics::Contact
  std::array<float, count> values{};  ///< by Value; +0 instead of −0

  bool operator==(const RecordedContact& other) const = default;
};

using RecordedContacts = std::vector<RecordedContact>;

/// zstd frame with the contacts `now`, as differences from `before` (empty: none).
std::string encodeContacts(const RecordedContacts& now, const RecordedContacts& before);

/// The inverse; throws std::invalid_argument for bytes that encodeContacts() cannot have made.
RecordedContacts decodeContacts(std::string_view bytes, const RecordedContacts& before);

/// Decides which keyframes get a row: those whose contacts differ from the last row's, and whole ones.
class ContactRows {
 public:
  /// Bytes of the row for these contacts; empty if the last row has them already. `whole`: readable without
  /// the rows before.
  std::optional<std::string> add(const std::vector<physics::ContactForce>& contacts, bool whole);

 private:
  RecordedContacts last_;  ///< of the last row
};

}  // namespace tenon::runtime
