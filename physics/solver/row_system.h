// Contacts and joints of a problem as a dense one, and Baraff's method on it: for forces that change
// accelerations and for impulses that change velocities.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "physics/contact/contact_problem.h"
#include "physics/solver/lcp/baraff.h"

namespace tenon::physics {

/// a = A f + b with A = Gᵀ M̂⁻¹ G: contacts with 0 ≤ f ⟂ a ≥ 0, then joint equations with a = 0. By b the
/// caller chooses what a is: an acceleration (f forces), or a velocity (f impulses).
///
/// O(K²) memory, and the cost of Baraff. Allocates nothing once it has solved a problem with as many rows,
/// rounded up to a power of two.
class RowSystem {
 public:
  explicit RowSystem(const BaraffOptions& options) : options_(options) {}

  /// For those of `rows` that `chosen` lists, in that order, and all joints of `problem`. b is zero.
  void build(const LinearizedContacts& problem, std::span<const ContactRow> rows,
             std::span<const int> chosen);

  /// Sets b of contact k, in the order chosen.
  void setContact(int k, double b) { current_->problem.b[k] = b; }
  /// Adds a compliance to A_kk.
  void addCompliance(int k, double compliance) { current_->problem.A(k, k) += compliance; }
  /// Sets b of equation `row` of joint n.
  void setJoint(int n, int row, double b) { current_->problem.b[firstOf_[n] + row] = b; }

  /// `solved` is verified, to kDenseTolerance of max|b|.
  DenseReport solve();

  /// Simultaneous impacts, without friction, for those of `rows` that `chosen` lists and all joints. With w⁻
  /// and w⁺ the separation speeds before and after, impulses p ≥ 0 [N s] with
  ///     w⁺ = Gᵀ M̂⁻¹ G p + w⁻,   0 ≤ p ⟂ w⁺ + e max(0, −w⁻) ≥ 0,   joints: w⁺ = 0
  /// (D. Baraff, Analytical methods for dynamic simulation of non-penetrating rigid bodies, SIGGRAPH 89,
  /// section 8), one coefficient −1 ≤ e ≤ 1 [-] each (w⁺ ≥ −e w⁻). `u` (6n) holds the velocities before, and
  /// on success those after; `impulse` one entry [N s] for each that is chosen. `solved` is false where
  /// numbers are not finite, or contacts contradict each other.
  DenseReport solveImpacts(const LinearizedContacts& problem, std::span<const ContactRow> rows,
                           std::span<const int> chosen, std::span<const double> restitution,
                           std::span<double> u, std::vector<double>& impulse);

  /// f of contact k, after solve().
  double force(int k) const { return current_->f[k]; }
  /// u += fraction · M̂⁻¹ G f.
  void addImpulses(double fraction, std::span<double> u) const;

  /// Natural residual of the last solve(), ‖min(f, (A f + b)/A_kk)‖∞, of joints ‖(A f + b)/A_kk‖∞ [as f].
  double residual() const { return residual_; }
  /// Of the last solve(), in the units of b and f; the unwanted force is an upper bound.
  const BaraffStatistics& statistics() const { return statistics_; }

 private:
  /// A column of L⁻¹ G.
  struct Column {
    int a = -1, b = -1;
    Vector6d ha = Vector6d::Zero(), hb = Vector6d::Zero();
  };
  struct Workspace {
    DenseProblem problem;
    Eigen::VectorXd f, w;
    Baraff method;
    explicit Workspace(const BaraffOptions& options) : method(options) {}
  };
  static constexpr int kSizes = 16;

  void add(int a, int b, const Vector6d& Ga, const Vector6d& Gb);
  static double coupling(const Column& k, const Column& l);
  Workspace& workspace(int size);
  void check();

  BaraffOptions options_;
  const LinearizedContacts* problem_ = nullptr;
  std::vector<Column> columns_;
  std::vector<int> firstOf_;  ///< row of each joint's first equation
  int contacts_ = 0;
  std::array<std::unique_ptr<Workspace>, kSizes> workspaces_;
  Workspace* current_ = nullptr;
  BaraffStatistics statistics_;
  double residual_ = 0;
};

}  // namespace tenon::physics
