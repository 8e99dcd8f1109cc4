// Exact contacts of pairs with a solid of revolution or a block with holes, by the algorithm that Bullet's
// dispatcher finds for their shape types.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "physics/collision/contact.h"
#include "physics/collision/convex_part.h"
#include "physics/collision/geometry/shape.h"

namespace tenon::physics::bullet {

/// A shape prepared for exact contacts. Includes no Bullet header.
class ExactSolid {
 public:
  /// Empty for shapes without exact contacts: faceted blocks, compounds.
  /// Throws std::invalid_argument for solids of revolution and blocks with holes that cannot be made.
  static std::optional<ExactSolid> of(const Shape& shape, const Bounds& bounds);
  /// True where the exact contacts of the two are known, and one of them is a solid of revolution or a block
  /// with holes by its shape. (Cylinders and frustums count as solids of revolution only in pairs with
  /// these.)
  static bool hasExactContacts(const ExactSolid& a, const ExactSolid& b);

  ExactSolid(ExactSolid&&) noexcept;
  ExactSolid& operator=(ExactSolid&&) noexcept;
  ~ExactSolid();

 private:
  friend class ExactPairs;
  struct Implementation;
  explicit ExactSolid(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// Exact contacts through a Bullet dispatcher in which RevolvedAlgorithm is registered.
class ExactPairs {
 public:
  ExactPairs();
  ~ExactPairs();
  ExactPairs(const ExactPairs&) = delete;
  ExactPairs& operator=(const ExactPairs&) = delete;

  /// Output of a query: contacts are computed in the frame I of body i and transformed to the world W.
  struct Target {
    BodyId i, j;
    const RigidTransform& X_WI;
    std::uint64_t key = 0;  ///< upper bits of every feature
    ContactSet& contacts;
  };

  /// Appends the contacts with δ ≤ range [m] of solid a of body i with solid b of body j, ordered by
  /// feature. Safe to call from several threads.
  void findContacts(const ExactSolid& a, const RigidTransform& X_IA, const ExactSolid& b,
                    const RigidTransform& X_IB, double range, const Target& target) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tenon::physics::bullet
