// A linearised contact problem in its normal form, the one all inner solvers work on.
//
// With M̂ = L Lᵀ, ũ = Lᵀ(u − u_free), D_k = Δt √A_kk and y = D f, z = D⁻¹ δ:
//     z = c + H ũ + ε y ≥ 0   ⟂   y ≥ 0,   ũ = Hᵀ y,
// where row k of H is (Δt/D_k) G_kᵀ L⁻ᵀ and has length 1, so A = H Hᵀ has unit diagonal. y and z have
// the same unit √J. This is the optimality condition of  min ½|ũ|² + |y|² ε/2  s.t.  H ũ + ε y + c ≥ 0:
// A has rank ≤ 6n however many contacts there are, and everything that costs O(K³) in force space
// costs O(K n²) here.
#pragma once

#include <span>
#include <vector>

#include "physics/contact/contact_problem.h"

namespace tenon::physics {

class NormalForm {
 public:
  /// Takes over the rows of `problem` as they are now. ε ≥ 0 is the relative compliance [-].
  void build(const ContactProblem& problem, double epsilon);

  int bodies() const { return bodies_; }
  int contacts() const { return static_cast<int>(rows_.size()); }
  int dimension() const { return 6 * bodies_; }
  double epsilon() const { return epsilon_; }

  /// A row of H: two 6-blocks at bodies a and b; −1: none.
  struct Row {
    int a = -1, b = -1;
    Vector6d ha = Vector6d::Zero(), hb = Vector6d::Zero();
    double c = 0;  ///< [√J]
    double d = 1;  ///< D_k [√(m/N)]
  };
  const Row& row(int k) const { return rows_[k]; }

  /// ũ = Hᵀ y.
  void velocity(std::span<const double> y, std::span<double> v) const;
  /// z = c + H ũ + ε y.
  void distances(std::span<const double> y, std::span<const double> v, std::span<double> z) const;
  /// H_k ũ.
  double along(int k, std::span<const double> v) const;
  /// H Hᵀ entry (k, l).
  double coupling(int k, int l) const;
  /// max |c|, the scale of tolerances [√J].
  double scale() const { return scale_; }
  /// True where u_free already satisfies every row: y = 0 is the solution.
  bool nothingPresses() const;
  /// ‖min(y, z)‖∞ [√J].
  double naturalResidual(std::span<const double> y) const;

  /// y from forces [N] and back.
  double toScaled(int k, double force) const { return rows_[k].d * force; }
  double toForce(int k, double y) const { return y / rows_[k].d; }
  /// u = u_free + L⁻ᵀ ũ.
  void toVelocity(const ContactProblem& problem, std::span<const double> v, std::vector<double>& u) const;

 private:
  int bodies_ = 0;
  double epsilon_ = 0;
  double scale_ = 0;
  std::vector<Row> rows_;
  mutable std::vector<double> v_, z_;  // scratch of naturalResidual
};

}  // namespace tenon::physics
