// Simultaneous impacts by Baraff's method, for the solver baraff: inelastic ones within a step
// (AccelerationSolver), and each round of those with restitution at its end (ImpactSolver).
#pragma once

#include "physics/solver/row_system.h"

namespace tenon::physics {

/// Impulses p ≥ 0 [N s] at contacts that touch, and at joints, without friction. With w⁻ and w⁺ the
/// separation speeds before and after,
///     w⁺ = Gᵀ M̂⁻¹ G p + w⁻,   0 ≤ p ⟂ w⁺ + e max(0, −w⁻) ≥ 0,   joints: w⁺ = 0
/// (D. Baraff, Analytical methods for dynamic simulation of non-penetrating rigid bodies, SIGGRAPH 89,
/// section 8, all contacts at the same time; e is Newton's coefficient of restitution).
///
/// O(K²) memory and some K³ time. `solved` is false where Baraff fails: numbers that are not finite, or
/// contacts that contradict each other.
class BaraffImpact {
 public:
  explicit BaraffImpact(const BaraffOptions& options) : system_(options) {}

  /// For those of `rows` that `chosen` lists, with one coefficient −1 ≤ e ≤ 1 [-] each (w⁺ ≥ −e w⁻), or
  /// inelastic ones where `restitution` is empty. `u` (6n) holds the velocities before, and on success those
  /// after; `impulse` one entry [N s] for each that is chosen.
  DenseReport solve(const LinearizedContacts& problem, std::span<const ContactRow> rows,
                    std::span<const int> chosen, std::span<const double> restitution, std::span<double> u,
                    std::vector<double>& impulse);

  const BaraffStatistics& statistics() const { return system_.statistics(); }

 private:
  RowSystem system_;
};

}  // namespace tenon::physics
