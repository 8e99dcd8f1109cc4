// The best point of a search that found no solution.
#pragma once

#include <limits>
#include <vector>

namespace tenon::physics {

/// The forces with the least natural residual of those noted since reset().
class LeastResidual {
 public:
  /// Starts a search at `y`, whose residual is not known yet.
  void reset(const std::vector<double>& y) {
    forces_.assign(y.begin(), y.end());
    residual_ = std::numeric_limits<double>::infinity();
  }
  /// Keeps `y` if its residual [√J] is less than all before.
  void note(const std::vector<double>& y, double residual) {
    if (!(residual < residual_)) return;
    forces_.assign(y.begin(), y.end());
    residual_ = residual;
  }
  void note(const LeastResidual& other) { note(other.forces_, other.residual_); }

  const std::vector<double>& forces() const { return forces_; }
  double residual() const { return residual_; }

 private:
  std::vector<double> forces_;
  double residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace tenon::physics
