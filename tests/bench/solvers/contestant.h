// What bench_solvers times: any method for w = A f + b, 0 ≤ f ⟂ w ≥ 0, or with Coulomb friction, of ours or
// of a peer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "physics/solver/lcp/dense_problem.h"

namespace tenon::bench {

class Contestant {
 public:
  virtual ~Contestant() = default;
  virtual std::string name() const = 0;
  /// Preparation that its interface requires: copies into its own layout, memory. Not timed.
  virtual void load(const physics::DenseProblem& problem) = 0;
  /// Timed. May spoil what was loaded: load() comes before each.
  virtual void solve() = 0;
  /// What it found; no claim of its own counts.
  virtual Eigen::VectorXd forces() const = 0;
};

using Contestants = std::vector<std::unique_ptr<Contestant>>;

/// Each in the file of its name; of peers only where they are installed.
Contestants tenonMethods(bool friction);
Contestants siconosMethods(bool friction);
Contestants dartMethods();
Contestants bulletMethods();

}  // namespace tenon::bench
