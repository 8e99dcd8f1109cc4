// Whether the states between two steps of an assembly stand under gravity, by simulation.
#pragma once

#include <compare>
#include <map>
#include <vector>

#include "runtime/plan/assembly.h"

namespace tenon::runtime {

/// The scene with only the parts of `isPresent` (by part), at their places in the assembled state.
content::Scene assembledScene(const Assembly& assembly, const std::vector<char>& isPresent);

/// Simulated time of one state [s]: a free fall of 0.4 m. It ends sooner where nothing moves.
inline constexpr double kStandingTime = 0.3;

/// Simulates partial assemblies with contacts, friction and gravity. Results are cached.
class StabilityCheck {
 public:
  /// Borrows `assembly`.
  explicit StabilityCheck(const Assembly& assembly) : assembly_(assembly) {}

  /// The units of `present` that leave their places, by more than kMaxSettling or kMaxTilting, within
  /// kStandingTime, if those are assembled, all others absent, and those of `held` fixed. Both lists are
  /// ascending. Screws in threads are tightened.
  const std::vector<int>& fallingUnits(const std::vector<int>& present, const std::vector<int>& held);
  /// The same without the parts that stay and all others: of a group that is built aside, or carried.
  const std::vector<int>& fallingAside(const std::vector<int>& present, const std::vector<int>& held);

  static constexpr double kMaxSettling = 1e-3;  ///< of the center of mass [m]
  static constexpr double kMaxTilting = 0.05;   ///< [rad]

 private:
  struct State {
    std::vector<int> present, held;
    bool withBase = true;
    auto operator<=>(const State&) const = default;
  };
  const std::vector<int>& resultOf(State state);
  std::vector<int> simulate(const State& state) const;

  const Assembly& assembly_;
  std::map<State, std::vector<int>> results_;
};

}  // namespace tenon::runtime
